package tui

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/mockserver/fault"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// TestEveryBlockIsShownOnceWhateverTheChannelDoes follows a mock that drops, doubles and
// reorders what it pushes and closes the channel, while blocks are mined and two of them
// are replaced. What is shown in the end is the chain.
func TestEveryBlockIsShownOnceWhateverTheChannelDoes(t *testing.T) {
	uitest.NotRaced(t)
	for _, rule := range []string{"fault=drop,rate=0.4", "fault=double", "fault=reorder,rate=0.5", "fault=reset,rate=0.2"} {
		t.Run(rule, func(t *testing.T) {
			parsed, err := fault.ParseRule("event=block," + rule)
			if err != nil {
				t.Fatal(err)
			}
			now := noon
			p := startOn(t, theme.Options{Plain: true}, "mono", 120, 40, mockserver.Config{
				Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Faults: []fault.Rule{parsed}, Now: func() time.Time { return now },
			})
			pushed := pushedBy(t, p.m.options.Client)
			p.run(p.m.visit(nav.Blocks()))
			p.take(pushed, 10*time.Second) // the channel is open
			for i := range 12 {
				p.posts("mine", `{"blocks":1}`)
				if i == 5 {
					p.posts("reorg", `{"depth":2}`)
				}
				for p.take(pushed, 50*time.Millisecond) {
				}
			}
			// What the last event lost is read when live tail asks.
			p.run(p.m.currentScreen().Live())
			shown := p.m.currentScreen().Subject().Export()
			at, state := slices.Index(shown.Columns, "hash"), slices.Index(shown.Columns, "state")
			// Replaced blocks stay, marked.
			shown.Rows = slices.DeleteFunc(shown.Rows, func(row []string) bool { return row[state] == "orphaned" })
			chain, err := p.m.options.Client.Blocks(t.Context(), apiclient.Page{Limit: 20})
			if err != nil || at < 0 {
				t.Fatal(err, shown.Columns)
			}
			var got, want []string
			for i, b := range chain.Value.Results {
				got, want = append(got, shown.Rows[i][at]), append(want, b.Hash)
			}
			if !slices.Equal(got, want) {
				t.Errorf("shown are\n%s\nthe chain is\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// pushedBy follows what a server pushes until the test ends.
func pushedBy(t *testing.T, client *apiclient.Client) <-chan apiclient.Pushed {
	ctx, cancel := context.WithCancel(t.Context())
	all, done := make(chan apiclient.Pushed, 100), make(chan struct{})
	go func() {
		defer close(done)
		client.FollowPushed(ctx, func(p apiclient.Pushed) { all <- p })
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return all
}

// take hands the model what is pushed next, and reports whether anything came in time.
func (p *program) take(pushed <-chan apiclient.Pushed, wait time.Duration) bool {
	p.t.Helper()
	select {
	case one := <-pushed:
		p.run(p.m.onPushed(one))
		return true
	case <-time.After(wait):
		return false
	}
}

// posts asks the mock's control routes for something.
func (p *program) posts(what, body string) {
	p.t.Helper()
	resp, err := http.Post(p.m.options.Client.BaseURL()+"/mock/v1/"+what, "application/json", strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		p.t.Fatalf("%s answers %d", what, resp.StatusCode)
	}
}
