package bridge

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"chainscope/wallet/facts"
)

// Isolation keeps the requests of a page on this machine: those to the hosts of public
// APIs go to another API instead, and others that leave it are reported.
type Isolation struct {
	API   *url.URL // on this machine
	Hosts []string // with their port if they have one
	// OnEscape gets what leaves the machine, once for each; may be nil.
	OnEscape func(Escape)
	Deny     *Deny // stops what would leave the machine; nil lets it out
}

// Escape is a request of pages of an origin that leaves this machine, or may: to a host, or
// by a worker whose requests nobody sees. All texts are the
// page's.
type Escape struct {
	Origin string
	Host   string // "" for a worker
	Worker string // address of its script
	// Stopped says that the request was not sent.
	Stopped bool
}

// String says it in a sentence.
func (l Escape) String() string {
	if l.Host == "" {
		return l.Origin + " runs the worker " + l.Worker + ", whose requests are not seen; with --proxy they are"
	}
	requests := l.Origin + " asks " + l.Host + ", which is not on this machine"
	if l.Stopped {
		requests += "; it was stopped"
	}
	return requests
}

// script returns what isolates a page of a bridge, or a worker.
func (h *Isolation) script(base string) string {
	settings := map[string]any{"api": base + isolationPrefix, "left": base + escapePath, "hosts": h.Hosts}
	if h.Deny != nil {
		settings["away"], settings["allow"] = base+awayPrefix, append([]string{}, h.Deny.Allow...)
	}
	return withSettings(asset("assets/home.js"), settings)
}

// PublicAPIHosts returns the hosts of the public APIs of the two networks.
func PublicAPIHosts() []string {
	return append(slices.Clone(facts.HiroHosts), "stacks-node-api.mainnet.stacks.co", "stacks-node-api.testnet.stacks.co")
}

// Where the script sends requests to a public API, and what it says of others.
const (
	isolationPrefix = "/.chainscope/api/"
	escapePath      = "/.chainscope/left"
)

// networkHeader names the network to a mock.
const networkHeader = "X-Mock-Network"

// isolationRoutes adds the routes of Options.Isolation.
func (s *Server) isolationRoutes() {
	if s.options.Isolation == nil {
		return
	}
	s.mux.Handle(isolationPrefix, s.homeProxy())
	s.mux.HandleFunc(escapePath, s.escaped)
	if s.options.Isolation.Deny != nil {
		s.mux.HandleFunc(awayPrefix, s.away)
	}
}

// homeProxy hands requests such as /.chainscope/api/api.hiro.so/v2/info on to the
// API. What controls a mock is out of reach: the page must not have it.
func (s *Server) homeProxy() http.Handler {
	isolation := s.options.Isolation
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			host, rest := homeTarget(r.In.URL.EscapedPath())
			target := *isolation.API
			target.RawQuery = r.In.URL.RawQuery
			target.RawPath = strings.TrimSuffix(target.EscapedPath(), "/") + rest
			target.Path, _ = url.PathUnescape(target.RawPath) // of a URL that was parsed
			r.Out.URL = &target
			r.Out.Host = target.Host
			// The request is the bridge's own; for the page the bridge answers.
			r.Out.Header.Del("Origin")
			r.Out.Header.Del("Cookie")
			r.Out.Header.Del(networkHeader)
			if strings.Contains(host, "testnet") {
				r.Out.Header.Set(networkHeader, "testnet")
			}
		},
		ModifyResponse: func(r *http.Response) error {
			r.Header.Set("Access-Control-Allow-Origin", "*")
			if host, ok := r.Request.Context().Value(requestedAPI{}).(string); ok {
				isolation.rewriteRedirect(r, host)
			}
			return nil
		},
		FlushInterval: -1,
		Transport:     &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 32},
		ErrorLog:      silent,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, _ error) {
			if r.Context().Err() == nil {
				http.Error(w, "the API at "+isolation.API.String()+" does not answer", http.StatusBadGateway)
			}
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, rest := homeTarget(r.URL.EscapedPath())
		clean := path.Clean(rest)
		switch {
		case !slices.Contains(isolation.Hosts, host):
			http.Error(w, "no host of --api-for", http.StatusNotFound)
		case strings.HasPrefix(clean, "/mock") || strings.HasPrefix(clean, "/w/"):
			http.Error(w, "a page cannot control the mock", http.StatusForbidden)
		case r.Method == http.MethodOptions:
			isolationPreflight(w, r)
		default:
			proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestedAPI{}, host)))
		}
	})
}

// requestedAPI is the key of the host of a public API that a page requests.
type requestedAPI struct{}

// rewriteRedirect lets a redirect of the API lead to the same host of a public API again, not to
// what the bridge has at that path.
func (h *Isolation) rewriteRedirect(r *http.Response, host string) {
	location, err := url.Parse(r.Header.Get("Location"))
	if err != nil || !strings.HasPrefix(location.Path, "/") || location.Host != "" && location.Host != h.API.Host {
		return
	}
	rest := strings.TrimPrefix(location.EscapedPath(), strings.TrimSuffix(h.API.EscapedPath(), "/"))
	to := isolationPrefix + host + rest
	if location.RawQuery != "" {
		to += "?" + location.RawQuery
	}
	r.Header.Set("Location", to)
}

// homeTarget splits the path of a request into the host that the page requested and
// the path there.
func homeTarget(escaped string) (host, rest string) {
	host, rest, _ = strings.Cut(strings.TrimPrefix(escaped, isolationPrefix), "/")
	return host, "/" + rest
}

// isolationPreflight allows requests of any origin: what the API returns is public.
func isolationPreflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	h.Set("Access-Control-Allow-Private-Network", "true")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}

// Bounds of what pages can report of the hosts of their requests.
const (
	maxEscape  = 4 << 10 // bytes of one report
	maxEscapes = 256     // hosts and workers of all origins
)

// reported remembers what was reported.
type reported struct {
	mu    sync.Mutex
	known map[Escape]bool
}

// first reports whether it was not reported before.
func (t *reported) first(l Escape) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known[l] || len(t.known) >= maxEscapes {
		return false
	}
	if t.known == nil {
		t.known = map[Escape]bool{}
	}
	t.known[l] = true
	return true
}

// forget lets everything be reported again.
func (t *reported) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = nil
}

// escaped takes the report of a request to another machine.
func (s *Server) escaped(w http.ResponseWriter, r *http.Request) {
	origin, ok := allowPage(w, r.Header.Get("Origin"), "")
	if !ok {
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		http.Error(w, "reports are posted", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEscape))
	var report struct {
		Host   string `json:"host"`
		Worker string `json:"worker"`
	}
	if err != nil || json.Unmarshal(body, &report) != nil || (report.Host == "") == (report.Worker == "") {
		http.Error(w, `a report is JSON such as {"host":"example.com"}`, http.StatusBadRequest)
		return
	}
	left := Escape{Origin: origin, Host: report.Host, Worker: report.Worker}
	if report := s.options.Isolation.OnEscape; report != nil && s.reported.first(left) {
		report(left)
	}
	w.WriteHeader(http.StatusNoContent)
}
