package bridge

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

const tag = `<script src="/.chainscope/provider.js"></script>`

func TestTheScriptIsFirstInThePage(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"in the head":                                  {"<!doctype html><html><head lang='>'><title>x</title></head></html>", "<!doctype html><html><head lang='>'>" + tag + "<title>x</title></head></html>"},
		"behind html without a head":                   {"<!doctype html><html><body>x</body></html>", "<!doctype html><html>" + tag + "<body>x</body></html>"},
		"behind the doctype":                           {"<!DOCTYPE html><div>x</div>", "<!DOCTYPE html>" + tag + "<div>x</div>"},
		"before a fragment":                            {"<p>x", tag + "<p>x"},
		"into an empty page":                           {"", tag},
		"not into a comment":                           {"<!-- <head> --><html><HEAD><meta></HEAD>", "<!-- <head> --><html><HEAD>" + tag + "<meta></HEAD>"},
		"not into a header element":                    {"<html><body><header>x</header>", "<html>" + tag + "<body><header>x</header>"},
		"behind letters that are longer in lower case": {"<!-- \xfa\xfa\u0130\u212a --><head>x", "<!-- \xfa\xfa\u0130\u212a --><head>" + tag + "x"},
		"not behind a tag whose name goes on":          {"<head2>x", tag + "<head2>x"},
		"before a head that never ends":                {"<html><head", "<html>" + tag + "<head"},
		"not into a string of a script":                {"<!doctype html><script>var s = '<head>'</script><head><title>x", "<!doctype html>" + tag + "<script>var s = '<head>'</script><head><title>x"},
		"not into a text":                              {"<html> x <head>", "<html>" + tag + " x <head>"},
		"not into a title or an attribute":             {"<title><head></title><a b='<head>'>", tag + "<title><head></title><a b='<head>'>"},
		"behind what XML declares":                     {"<?xml version='1.0'?>\n<html>\n<head>", "<?xml version='1.0'?>\n<html>\n<head>" + tag},
		"behind the mark of UTF-8":                     {"\xef\xbb\xbf<p>x", "\xef\xbb\xbf" + tag + "<p>x"},
		"not into a page in UTF-16":                    {"\xff\xfe<\x00h\x00e\x00a\x00d\x00>\x00", "\xff\xfe<\x00h\x00e\x00a\x00d\x00>\x00"},
		"nor into one whose big end is first":          {"\xfe\xff\x00<\x00p\x00>", "\xfe\xff\x00<\x00p\x00>"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, pieces := range []int{1, 3} {
				p := &injected{source: &dribble{text: c.page, size: max(1, len(c.page)/pieces)}, script: tag}
				got, err := io.ReadAll(p)
				if err != nil || string(got) != c.want {
					t.Errorf("in %d pieces: got %q, want %q (%v)", pieces, got, c.want, err)
				}
			}
		})
	}
}

// A policy in the page holds for what follows it: each widened one lets the script connect,
// whatever it is written like, and nothing else of the page changes.
func TestAPolicyInThePageLetsTheWalletAnswer(t *testing.T) {
	const widened = `"connect-src https://a &#39;self&#39;"`
	for name, c := range map[string]struct{ page, want string }{
		"as builds write it":          {`<html><head><meta http-equiv="Content-Security-Policy" content="connect-src https://a"></head>`, `<html><head>` + tag + `<meta http-equiv="Content-Security-Policy" content=` + widened + `></head>`},
		"other case, order, quotes":   {`<head><META Content='connect-src https://a' HTTP-EQUIV=content-security-policy />`, `<head>` + tag + `<META Content=` + widened + ` HTTP-EQUIV=content-security-policy />`},
		"no quotes, entities, lines":  {"<head><meta\n\thttp-equiv = Content&#45;Security-Policy\r\ncontent = connect-src&#x20;https:&#47;&#47;a>", "<head>" + tag + "<meta\n\thttp-equiv = Content&#45;Security-Policy\r\ncontent = " + widened + ">"},
		"a copied default":            {`<head><meta http-equiv=content-security-policy content="default-src 'none'">`, `<head>` + tag + `<meta http-equiv=content-security-policy content="default-src &#39;none&#39;; script-src-elem &#39;self&#39;; connect-src &#39;self&#39;">`},
		"several, each":               {`<meta http-equiv=content-security-policy content="connect-src https://a"> <meta http-equiv=content-security-policy content='connect-src https://a'>`, tag + `<meta http-equiv=content-security-policy content=` + widened + `> <meta http-equiv=content-security-policy content=` + widened + `>`},
		"behind scripts and titles":   {`<head><title><body></title><script>if (a<b) "<body>"</scripty></SCRIPT ><style>a>b{}</style><link a='>'><!-- x --!><noscript><p></noscript><template><p></template><meta http-equiv=content-security-policy content="connect-src https://a">`, `<head>` + tag + `<title><body></title><script>if (a<b) "<body>"</scripty></SCRIPT ><style>a>b{}</style><link a='>'><!-- x --!><noscript><p></noscript><template><p></template><meta http-equiv=content-security-policy content=` + widened + `>`},
		"between head and body":       {`<head></head></x></><meta http-equiv=content-security-policy content="connect-src https://a"><body>`, `<head>` + tag + `</head></x></><meta http-equiv=content-security-policy content=` + widened + `><body>`},
		"the first of two attributes": {`<head><meta http-equiv=content-security-policy content="connect-src https://a" content="x" http-equiv=y>`, `<head>` + tag + `<meta http-equiv=content-security-policy content=` + widened + ` content="x" http-equiv=y>`},
	} {
		t.Run(name, func(t *testing.T) { inPieces(t, c.page, c.want, "text/html") })
	}
	const policy = `<meta http-equiv=content-security-policy content="connect-src https://a">`
	for name, head := range map[string]string{
		"in a comment": `<!--` + policy + `-->`, "in a script": `<script>` + policy + `</script>`, "in a script that seems closed": `<script/>` + policy + `</script>`,
		"without scripts": `<noscript>` + policy + `</noscript>`, "in a template": `<template>` + policy + `</template>`,
		"in the body": `</head><body>` + policy, "behind a text": `text` + policy, "behind an element of the body": `<div></div>` + policy, "behind the body": `</body>` + policy,
		"another kind": `<meta http-equiv=refresh content="connect-src https://a"><meta name=content-security-policy content="connect-src https://a">`,
		"reports only": `<meta http-equiv=content-security-policy-report-only content="connect-src https://a">`,
		"nothing":      `<meta http-equiv=content-security-policy><meta http-equiv=content-security-policy content=""><meta`,
	} {
		t.Run("left "+name, func(t *testing.T) { inPieces(t, `<head>`+head, `<head>`+tag+head, "text/html") })
	}
	inPieces(t, `<head><script src="x"/>`+policy, `<head>`+tag+`<script src="x"/>`+strings.Replace(policy, `"connect-src https://a"`, widened, 1), "application/xhtml+xml")
}

// inPieces expects a page to come out of the proxy as wanted, however it arrives.
func inPieces(t *testing.T, page, want, kind string) {
	t.Helper()
	for _, size := range []int{1, 7, len(page)} {
		r := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Request: &http.Request{}, Body: io.NopCloser(&dribble{text: page, size: size})}
		if err := inject(r, ""); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r.Body); err != nil || string(got) != want {
			t.Errorf("%d bytes at a time: got %q, want %q (%v)", size, got, want, err)
		}
	}
}

func TestAPageThatIsDeclaredAsUTF16IsLeftAsItIs(t *testing.T) {
	const page = "<\x00h\x00e\x00a\x00d\x00>\x00"
	for _, charset := range []string{"UTF-16", "utf-16le", "utf-16be"} {
		r := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html; charset=" + charset}}, Request: &http.Request{}}
		r.Body = io.NopCloser(strings.NewReader(page))
		if err := inject(r, ""); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r.Body); err != nil || string(got) != page {
			t.Errorf("%s: got %q, want %q (%v)", charset, got, page, err)
		}
	}
}

// dribble is a source that gives a few bytes at a time.
type dribble struct {
	text string
	size int
}

func (d *dribble) Read(b []byte) (int, error) {
	if d.text == "" {
		return 0, io.EOF
	}
	n := copy(b, d.text[:min(d.size, len(d.text))])
	d.text = d.text[n:]
	return n, nil
}

func TestPolicies(t *testing.T) {
	for name, c := range map[string]struct{ policy, want, nonce string }{
		"self is there already":         {"script-src 'self'; connect-src 'self'", "script-src 'self'; connect-src 'self'; script-src-elem 'self'", ""},
		"others are kept":               {"script-src https://a; connect-src wss://b", "script-src https://a; connect-src wss://b 'self'; script-src-elem https://a 'self'", ""},
		"a default is copied, not made": {"default-src 'none'; img-src *", "default-src 'none'; img-src *; script-src-elem 'self'; connect-src 'self'", ""},
		"a nonce is used":               {"script-src 'nonce-abc' 'strict-dynamic'", "script-src 'nonce-abc' 'strict-dynamic'; script-src-elem 'nonce-abc' 'strict-dynamic' 'self'", "abc"},
		"a hash alone gets a nonce":     {"script-src 'strict-dynamic' 'sha256-x'", "script-src 'strict-dynamic' 'sha256-x'; script-src-elem 'strict-dynamic' 'sha256-x' 'nonce-fresh' 'self'", "fresh"},
		"no policy on scripts":          {"frame-ancestors 'none'", "frame-ancestors 'none'", ""},
		"only the first of a name":      {"connect-src 'none'; connect-src *", "connect-src 'self'", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, nonce := allowInPolicy(c.policy, "fresh")
			if got != c.want || nonce != c.nonce {
				t.Errorf("got %q and nonce %q, want %q", got, nonce, c.want)
			}
		})
	}
}

func proxied(t *testing.T, dapp http.HandlerFunc) *running {
	t.Helper()
	upstream := httptest.NewServer(dapp)
	t.Cleanup(upstream.Close)
	target, err := url.Parse(upstream.URL)
	if err != nil {
		t.Fatal(err)
	}
	return start(t, Options{Proxy: target})
}

func TestTheProxyServesTheDappWithTheScriptInIt(t *testing.T) {
	r := proxied(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'self' 'nonce-n1'")
			w.Header().Set("Etag", `"v1"`)
			out := io.Writer(w)
			if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				w.Header().Set("Content-Encoding", "gzip")
				zip := gzip.NewWriter(w)
				defer zip.Close()
				out = zip
			}
			fmt.Fprint(out, "<html><head></head>ä</html>")
		case "/data":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `"<head>"`)
		case "/away":
			http.Redirect(w, r, "http://"+r.Host+"/page?x=1", http.StatusFound)
		case "/who":
			fmt.Fprint(w, r.Header.Get("Origin"), " ", r.Header.Get("Accept-Encoding"), " ", r.Header.Get("X-Forwarded-For"))
		case "/provider.js":
			fmt.Fprint(w, "the dapp's own")
		}
	})
	const withNonce = `<script src="/.chainscope/provider.js" nonce="n1"></script>`
	for _, encoding := range []string{"gzip, br", "identity"} {
		response, text := r.do(context.Background(), http.MethodGet, "/page", "", "Accept-Encoding", encoding)
		if text != "<html><head>"+withNonce+"</head>ä</html>" {
			t.Errorf("%s: got %q", encoding, text)
		}
		if got := response.Header.Get("Etag"); got != `W/"v1"` {
			t.Errorf("the validator stays strong: %s", got)
		}
		if got := response.Header.Get("Content-Security-Policy"); !strings.Contains(got, "script-src-elem 'self' 'nonce-n1'") {
			t.Errorf("policy %q", got)
		}
	}
	if _, text := r.do(context.Background(), http.MethodGet, "/data", ""); text != `"<head>"` {
		t.Errorf("JSON was changed: %q", text)
	}
	if _, text := r.do(context.Background(), http.MethodGet, "/provider.js", ""); text != "the dapp's own" {
		t.Errorf("a path of the dapp's was taken: %q", text)
	}
	if _, text := r.do(context.Background(), http.MethodGet, "/.chainscope/provider.js", ""); !strings.Contains(text, "/.chainscope/rpc") {
		t.Errorf("no script: %q", text)
	}
	if _, text := r.do(context.Background(), http.MethodGet, "/who", "", "Origin", r.base, "Accept-Encoding", "br"); strings.Contains(text, "br") || strings.Contains(text, r.base) || !strings.HasSuffix(text, " ") {
		t.Errorf("the dapp gets %q", text)
	}
	r.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if response, _ := r.do(context.Background(), http.MethodGet, "/away", ""); response.Header.Get("Location") != "/page?x=1" {
		t.Errorf("a redirect leads to %q", response.Header.Get("Location"))
	}
}

func TestARedirectOfTheDappStaysWithinTheProxy(t *testing.T) {
	b := proxied(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", strings.Replace(r.URL.Query().Get("to"), "HOST", r.Host, 1))
		w.WriteHeader(http.StatusFound)
	})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for to, want := range map[string]string{
		"//HOST/next?a=1": "/next?a=1", "http://HOST/next": "/next", "http://HOST": "/", "/next": "/next", "next": "next",
		"//elsewhere.example/next": "//elsewhere.example/next", "https://HOST/next": "",
	} {
		answer, err := client.Get(b.base + "/?to=" + url.QueryEscape(to))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if got := answer.Header.Get("Location"); got != want && want != "" || strings.HasPrefix(got, "/") && want == "" {
			t.Errorf("%s leads to %q, want %q", to, got, want)
		}
	}
}

func TestTheProxyPassesStreamsAtOnce(t *testing.T) {
	next := make(chan struct{})
	r := proxied(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<head>one")
		http.NewResponseController(w).Flush()
		<-next
		fmt.Fprint(w, "two")
	})
	response, err := r.http.Get(r.base + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	first := make([]byte, len("<head>"+tag+"one"))
	if _, err := io.ReadFull(response.Body, first); err != nil || string(first) != "<head>"+tag+"one" {
		t.Errorf("got %q, %v", first, err)
	}
	close(next)
	if rest, _ := io.ReadAll(response.Body); string(rest) != "two" {
		t.Errorf("got %q", rest)
	}
}

func TestTheProxyPassesDataAtOnceAndPagesWithoutALength(t *testing.T) {
	next := make(chan struct{})
	r := proxied(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "13")
			fmt.Fprint(w, "<head></head>")
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", "6")
		fmt.Fprint(w, "one")
		http.NewResponseController(w).Flush()
		<-next
		fmt.Fprint(w, "two")
	})
	response, err := r.http.Get(r.base + "/data")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	first := make([]byte, 3)
	if _, err := io.ReadFull(response.Body, first); err != nil || string(first) != "one" {
		t.Errorf("got %q, %v", first, err)
	}
	close(next)
	for method, want := range map[string]string{http.MethodGet: "<head>" + tag + "</head>", http.MethodHead: ""} {
		response, text := r.do(context.Background(), method, "/page", "")
		if text != want || response.ContentLength == 13 {
			t.Errorf("%s: %q, length %d", method, text, response.ContentLength)
		}
	}
}

func TestTheProxyPassesWebSockets(t *testing.T) {
	r := proxied(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			t.Errorf("headers %v", r.Header)
		}
		connection, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		fmt.Fprint(buffered, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		buffered.Flush()
		line, _ := buffered.ReadString('\n')
		fmt.Fprint(buffered, "you said "+line)
		buffered.Flush()
	})
	connection, err := net.Dial("tcp", strings.TrimPrefix(r.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	fmt.Fprintf(connection, "GET /hmr HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", strings.TrimPrefix(r.base, "http://"))
	reader := bufio.NewReader(connection)
	response, err := http.ReadResponse(reader, nil)
	if err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v, %v", response, err)
	}
	fmt.Fprint(connection, "hello\n")
	if line, _ := reader.ReadString('\n'); line != "you said hello\n" {
		t.Errorf("got %q", line)
	}
}

func TestADappThatIsNotThereIsNamed(t *testing.T) {
	target, _ := url.Parse("http://127.0.0.1:1")
	r := start(t, Options{Proxy: target})
	response, text := r.do(context.Background(), http.MethodGet, "/", "")
	if response.StatusCode != http.StatusBadGateway || !strings.Contains(text, "http://127.0.0.1:1 does not answer") {
		t.Errorf("%d %q", response.StatusCode, text)
	}
}

func TestADappThatLeadsBackIsRefused(t *testing.T) {
	upstream := httptest.NewUnstartedServer(nil)
	target, err := url.Parse("http://" + upstream.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, Options{Proxy: target})
	back, err := url.Parse(r.base)
	if err != nil {
		t.Fatal(err)
	}
	times := 0
	again := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(back) }}
	upstream.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		times++
		again.ServeHTTP(w, r)
	})
	upstream.Start()
	t.Cleanup(upstream.Close)
	response, text := r.do(context.Background(), http.MethodGet, "/", "")
	if response.StatusCode != http.StatusLoopDetected || times != 1 || !strings.Contains(text, "leads back") {
		t.Errorf("%d %q after %d rounds", response.StatusCode, text, times)
	}
}

func TestAURLPointsAtAListener(t *testing.T) {
	for _, c := range []struct {
		url, listener string
		want          bool
	}{
		{"http://127.0.0.1:4825", "127.0.0.1:4825", true},
		{"http://localhost:4825/path", "127.0.0.1:4825", true},
		{"http://app.localhost:4825", "127.0.0.1:4825", true},
		{"http://0.0.0.0:4825", "127.0.0.1:4825", true},
		{"http://[::1]:4825", "[::1]:4825", true},
		{"http://127.0.0.1:4825", "0.0.0.0:4825", true},
		{"http://localhost", "127.0.0.1:80", true},
		{"https://localhost", "127.0.0.1:443", true},
		{"http://127.0.0.1:4826", "127.0.0.1:4825", false},
		{"http://192.168.0.7:4825", "127.0.0.1:4825", false},
		{"http://dapp.example:4825", "127.0.0.1:4825", false},
	} {
		u, err := url.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		addr, err := net.ResolveTCPAddr("tcp", c.listener)
		if err != nil {
			t.Fatal(err)
		}
		if got := PointsAt(u, addr); got != c.want {
			t.Errorf("%s at %s: %v", c.url, c.listener, got)
		}
	}
}

// A browser says that it loads the script of a worker; what isolates it is
// before the script then.
func TestTheScriptsOfWorkersAreKeptAtHome(t *testing.T) {
	const source = "import './x.js';\npostMessage('<html><head>');"
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := "text/javascript; charset=utf-8"
		if r.URL.Path == "/data.json" {
			kind = "application/json"
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Etag", `"1"`)
		w.Header().Set("Content-Security-Policy", "connect-src https://api.hiro.so")
		if r.Header.Get("Accept-Encoding") == "gzip" {
			w.Header().Set("Content-Encoding", "gzip")
			zip := gzip.NewWriter(w)
			defer zip.Close()
			_, _ = io.WriteString(zip, source)
			return
		}
		_, _ = io.WriteString(w, source)
	}))
	t.Cleanup(upstream.Close)
	target, err := url.Parse(upstream.URL)
	if err != nil {
		t.Fatal(err)
	}
	isolation := &Isolation{API: target, Hosts: PublicAPIHosts()}
	with, without := start(t, Options{Proxy: target, Isolation: isolation}), start(t, Options{Proxy: target})
	for name, c := range map[string]struct {
		bridge         *running
		path, dest     string
		encoding       string
		kept, allowsUs bool
	}{
		"a worker":              {with, "/w.js", "worker", "identity", true, true},
		"a zipped one":          {with, "/w.js", "sharedworker", "gzip", true, true},
		"a service worker":      {with, "/w.js", "serviceworker", "identity", true, true},
		"a script of the page":  {with, "/w.js", "script", "identity", false, false},
		"no script":             {with, "/data.json", "worker", "identity", false, false},
		"nobody keeps anything": {without, "/w.js", "worker", "identity", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			response, text := c.bridge.do(context.Background(), http.MethodGet, c.path, "", "Sec-Fetch-Dest", c.dest, "Accept-Encoding", c.encoding)
			if response == nil || response.StatusCode != http.StatusOK || !strings.HasSuffix(text, source) {
				t.Fatalf("%.300s", text)
			}
			if kept := strings.Contains(text, "__chainscopeHome") && strings.Contains(text, c.bridge.base+isolationPrefix); kept != c.kept || !kept && text != source {
				t.Errorf("what isolates it is before it: %v", kept)
			}
			if policy := response.Header.Get("Content-Security-Policy"); strings.Contains(policy, "'self'") != c.allowsUs {
				t.Errorf("policy %s", policy)
			}
		})
	}
}
