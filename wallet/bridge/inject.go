package bridge

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/rand"
	"html"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// mark is the byte order mark of UTF-8.
const mark = "\xef\xbb\xbf"

// maxHead limits how much of a page is held back while its head is looked for.
const maxHead = 256 << 10

// inject puts the provider's script into a page of HTML, and what keeps a worker at
// home, "" where there is none, before its script. The content security policy lets both act.
// All else passes unchanged, a page in UTF-16 too.
func inject(r *http.Response, worker string) error {
	// A type that cannot be read is "", which is no page either.
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.StatusCode == http.StatusNotModified, strings.HasPrefix(strings.ToLower(params["charset"]), "utf-16"):
	case kind == "text/html" || kind == "application/xhtml+xml":
		script := `<script src="/.chainscope/provider.js"`
		if nonce := allowInPolicies(r.Header); nonce != "" {
			script += ` nonce="` + html.EscapeString(nonce) + `"`
		}
		insert(r, &injected{script: script + `></script>`, head: head{xml: kind != "text/html"}})
	case worker != "" && strings.HasSuffix(kind, "javascript"):
		allowInPolicies(r.Header)
		insert(r, &injected{script: worker, first: true})
	}
	return nil
}

// isWorker reports whether a browser requests the script of a worker.
func isWorker(r *http.Request) bool {
	dest := r.Header.Get("Sec-Fetch-Dest")
	return dest == "worker" || dest == "sharedworker" || dest == "serviceworker"
}

// insert lets a body be read with a script in it.
func insert(r *http.Response, page *injected) {
	encoding := strings.ToLower(r.Header.Get("Content-Encoding"))
	if encoding != "" && encoding != "identity" && encoding != "gzip" {
		return // the dapp did not heed what it requested; its page stays as it is
	}
	// The length is another now, and the page has another content than the one
	// that a strong validator names.
	r.Header.Del("Content-Length")
	if tag := r.Header.Get("Etag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		r.Header.Set("Etag", "W/"+tag)
	}
	if r.Request.Method == http.MethodHead || r.Body == nil || r.Body == http.NoBody {
		return
	}
	page.source, page.body = r.Body, r.Body
	if encoding == "gzip" {
		r.Header.Del("Content-Encoding")
		page.unzip = true
	}
	r.Body = page
}

// injected is a page that streams, with the script after the start of its head, or
// first of all. The policies of its head let the script connect.
type injected struct {
	source io.Reader
	body   io.Closer
	script string // "" once it is in
	first  bool
	unzip  bool
	head   head
	held   []byte // read, and not parsed yet
	ready  []byte // to be passed on
	err    error  // of source, passed on after what is ready
}

func (p *injected) Read(b []byte) (int, error) {
	if p.unzip {
		unzipped, err := gzip.NewReader(p.source)
		if err != nil {
			return 0, err
		}
		p.source, p.unzip = unzipped, false
	}
	for len(p.ready) == 0 && p.err == nil && (p.script != "" || !p.head.over) {
		p.fill()
	}
	if len(p.ready) > 0 {
		n := copy(b, p.ready)
		p.ready = p.ready[n:]
		return n, nil
	}
	if p.err != nil {
		return 0, p.err
	}
	return p.source.Read(b)
}

// fill reads on, and moves what is settled of the head to what is ready.
func (p *injected) fill() {
	buffer := make([]byte, 16<<10)
	n, err := p.source.Read(buffer)
	p.held = append(p.held, buffer[:n]...)
	p.err = err
	whole := err != nil || len(p.held) >= maxHead
	if len(p.held) < len(mark) && !whole {
		return
	}
	if p.script != "" && (bytes.HasPrefix(p.held, []byte("\xff\xfe")) || bytes.HasPrefix(p.held, []byte("\xfe\xff"))) {
		p.script, p.head.over = "", true // UTF-16
	}
	at := 0
	if p.script != "" {
		if bytes.HasPrefix(p.held, []byte(mark)) {
			at = len(mark)
		}
		if !p.first {
			at = headAt(p.held, at, whole)
		}
		if at < 0 {
			return
		}
		p.ready = append(bytes.Clone(p.held[:at]), p.script...)
		p.script, p.head.over = "", p.first
	}
	for !p.head.over && at < len(p.held) {
		n, instead := p.head.next(p.held[at:])
		if n == 0 {
			break
		}
		if instead == "" {
			p.ready = append(p.ready, p.held[at:at+n]...)
		}
		p.ready = append(p.ready, instead...)
		at += n
	}
	p.held = p.held[at:]
	if whole || p.head.over {
		p.ready, p.held, p.head.over = append(p.ready, p.held...), nil, true
	}
}

func (p *injected) Close() error { return p.body.Close() }

// policies are the headers that can forbid a script or a connection.
var policies = []string{"Content-Security-Policy", "Content-Security-Policy-Report-Only"}

// allowInPolicies extends each policy so that the page may load a script from,
// and connect to, its own server. It returns the nonce to give to the script
// when a policy heeds nothing else.
func allowInPolicies(h http.Header) (nonce string) {
	all := strings.NewReplacer(";", " ", ",", " ").Replace(strings.Join(slices.Concat(h.Values(policies[0]), h.Values(policies[1])), ","))
	fresh := cmp.Or(nonceOf(strings.Fields(all)), rand.Text()) // one for all policies
	for _, name := range policies {
		for i, value := range h.Values(name) {
			list := strings.Split(value, ",") // one header may hold several policies
			for j, policy := range list {
				extended, found := allowInPolicy(policy, fresh)
				list[j] = extended
				if nonce == "" {
					nonce = found
				}
			}
			h[name][i] = strings.Join(list, ",")
		}
	}
	return nonce
}

// allowInPolicy extends one policy (Content Security Policy level 3). A
// directive that is absent falls back to another, which must not be widened for
// all else; it is copied first. Where 'strict-dynamic' lets only scripts with a hash or a
// nonce act, it gets the nonce fresh, if there is one.
func allowInPolicy(policy, fresh string) (extended, nonce string) {
	var order []string
	directives := map[string][]string{}
	for _, part := range strings.Split(policy, ";") {
		fields := strings.Fields(part)
		if len(fields) == 0 {
			continue
		}
		name := strings.ToLower(fields[0])
		if _, twice := directives[name]; twice {
			continue // only the first of a name counts
		}
		order = append(order, name)
		directives[name] = fields[1:]
	}
	widen := func(names ...string) {
		for _, name := range names {
			sources, ok := directives[name]
			if !ok {
				continue
			}
			if name != names[0] {
				order = append(order, names[0])
			}
			if fresh != "" && names[0] != "connect-src" && nonceOf(sources) == "" && slices.ContainsFunc(sources, func(s string) bool { return strings.EqualFold(s, "'strict-dynamic'") }) {
				sources = append(slices.Clone(sources), "'nonce-"+fresh+"'")
			}
			directives[names[0]] = withSelf(sources)
			if nonce == "" && names[0] != "connect-src" {
				nonce = nonceOf(sources)
			}
			return
		}
	}
	widen("script-src-elem", "script-src", "default-src")
	widen("connect-src", "default-src")
	parts := make([]string, len(order))
	for i, name := range order {
		parts[i] = strings.Join(append([]string{name}, directives[name]...), " ")
	}
	return strings.Join(parts, "; "), nonce
}

func withSelf(sources []string) []string {
	kept := make([]string, 0, len(sources)+1)
	for _, s := range sources {
		if strings.EqualFold(s, "'self'") {
			return sources
		}
		if !strings.EqualFold(s, "'none'") {
			kept = append(kept, s)
		}
	}
	return append(kept, "'self'")
}

func nonceOf(sources []string) string {
	for _, s := range sources {
		if nonce, ok := strings.CutPrefix(s, "'nonce-"); ok {
			return strings.TrimSuffix(nonce, "'")
		}
	}
	return ""
}
