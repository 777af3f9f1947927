package inspector

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func exchanges() []apiclient.Exchange {
	return []apiclient.Exchange{
		{
			ID: 1, Op: "blocks", Method: "GET", URL: "http://127.0.0.1:3999/extended/v1/block?limit=20&offset=0", Started: noon.Add(-42 * time.Second),
			Done: true, Status: 200, Attempts: 1, Duration: 12 * time.Millisecond, ResponseSize: 18200,
			RequestHeader:  http.Header{"X-Api-Key": {apiclient.Masked}},
			ResponseHeader: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
			ResponseBody:   []byte(`{"limit":20,"results":[]}`),
			Tries:          []apiclient.Try{{Status: 200, Timings: apiclient.Timings{Connect: time.Millisecond, FirstByte: 9 * time.Millisecond, Total: 12 * time.Millisecond}}},
		},
		{
			ID: 2, Op: "names", Method: "GET", URL: "http://127.0.0.1:3999/v1/namespaces/btc/names", Started: noon.Add(-3 * time.Second),
			Done: true, Status: 503, Attempts: 2, Duration: 700 * time.Millisecond, Err: "the server answered 503: \x1b[31mno\u202e",
			Tries: []apiclient.Try{{Status: 503}, {Err: "connection reset"}},
		},
	}
}

func inspect(t *testing.T, width, height int) *Inspector {
	t.Helper()
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	v := New(th, keymap.Default())
	v.SetSize(width, height)
	v.SetExchanges(exchanges())
	return v
}

func press(v *Inspector, keys ...string) (last Action) {
	for _, k := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		switch k {
		case "enter":
			msg = tea.KeyMsg{Type: tea.KeyEnter}
		case "esc":
			msg = tea.KeyMsg{Type: tea.KeyEsc}
		}
		last = v.Key(msg)
	}
	return last
}

func show(v *Inspector) string { return strings.Join(v.View(noon), "\n") }

func TestTheNewestRequestIsFirst(t *testing.T) {
	v := inspect(t, 78, 4)
	uitest.Golden(t, "list", show(v), 78, 4)
}

func TestARequestIsOpened(t *testing.T) {
	v := inspect(t, 78, 28)
	press(v, "j", "enter")
	uitest.Golden(t, "answered", show(v), 78, 28)
	press(v, "esc", "k", "enter")
	uitest.Golden(t, "failed", show(v), 78, 28)
}

func TestTheBodyIsJSON(t *testing.T) {
	v := inspect(t, 60, 8)
	press(v, "j", "J")
	uitest.Golden(t, "body", show(v), 60, 8)
	if press(v, "esc") != None || press(v, "esc") != Close {
		t.Error("esc leaves the body, then the inspector")
	}
}

func TestCopyAsCurl(t *testing.T) {
	v := inspect(t, 60, 8)
	press(v, "j")
	if press(v, "c") != Copy {
		t.Fatal("nothing to copy")
	}
	what, content := v.Copied()
	if what != "curl" || !strings.HasPrefix(content, "curl ") || !strings.Contains(content, "limit=20") {
		t.Errorf("%s: %s", what, content)
	}
}

func TestTheCursorStaysOnItsRequest(t *testing.T) {
	v := inspect(t, 60, 8)
	press(v, "j")
	v.SetExchanges(append(exchanges(), apiclient.Exchange{ID: 3, Method: "GET", URL: "http://x/y", Started: noon}))
	if e, _ := v.Current(); e.ID != 1 {
		t.Errorf("the cursor is on %d", e.ID)
	}
}
