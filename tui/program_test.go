package tui

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/state"
	"chainscope/tui/term"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
)

// program is the whole explorer on a real mock server whose clock stands still.
type program struct {
	t *testing.T
	m *Model
	// busy reports whether the mock prepares an answer.
	busy func() bool
}

func start(t *testing.T, look theme.Options, name string, width, height int) *program {
	t.Helper()
	return startAt(t, look, name, width, height, pace{func() time.Time { return noon }, 10 * time.Second, 10 * time.Minute})
}

// pace is the clock of the explorer and of its mock server, and the means of the
// chain's intervals.
type pace struct {
	clock       func() time.Time
	block, burn time.Duration
}

func startAt(t *testing.T, look theme.Options, name string, width, height int, at pace) *program {
	t.Helper()
	return startOn(t, look, name, width, height, mockserver.Config{Seed: 1, BlockInterval: at.block, BurnInterval: at.burn, Now: at.clock})
}

func startOn(t *testing.T, look theme.Options, name string, width, height int, config mockserver.Config) *program {
	t.Helper()
	mock, err := mockserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	front := &counted{Handler: inTurn(mock)}
	server := httptest.NewServer(front)
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	p := startWith(t, width, height, server.URL, Options{
		Network: "MOCK", Mock: mockclient.New(server.URL, nil), Theme: name, Look: look, Now: config.Now,
	})
	p.busy = func() bool { return front.underWay.Load() > 0 }
	return p
}

// counted counts the requests that are not answered yet, without those that stay open.
type counted struct {
	http.Handler
	underWay atomic.Int32
}

func (c *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") == "" {
		c.underWay.Add(1)
		defer c.underWay.Add(-1)
	}
	c.Handler.ServeHTTP(w, r)
}

// inTurn serves one request after the other: what the mock says of its traffic has all
// that was answered before.
func inTurn(h http.Handler) http.Handler {
	var mu sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			mu.Lock()
			defer mu.Unlock()
		}
		h.ServeHTTP(w, r)
	})
}

// plainOptions are those of an explorer at noon, without colors.
func plainOptions(network string) Options {
	return Options{Network: network, Theme: "mono", Look: theme.Options{Plain: true}, Now: func() time.Time { return noon }}
}

// startWith starts the explorer on a server; its options are completed.
func startWith(t *testing.T, width, height int, url string, o Options) *program {
	t.Helper()
	client, err := apiclient.New(apiclient.Options{
		BaseURL: url, Now: o.Now, Backoff: time.Nanosecond, Network: map[string]string{"MOCK": apiclient.Mainnet, "mainnet": apiclient.Mainnet, "testnet": apiclient.Testnet}[o.Network],
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	store, err := state.Open(state.Options{Dir: folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	o.Client, o.Keys, o.Store, o.Exports, o.Zone, o.Demo = client, keymap.Default(), store, t.TempDir(), time.UTC, true
	o.Tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, m: m}
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	p.run(m.Init())
	return p
}

func (p *program) send(msg tea.Msg) {
	_, cmd := p.m.Update(msg)
	p.run(cmd)
}

func (p *program) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tickMsg, tea.QuitMsg, term.CopyRequest, term.OpenRequest:
	case tea.BatchMsg:
		for _, c := range msg {
			p.run(c)
		}
	default:
		p.send(msg)
	}
}

func (p *program) press(keys ...tea.KeyMsg) {
	for _, k := range keys {
		p.send(k)
	}
}

func letter(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }

var enter = tea.KeyMsg{Type: tea.KeyEnter}

// address is where the test's server happened to listen.
var address = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// asOthers are the places that a wide window arranges as it does transactions; their columns have
// a test in tui/resource.
var asOthers = []string{
	"account", "accounts", "bond", "contract", "contract-constant", "contract-source", "contracts", "name", "names", "namespace", "signers", "transaction",
}

func TestEveryPlace(t *testing.T) {
	dark := theme.Options{Dark: true, Colors: colorprofile.TrueColor}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		p := start(t, dark, "dark", size[0], size[1])
		for _, at := range []struct {
			name  string
			place nav.Place
		}{
			{"home", nav.Home()},
			{"blocks", nav.Blocks()},
			{"burn-blocks", nav.BurnBlocks()},
			{"burn-block-latest", nav.LatestBurnBlock()},
			{"tokens", nav.Tokens()},
			{"names", nav.Names("")},
			{"names-id", nav.Names("id")},
			{"namespace", nav.Listed(nav.KindNamespaces, "id")},
			{"name", nav.Name("muneeb.btc")},
			{"signers", nav.Listed(nav.KindSigners, "")},
			{"bond", nav.Listed(nav.KindBonds, "1")},
			{"transactions", nav.TransactionsOf("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")},
			{"account", nav.Account("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")},
			{"accounts", nav.Accounts()},
			{"contracts", nav.Contracts()},
			{"contract", nav.Contract(usdaToken)},
			{"holders", nav.Holders(usdaToken)},
			{"moves", nav.Moves(harborLights, "1")},
			{"contract-source", nav.Source(usdaToken)},
			{"contract-call", nav.Function(usdaToken, "transfer")},
			{"contract-constant", nav.Kept(usdaToken, "ERR-NOT-SENDER")},
			{"transaction", nav.Transaction("0xa3446c86aa2caa176d3eb98cd0445eeae1854ba76408c89909c0656d0d759dc8")},
		} {
			p.run(p.m.visit(at.place))
			frame := address.ReplaceAllString(p.m.View(), "127.0.0.1:39999")
			if uitest.Size(t, frame, size[0], size[1]); size[0] == 200 && slices.Contains(asOthers, at.name) {
				continue
			}
			uitest.Golden(t, "places/"+at.name+"-"+sizeName(size), frame, size[0], size[1])
		}
	}
}

func sizeName(s [2]int) string {
	return map[int]string{80: "80x24", 120: "120x40", 200: "200x60"}[s[0]]
}

// The guide's table of keys is the key map.
func TestTheGuideNamesTheKeys(t *testing.T) {
	uitest.Document(t, "../docs/configuration.md", func(guide string) string {
		before, rest, ok := strings.Cut(guide, keysBegin)
		_, after, ok2 := strings.Cut(rest, keysEnd)
		if !ok || !ok2 {
			t.Fatal("docs/configuration.md has no place for the keys")
		}
		return before + keysBegin + "\n" + keymap.Default().Markdown() + keysEnd + after
	})
}

const (
	keysBegin = "<!-- keys: made from the key map by `go test ./tui -update` -->"
	keysEnd   = "<!-- /keys -->"
)
