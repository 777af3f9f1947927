package bridge

import (
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
	// OnLeave is told of a host that pages of an origin ask, once for each; may
	// be nil. Both texts are the page's.
	OnLeave func(origin, host string)
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
			proxy.ServeHTTP(w, r)
		}
	})
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
	maxLeavingTold = 256     // hosts of all origins
)

// told remembers the hosts that were reported.
type told struct {
	mu    sync.Mutex
	hosts map[[2]string]bool
}

// first reports whether a host that an origin asks was not reported before.
func (t *told) first(origin, host string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := [2]string{origin, host}
	if t.hosts[key] || len(t.hosts) >= maxLeavingTold {
		return false
	}
	if t.hosts == nil {
		t.hosts = map[[2]string]bool{}
	}
	t.hosts[key] = true
	return true
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
		Host string `json:"host"`
	}
	if err != nil || json.Unmarshal(body, &report) != nil || report.Host == "" {
		http.Error(w, `a report is JSON such as {"host":"example.com"}`, http.StatusBadRequest)
		return
	}
	if tell := s.options.Home.OnLeave; tell != nil && s.told.first(origin, report.Host) {
		tell(origin, report.Host)
	}
	w.WriteHeader(http.StatusNoContent)
}
