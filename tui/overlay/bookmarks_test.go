package overlay

import (
	"context"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/state"

	tea "github.com/charmbracelet/bubbletea"
)

// Two bookmarks are removed one after the other. Neither the answers to the removals nor the lists
// that are read then have to come in that order.
func TestARemovedBookmarkIsNotListedAgain(t *testing.T) {
	for _, answersCross := range []bool{true, false} {
		store, err := state.Open(state.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range []nav.Place{nav.Tokens(), nav.Blocks(), nav.Home()} {
			ToggleBookmark(store, "testnet", place, "", time.Time{})()
		}
		env := &screen.Env{Context: context.Background(), Now: time.Now}
		box, read := NewBookmarks(uitest.Theme(t, "mono"), env, store, "testnet")
		box.SetSize(60, 20)
		box.Update(read())
		first, _ := box.Key(uitest.Key("delete"))
		box.Key(uitest.Key("down"))
		second, _ := box.Key(uitest.Key("delete"))
		then := func(answer tea.Msg) tea.Msg {
			if cmd := box.Update(answer); cmd != nil {
				return cmd()
			}
			return nil
		}
		if answersCross {
			one, two := first(), second()
			box.Update(then(two))
			box.Update(then(one))
		} else {
			one := then(first())
			two := then(second())
			box.Update(two)
			box.Update(one)
		}
		shown := strings.Join(box.View(time.Time{}), "\n")
		if strings.Contains(shown, "tokens") || strings.Contains(shown, "blocks") || !strings.Contains(shown, "home") {
			t.Errorf("answers cross: %t, listed are\n%s", answersCross, shown)
		}
	}
}
