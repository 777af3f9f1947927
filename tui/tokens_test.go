package tui

import (
	"bytes"
	"io"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/keymap"
	"chainscope/tui/mockclient"
	"chainscope/tui/state"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest"
)

// wallClock is the mock's clock, which the test moves.
type wallClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *wallClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *wallClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// TestTheTokensOfTheMock is a user who opens the third tab, picks a localized
// token, changes its locale, looks at its picture, and then waits for a token
// whose metadata is still being fetched.
func TestTheTokensOfTheMock(t *testing.T) {
	clock := &wallClock{now: noon}
	mock, err := mockserver.New(mockserver.Config{Now: clock.Now})
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
	store, err := state.Open(state.Options{Dir: folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	model, err := New(Options{
		Context: t.Context(), Client: client, Keys: keymap.Default(), Network: "MOCK", Mock: mockclient.New(server.URL, nil),
		Theme: "dark", Look: theme.Options{Dark: true, Colors: colorprofile.TrueColor}, Store: store, Now: clock.Now, Zone: time.UTC,
	})
	if err != nil {
		t.Fatal(err)
	}
	tm := teatest.NewTestModel(t, model, teatest.WithInitialTermSize(120, 40))
	var seen bytes.Buffer
	sees := func(texts ...string) {
		t.Helper()
		teatest.WaitFor(t, io.TeeReader(tm.Output(), &seen), func(out []byte) bool {
			for _, text := range texts {
				if !bytes.Contains([]byte(ansi.Strip(string(out))), []byte(text)) {
					return false
				}
			}
			return true
		}, teatest.WithDuration(10*time.Second), teatest.WithCheckInterval(10*time.Millisecond))
	}
	press := func(key tea.KeyType) { tm.Send(tea.KeyMsg{Type: key}) }

	tm.Type("3")
	sees("harbor-dollar", "99,999.8")
	tm.Type("jj")
	press(tea.KeyEnter)
	sees("A dollar for every harbor.")
	tm.Type("L")
	sees("says the token")
	tm.Type("es")
	press(tea.KeyEnter)
	sees("Un dólar para cada puerto.")
	tm.Type("p")
	sees("picture of Harbor Dollar, 96 x 96, png")

	press(tea.KeyEsc)
	tm.Type("x")
	sees("Test cases")
	tm.Type("/")
	tm.Type("ft-pending")
	press(tea.KeyEnter)
	press(tea.KeyEnter)
	sees("Token metadata fetch in progress", "again in")
	clock.pass(6 * time.Second)
	tm.Type("r")
	sees("Patience")
	tm.Type("q")
	tm.WaitFinished(t, teatest.WithFinalTimeout(10*time.Second))
}

// folder returns a folder that may still be written to when the program has ended:
// what a command began to keep is kept.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "chainscope-state-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		var err error
		for range 100 {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Error(err)
	})
	return dir
}
