package mockserver

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

// sentPayment is a transfer of the test, with what its two sides sent and received by it.
type sentPayment struct {
	from, to    person
	amount, fee uint64
	sponsor     *person
	id          string
	height, at  int64
	index       int64 // in its block
}

// ledgerOfPayments puts four blocks of payments among three accounts into a chain: some at one
// fee, one that a sponsor pays for.
func ledgerOfPayments(t *testing.T, change ...func(*Config)) (*Server, []sentPayment) {
	t.Helper()
	s := anchored(t, change...)
	alice, bob, carol := someone("alice"), someone("bob"), someone("carol")
	nonces := map[string]uint64{}
	next := func(p person) uint64 {
		n := nonces[p.address(true)]
		nonces[p.address(true)]++
		return n
	}
	var all []sentPayment
	for block, ps := range [][]sentPayment{
		{{from: alice, to: bob, amount: 500, fee: 400}, {from: bob, to: alice, amount: 30, fee: 900}},
		{{from: alice, to: carol, amount: 7, fee: 400}},
		{{from: alice, to: bob, amount: 60, fee: 650, sponsor: &carol}, {from: carol, to: alice, amount: 11, fee: 400}},
		{{from: bob, to: carol, amount: 1, fee: 900}},
	} {
		for _, p := range ps {
			tx := p.from.mainnetTx(next(p.from), p.fee, to(t, p.to.address(true), p.amount))
			if p.sponsor != nil {
				tx.Auth.Type, tx.Auth.Origin.Fee = stxtx.AuthSponsored, 0
				c := p.sponsor.condition(next(*p.sponsor), p.fee)
				tx.Auth.Sponsor = &c
				if err := tx.SignOrigin(p.from.sign); err != nil {
					t.Fatal(err)
				}
				if err := tx.SignSponsor(p.sponsor.sign); err != nil {
					t.Fatal(err)
				}
				p.id = "0x" + accepted(t, s, encoded(t, tx))
			} else {
				p.id = "0x" + accepted(t, s, p.from.signed(t, tx))
			}
			all = append(all, p)
		}
		mine(t, s, 1)
		if w := send(s, "POST", "/mock/v1/clock", `{"advance":"90s"}`); w.Code != 200 {
			t.Fatalf("%d: %s", block, w.Body)
		}
	}
	for i := range all {
		tx := answerTo(t, s, "/extended/v1/tx/"+all[i].id)
		all[i].height, all[i].at = int64(tx["block_height"].(float64)), int64(tx["block_time"].(float64))
		all[i].index = int64(tx["tx_index"].(float64))
	}
	slices.SortFunc(all, func(a, b sentPayment) int {
		return cmp.Or(cmp.Compare(a.height, b.height), cmp.Compare(a.index, b.index))
	})
	return s, all
}

// What an account sent, received and gained by each transaction is computed here from what was
// sent, and so are its part in it and its nonces at each block.
func TestAHistoryAddsUpWithWhatWasSent(t *testing.T) {
	notRaced(t)
	s, all := ledgerOfPayments(t)
	for _, name := range []string{"alice", "bob", "carol"} {
		who := someone(name)
		at := "/extended/v3/principals/" + who.address(true)
		rows, _ := answerTo(t, s, at+"/transactions?limit=50")["results"].([]any)
		left := slices.Clone(rows)
		for _, p := range slices.Backward(all) {
			sent, received, part := uint64(0), uint64(0), "affected"
			mine, pays := p.from.address(true) == who.address(true), p.from
			if p.sponsor != nil {
				pays = *p.sponsor
			}
			if mine {
				sent, part = p.amount, "sender"
			}
			if p.to.address(true) == who.address(true) {
				received = p.amount
			}
			if pays.address(true) == who.address(true) {
				if sent += p.fee; !mine {
					part = "sponsor"
				}
			}
			if sent+received == 0 {
				continue
			}
			if len(left) == 0 {
				t.Fatalf("%s: %s is missing", name, p.id)
			}
			row := left[0]
			left = left[1:]
			stx := valueAt(row, "balance_changes", "stx")
			want := fmt.Sprintln(p.id, sent, received, int64(received)-int64(sent), part)
			if got := fmt.Sprintln(valueAt(row, "transaction", "tx_id"), valueAt(stx, "sent"), valueAt(stx, "received"), valueAt(stx, "net"), valueAt(row, "involvement")); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
			change := valueAt(answerTo(t, s, at+"/transactions/"+p.id+"/balance-changes"), "results", 0, "balance_change")
			if got, want := fmt.Sprintln(valueAt(change, "sent"), valueAt(change, "received"), valueAt(change, "net")), fmt.Sprintln(sent, received, int64(received)-int64(sent)); got != want {
				t.Errorf("%s, %s alone: %s, want %s", name, p.id, got, want)
			}
		}
		if len(left) > 0 {
			t.Errorf("%s: %d rows too many", name, len(left))
		}
		noncesAtEachBlock(t, s, who, all)
	}
}

func noncesAtEachBlock(t *testing.T, s *Server, who person, all []sentPayment) {
	t.Helper()
	for height := all[0].height - 1; height <= all[len(all)-1].height; height++ {
		next := 0
		for _, p := range all {
			signs := p.from.address(true) == who.address(true) || p.sponsor != nil && p.sponsor.address(true) == who.address(true)
			if signs && p.height <= height {
				next++
			}
		}
		var last any
		if next > 0 {
			last = float64(next - 1)
		}
		got := answerTo(t, s, fmt.Sprintf("/extended/v1/address/%s/nonces?block_height=%d", who.address(true), height))
		if got["possible_next_nonce"] != float64(next) || got["last_executed_tx_nonce"] != last {
			t.Errorf("at block %d the next nonce is %v after %v, want %d after %v", height, got["possible_next_nonce"], got["last_executed_tx_nonce"], next, last)
		}
	}
}

// The instant of start_time and end_time belongs to the list; one second before or after does
// not. Of two at one fee neither is lost from page to page.
func TestListsHaveTheirEdgesAndEachOfTwoAtOneFee(t *testing.T) {
	notRaced(t)
	s, all := ledgerOfPayments(t)
	senders := []person{someone("alice"), someone("bob"), someone("carol")}
	list := func(query string) (ids []string) {
		for _, p := range senders {
			rows, _ := answerTo(t, s, "/extended/v1/tx?limit=50&from_address="+p.address(true)+query)["results"].([]any)
			for _, r := range rows {
				ids = append(ids, valueAt(r, "tx_id").(string))
			}
		}
		slices.Sort(ids)
		return ids
	}
	within := func(since, until int64) (ids []string) {
		for _, p := range all {
			if p.at >= since && p.at <= until {
				ids = append(ids, p.id)
			}
		}
		slices.Sort(ids)
		return ids
	}
	if within(0, all[0].at)[0] == "" || len(within(all[2].at, 1<<40)) == len(all) {
		t.Fatal("all blocks have one time")
	}
	for _, p := range all {
		for _, by := range []int64{-1, 0, 1} {
			instant := p.at + by
			if got, want := list(fmt.Sprintf("&end_time=%d", instant)), within(0, instant); !slices.Equal(got, want) {
				t.Errorf("until %d: %v, want %v", instant, got, want)
			}
			if got, want := list(fmt.Sprintf("&start_time=%d", instant)), within(instant, 1<<40); !slices.Equal(got, want) {
				t.Errorf("since %d: %v, want %v", instant, got, want)
			}
		}
	}
	for _, order := range []string{"asc", "desc"} {
		var fees []uint64
		seen := map[string]bool{}
		for offset := range 3 {
			row := valueAt(answerTo(t, s, fmt.Sprintf("/extended/v1/tx?limit=1&offset=%d&sort_by=fee&order=%s&from_address=%s", offset, order, senders[0].address(true))), "results", 0)
			fee, err := strconv.ParseUint(valueAt(row, "fee_rate").(string), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			fees = append(fees, fee)
			seen[valueAt(row, "tx_id").(string)] = true
		}
		want := []uint64{400, 400, 650}
		if order == "desc" {
			slices.Reverse(want)
		}
		if !slices.Equal(fees, want) || len(seen) != 3 {
			t.Errorf("%s by fee: %v of %d transactions, want %v of 3", order, fees, len(seen), want)
		}
	}
}

// shownOf returns what many routes answer about a chain and what was sent to it.
func shownOf(t *testing.T, s *Server, people []person, ids []string) map[string]string {
	t.Helper()
	targets := []string{"/extended/v1/block?limit=20", "/extended/v2/blocks?limit=20", "/extended/v2/burn-blocks?limit=5", "/extended/v1/tx?limit=40", "/extended/v1/tx/mempool?limit=40", "/extended/v3/mempool/transactions", "/extended", "/v2/info", "/v2/pox"}
	for _, p := range people {
		a := p.address(true)
		targets = append(targets, "/v2/accounts/"+a, "/extended/v1/address/"+a+"/balances", "/extended/v1/address/"+a+"/nonces", "/extended/v2/addresses/"+a+"/transactions", "/extended/v3/principals/"+a+"/transactions", "/extended/v3/principals/"+a+"/balance-changes", "/extended/v1/search/"+a)
	}
	for _, id := range ids {
		targets = append(targets, "/extended/v1/tx/"+id, "/extended/v3/transactions/"+id, "/extended/v1/search/"+id)
	}
	shown := map[string]string{}
	for _, target := range targets {
		w := get(s, target)
		shown[target] = fmt.Sprint(w.Code, " ", w.Header().Get("ETag"), " ", w.Body)
	}
	return shown
}

func differing(a, b map[string]string) (targets []string) {
	for _, target := range slices.Sorted(maps.Keys(a)) {
		if a[target] != b[target] {
			targets = append(targets, target+": "+a[target]+"\nbefore: "+b[target])
		}
	}
	return targets
}

// After each change of a chain every route answers for the chain that is, whatever it answered
// before: after a second revert to one snapshot, a restart, and a reset.
func TestEveryRouteAnswersForTheChainThatIs(t *testing.T) {
	notRaced(t)
	file := filepath.Join(t.TempDir(), "state")
	at := newClock().at
	cfg := Config{Seed: 1, Freeze: &at}
	untouched, _ := newServer(t, cfg)
	cfg.State = file
	s, all := ledgerOfPayments(t, func(c *Config) { c.State = file })
	people := []person{someone("alice"), someone("bob"), someone("carol")}
	var ids []string
	for _, p := range all {
		ids = append(ids, p.id)
	}
	show := func(s *Server) map[string]string { return shownOf(t, s, people, ids) }
	before := show(s)
	send(s, "POST", "/mock/v1/snapshot", `{"name":"here"}`)
	for round := range 3 {
		accepted(t, s, people[0].signed(t, people[0].mainnetTx(3, uint64(500+round), to(t, people[1].address(true), uint64(round+1)))))
		if round > 0 {
			mine(t, s, round)
		}
		if round == 2 {
			send(s, "POST", "/mock/v1/reorg", `{"depth":3}`)
		}
		if len(differing(show(s), before)) == 0 {
			t.Fatalf("round %d changed nothing", round)
		}
		if w := send(s, "POST", "/mock/v1/revert", `{"to":"here"}`); w.Code != 200 {
			t.Fatalf("round %d: %d %s", round, w.Code, w.Body)
		}
		if wrong := differing(show(s), before); len(wrong) > 0 {
			t.Errorf("after revert %d: %s", round+1, strings.Join(wrong, "\n"))
		}
	}
	if wrong := differing(show(restarted(t, cfg)), before); len(wrong) > 0 {
		t.Errorf("after a restart: %s", strings.Join(wrong, "\n"))
	}
	if w := send(s, "POST", "/mock/v1/reset", ""); w.Code != 200 {
		t.Fatalf("reset: %d %s", w.Code, w.Body)
	}
	if wrong := differing(show(s), show(untouched)); len(wrong) > 0 {
		t.Errorf("after a reset: %s", strings.Join(wrong, "\n"))
	}
}

// A reorg takes out of blocks what is at or above its first block, and nothing below it.
func TestAReorgRemovesWhatIsAtOrAboveItsFirstBlock(t *testing.T) {
	notRaced(t)
	_, before := ledgerOfPayments(t)
	for _, first := range []int64{before[0].height, before[0].height + 1, before[2].height, before[2].height + 1, before[3].height, before[5].height, before[5].height + 1} {
		s, all := ledgerOfPayments(t)
		tip := int64(valueAt(answerTo(t, s, "/extended"), "chain_tip", "block_height").(float64))
		depth := tip - first + 1
		if w := send(s, "POST", "/mock/v1/reorg", fmt.Sprintf(`{"depth":%d}`, depth)); w.Code != 200 {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
		waits := 0
		for _, p := range all {
			status, height := "success", any(float64(p.height))
			if p.height >= first {
				status, height = "pending", nil
				waits++
			}
			got := answerTo(t, s, "/extended/v1/tx/"+p.id)
			if got["tx_status"] != status || got["block_height"] != height {
				t.Errorf("%d blocks replaced: that of block %d of %d is %v in %v, want %s in %v", depth, p.height, tip, got["tx_status"], got["block_height"], status, height)
			}
		}
		if got := answerTo(t, s, "/extended/v1/tx/mempool?limit=40")["total"]; got != float64(waits) {
			t.Errorf("%d blocks replaced: %v wait, want %d", depth, got, waits)
		}
		mine(t, s, 1)
		for _, p := range all {
			if got := answerTo(t, s, "/extended/v1/tx/"+p.id); got["tx_status"] != "success" || (p.height >= first) != (got["block_height"] == float64(tip+1)) {
				t.Errorf("%d blocks replaced, one more: that of block %d is %v in %v", depth, p.height, got["tx_status"], got["block_height"])
			}
		}
	}
}
