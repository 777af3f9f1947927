package tui

import (
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// A list shows the columns of the user's own, in their order; all are found as before.
func TestAListShowsTheColumnsOfTheUsersOwn(t *testing.T) {
	at := noon
	client := uitest.Client(t, uitest.Mock(t, mockserver.Config{Seed: 1, Freeze: &at}))
	p := startWith(t, 80, 24, client.BaseURL(), Options{
		Network: "mock", Theme: "mono", Look: theme.Options{Plain: true}, Now: func() time.Time { return noon },
		Columns: map[string][]string{"transactions": {"nonce", "type", "from"}},
	})
	p.run(p.m.visit(nav.Transactions()))
	for line := range strings.SplitSeq(p.frame(), "\n") {
		if words := strings.Fields(line); len(words) > 0 && words[0] == "NONCE" && strings.Join(words, " ") != "NONCE TYPE SENDER" {
			t.Errorf("the columns are %q", line)
		}
	}
	p.sees("NONCE  TYPE ", "token_trans")
	p.seesNot("AGE", "✓ success")
	p.write("/status:success")
	p.sees(" of 50 loaded transactions")
	p.run(p.m.visit(nav.Blocks()))
	p.sees("HEIGHT", "AGE")
}
