package tui

import (
	"bytes"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/keymap"
	"chainscope/tui/mockclient"
	"chainscope/tui/state"
	"chainscope/tui/theme"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest"
)

// The first start offers a demo and three things to try. Who has only looked is offered them
// again at the next start; who has watched the demo is not.
func TestANewcomerIsOfferedADemoAndThreeThingsToTry(t *testing.T) {
	mock, err := mockserver.New(mockserver.Config{Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mock.Close() })
	server := httptest.NewServer(mock)
	t.Cleanup(server.Close)
	client, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	dir := folder(t)
	for _, session := range []struct {
		offered bool
		key     string
		demo    bool
	}{{true, "q", false}, {true, "d", true}, {false, "d", true}} {
		store, err := state.Open(state.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		model, err := New(Options{
			Context: t.Context(), Client: client, Keys: keymap.Default(), Network: "MOCK", Mock: mockclient.New(server.URL, nil),
			Theme: "dark", Look: theme.Options{Dark: true, Colors: colorprofile.TrueColor}, Store: store, Now: func() time.Time { return noon }, Demo: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		tm := teatest.NewTestModel(t, model, teatest.WithInitialTermSize(120, 40))
		var seen bytes.Buffer
		teatest.WaitFor(t, io.TeeReader(tm.Output(), &seen), func(out []byte) bool {
			words := ansi.Strip(string(out))
			return strings.Contains(words, "canonical") && (!session.offered || strings.Contains(words, "watch a demo"))
		}, teatest.WithDuration(10*time.Second), teatest.WithCheckInterval(10*time.Millisecond))
		if offered := strings.Contains(ansi.Strip(seen.String()), "d        watch a demo"); offered != session.offered {
			t.Errorf("the demo is offered: %v, want %v", offered, session.offered)
		}
		tm.Type(session.key)
		left, is := tm.FinalModel(t, teatest.WithFinalTimeout(10*time.Second)).(*Model)
		if !is || left.Left().Demo != session.demo {
			t.Errorf("%s leaves the explorer for a demo: %v, want %v", session.key, !session.demo, session.demo)
		}
	}
}
