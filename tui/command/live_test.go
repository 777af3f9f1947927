package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/term"

	tea "github.com/charmbracelet/bubbletea"
)

// liveCase is a file of testdata/live: what a real service answered, and what people read of
// it in commands and in the explorer. API in a command is the address of the server.
type liveCase struct {
	// Answers are the bodies of paths, or of paths with their query: JSON, or a text as it is. A
	// path that is not there is a route that the server does not serve. Of several the last one
	// that is given from a phase that has come: the chain changes from phase to phase.
	Answers []liveAnswer
	// Commands run in the first phase. One that follows goes on to the next phase each time it
	// waits, until there is none.
	Commands []struct {
		Run       string
		Exit      int
		Says, Not []string
	}
	Explorer []explorerStep
}

// liveAnswer holds what a server says to one path.
type liveAnswer struct {
	Get, Post string
	From      int
	Status    int
	Body      any
}

// explorerStep holds what is done in the explorer, and what is then seen.
type explorerStep struct {
	At        string
	Phase     int
	Passes    time.Duration // before anybody looks
	Keys      []string
	Sees, Not []string
	Requests  []string // since the step before, nil where it does not matter
}

// stub answers as a case says, and notes what was requested.
type stub struct {
	mu        sync.Mutex
	of        liveCase
	phase     int
	requested []string
}

// enter goes on to a phase, and reports whether there is one.
func (s *stub) enter(phase int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = phase
	for _, a := range s.of.Answers {
		if a.From >= phase {
			return true
		}
	}
	return false
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Path != "/extended/v1/ws" {
		s.requested = append(s.requested, r.Method+" "+r.URL.RequestURI())
	}
	for _, a := range slices.Backward(s.of.Answers) {
		path := a.Get
		if r.Method == http.MethodPost {
			path = a.Post
		}
		if path == "" || a.From > s.phase || path != r.URL.Path && path != r.URL.RequestURI() {
			continue
		}
		body, isText := a.Body.(string)
		if !isText {
			raw, _ := json.Marshal(a.Body)
			body = string(raw)
		}
		if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
			jsonAnswer(w, max(a.Status, http.StatusOK), body)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(max(a.Status, http.StatusOK))
		_, _ = io.WriteString(w, body)
		return
	}
	jsonAnswer(w, http.StatusNotFound, fmt.Sprintf(`{"message":"Route %s:%s not found","error":"Not Found","statusCode":404}`, r.Method, r.URL.RequestURI()))
}

// since returns what was requested since the last call.
func (s *stub) since() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	requested := s.requested
	s.requested = nil
	return requested
}

func TestALiveServerIsShownAsItIs(t *testing.T) {
	files, err := filepath.Glob("testdata/live/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			server := &stub{}
			if err := yaml.Unmarshal(raw, &server.of); err != nil {
				t.Fatal(err)
			}
			api := httptest.NewServer(server)
			t.Cleanup(api.Close)
			host := strings.TrimPrefix(api.URL, "http://")
			for _, c := range server.of.Commands {
				ctx, cancel := context.WithCancel(t.Context())
				server.enter(0)
				code, stdout, stderr := runAsleep(t, ctx, func() {
					if !server.enter(server.phase + 1) {
						cancel()
					}
				}, strings.Fields(strings.ReplaceAll(c.Run, "API", api.URL))...)
				cancel()
				if code != c.Exit {
					t.Errorf("%s: exit %d, want %d", c.Run, code, c.Exit)
				}
				reads(t, c.Run, strings.ReplaceAll(stdout+stderr, host, "HOST"), c.Says, c.Not)
			}
			if len(server.of.Explorer) > 0 {
				exploreLive(t, api.URL, server)
			}
		})
	}
}

// reads checks what the user reads.
func reads(t *testing.T, where, shown string, want, not []string) {
	t.Helper()
	flat := strings.Join(strings.Fields(shown), " ")
	for _, words := range want {
		if !strings.Contains(flat, words) {
			t.Errorf("%s: %q is not said:\n%s", where, words, shown)
		}
	}
	for _, words := range not {
		if strings.Contains(flat, words) {
			t.Errorf("%s: %q is said:\n%s", where, words, shown)
		}
	}
}

// noColors are the sequences with which a frame is colored.
var noColors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// exploreLive goes through the explorer as a case says.
func exploreLive(t *testing.T, api string, server *stub) {
	t.Helper()
	var passed atomic.Int64 // since then; the transport reads the time in goroutines of its own
	began := time.Now()
	a := &cli.App{Now: func() time.Time { return began.Add(time.Duration(passed.Load())) }, Streams: cli.Streams{Env: func(string) (string, bool) { return "", false }}, Keys: keymap.Default()}
	a.Settings.API, a.Settings.Timeout, a.Settings.StateDir = api, 5*time.Second, t.TempDir()
	e, err := newExplorer(t.Context(), a, &explorerFlags{notify: "off"}, nav.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.close)
	o := e.options
	o.Wallet, o.Notices, o.Pushed, o.Context = nil, nil, nil, context.Background()
	o.Tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	m, err := tui.New(o)
	if err != nil {
		t.Fatal(err)
	}
	var perform func(tea.Cmd)
	send := func(msg tea.Msg) {
		_, cmd := m.Update(msg)
		perform(cmd)
	}
	perform = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		switch msg := cmd().(type) {
		case nil, tea.QuitMsg, term.CopyRequest, term.OpenRequest:
		case tea.BatchMsg:
			for _, c := range msg {
				perform(c)
			}
		default:
			send(msg)
		}
	}
	server.enter(0)
	send(tea.WindowSizeMsg{Width: 120, Height: 40})
	perform(m.Init())
	for _, step := range server.of.Explorer {
		server.enter(step.Phase)
		if step.At != "" {
			server.since()
			place, err := nav.Parse(step.At)
			if err != nil {
				t.Fatal(err)
			}
			send(screen.GoMsg{Place: place})
		}
		for range step.Passes / time.Second {
			passed.Add(int64(time.Second))
			send(nil)
		}
		for _, k := range step.Keys {
			if typed, is := strings.CutPrefix(k, "type "); is {
				for _, r := range typed {
					send(keymap.Message(string(r)))
				}
				continue
			}
			send(keymap.Message(k))
		}
		frame := strings.ReplaceAll(noColors.ReplaceAllString(m.View(), ""), strings.TrimPrefix(api, "http://"), "HOST")
		where := fmt.Sprintf("explorer at %s, keys %v", step.At, step.Keys)
		reads(t, where, frame, step.Sees, step.Not)
		if requested := server.since(); step.Requests != nil && fmt.Sprint(requested) != fmt.Sprint(step.Requests) {
			t.Errorf("%s requested %q, want %q", where, requested, step.Requests)
		}
	}
}
