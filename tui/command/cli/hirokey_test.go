package cli

import (
	"strings"
	"testing"
)

func TestTheKeyOfHiroGoesToHiroAlone(t *testing.T) {
	for _, c := range []struct {
		api, environment string
		headers          []string
		want             string
	}{
		{"https://api.hiro.so", "secret", nil, "secret"},
		{"https://api.hiro.so/", " secret ", nil, "secret"},
		{"https://api.mainnet.hiro.so", "secret", nil, "secret"},
		{"https://api.testnet.hiro.so:443", "secret", nil, "secret"},
		{"https://api.hiro.so", "secret", []string{"X-API-Key: other"}, "other"},
		{"https://api.hiro.so", "", nil, ""},
		{"http://api.hiro.so", "secret", nil, ""},
		{"https://hiro.so", "secret", nil, ""},
		{"https://evil.api.hiro.so", "secret", nil, ""},
		{"https://api.hiro.so.example", "secret", nil, ""},
		{"https://api.hiro.so@node.example", "secret", nil, ""},
		{"http://127.0.0.1:3999", "secret", nil, ""},
		{"", "secret", nil, ""},
	} {
		a := &App{Settings: Settings{Headers: c.headers}, Streams: Streams{Env: func(name string) (string, bool) {
			return c.environment, name == "HIRO_API_KEY"
		}}}
		h, err := a.Header(c.api)
		if got := h.Get("x-api-key"); err != nil || got != c.want {
			t.Errorf("%q with %q and %q: %q, %v, want %q", c.api, c.environment, c.headers, got, err, c.want)
		}
	}
	a := &App{Settings: Settings{}, Streams: Streams{Env: func(string) (string, bool) { return "se\ncret", true }}}
	if _, err := a.Header("https://api.hiro.so"); err == nil || !strings.Contains(err.Error(), "HIRO_API_KEY") || strings.Contains(err.Error(), "cret") {
		t.Errorf("%v", err)
	}
}
