package world

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// savedWorlds is a folder beside the state file of a server, with a state file for each
// named world to which something was done. Who holds the state file holds the folder.
type savedWorlds struct {
	dir    string
	header Header
	begin  [][]byte // what was done to the server itself before the worlds began
	blank  *content // what the server was before that
}

// worldFile begins the name of the state file of a world, so that no world is called
// as a device is on Windows.
const worldFile = "w-"

// journal returns the journal of a world to which nothing was done.
func (k *savedWorlds) journal(name string) *Journal {
	j, err := newJournal(filepath.Join(k.dir, fileOfWorld(name)), k.header)
	if err != nil {
		panic(err) // a header can always be written as JSON
	}
	j.lines = k.begin
	return j
}

// fileOfWorld returns the file name for a world's name. Capitals are written as %41, as
// many file systems take them for small letters.
func fileOfWorld(name string) string {
	var file strings.Builder
	file.WriteString(worldFile)
	for i := range len(name) {
		if c := name[i]; c == '.' || 'A' <= c && c <= 'Z' {
			fmt.Fprintf(&file, "%%%02X", c)
		} else {
			file.WriteByte(c)
		}
	}
	return file.String()
}

// worldOfFile returns the reverse of fileOfWorld. ok is false for any other file.
func worldOfFile(file string) (name string, ok bool) {
	text, ok := strings.CutPrefix(file, worldFile)
	name, err := url.PathUnescape(text)
	return name, ok && err == nil && checkName(name) == nil && fileOfWorld(name) == file
}

// Keep makes the worlds again that are kept beside a state file, and keeps from then on
// what is done to each, below a header that describes the chain. It returns the files
// whose last line was cut.
func (all *Worlds) Keep(itself *World, file *StateFile, header Header) (cut []string, err error) {
	all.kept = &savedWorlds{file.path + ".worlds", header, itself.journal.after(0), itself.begin}
	all.kept.header.Begin = len(all.kept.begin)
	if err := os.MkdirAll(all.kept.dir, 0o700); err != nil {
		return nil, err
	}
	found, err := os.ReadDir(all.kept.dir)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b fs.DirEntry) int { return cmp.Compare(written(a), written(b)) })
	for _, one := range found {
		name, ok := worldOfFile(one.Name())
		if !ok {
			continue
		}
		path := filepath.Join(all.kept.dir, one.Name())
		torn, err := all.restore(name, path)
		if err != nil {
			return nil, fmt.Errorf("its world %s, %q: %w", name, path, err)
		}
		if torn {
			cut = append(cut, path)
		}
	}
	return cut, nil
}

// written returns when a file was written, in nanoseconds.
func written(e fs.DirEntry) int64 {
	info, err := e.Info()
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// restore makes a world as its file says. It reports whether the last line was cut.
func (all *Worlds) restore(name, path string) (bool, error) {
	if err := checkStateFile(path); err != nil {
		return false, err
	}
	file, err := readStateFile(path)
	if err != nil || file.New {
		return false, err
	}
	if !file.Header.sameChain(all.kept.header) {
		return false, errors.New("it belongs to another chain than the state file; move the folder away")
	}
	w := newWorld(name, all.shared, all.kept.blank)
	if err := w.Keep(file, file.Header); err != nil {
		return false, err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	all.add(w)
	return file.Cut(), nil
}
