package palette

import (
	"context"
	"slices"
	"testing"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/state"

	tea "github.com/charmbracelet/bubbletea"
)

// The box was closed and opened again before the disk answered.
func TestWhatWasReadForAnEarlierBoxIsDropped(t *testing.T) {
	for _, lateFirst := range []bool{true, false} {
		store, err := state.Open(state.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		o := Options{
			Store: store, Network: "testnet", Env: &screen.Env{Context: context.Background(), Now: time.Now},
			Bookmarks: func() ([]screen.Named, error) { return nil, nil },
			Context:   func() nav.RecogniseContext { return nav.RecogniseContext{} },
		}
		_, read := New(o, "")
		before := read()
		if msg := remember(store, "testnet", nav.Tokens())(); msg != nil {
			t.Fatal(msg)
		}
		box, read := New(o, "")
		messages := []tea.Msg{read(), before}
		if lateFirst {
			slices.Reverse(messages)
		}
		for _, msg := range messages {
			if cmd := box.Update(msg); cmd != nil {
				t.Fatal(cmd())
			}
		}
		if len(box.shown) != 1 || box.shown[0].Place != nav.Tokens() {
			t.Errorf("late message first: %t; %d recent places are listed", lateFirst, len(box.shown))
		}
	}
}
