package blocks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/mockserver/fault"
	"chainscope/tui/chain"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// noon holds what the clock shows when a story begins: a block was just mined.
var noon = time.Date(2026, 1, 1, 12, 0, 3, 0, time.UTC)

// story is a user in front of the screen, with the real mock server behind it.
type story struct {
	*testing.T
	now     time.Time
	server  *mockserver.Server
	front   http.Handler // what answers; the server unless a test puts another before it
	url     string
	client  *apiclient.Client
	screen  *Screen
	notices []string
	went    nav.Place
	later   []later // what the screen waits for
	sent    atomic.Int64
	w, h    int
}

type later struct {
	at  time.Time
	msg tea.Msg
}

func begin(t *testing.T, w, h int, themeName string, rules ...string) *story {
	t.Helper()
	s := &story{T: t, now: noon, w: w, h: h}
	var faults []fault.Rule
	for _, r := range rules {
		rule, err := fault.ParseRule(r)
		if err != nil {
			t.Fatal(err)
		}
		faults = append(faults, rule)
	}
	server, err := mockserver.New(mockserver.Config{
		Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute,
		Faults: faults, Now: func() time.Time { return s.now },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	s.server, s.front = server, server
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.sent.Add(1)
		s.front.ServeHTTP(w, r)
	}))
	t.Cleanup(ts.Close)
	s.url = ts.URL
	s.client, err = apiclient.New(apiclient.Options{
		BaseURL: ts.URL, Now: func() time.Time { return s.now },
		Backoff: time.Nanosecond, Timeout: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	th, err := theme.New(themeName, theme.Options{Dark: themeName != "light", Colors: colorprofile.TrueColor})
	if err != nil {
		t.Fatal(err)
	}
	env := &screen.Env{
		Send:    func(msg tea.Msg) { s.went = msg.(screen.GoMsg).Place },
		Context: t.Context(), Client: s.client, Keys: keymap.Default(), Now: func() time.Time { return s.now },
		Times: &screen.Times{Zone: time.UTC}, Web: "https://explorer.example", WebQuery: "?chain=mainnet",
		Tick: func(d time.Duration, make func(time.Time) tea.Msg) tea.Cmd {
			s.later = append(s.later, later{s.now.Add(d), make(s.now.Add(d))})
			return nil
		},
	}
	s.screen = New(env, th)
	s.screen.SetSize(w, h)
	return s
}

// do runs a command and all that follow from it.
func (s *story) do(cmd tea.Cmd) {
	s.Helper()
	for _, msg := range answers(cmd) {
		switch msg := msg.(type) {
		case screen.NoticeMsg:
			s.notices = append(s.notices, msg.Text)
		case screen.DueMsg:
			s.do(msg())
		default:
			s.do(s.screen.Update(msg))
		}
	}
}

// answers runs a command and returns its messages.
func answers(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var all []tea.Msg
		for _, c := range msg {
			all = append(all, answers(c)...)
		}
		return all
	default:
		return []tea.Msg{msg}
	}
}

// pass lets time go by; what was to happen by then happens.
func (s *story) pass(d time.Duration) {
	s.Helper()
	s.now = s.now.Add(d)
	due := s.later
	s.later = nil
	for _, l := range due {
		if l.at.After(s.now) {
			s.later = append(s.later, l)
			continue
		}
		s.do(func() tea.Msg { return l.msg })
	}
}

func (s *story) open(p nav.Place) { s.Helper(); s.do(s.screen.Open(p, nil)) }

// press presses keys, named as the key map names them.
func (s *story) press(names ...string) {
	s.Helper()
	special := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "down": tea.KeyDown,
		"ctrl+d": tea.KeyCtrlD, "ctrl+u": tea.KeyCtrlU, "backspace": tea.KeyBackspace,
	}
	for _, name := range names {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		if typ, ok := special[name]; ok {
			msg = tea.KeyMsg{Type: typ}
		}
		cmd, _ := s.screen.Key(msg)
		s.do(cmd)
	}
}

func (s *story) frame() string { return strings.Join(s.screen.View(s.now), "\n") }

func (s *story) text() string { return ansi.Strip(s.frame()) }

func (s *story) sees(words ...string) {
	s.Helper()
	uitest.Size(s.T, s.frame(), s.w, s.h)
	for _, w := range words {
		if !strings.Contains(s.text(), w) {
			s.Fatalf("%q is not on screen:\n%s", w, s.text())
		}
	}
}

func (s *story) seesNot(words ...string) {
	s.Helper()
	for _, w := range words {
		if strings.Contains(s.text(), w) {
			s.Fatalf("%q is on screen:\n%s", w, s.text())
		}
	}
}

func (s *story) cursorHeight() int64 {
	i, ok := s.screen.List.Cursor()
	if !ok {
		s.Fatal("there is no cursor")
	}
	return s.screen.height(i)
}

func comma(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// span makes the blocks hi to lo of a branch of the chain; branches share no
// hash.
func span(branch string, hi, lo int64) []*chain.Block {
	var out []*chain.Block
	for h := hi; h >= lo; h-- {
		out = append(out, &chain.Block{Block: apiclient.Block{
			Canonical: true, Height: h, IndexBlockHash: fmt.Sprintf("0x%s%d", branch, h),
			Hash: fmt.Sprintf("0xh%s%d", branch, h), ParentBlockHash: fmt.Sprintf("0xh%s%d", branch, h-1),
		}})
	}
	return out
}
