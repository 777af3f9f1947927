package bridge

import (
	"embed"
	"encoding/json"
	"net/http"
	"strings"
)

//go:embed assets
var assets embed.FS

// script serves the provider. There is no secret in it, so any page may load it.
func (s *Server) script(rpc string) http.HandlerFunc {
	source, err := assets.ReadFile("assets/provider.js")
	if err != nil {
		panic(err) // embedded, so it is there
	}
	return func(w http.ResponseWriter, r *http.Request) {
		base := "http://" + r.Host // checked by ServeHTTP
		settings, err := json.Marshal(map[string]string{
			"as": s.options.As, "rpc": base + rpc, "events": base + "/.chainscope/events", "site": base + "/.chainscope/demo",
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/javascript; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "the script is read", http.StatusMethodNotAllowed)
			return
		}
		_, _ = w.Write([]byte(strings.Replace(string(source), "/*settings*/ {}", string(settings), 1)))
	}
}

// demo serves a page that exercises every method.
func (s *Server) demo(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the page is read", http.StatusMethodNotAllowed)
		return
	}
	page, err := assets.ReadFile("assets/demo.html")
	if err != nil {
		panic(err) // embedded, so it is there
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(page)
}
