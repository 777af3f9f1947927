//go:build unix

package e2e

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// What keys and commands request is the same: as many, and the same first rows, whichever
// generation of the API answers.
func TestKeysAndCommandsChooseTheSameTransactions(t *testing.T) {
	t.Parallel()
	const trader = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	for _, version := range []string{"8", "9", "sunset"} {
		m := serve(t, "127.0.0.1:0", "--api-version", version, "--freeze", "2026-01-01T12:00:00Z")
		k := &keyboard{terminal: open(t, 80, 24, "--api", "http://"+m.Addr)}
		for _, c := range []struct{ opens, typed, line string }{
			{"txs", "type:smart_contract,coinbase", "txs --type smart_contract,coinbase"},
			{"txs", "since:30m until:10m type:token_transfer", "txs --since 30m --until 10m --type token_transfer"},
			{"txs --of " + trader, "since:2025-11-27 type:contract_call", "txs --of " + trader + " --since 2025-11-27 --type contract_call"},
		} {
			cmd := exec.Command(binary, append(strings.Fields(c.line), "-o", "csv", "--fields", "id", "--limit", "5", "--api", "http://"+m.Addr)...)
			cmd.Env = environ(t.TempDir())
			out, err := cmd.Output()
			ids := strings.Fields(string(out))
			if err != nil || len(ids) < 3 {
				t.Fatalf("%s: %s prints %q: %v", version, c.line, out, err)
			}
			k.opens(goToKey, "Go to anything")
			k.pastes(c.opens)
			k.shows("> "+c.opens[:3], "▸ transactions")
			k.press(enterKey)
			k.hides("Go to anything")
			k.shows(map[bool]string{true: "Transactions of ", false: "Transactions  50 of"}[len(c.opens) > 3])
			k.opens("/", "type: from: to:")
			k.types(c.typed)
			k.shows("enter ask the API")
			k.press(enterKey)
			k.until("lists what the command lists", func(screen string) bool {
				if len(c.opens) > 3 { // whose columns are others
					return strings.Contains(screen, fmt.Sprintf("%d of 12 read; chosen here: ", len(ids)-1))
				}
				_, rows, _ := strings.Cut(screen, "TRANSACTION ")
				at := 0
				for _, id := range ids[1:] { // in their order
					next := strings.Index(rows[at:], id[:7])
					if next < 0 {
						return false
					}
					at += next
				}
				return regexp.MustCompile(`(on the chain|chosen here)`).MatchString(screen)
			})
			k.press(escapeKey)
			k.hides("/ " + c.typed[:10])
		}
		k.quit()
	}
}
