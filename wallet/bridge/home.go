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
)

// Home keeps the requests of a page on this machine: those to the hosts of public
// APIs go to another API instead, and of others that leave it somebody is told.
type Home struct {
	API   *url.URL // on this machine
	Hosts []string // with their port if they have one
	// OnLeave is told of what leaves the machine, once for each; may be nil.
	OnLeave func(Leaving)
	Stay    *Stay // stops what would leave the machine; nil lets it out
}

// Leaving is what pages of an origin do that stays not on this machine, or may not:
// they ask a host, or run a worker whose requests nobody sees. All texts are the
// page's.
type Leaving struct {
	Origin string
	Host   string // "" for a worker
	Worker string // address of its script
	// Stopped says that the request was not sent.
	Stopped bool
}

// String says it in a sentence.
func (l Leaving) String() string {
	if l.Host == "" {
		return l.Origin + " runs the worker " + l.Worker + ", whose requests are not seen; with --proxy they are"
	}
	asks := l.Origin + " asks " + l.Host + ", which is not on this machine"
	if l.Stopped {
		asks += "; it was stopped"
	}
	return asks
}

// script is what keeps a page of a bridge at home, or a worker.
func (h *Home) script(base string) string {
	settings := map[string]any{"api": base + homePrefix, "left": base + leavingPath, "hosts": h.Hosts}
	if h.Stay != nil {
		settings["away"], settings["allow"] = base+awayPrefix, append([]string{}, h.Stay.Allow...)
	}
	return withSettings(asset("assets/home.js"), settings)
}

// PublicAPIHosts are the hosts of the public APIs of the two networks.
func PublicAPIHosts() []string {
	return []string{
		"api.hiro.so", "api.mainnet.hiro.so", "api.testnet.hiro.so",
		"stacks-node-api.mainnet.stacks.co", "stacks-node-api.testnet.stacks.co",
	}
}

// Where the script sends requests to a public API, and what it says of others.
const (
	homePrefix  = "/.chainscope/api/"
	leavingPath = "/.chainscope/left"
)

// networkHeader tells a mock which network is meant.
const networkHeader = "X-Mock-Network"

// homeRoutes adds the routes of Options.Home.
func (s *Server) homeRoutes() {
	if s.options.Home == nil {
		return
	}
	s.mux.Handle(homePrefix, s.homeProxy())
	s.mux.HandleFunc(leavingPath, s.leaving)
	if s.options.Home.Stay != nil {
		s.mux.HandleFunc(awayPrefix, s.away)
	}
}

// homeProxy hands requests such as /.chainscope/api/api.hiro.so/v2/info on to the
// API. What controls a mock is out of reach: the page must not have it.
func (s *Server) homeProxy() http.Handler {
	home := s.options.Home
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			host, rest := homeTarget(r.In.URL.EscapedPath())
			target := *home.API
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
			if host, ok := r.Request.Context().Value(askedAPI{}).(string); ok {
				home.stay(r, host)
			}
			return nil
		},
		FlushInterval: -1,
		Transport:     &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 32},
		ErrorLog:      silent,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, _ error) {
			if r.Context().Err() == nil {
				http.Error(w, "the API at "+home.API.String()+" does not answer", http.StatusBadGateway)
			}
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, rest := homeTarget(r.URL.EscapedPath())
		clean := path.Clean(rest)
		switch {
		case !slices.Contains(home.Hosts, host):
			http.Error(w, "no host of --api-for", http.StatusNotFound)
		case strings.HasPrefix(clean, "/mock") || strings.HasPrefix(clean, "/w/"):
			http.Error(w, "a page cannot control the mock", http.StatusForbidden)
		case r.Method == http.MethodOptions:
			homePreflight(w, r)
		default:
			proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), askedAPI{}, host)))
		}
	})
}

// askedAPI is the key of the host of a public API that a page asks.
type askedAPI struct{}

// stay lets a redirect of the API lead to the same host of a public API again, not to
// what the bridge has at that path.
func (h *Home) stay(r *http.Response, host string) {
	location, err := url.Parse(r.Header.Get("Location"))
	if err != nil || !strings.HasPrefix(location.Path, "/") || location.Host != "" && location.Host != h.API.Host {
		return
	}
	rest := strings.TrimPrefix(location.EscapedPath(), strings.TrimSuffix(h.API.EscapedPath(), "/"))
	to := homePrefix + host + rest
	if location.RawQuery != "" {
		to += "?" + location.RawQuery
	}
	r.Header.Set("Location", to)
}

// homeTarget splits the path of a request into the host that the page asked and
// the path there.
func homeTarget(escaped string) (host, rest string) {
	host, rest, _ = strings.Cut(strings.TrimPrefix(escaped, homePrefix), "/")
	return host, "/" + rest
}

// homePreflight lets a page of any origin ask: what the API tells is public.
func homePreflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	h.Set("Access-Control-Allow-Private-Network", "true")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}

// Bounds of what pages can say of the hosts that they ask.
const (
	maxLeaving     = 4 << 10 // bytes of one report
	maxLeavingTold = 256     // hosts and workers of all origins
)

// told remembers what was reported.
type told struct {
	mu    sync.Mutex
	known map[Leaving]bool
}

// first reports whether it was not reported before.
func (t *told) first(l Leaving) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known[l] || len(t.known) >= maxLeavingTold {
		return false
	}
	if t.known == nil {
		t.known = map[Leaving]bool{}
	}
	t.known[l] = true
	return true
}

// forget lets everything be told again.
func (t *told) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = nil
}

// leaving takes the report of a page that asks another machine.
func (s *Server) leaving(w http.ResponseWriter, r *http.Request) {
	origin, ok := allowPage(w, r.Header.Get("Origin"), "")
	if !ok {
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		http.Error(w, "reports are posted", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLeaving))
	var report struct {
		Host   string `json:"host"`
		Worker string `json:"worker"`
	}
	if err != nil || json.Unmarshal(body, &report) != nil || (report.Host == "") == (report.Worker == "") {
		http.Error(w, `a report is JSON such as {"host":"example.com"}`, http.StatusBadRequest)
		return
	}
	left := Leaving{Origin: origin, Host: report.Host, Worker: report.Worker}
	if tell := s.options.Home.OnLeave; tell != nil && s.told.first(left) {
		tell(left)
	}
	w.WriteHeader(http.StatusNoContent)
}
