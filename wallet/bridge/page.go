package bridge

import (
	"embed"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// Page describes the wallet that the page script plays; see wallet/provider for
// where each comes from.
type Page struct {
	ID      string   `json:"id"`   // a dotted path on window
	Name    string   `json:"name"` // in the list of wallets
	Version string   `json:"version"`
	Methods []string `json:"methods"`
	// Globals are further names on window, set where no other wallet has set
	// them.
	Globals []string `json:"globals"`
	// Listen names the functions that take listeners: addListener, listen.
	Listen []string `json:"listen"`
	// Legacy are functions of older libraries. A call of one is posted as the method
	// NAME(), so that the wallet refuses it in words, and rejects with those.
	Legacy []string `json:"legacy"`
	// Rejects says that the provider rejects with the envelope of an error.
	Rejects   bool `json:"rejects"`
	IsLeather bool `json:"isLeather"`
}

// plainPage is the page of a bridge that was given none.
var plainPage = Page{ID: "ChainscopeProvider", Name: "chainscope (terminal)", Listen: []string{"listen"}}

//go:embed assets
var assets embed.FS

// isIdentifier reports whether text is "" or a name that JavaScript takes.
func isIdentifier(text string) bool {
	return len(text) <= 64 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$") == ""
}

// script serves the provider. There is no secret in it, so any page may load it.
// With ?binding=NAME the page's function of that name carries the calls instead of
// the network.
func (s *Server) script(rpc string) http.HandlerFunc {
	source := asset("assets/provider.js")
	return func(w http.ResponseWriter, r *http.Request) {
		base := "http://" + r.Host // checked by ServeHTTP
		binding := r.URL.Query().Get("binding")
		if !isIdentifier(binding) {
			http.Error(w, "binding must be the name of a function of the page, such as wallet", http.StatusBadRequest)
			return
		}
		text := withSettings(source, map[string]any{
			"binding": binding, "wallet": s.options.Page, "rpc": base + rpc, "events": base + "/.chainscope/events", "site": base + "/.chainscope/demo",
		})
		if s.options.Isolation != nil && binding == "" { // who carries the calls keeps the page at home, too
			text = s.options.Isolation.script(base) + text
		}
		h := w.Header()
		h.Set("Content-Type", "text/javascript; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		if isRead(w, r, "use GET for the script") {
			_, _ = io.WriteString(w, text)
		}
	}
}

// isRead refuses what is neither GET nor HEAD, in words.
func isRead(w http.ResponseWriter, r *http.Request, otherwise string) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, otherwise, http.StatusMethodNotAllowed)
	return false
}

// asset returns an embedded file.
func asset(name string) string {
	data, err := assets.ReadFile(name)
	if err != nil {
		panic(err) // embedded, so it is there
	}
	return string(data)
}

// withSettings puts settings of texts and lists into a script.
func withSettings(script string, settings map[string]any) string {
	data, err := json.Marshal(settings)
	if err != nil {
		panic("bridge: the settings of a script: " + err.Error())
	}
	return strings.Replace(script, "/*settings*/ {}", string(data), 1)
}

// demo serves a page on which methods of the wallet can be tried.
func (s *Server) demo(w http.ResponseWriter, r *http.Request) {
	if !isRead(w, r, "use GET for the page") {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, asset("assets/demo.html"))
}
