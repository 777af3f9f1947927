package tui

import (
	"net/http"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func (p *program) write(s string) {
	for _, r := range s {
		p.press(letter(r))
	}
}

func (p *program) sees(want ...string) {
	p.t.Helper()
	frame := ansi.Strip(p.m.View())
	for _, w := range want {
		if !strings.Contains(frame, w) {
			p.t.Errorf("%q is not on the screen:\n%s", w, frame)
		}
	}
}

func (p *program) seesNot(bad ...string) {
	p.t.Helper()
	for _, b := range bad {
		if frame := p.frame(); strings.Contains(frame, b) {
			p.t.Errorf("%q is on the screen:\n%s", b, frame)
		}
	}
}

var escape = tea.KeyMsg{Type: tea.KeyEsc}

func TestAUserLooksForANameAmongAQuarterOfAMillion(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.press(letter('4'))
	p.sees("Namespaces", "250,000")
	p.press(letter('/'))
	p.write("btc")
	p.press(enter, enter)
	p.sees("250,000 names, all of them", "1/250,000")
	p.press(letter('/'))
	p.write("sato")
	p.sees("found", "at the start")
	p.press(enter, enter)
	p.sees("sato", "at character 1", "of the API")
	p.press(letter('y'))
	p.sees("label without the namespace")
	p.press(escape)
	p.press(letter('J'))
	p.sees("JSON", "sato")
	p.press(escape, escape, escape)
	p.sees("1/250,000")
	// Key 4 and left show the list of namespaces, which says what was read.
	p.press(letter('4'))
	p.sees("btc", "read before")
	p.press(letter('{'))
	p.sees("1/250,000")
	p.press(tea.KeyMsg{Type: tea.KeyLeft})
	p.sees("NAMESPACE", "read before")
}

func TestAUserWalksFromABurnBlockToAStacksBlockAndBack(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.press(letter('2'))
	p.sees("Burn blocks", "BURN BLOCK", "STACKS BLOCKS")
	p.press(enter)
	newest := p.m.Place()
	if newest.Ref.By != nav.ByBurnHeight {
		t.Fatalf("enter goes to %s", newest)
	}
	p.press(letter('<'))
	before := p.m.Place()
	if before.Ref.Height >= newest.Ref.Height {
		t.Fatalf("walked from %s to %s", newest, before)
	}
	p.press(letter('j'), enter)
	p.press(enter)
	if p.m.Place().Kind != nav.KindBlock && p.m.Place().Kind != nav.KindBlocks {
		t.Fatalf("followed a link to %s", p.m.Place())
	}
	p.press(letter('{'))
	if p.m.Place() != before {
		t.Errorf("back in history is %s, want %s", p.m.Place(), before)
	}
	p.press(letter('{'))
	if p.m.Place() != newest {
		t.Errorf("back in history is %s, want %s", p.m.Place(), newest)
	}
}

func TestOpeningAPageOfMockDataSaysWhyThereIsNone(t *testing.T) {
	u := newTestUser(t, 100, 20)
	u.press("o")
	u.sees("mock data are in no web explorer")
	u.m.options.Mock = nil
	u.press("o")
	u.sees("the web explorer has no page for this")
}

// The API knows only the first registry, on every network. A mock has invented names.
func TestWhoseNamesAreShownIsSaidOnEveryNetwork(t *testing.T) {
	for network, contract := range map[string]string{
		apiclient.Mainnet: "SP000000000000000000002Q6VF78.bns", apiclient.Testnet: "ST000000000000000000002AMW42H.bns", "": "the first registry",
	} {
		client, err := apiclient.New(apiclient.Options{BaseURL: "http://127.0.0.1:3999", Network: network})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := registryWords(&Options{Client: client}), "BNS v1 names ("+contract+"); the API does not know BNS v2."; got != want {
			t.Errorf("%s: %q, want %q", network, got, want)
		}
	}
	if got := nameOptions(&Options{Network: "MOCK", Client: uitest.Client(t, http.NotFoundHandler()), Mock: mockclient.New("http://mock.test", &fakeMock{})}).Registry(); !strings.HasPrefix(got, "Invented names.") {
		t.Errorf("a mock: %q", got)
	}
}
