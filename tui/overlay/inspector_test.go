package overlay

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/term"
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
			ResponseBody:   `{"limit":20,"results":[]}`,
			Tries:          []apiclient.Try{{Status: 200, Timings: apiclient.Timings{Connect: time.Millisecond, FirstByte: 9 * time.Millisecond, Total: 12 * time.Millisecond}}},
		},
		{
			ID: 2, Op: "names", Method: "GET", URL: "http://127.0.0.1:3999/v1/namespaces/btc/names", Started: noon.Add(-3 * time.Second),
			Done: true, Status: 503, Attempts: 2, Duration: 700 * time.Millisecond, Err: "the server answered 503: \x1b[31mno\u202e",
			Tries: []apiclient.Try{{Status: 503}, {Err: "connection reset"}},
		},
	}
}

// inspect opens the inspector on a log so that width x height cells are inside
// the box.
func inspect(t *testing.T, width, height int, log *[]apiclient.Exchange) *Inspector {
	t.Helper()
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	v := NewInspector(th, keymap.Default(), func() []apiclient.Exchange { return *log }, 0)
	v.SetSize(width+8, height+4)
	return v
}

// press presses keys and returns what the last one did.
func press(v *Inspector, keys ...string) (cmd tea.Cmd, done bool) {
	for _, k := range keys {
		cmd, done = v.Key(uitest.Key(k))
	}
	return cmd, done
}

func show(v *Inspector) string { return strings.Join(v.View(noon), "\n") }

func TestTheNewestRequestIsFirst(t *testing.T) {
	log := exchanges()
	uitest.Golden(t, "inspector/list", show(inspect(t, 78, 4, &log)), 82, 6)
}

func TestARequestIsOpened(t *testing.T) {
	log := exchanges()
	v := inspect(t, 78, 28, &log)
	press(v, "j", "enter")
	uitest.Golden(t, "inspector/answered", show(v), 82, 30)
	press(v, "esc", "k", "enter")
	uitest.Golden(t, "inspector/failed", show(v), 82, 30)
}

func TestTheBodyIsJSON(t *testing.T) {
	log := exchanges()
	v := inspect(t, 60, 8, &log)
	press(v, "j", "J")
	uitest.Golden(t, "inspector/body", show(v), 64, 10)
	if _, done := press(v, "esc"); done {
		t.Error("esc in the body closes the inspector")
	}
	if _, done := press(v, "esc"); !done {
		t.Error("esc in the list does not close the inspector")
	}
}

func TestCopyAsCurl(t *testing.T) {
	log := exchanges()
	v := inspect(t, 60, 8, &log)
	cmd, _ := press(v, "j", "c")
	if cmd == nil {
		t.Fatal("nothing is copied")
	}
	if r, ok := cmd().(term.CopyRequest); !ok || !strings.HasPrefix(r.Text, "curl ") || !strings.Contains(r.Text, "limit=20") {
		t.Errorf("copied %+v", r)
	}
	if cmd, _ := press(v, "k", "y"); cmd != nil {
		t.Error("a body that is not there is copied")
	}
}

func TestTheCursorStaysOnItsRequest(t *testing.T) {
	log := exchanges()
	v := inspect(t, 60, 8, &log)
	press(v, "j")
	log = append(log, apiclient.Exchange{ID: 3, Method: "GET", URL: "http://x/y", Started: noon})
	v.Update(nil)
	if e, _ := v.current(); e.ID != 1 {
		t.Errorf("the cursor is on %d", e.ID)
	}
	if !strings.Contains(show(v), "/y") {
		t.Error("the new request is not in the list")
	}
}

func TestScrollingStopsAtTheEndOfARequest(t *testing.T) {
	log := exchanges()
	v := inspect(t, 60, 8, &log)
	press(v, "enter", "G", "j", "j")
	end := show(v)
	press(v, "k")
	if show(v) == end {
		t.Error("after the end the first step back does nothing")
	}
}
