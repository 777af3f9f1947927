package bridge

import (
	"net/http"
	"strings"
)

// Deny stops what pages would request beyond this machine with scripts of their own: fetch,
// XMLHttpRequest, sockets, streams and beacons. What the browser loads by itself, such as
// pictures, is only reported.
type Deny struct {
	Allow []string // hosts that may be reached all the same, with their port if they have one
	// Stub returns the JSON that answers in place of a URL; may be nil.
	Stub func(url string) (body []byte, ok bool)
}

// awayPrefix is the path to which the script sends what would leave the machine.
const awayPrefix = "/.chainscope/away/"

// away answers requests such as /.chainscope/away/https/prices.example/v1/stx: with the
// stub of that URL, or by reporting who would leave the machine.
func (s *Server) away(w http.ResponseWriter, r *http.Request) {
	scheme, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), awayPrefix), "/")
	host, path, _ := strings.Cut(rest, "/")
	origin := r.Header.Get("Origin")
	if origin == "" {
		origin = "http://" + r.Host // a page of the proxy
	}
	switch _, ok := allowPage(w, origin, ""); {
	case !ok:
	case host == "":
		http.Error(w, "no host is named", http.StatusNotFound)
	case r.Method == http.MethodOptions:
		isolationPreflight(w, r)
	default:
		w.Header().Set("Access-Control-Allow-Origin", "*")
		requested := scheme + "://" + host + "/" + path
		if r.URL.RawQuery != "" {
			requested += "?" + r.URL.RawQuery
		}
		s.answerAway(w, requested, Escape{Origin: origin, Host: host, Stopped: true})
	}
}

func (s *Server) answerAway(w http.ResponseWriter, requested string, left Escape) {
	isolation := s.options.Isolation
	if stub := isolation.Deny.Stub; stub != nil {
		if body, ok := stub(requested); ok {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(body) // the page may have gone
			return
		}
	}
	if report := isolation.OnEscape; report != nil && s.reported.first(left) {
		report(left)
	}
	http.Error(w, left.Host+" is not on this machine", http.StatusForbidden)
}
