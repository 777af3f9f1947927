package demo

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// notepad is a model that shows what was typed.
type notepad struct {
	typed  string
	height int
}

func (n *notepad) Init() tea.Cmd { return nil }

func (n *notepad) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		n.typed += msg.String()
	case tea.WindowSizeMsg:
		n.height = msg.Height
	}
	return n, nil
}

func (n *notepad) View() string {
	return "pad: " + n.typed + strings.Repeat("\n", max(n.height-1, 0))
}

// watcher watches a performance, on a clock of his own.
type watcher struct {
	*testing.T
	p         *Player
	pad       *notepad
	now       time.Time
	make      func(time.Time) tea.Msg
	in        time.Duration
	requested []Ask
	answer    error
}

func watch(t *testing.T, script string) *watcher {
	t.Helper()
	s, err := Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{T: t, pad: &notepad{}, now: time.Unix(0, 0)}
	w.p = New(w.pad, s, Options{
		Theme: th,
		Tick: func(d time.Duration, make func(time.Time) tea.Msg) tea.Cmd {
			w.in, w.make = d, make
			return nil
		},
		Request: func(a Ask) error { w.requested = append(w.requested, a); return w.answer },
	})
	w.p.Update(tea.WindowSizeMsg{Width: 80, Height: 20})
	w.p.Init()
	return w
}

// passes lets the time pass until the next thing happens.
func (w *watcher) passes() {
	w.now = w.now.Add(w.in)
	_, cmd := w.p.Update(w.make(w.now))
	w.run(cmd)
}

func (w *watcher) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			w.run(c)
		}
	default:
		w.p.Update(msg)
	}
}

func (w *watcher) sees(want ...string) {
	w.Helper()
	for _, text := range want {
		if !strings.Contains(w.p.View(), text) {
			w.Errorf("no %q in\n%s", text, w.p.View())
		}
	}
	if lines := strings.Count(w.p.View(), "\n") + 1; lines != 20 {
		w.Errorf("%d lines in a window of 20", lines)
	}
}

func (w *watcher) presses(key tea.KeyMsg) tea.Cmd {
	_, cmd := w.p.Update(key)
	return cmd
}

var x = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")}

const twoSteps = `{title: t, steps: [{say: "Press j twice, slowly", keys: [j, j], wait: jj}, {say: Type, type: ab}]}`

func TestAScriptIsPerformedKeyByKey(t *testing.T) {
	w := watch(t, twoSteps)
	w.sees("Press j twice", "demo 1 of 4")
	if w.in != leastRead || w.pad.typed != "" {
		t.Errorf("read for %s, typed %q", w.in, w.pad.typed)
	}
	for range 20 {
		if w.p.Over() {
			break
		}
		w.passes()
	}
	if w.pad.typed != "jjab" || w.p.Err() != nil {
		t.Errorf("typed %q, %v", w.pad.typed, w.p.Err())
	}
	w.sees("That was it")
	w.presses(x)
	w.sees("pad: jjab") // the key took over, it did nothing
	w.presses(x)
	w.sees("pad: jjabx")
}

func TestAnyKeyTakesOver(t *testing.T) {
	w := watch(t, twoSteps)
	w.passes()
	w.presses(x)
	if w.pad.height != 20 {
		t.Errorf("the explorer has %d lines of 20", w.pad.height)
	}
	w.passes() // a timer that is late
	w.presses(x)
	if w.pad.typed != "jx" {
		t.Errorf("typed %q", w.pad.typed)
	}
}

func TestSpacePausesAndQLeaves(t *testing.T) {
	w := watch(t, twoSteps)
	space := tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	late := w.make
	w.presses(space)
	w.sees("paused", "space goes on")
	w.p.Update(late(w.now))
	if w.pad.typed != "" {
		t.Errorf("typed %q while it was paused", w.pad.typed)
	}
	w.presses(space)
	w.passes()
	if w.pad.typed != "j" {
		t.Errorf("typed %q", w.pad.typed)
	}
	cmd := w.presses(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")})
	if cmd == nil || fmt.Sprintf("%T", cmd()) != "tea.QuitMsg" {
		t.Error("q does not leave")
	}
}

func TestATextThatDoesNotComeEndsThePerformance(t *testing.T) {
	w := watch(t, `{steps: [{keys: a}, {keys: b, wait: never}]}`)
	for range 1000 {
		if w.p.Over() {
			break
		}
		w.passes()
	}
	if err := w.p.Err(); err == nil || err.Error() != `step 2: "never" did not come on the screen` {
		t.Error(err)
	}
	w.sees("stopped at step 2", "go on by yourself")
}

func TestAKeyIsRepeatedUntilTheTextComes(t *testing.T) {
	w := watch(t, `{steps: [{keys: a, wait: aaa, repeat: true}]}`)
	for range 500 {
		if w.p.Over() {
			break
		}
		w.passes()
	}
	if w.pad.typed != "aaa" {
		t.Errorf("typed %q", w.pad.typed)
	}
}

// A paste is one message, which says that it is one; the caption names it as it names a key.
func TestATextIsPastedAtOnce(t *testing.T) {
	w := watch(t, `{steps: [{say: What is this, paste: "u1 q", wait: "[u1 q]"}, {type: ab}]}`)
	w.sees(" paste  What is this", "demo 1 of 3")
	w.passes()
	if w.pad.typed != "[u1 q]" {
		t.Errorf("typed %q", w.pad.typed)
	}
	w.passes()
	if w.in != glance {
		t.Errorf("after a paste the demo waits %s", w.in)
	}
	for range 20 {
		if w.p.Over() {
			break
		}
		w.passes()
	}
	if w.pad.typed != "[u1 q]ab" {
		t.Errorf("typed %q", w.pad.typed)
	}
}

func TestAPageAsks(t *testing.T) {
	const script = `{steps: [{ask: {origin: "http://a", method: open, params: {x: 1}}, wait: pad}]}`
	w := watch(t, script)
	w.passes()
	if len(w.requested) != 1 || w.requested[0].Origin != "http://a" || w.requested[0].Params["x"] != 1 {
		t.Errorf("requested %+v", w.requested)
	}
	w = watch(t, script)
	w.answer = errors.New("no such method")
	w.passes()
	if err := w.p.Err(); err == nil || !strings.Contains(err.Error(), "step 1: no such method") {
		t.Error(err)
	}
}

// The film has each frame for as long as the user is given to look at it.
func TestAPerformanceIsRecorded(t *testing.T) {
	s, err := Parse([]byte(`{title: t, steps: [{say: Look, keys: j, wait: j, look: 3s, still: true}, {type: ab}]}`))
	if err != nil {
		t.Fatal(err)
	}
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	f, err := Record(t.Context(), &notepad{}, s, &SystemClock{}, 60, 8, Options{Theme: th, Busy: func() bool { return false }}, func(f func()) { go f() })
	if err != nil {
		t.Fatal(err)
	}
	if want := leastRead + 3*time.Second + 2*letterTime; f.Length() != want {
		t.Errorf("the film takes %s, want %s", f.Length(), want)
	}
	if took := time.Since(started); took > f.Length() {
		t.Errorf("recording waited %s", took)
	}
	for _, want := range []string{"pad: j", "pad: jab"} {
		if !strings.Contains(f.Cast(), want) {
			t.Errorf("no %q in %s", want, f.Cast())
		}
	}
}

// reader is a notepad that notes two answers, of which the first takes long.
type reader struct {
	notepad
	busy atomic.Bool
}

func (r *reader) Init() tea.Cmd {
	slow := func() tea.Msg {
		r.busy.Store(true)
		defer r.busy.Store(false)
		time.Sleep(3 * grace)
		return answer("first")
	}
	return tea.Batch(slow, func() tea.Msg { return answer(" second") })
}

func (r *reader) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if a, ok := msg.(answer); ok {
		r.typed += string(a)
	}
	return r, nil
}

type answer string

// What a request answers is on the film before what is requested after it.
func TestAFilmWaitsForARequest(t *testing.T) {
	s, err := Parse([]byte(`{title: t, steps: [{say: Look, wait: first second}]}`))
	if err != nil {
		t.Fatal(err)
	}
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{}
	if _, err := Record(t.Context(), r, s, &SystemClock{}, 60, 8, Options{Theme: th, Busy: r.busy.Load}, func(f func()) { go f() }); err != nil {
		t.Error(err)
	}
}
