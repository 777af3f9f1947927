package overlay_test

import (
	"strings"
	"testing"
	"time"

	"chainscope/apiclient/wire"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/theme"
)

func plain(t *testing.T) *theme.Theme {
	t.Helper()
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func TestEveryTextAndEveryKeyAppearsOnce(t *testing.T) {
	exchange := wire.Exchange{Method: "GET", URL: "http://127.0.0.1:1/x"}
	m := overlay.NewCopyMenu(plain(t), overlay.CopySource{
		Subject: screen.Subject{
			Title:  "a block",
			Copies: []screen.Copy{{Key: "h", Label: "hash", Text: "0x12"}, {Key: "u", Label: "URL of the request", Text: exchange.URL}, {Key: "c", Label: "contract", Text: "SP1.a"}},
			Raw:    []byte("{}"),
		},
		Exchange: &exchange, Place: nav.Blocks(),
	})
	m.SetSize(100, 30)
	drawn := strings.Join(m.View(time.Time{}), "\n")
	if strings.Count(drawn, exchange.URL) != 1 {
		t.Errorf("the URL stands there more than once:\n%s", drawn)
	}
	for key, want := range map[rune]string{'h': "0x12", 'u': exchange.URL, 'c': "SP1.a", 'j': "{}", 'l': "chainscope blocks"} {
		cmd, done := m.Key(uitest.Key(string(key)))
		if cmd == nil || !done {
			t.Errorf("%c copies nothing", key)
			continue
		}
		if got := cmd().(term.CopyRequest).Text; got != want {
			t.Errorf("%c copies %q, want %q", key, got, want)
		}
	}
	if !strings.Contains(drawn, "curl") {
		t.Error("a line whose key is taken is missing")
	}
}

func TestNothingToCopyIsNoMenu(t *testing.T) {
	if m := overlay.NewCopyMenu(plain(t), overlay.CopySource{Place: nav.Tokens()}); m != nil {
		t.Error("there is a menu")
	}
}
