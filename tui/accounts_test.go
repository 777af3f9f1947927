package tui

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// Accounts of the test mnemonic.
const (
	firstAccount  = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	secondAccount = "SP3XHES59Q0NYQ5D2ZGFKQ0A2HAG5V9PVKD2N3MGH"
)

// From home, two keys show what the active account of the wallet has and its next nonce.
func TestABalanceOfTheWalletTakesTwoKeys(t *testing.T) {
	s := startWallet(t, "mainnet", 120, 40)
	s.run(s.m.visit(nav.Home()))
	keysOf(s.program, "7", "enter")
	if at := s.m.Place(); at != nav.Account(firstAccount) {
		t.Fatalf("7 and enter lead to %s", at)
	}
	s.program.sees("7 Accounts]", "active account", "own account 1", "balance           1,000,000 STX", "next nonce        0", "2,500 USDA", "alice.btc", "light             u1")
}

// Keys of the list lead to the transactions of the account under the cursor, to those that
// wait, and to the box that takes any address.
func TestAnAccountLeadsToItsTransactions(t *testing.T) {
	for press, want := range map[string]nav.Place{"x": nav.TransactionsOf(firstAccount), "p": nav.WaitingOf(firstAccount)} {
		s := startWallet(t, "mainnet", 120, 40)
		keysOf(s.program, "7", press)
		if at := s.m.Place(); at != want {
			t.Errorf("%s leads to %s, not to %s", press, at, want)
		}
	}
	s := startWallet(t, "mainnet", 120, 40)
	keysOf(s.program, "7", "a")
	s.program.sees("Go to anything")
}

// The list has the accounts of the wallet on its network, then what is bookmarked, then what
// was looked at.
func TestAccountsThatThereIsAReasonToLookAt(t *testing.T) {
	const marked, seen = "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", "SP1HPGRB9DSSP6VVDJQ8000018RPQ9H00000000000"
	s := startWallet(t, "testnet", 120, 40)
	s.run(s.m.visit(nav.Account(marked)))
	keysOf(s.program, "b")
	s.run(s.m.visit(nav.Account(usdaToken)))
	s.run(s.m.visit(nav.Accounts()))
	rows := ansi.Strip(s.m.View())
	last := -1
	for _, want := range []string{"ST", "own account 9", "bookmarked", "opened before"} {
		at := strings.Index(rows, want)
		if at < last {
			t.Errorf("%q is not where it belongs", want)
		}
		last = at
	}
	s.program.sees("12 of 12", "SP2J6ZY4", "a-token")
}

// An account takes four requests and a contract four at most, whatever the server serves.
func TestAnAccountTakesFourRequests(t *testing.T) {
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		mock, err := mockserver.New(mockserver.Config{Seed: 1, APIVersion: version, Now: func() time.Time { return noon }})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(inTurn(mock))
		t.Cleanup(func() { server.Close(); _ = mock.Close() })
		p := startWith(t, 120, 40, server.URL, plainOptions("mainnet"))
		p.run(p.m.visit(nav.Account(secondAccount))) // finds out which routes there are
		for _, principal := range []string{firstAccount, usdaToken} {
			before := p.m.options.Client.Log().Len()
			p.run(p.m.visit(nav.Account(principal)))
			if asked := p.m.options.Client.Log().Len() - before; asked > 4 || asked < 3 {
				t.Errorf("%s: %s took %d requests", version, principal, asked)
			}
		}
		p.run(p.m.visit(nav.Account(firstAccount)))
		p.sees("balance           1,000,000 STX", "(smallest unit)")
	}
}

// A contract is an account too, and leads to what it is.
func TestAContractIsAnAccountToo(t *testing.T) {
	p := start(t, theme.Options{Dark: true}, "dark", 120, 40)
	p.run(p.m.visit(nav.Account(usdaToken)))
	p.sees("contract          its source and functions")
	p.seesNot("next nonce")
	keysOf(p, "j", "enter")
	if at := p.m.Place(); at != nav.Contract(usdaToken) {
		t.Errorf("it leads to %s", at)
	}
}

// hostileAccount answers for an account with thousands of tokens whose names are hostile.
func hostileAccount(tokens int) http.Handler {
	list := func(w http.ResponseWriter, of string, row func(i int) string) {
		rows := make([]string, tokens)
		for i := range rows {
			rows[i] = row(i)
		}
		fmt.Fprintf(w, `{"limit":200,"offset":0,"total":%d,%q:[%s]}`, 1000*tokens, of, strings.Join(rows, ","))
	}
	const name = `\u001b]0;owned\u0007\u001b[31mred\u202etxt\u200b`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		switch {
		case strings.HasSuffix(r.URL.Path, "/balances/stx"):
			fmt.Fprint(w, `{"balance":"-340282366920938463463374607431768211455","locked":"9","burnchain_unlock_height":900000000000}`)
		case strings.HasSuffix(r.URL.Path, "/nonces"):
			missing := strings.Trim(strings.Repeat("9007199254740991,", 5000), ",")
			fmt.Fprintf(w, `{"possible_next_nonce":1,"last_executed_tx_nonce":null,"detected_missing_nonces":[%s],"detected_mempool_nonces":[]}`, missing)
		case strings.HasSuffix(r.URL.Path, "/balances/ft"):
			list(w, "results", func(i int) string {
				return fmt.Sprintf(`{"token":"%s.t%d::%s","balance":"-%s"}`, firstAccount, i, name, strings.Repeat("9", 500))
			})
		case strings.HasSuffix(r.URL.Path, "/nft/holdings"):
			list(w, "results", func(i int) string {
				return fmt.Sprintf(`{"asset_identifier":"%s.BNS-V2::BNS-V2","value":{"hex":"0xzz","repr":"%s%d"},"tx_id":"0x"}`, firstAccount, name, i)
			})
		default:
			http.NotFound(w, r)
		}
	})
}

// An account with 5,000 tokens, whose names have escape sequences, is shown in part, no wider
// than the window, and cleaned.
func TestAHostileAccountIsDrawnSafely(t *testing.T) {
	uitest.NotRaced(t)
	server := httptest.NewServer(hostileAccount(5_000))
	t.Cleanup(server.Close)
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		p := startWith(t, size[0], size[1], server.URL, plainOptions("mainnet"))
		p.run(p.m.visit(nav.Account(firstAccount)))
		p.sees("balance", "-340,282,366,920,938,463,463,374,607,431,768.211455 STX")
		for _, press := range []string{"", "G", "ctrl+u", "g", "ctrl+d", "ctrl+d", "ctrl+d"} {
			if press != "" {
				keysOf(p, press)
			}
			view := p.m.View()
			if strings.Contains(view, "\x1b]") || strings.ContainsAny(view, "\u202e\u200b\a") || strings.Contains(view, "\x1b[31m") {
				t.Fatalf("what the server sent reaches the terminal: %q", view)
			}
			for line := range strings.Lines(view) {
				if text.Width(strings.TrimRight(line, "\n")) > size[0] {
					t.Errorf("wider than the window: %q", line)
				}
			}
		}
		keysOf(p, "G")
		rows := described(p)
		more := slices.IndexFunc(rows, func(label string) bool { return label == "and more" })
		if len(rows) > 1_000 || more < 0 {
			t.Errorf("%d rows, and more at %d", len(rows), more)
		}
	}
}

// described returns the labels of the detail.
func described(p *program) (labels []string) {
	_, rows := walker{p}.detail()
	for _, r := range rows {
		labels = append(labels, r.Label)
	}
	return labels
}
