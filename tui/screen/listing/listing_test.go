package listing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// stone is a thing of a small kind.
type stone struct{ id, color string }

// quarry is where stones come from: pages of ten, the newest first.
type quarry struct {
	newest    int
	down      error
	requested []string
}

func (q *quarry) page(_ context.Context, _ nav.Place, cursor string) (Page[stone], error) {
	q.requested = append(q.requested, "page "+cursor)
	if q.down != nil {
		return Page[stone]{}, q.down
	}
	first := q.newest
	if cursor != "" {
		_, _ = fmt.Sscan(cursor, &first)
	}
	p := Page[stone]{Total: int64(q.newest), Next: fmt.Sprint(first - 10)}
	for n := first; n > first-10 && n > 0; n-- {
		p.Rows = append(p.Rows, Row[stone]{Of: stone{fmt.Sprintf("0x%064d", n), []string{"red", "blue"}[n%2]}, Raw: json.RawMessage(`{}`)})
	}
	if first <= 10 {
		p.Next = ""
	}
	return p, nil
}

func (q *quarry) one(_ context.Context, id string) (Row[stone], error) {
	q.requested = append(q.requested, "one "+id[len(id)-2:])
	return Row[stone]{Of: stone{id, "whole"}, Raw: json.RawMessage(`{"whole":true}`)}, q.down
}

// visitor uses the place.
type visitor struct {
	*testing.T
	s   *Screen[stone]
	q   *quarry
	now time.Time
}

func visit(t *testing.T) *visitor {
	t.Helper()
	th, err := theme.New("mono", theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := &visitor{T: t, q: &quarry{newest: 35}, now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)}
	keys := keymap.Default()
	env := &screen.Env{Context: t.Context(), Keys: keys, Now: func() time.Time { return v.now }, Times: &screen.Times{}, Tick: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }}
	v.s = New(env, th, Of[stone]{
		Settled: func(s stone) bool { return s.color == "whole" },
		Kind: resource.Kind[stone]{
			Name: "stone", Fields: func(s stone) []resource.Field {
				return []resource.Field{{Section: "Stone"}, {Label: "id", Value: resource.TextOf(s.id), Key: "h"}, {Label: "color", Value: resource.TextOf(s.color)}}
			},
			Columns: []resource.Column[stone]{
				{Name: "id", Head: "STONE", Type: resource.Hash, Least: 13, Most: 66, Keep: 9, Value: func(s stone) resource.Value { return resource.TextOf(s.id) }},
				{Name: "color", Head: "COLOR", Least: 6, Most: 10, Keep: 8, Value: func(s stone) resource.Value { return resource.TextOf(s.color) }},
				{Name: "age", Head: "AGE", Type: resource.Moment, Tail: true, Value: func(stone) resource.Value { return resource.Value{} }},
			},
		},
		Title: func(nav.Place) string { return "Stones" }, Ops: []string{"stones"}, Home: nav.Transactions(),
		At:   func(s stone) nav.Place { return nav.Transaction(s.id) },
		IDOf: func(p nav.Place) string { return p.TxID },
		ID:   func(s stone) string { return s.id }, Web: func(s stone) string { return "/stone/" + s.id },
		Page: v.q.page, One: v.q.one,
	})
	v.s.SetSize(100, 14)
	return v
}

// run runs commands until nothing is left to do.
func (v *visitor) run(cmd tea.Cmd) {
	v.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			v.run(c)
		}
	case screen.DueMsg:
		v.run(msg())
	default:
		v.run(v.s.Update(msg))
	}
}

func (v *visitor) sees(words ...string) {
	v.Helper()
	screen := ansi.Strip(strings.Join(v.s.View(v.now), "\n"))
	for _, w := range words {
		if !strings.Contains(screen, w) {
			v.Errorf("%q is not on screen:\n%s", w, screen)
		}
	}
}

func (v *visitor) key(k string) {
	v.Helper()
	msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
	if k == "enter" {
		msg = tea.KeyMsg{Type: tea.KeyEnter}
	}
	cmd, _ := v.s.Key(msg)
	v.run(cmd)
}

func TestAListIsReadAsFarAsItIsLookedAt(t *testing.T) {
	v := visit(t)
	v.run(v.s.Open(nav.Transactions(), nil))
	v.sees("Stones  20 of 35", "STONE", "COLOR")
	if got := strings.Join(v.q.requested, ","); got != "page ,page 25" {
		t.Errorf("requested %s", got)
	}
	v.key("G")
	v.sees("30 of 35")
	v.key("G")
	v.key("G")
	v.sees("35 of 35")
	if got := len(v.q.requested); got != 4 {
		t.Errorf("requested %v", v.q.requested)
	}
}

// All of a thing is requested once, when its detail is read.
func TestADetailIsFilledIn(t *testing.T) {
	v := visit(t)
	v.run(v.s.Open(nav.Transactions(), nil))
	v.q.requested = nil
	v.key("enter")
	v.sees("whole")
	v.key("j")
	if got := strings.Join(v.q.requested, ","); got != "one 35" {
		t.Errorf("requested %s", got)
	}
	if p := v.s.Place(); p != nav.Transaction(fmt.Sprintf("0x%064d", 35)) {
		t.Errorf("the place is %s", p)
	}
	sub := v.s.Subject()
	if string(sub.Raw) != `{"whole":true}` || len(sub.Copies) == 0 || len(sub.Export().Rows) != 20 {
		t.Errorf("%+v", sub)
	}
}

// What explains a thing follows all of it; where that fails, the thing stays.
func TestWhatExplainsAThingFollowsIt(t *testing.T) {
	v := visit(t)
	var fails error
	v.s.of.Fill = func(_ context.Context, s stone) (stone, error) {
		s.color = "whole, and explained"
		return s, fails
	}
	v.run(v.s.Open(nav.Transaction(fmt.Sprintf("0x%064d", 7)), nil))
	v.sees("whole, and explained")
	fails = errors.New("nobody answers")
	v.run(v.s.Refresh())
	v.sees("whole")
	if screen := strings.Join(v.s.View(v.now), "\n"); strings.Contains(screen, "explained") || strings.Contains(screen, "nobody answers") {
		t.Errorf("after a failure it shows\n%s", screen)
	}
}

func TestOneThingIsOpenedByItself(t *testing.T) {
	v := visit(t)
	v.run(v.s.Open(nav.Transaction(fmt.Sprintf("0x%064d", 7)), nil))
	v.sees("whole")
	if got := strings.Join(v.q.requested, ","); got != "one 07" || !v.s.Leaves() {
		t.Errorf("requested %s", got)
	}
	v.q.requested = nil
	v.run(v.s.Live())
	if len(v.q.requested) != 0 {
		t.Errorf("what is settled is requested again: %v", v.q.requested)
	}
	v.run(v.s.Update(screen.ChainChanged{}))
	v.run(v.s.Live())
	if got := strings.Join(v.q.requested, ","); got != "one 07" {
		t.Errorf("after the chain changed it requests %s", got)
	}
	v.run(v.s.Open(nav.Transactions(), nil))
	v.sees("of 35")
}

// What is new joins without moving the cursor.
func TestNewRowsJoinAboveTheCursor(t *testing.T) {
	v := visit(t)
	v.run(v.s.Open(nav.Transactions(), nil))
	v.key("j")
	at := v.s.current().Of.id
	v.q.newest = 38
	v.run(v.s.Live())
	if got := v.s.current().Of.id; got != at || v.s.Len() != 23 {
		t.Errorf("the cursor is on %s, was on %s; %d rows", got, at, v.s.Len())
	}
	v.q.newest = 33 // blocks were rolled back
	v.run(v.s.Live())
	if v.s.loaded.Rows[0].Of.id != fmt.Sprintf("0x%064d", 33) || v.s.Len() != 18 {
		t.Errorf("%d rows from %s", v.s.Len(), v.s.loaded.Rows[0].Of.id)
	}
	v.q.newest = 90
	v.run(v.s.Live())
	if v.s.loaded.Rows[0].Of.id != fmt.Sprintf("0x%064d", 90) || v.s.Len()%10 != 0 {
		t.Errorf("rows that do not meet those that were there: %d from %s", v.s.Len(), v.s.loaded.Rows[0].Of.id)
	}
}

// A filter looks at what is loaded, and requests no more.
// A list whose pages are found by an offset has all its rows though others leave it above what is
// read next, as those leave the mempool that a block takes.
func TestRowsThatMoveUpAreNotLeftOut(t *testing.T) {
	v := visit(t)
	var all []int
	for n := 35; n > 0; n-- {
		all = append(all, n)
	}
	v.s.of.Page = func(_ context.Context, _ nav.Place, cursor string) (Page[stone], error) {
		offset := 0
		_, _ = fmt.Sscan(cursor, &offset)
		p := Page[stone]{Total: int64(len(all))}
		for _, n := range all[min(offset, len(all)):min(offset+10, len(all))] {
			p.Rows = append(p.Rows, Row[stone]{Of: stone{fmt.Sprintf("0x%064d", n), "red"}, Raw: json.RawMessage(`{}`)})
		}
		if offset+10 < len(all) {
			p.Next = fmt.Sprint(offset + 10)
		}
		return p, nil
	}
	v.run(v.s.Open(nav.Transactions(), nil))
	v.sees("Stones  20 of 35")
	all = slices.Delete(all, 2, 7)
	v.now = v.now.Add(time.Minute)
	v.run(v.s.Live())
	for range 10 {
		v.key("G")
	}
	for _, n := range all {
		if v.s.find(fmt.Sprintf("0x%064d", n)) < 0 {
			t.Errorf("stone %d of %d is left out", n, len(all))
		}
	}
	if got := len(v.s.loaded.Rows); got != len(all) {
		t.Errorf("%d rows of %d", got, len(all))
	}
}

func TestAFilterRequestsNothing(t *testing.T) {
	v := visit(t)
	v.run(v.s.Open(nav.Transactions(), nil))
	v.q.requested = nil
	v.run(v.s.Narrow("color:red"))
	if v.s.List.Len() != 10 || len(v.q.requested) != 0 {
		t.Errorf("%d rows, requested %v", v.s.List.Len(), v.q.requested)
	}
	v.run(v.s.Narrow("color:green"))
	v.sees("No match in the ")
}

func TestAFailureIsShownAndRequestedAgain(t *testing.T) {
	v := visit(t)
	v.q.down = &apiclient.Error{Kind: apiclient.Offline, Err: errors.New("nobody answers")}
	v.run(v.s.Open(nav.Transactions(), nil))
	v.sees("nobody answers")
	if v.s.Status().Again.IsZero() {
		t.Error("nothing is planned")
	}
	v.q.down = nil
	v.run(v.s.RetryNow())
	v.sees("of 35")
}

// What has left a list, as a transaction does that waited, is no longer in it. The one that is
// read stays until it is left, and is requested again, once: it is something else by now.
func TestWhatLeavesAListWhileItIsReadStays(t *testing.T) {
	v := visit(t)
	id := func(n int) string { return fmt.Sprintf("0x%064d", n) }
	waits := []int{3, 2, 1}
	color := "waits"
	v.s.of.Page = func(context.Context, nav.Place, string) (Page[stone], error) {
		p := Page[stone]{Total: int64(len(waits))}
		for _, n := range waits {
			p.Rows = append(p.Rows, Row[stone]{Of: stone{id(n), "waits"}})
		}
		return p, nil
	}
	v.s.of.One = func(_ context.Context, id string) (Row[stone], error) {
		v.q.requested = append(v.q.requested, "one "+id[len(id)-1:])
		return Row[stone]{Of: stone{id, color}}, nil
	}
	v.run(v.s.Open(nav.Mempool(), nil))
	v.key("j")
	v.key("enter")
	v.q.requested, color = nil, "whole"
	for _, left := range [][]int{{4, 3, 1}, {4}, nil} {
		waits = left
		v.run(v.s.Live())
		if r := v.s.current(); r == nil || r.Of.id != id(2) || r.Of.color != "whole" || v.s.Len() != len(left)+1 {
			t.Errorf("while %v wait, %d rows are listed and the detail shows %+v", left, v.s.Len(), r)
		}
	}
	if got := strings.Join(v.q.requested, ","); got != "one 2" {
		t.Errorf("requested %s", got)
	}
	v.run(v.s.Open(nav.Mempool(), nil)) // the detail is left
	v.run(v.s.Live())
	v.sees("No stones")
}

// Who comes back to a list that was another meanwhile is at the row that had the cursor, unless
// they move before it is loaded.
func TestComingBackToAnotherListFindsTheRow(t *testing.T) {
	for _, moves := range []bool{false, true} {
		v := visit(t)
		v.run(v.s.Open(nav.Transactions(), nil))
		v.key("j")
		v.key("j")
		left := v.s.State()
		v.run(v.s.Open(nav.Mempool(), nil))
		cmd := v.s.Open(nav.Transactions(), left)
		want := 2
		if moves {
			v.key("k")
			want = 0
		}
		if v.run(cmd); v.s.List.Position() != want {
			t.Errorf("moved %v: the cursor is in row %d, want %d", moves, v.s.List.Position(), want)
		}
	}
}
