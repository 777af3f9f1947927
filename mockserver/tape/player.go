package tape

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chainscope/wallet/atomicfile"
)

// Player serves a tape. It reads the folder once.
type Player struct {
	dir string
	by  map[string]*Exchange // by its key
}

// Open reads every file of a tape. A folder without any is an error, and so is
// a damaged file: what it held cannot be known.
func Open(dir string) (*Player, error) {
	files, err := fs.Glob(os.DirFS(dir), "*"+fileExtension)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%q holds no recorded answer (*%s); record some with --upstream URL --record DIR", dir, fileExtension)
	}
	p := &Player{dir: dir, by: make(map[string]*Exchange, len(files))}
	for _, name := range files {
		e, err := read(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		p.by[key(e.Method, e.Target, e.NormalBody)] = e
	}
	return p, nil
}

// read reads a file of a tape. A pipe is refused: reading it could wait for ever.
func read(path string) (*Exchange, error) {
	file, _, err := atomicfile.OpenRegular(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return decode(data)
}

// key returns what an answer is looked up by.
func key(method, target, requested string) string {
	return strings.TrimSpace(method + " " + target + " " + requested)
}

// Dir returns the folder of the tape.
func (p *Player) Dir() string { return p.dir }

// Len returns the number of recorded answers.
func (p *Player) Len() int { return len(p.by) }

// Near lists at most n recorded requests like the one that was not found, those
// of the longest common path first.
func (p *Player) Near(u *url.URL, n int) []string {
	path := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	common := func(target string) (depth int) {
		of, _, _ := strings.Cut(strings.Trim(target, "/"), "?")
		for i, part := range strings.Split(strings.TrimSuffix(of, "/"), "/") {
			if i == len(path) || part != path[i] {
				break
			}
			depth++
		}
		return depth
	}
	var all []string
	for _, e := range p.by {
		all = append(all, e.Method+" "+e.Target)
	}
	slices.SortFunc(all, func(a, b string) int {
		_, one, _ := strings.Cut(a, " ")
		_, other, _ := strings.Cut(b, " ")
		return cmp.Or(cmp.Compare(common(other), common(one)), cmp.Compare(a, b))
	})
	all = slices.Compact(all) // one that was requested with several bodies is listed once
	return all[:min(n, len(all))]
}

// All calls f with every recorded answer, in no order.
func (p *Player) All(f func(*Exchange)) {
	for _, e := range p.by {
		f(e)
	}
}

// Find looks a request up. HEAD is answered from a recorded GET too. A request
// that returns what is the default anyway (limit=20, offset=0, unanchored=false,
// an empty locale), or that has or lacks a slash at its end, is the same request.
// requested is the body as NormalBody returns it, "" for none.
func (p *Player) Find(method string, u *url.URL, requested string) (*Exchange, bool) {
	for _, target := range []string{Target(u), plainTarget(u), toggleSlash(plainTarget(u))} {
		for _, as := range []string{method, http.MethodGet} {
			if as == http.MethodGet && method != http.MethodHead && method != http.MethodGet {
				continue
			}
			if e, ok := p.by[key(as, target, requested)]; ok {
				return e, true
			}
		}
	}
	return p.join(method, u)
}

var defaults = map[string]bool{"limit=20": true, "offset=0": true, "unanchored=false": true, "locale=": true}

// plainTarget returns the target without parameters that say the default.
func plainTarget(u *url.URL) string {
	path, query, found := strings.Cut(Target(u), "?")
	if !found {
		return path
	}
	var pairs []string
	for pair := range strings.SplitSeq(query, "&") {
		if !defaults[pair] {
			pairs = append(pairs, pair)
		}
	}
	if len(pairs) == 0 {
		return path
	}
	return path + "?" + strings.Join(pairs, "&")
}

func toggleSlash(target string) string {
	path, query, found := strings.Cut(target, "?")
	if trimmed, ok := strings.CutSuffix(path, "/"); ok {
		path = trimmed
	} else {
		path += "/"
	}
	if found {
		path += "?" + query
	}
	return path
}
