package mockserver

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"testing"
)

type cycleRow struct {
	Height  int64  `json:"block_height"`
	Index   string `json:"index_block_hash"`
	Number  int64  `json:"cycle_number"`
	Weight  int64  `json:"total_weight"`
	Stacked string `json:"total_stacked_amount"`
	Signers int    `json:"total_signers"`
}

type signerRow struct {
	Key     string  `json:"signing_key"`
	Address string  `json:"signer_address"`
	Weight  int64   `json:"weight"`
	Stacked string  `json:"stacked_amount"`
	Percent float64 `json:"weight_percent"`
	Of      float64 `json:"stacked_amount_percent"`
	Pooled  int     `json:"pooled_stacker_count"`
	Solo    int     `json:"solo_stacker_count"`
}

type stackerRow struct {
	Address string `json:"stacker_address"`
	Stacked string `json:"stacked_amount"`
	Payee   string `json:"pox_address"`
	Type    string `json:"stacker_type"`
}

type delegationRow struct {
	Stacker string
	Height  int64  `json:"block_height"`
	ID      string `json:"tx_id"`
}

type rewardRow struct {
	Canonical bool
	Hash      string `json:"burn_block_hash"`
	Height    int64  `json:"burn_block_height"`
	Burned    string `json:"burn_amount"`
	To        string `json:"reward_recipient"`
	Amount    string `json:"reward_amount"`
	Index     int    `json:"reward_index"`
	Slot      int    `json:"slot_index"`
	Address   string `json:"address"`
}

// pages reads a list to its end.
func pages[T any](t *testing.T, s *Server, target string, limit int, header ...string) (all []T) {
	t.Helper()
	for {
		page := read[struct {
			Total   *int
			Results []T
		}](t, fetch(t, s, fmt.Sprintf("%s?limit=%d&offset=%d", target, limit, len(all)), header...))
		all = append(all, page.Results...)
		if len(page.Results) < limit {
			return all
		}
	}
}

func wholeNumber(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The cycle of now is that of /v2/pox, and what its signers have adds up to what it has.
func TestTheSignersOfACycleHaveAllThatIsStacked(t *testing.T) {
	notRaced(t)
	for _, r := range []struct {
		version, network string
		slots            int64
	}{{"9", "mainnet", 4000}, {"9", "testnet", 2000}, {"8", "mainnet", 4000}} {
		s := anchored(t, version(r.version))
		header := []string{networkHeader, r.network}
		pox := read[struct {
			Slots   int64 `json:"reward_slots"`
			Current struct {
				ID      int64
				Stacked int64 `json:"stacked_ustx"`
			} `json:"current_cycle"`
		}](t, fetch(t, s, "/v2/pox", header...))
		cycles := pages[cycleRow](t, s, "/extended/v2/pox/cycles", 60, header...)
		for i, c := range cycles {
			// Since pox-5 the weights are in the least amounts that have a slot.
			if c.Number != pox.Current.ID-int64(i) || pox.Slots != r.slots || c.Weight > r.slots || (c.Weight < r.slots) != (r.version == "9" && r.network == "mainnet" && i < 3) || i == 0 && wholeNumber(t, c.Stacked) != pox.Current.Stacked {
				t.Fatalf("%v: %+v beside %+v", r, c, pox)
			}
		}
		cycle := fmt.Sprintf("/extended/v2/pox/cycles/%d", pox.Current.ID)
		if one := read[cycleRow](t, fetch(t, s, cycle, header...)); one != cycles[0] {
			t.Errorf("%+v, listed as %+v", one, cycles[0])
		}
		began := read[struct {
			Height int64
			Index  string `json:"index_block_hash"`
		}](t, fetch(t, s, fmt.Sprintf("/extended/v2/blocks/%d", cycles[0].Height), header...))
		if began.Index != cycles[0].Index {
			t.Errorf("%+v began with %+v", cycles[0], began)
		}
		signers := pages[signerRow](t, s, cycle+"/signers", 10, header...)
		var weight, stacked int64
		for i, one := range signers {
			has := wholeNumber(t, one.Stacked)
			weight, stacked = weight+one.Weight, stacked+has
			if i > 0 {
				before := signers[i-1]
				if order := cmp.Or(cmp.Compare(before.Weight, one.Weight), cmp.Compare(wholeNumber(t, before.Stacked), has), cmp.Compare(one.Key, before.Key)); order <= 0 {
					t.Errorf("%+v after %+v", one, before)
				}
			}
			if one.Percent != 100*float64(one.Weight)/float64(cycles[0].Weight) || one.Of != 100*float64(has)/float64(pox.Current.Stacked) {
				t.Errorf("signer %d: %+v", i, one)
			}
			if same := read[signerRow](t, fetch(t, s, cycle+"/signers/"+one.Key[2:], header...)); same != one {
				t.Errorf("%+v, listed as %+v", same, one)
			}
			if mainnet := one.Address[:2] == "SP"; mainnet != (r.network == "mainnet") {
				t.Errorf("on %s: %s", r.network, one.Address)
			}
		}
		if r.version == "9" && r.network == "mainnet" { // the same as v3 says
			for _, row := range walked(t, s, "/extended/v3/staking/cycles/current/signers") {
				want := fmt.Sprint(textOf(row, "signing_key"), valueAt(row, "weight", "amount"), textOf(row, "staked_stx", "amount"))
				if !slices.ContainsFunc(signers, func(one signerRow) bool { return want == fmt.Sprint(one.Key, one.Weight, one.Stacked) }) {
					t.Errorf("%s is not among %+v", want, signers)
				}
			}
		}
		if len(signers) != cycles[0].Signers || weight != cycles[0].Weight || stacked != pox.Current.Stacked {
			t.Errorf("%v: %d signers have %d of weight and %d", r, len(signers), weight, stacked)
		}
	}
}

// What is locked by pox-4 is in every route of locks, until the cycle ends.
func TestWhatAPoolLocksIsLocked(t *testing.T) {
	notRaced(t)
	s := anchored(t, version("9"), func(c *Config) { c.Epoch = "3.4" })
	newest := read[struct{ Results []cycleRow }](t, fetch(t, s, "/extended/v2/pox/cycles?limit=1")).Results[0]
	cycle := fmt.Sprintf("/extended/v2/pox/cycles/%d/signers", newest.Number)
	for i, signer := range pages[signerRow](t, s, cycle, 100) {
		stackers := pages[stackerRow](t, s, cycle+"/"+signer.Key+"/stackers", 200)
		members := pages[delegationRow](t, s, "/extended/v1/pox4/"+signer.Address+"/delegations", 200)
		for _, one := range []stackerRow{stackers[0], stackers[len(stackers)-1]} {
			if i%5 != 0 {
				continue
			}
			if got := locksAgree(t, s, one.Address); got.String() != one.Stacked {
				t.Errorf("%+v has locked %v", one, got)
			}
			lock := valueAt(answerTo(t, s, "/extended/v3/principals/"+one.Address+"/balances/stx"), "locked")
			if valueAt(lock, "pox_version") != 4. || valueAt(lock, "burn_unlock_height") != float64(666_050+2_100*(newest.Number+1)) ||
				!slices.ContainsFunc(members, func(m delegationRow) bool {
					return m.Stacker == one.Address && m.ID == textOf(lock, "lock_tx_id") && float64(m.Height) == valueAt(lock, "stacks_lock_height")
				}) {
				t.Errorf("%+v has %v", one, lock)
			}
			before := answerTo(t, s, fmt.Sprintf("/extended/v1/address/%s/stx?until_block=%.0f", one.Address, valueAt(lock, "stacks_lock_height").(float64)-1))
			if before["locked"] != "0" {
				t.Errorf("before it joined: %v", before)
			}
		}
	}
	if got := locksAgree(t, s, anAccount); got.Sign() != 0 {
		t.Errorf("who is in no pool has locked %v", got)
	}
}

// What a pool has is what its members lock; each let it do so in a transaction of their own.
// Those of pox-5 are in no list of v2.
func TestAPoolHasWhatItsMembersLock(t *testing.T) {
	notRaced(t)
	s := anchored(t, version("8")) // pox-4
	newest := read[struct{ Results []cycleRow }](t, fetch(t, s, "/extended/v2/pox/cycles?limit=1")).Results[0]
	cycle := fmt.Sprintf("/extended/v2/pox/cycles/%d/signers", newest.Number)
	for _, signer := range pages[signerRow](t, s, cycle, 100) {
		stackers := pages[stackerRow](t, s, cycle+"/"+signer.Key+"/stackers", 200)
		var sum int64
		for i, one := range stackers {
			if sum += wholeNumber(t, one.Stacked); one.Type != "pooled" || i > 0 && wholeNumber(t, one.Stacked) > wholeNumber(t, stackers[i-1].Stacked) {
				t.Errorf("%+v", one)
			}
		}
		if sum != wholeNumber(t, signer.Stacked) || len(stackers) != signer.Pooled || signer.Solo != 0 {
			t.Errorf("%d stackers with %d: %+v", len(stackers), sum, signer)
		}
		members := pages[delegationRow](t, s, "/extended/v1/pox4/"+signer.Address+"/delegations", 200)
		for _, one := range stackers {
			if !slices.ContainsFunc(members, func(m delegationRow) bool { return m.Stacker == one.Address }) {
				t.Fatalf("%s is no member of %s", one.Address, signer.Address)
			}
		}
		for _, m := range members[:min(3, len(members))] {
			tx := read[struct {
				Sender string `json:"sender_address"`
				Height int64  `json:"block_height"`
			}](t, fetch(t, s, "/extended/v1/tx/"+m.ID))
			if tx.Sender != m.Stacker || tx.Height != m.Height {
				t.Errorf("%+v joined in %+v", m, tx)
			}
		}
		if len(members) > 4 {
			after := members[2].Height
			if late := pages[delegationRow](t, s, fmt.Sprintf("/extended/v1/pox4/%s/delegations", signer.Address), 2); len(late) != len(members) {
				t.Errorf("%d by two, %d at once", len(late), len(members))
			}
			target := fmt.Sprintf("/extended/v1/pox4/%s/delegations?after_block=%d", signer.Address, after)
			if late := read[struct{ Total int }](t, fetch(t, s, target)); late.Total != 2 {
				t.Errorf("%d joined after block %d", late.Total, after)
			}
		}
		if old := pages[delegationRow](t, s, "/extended/v1/pox3/"+signer.Address+"/delegations", 200); len(old) != 0 {
			t.Errorf("%d by pox-3", len(old))
		}
	}
	s = anchored(t, version("9")) // pox-5
	now := read[struct{ Results []cycleRow }](t, fetch(t, s, "/extended/v2/pox/cycles?limit=1")).Results[0]
	for _, signer := range pages[signerRow](t, s, fmt.Sprintf("/extended/v2/pox/cycles/%d/signers", now.Number), 100) {
		if signer.Pooled != 0 || len(pages[stackerRow](t, s, fmt.Sprintf("/extended/v2/pox/cycles/%d/signers/%s/stackers", now.Number, signer.Key), 100)) != 0 {
			t.Errorf("%+v", signer)
		}
	}
}

// Each burn block of a reward phase pays two slots; over a cycle a signer has as many as its weight.
func TestACycleIsPaidByItsSlots(t *testing.T) {
	notRaced(t)
	s := anchored(t, version("9"))
	cycle := read[struct{ Results []cycleRow }](t, fetch(t, s, "/extended/v2/pox/cycles?limit=2")).Results[1]
	signers := pages[signerRow](t, s, fmt.Sprintf("/extended/v2/pox/cycles/%d/signers", cycle.Number), 100)
	begin := 666_050 + 2_100*cycle.Number
	tip := read[struct {
		Height int64 `json:"burn_block_height"`
	}](t, fetch(t, s, "/v2/info")).Height

	rewards := map[string]int{} // slots that were paid in the cycle
	offset := 0
	for last := tip; last >= begin; {
		page := read[struct{ Results []rewardRow }](t, fetch(t, s, fmt.Sprintf("/extended/v1/burnchain/rewards?limit=250&offset=%d", offset))).Results
		slots := read[struct{ Results []rewardRow }](t, fetch(t, s, fmt.Sprintf("/extended/v1/burnchain/reward_slot_holders?limit=250&offset=%d", offset))).Results
		for i, one := range page {
			if !one.Canonical || one.Height > last || one.Burned != "0" || wholeNumber(t, one.Amount) <= 0 || (one.Height-begin)%2_100 >= 2_000 && one.Height >= begin {
				t.Fatalf("%+v after %d", one, last)
			}
			if slots[i].Address != one.To || slots[i].Height != one.Height || slots[i].Slot != one.Index {
				t.Fatalf("%+v is paid to %+v", slots[i], one)
			}
			if last = one.Height; last >= begin && last < begin+2_100 {
				rewards[one.To]++
			}
		}
		offset += len(page)
	}
	for _, one := range signers {
		by := read[struct{ Results []rewardRow }](t, fetch(t, s, "/extended/v1/burnchain/rewards/"+one.Address+"?limit=1")).Results[0].To
		if math.Abs(float64(rewards[by])-4_000*float64(one.Weight)/float64(cycle.Weight)) > 1 {
			t.Errorf("%s was paid %d times, its weight is %d", by, rewards[by], one.Weight)
		}
	}
	least := signers[len(signers)-1].Address
	all := pages[rewardRow](t, s, "/extended/v1/burnchain/rewards/"+least, 250)
	total := read[struct {
		To  string `json:"reward_recipient"`
		Sum string `json:"reward_amount"`
	}](t, fetch(t, s, "/extended/v1/burnchain/rewards/"+least+"/total"))
	var sum int64
	for _, one := range all {
		if sum += wholeNumber(t, one.Amount); one.To != total.To {
			t.Fatalf("%+v is among those of %s", one, total.To)
		}
	}
	if sum != wholeNumber(t, total.Sum) || len(pages[rewardRow](t, s, "/extended/v1/burnchain/rewards/"+total.To, 250)) != len(all) {
		t.Errorf("%d payments of %d, in all %+v", len(all), sum, total)
	}
	slots := read[struct{ Total int }](t, fetch(t, s, "/extended/v1/burnchain/reward_slot_holders/"+total.To+"?limit=1"))
	payouts := read[struct {
		Total   int
		Results []struct {
			Burn   int64 `json:"burn_block_height"`
			Amount string
		}
	}](t, fetch(t, s, "/extended/v2/addresses/"+total.To+"/pox-transactions?limit=1"))
	if slots.Total != len(all) || payouts.Total != len(all) || payouts.Results[0].Burn != all[0].Height || payouts.Results[0].Amount != all[0].Amount {
		t.Errorf("%d payments, %+v, %+v", len(all), slots, payouts)
	}
	for burn, want := range map[int64]int{all[0].Height: 2, begin + 2_050: 0} { // in the prepare phase nobody is paid
		got := read[struct{ Total int }](t, fetch(t, s, fmt.Sprintf("/extended/v2/burn-blocks/%d/pox-transactions", burn)))
		if got.Total != want {
			t.Errorf("burn block %d paid %d times, want %d", burn, got.Total, want)
		}
	}
}

func TestStackingThatIsNotThere(t *testing.T) {
	notRaced(t)
	s := anchored(t, version("9"))
	const cycles, nobody = "/extended/v2/pox/cycles", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"
	one := fmt.Sprintf("%s/%d", cycles, read[struct{ Results []cycleRow }](t, fetch(t, s, cycles+"?limit=1")).Results[0].Number)
	key, own := "0x02"+zeros, []schema{loadSchema(t, "our own", fetch(t, s, "/openapi.json").Body.Bytes())}
	signers := read[struct {
		Total   int
		Results []signerRow
	}](t, fetch(t, s, one+"/signers?limit=1"))
	signer := signers.Results[0]
	old := read[struct{ Results []signerRow }](t, fetch(t, s, cycles+"/120/signers?limit=1")).Results[0].Key // by pox-4
	const noPoX = "params/pox must be equal to constant, params/pox must be equal to constant, params/pox must be equal to constant, params/pox must match a schema in anyOf"
	for target, want := range map[string]string{
		cycles + "/9999":                                             thrown(404, "Not Found"),
		cycles + "/-1":                                               thrown(404, "Not Found"),
		cycles + "/10":                                               thrown(404, "Not Found"), // before pox-4
		cycles + "/abc":                                              validation("params/cycle_number must be integer"),
		cycles + "/9999/signers":                                     thrown(404, "PoX cycle not found"),
		one + "/signers/" + key:                                      thrown(404, "Not Found"),
		one + "/signers/" + key + "/stackers":                        thrown(404, "PoX cycle signer not found"),
		cycles + "?limit=61":                                         validation("querystring/limit must be <= 60"),
		cycles + "?limit=0":                                          `{"limit":0,"offset":0,"total":0,"results":[]}`,
		cycles + "?offset=999":                                       `{"limit":20,"offset":999,"total":0,"results":[]}`,
		"/extended/v1/pox5/SP1/delegations":                          validation(noPoX),
		"/extended/v1/pox4/SP1/delegations":                          thrown(400, `invalid STX address "SP1"`),
		"/extended/v1/burnchain/rewards/zzz":                         thrown(400, "Address is not a valid Bitcoin or STX address."),
		"/extended/v1/burnchain/rewards/zzz/total":                   thrown(400, "Address zzz is not a valid Bitcoin or STX address."),
		"/extended/v1/burnchain/rewards/" + nobody:                   `{"limit":96,"offset":0,"results":[]}`,
		"/extended/v1/burnchain/reward_slot_holders/" + nobody:       `{"limit":96,"offset":0,"total":0,"results":[]}`,
		"/extended/v1/burnchain/rewards/" + nobody + "/total":        `{"reward_recipient":"` + nobody + `","reward_amount":"0"}`,
		"/extended/v2/addresses/zzz/pox-transactions":                `{"limit":20,"offset":0,"total":0,"results":[]}`,
		"/extended/v2/burn-blocks/1/pox-transactions":                `{"limit":20,"offset":0,"total":0,"results":[]}`,
		"/extended/v2/blocks/999999999/signer-signatures":            `{"limit":500,"offset":0,"total":0,"results":[]}`,
		"/extended/v2/blocks/10/signer-signatures":                   `{"limit":500,"offset":0,"total":0,"results":[]}`, // made by a miner alone
		"/extended/v2/blocks/latest/signer-signatures?limit=0":       fmt.Sprintf(`{"limit":0,"offset":0,"total":%d,"results":[]}`, signers.Total),
		"/extended/v2/blocks/latest/signer-signatures?offset=24":     fmt.Sprintf(`{"limit":500,"offset":24,"total":%d,"results":[]}`, signers.Total),
		"/extended/v1/pox4/" + anAccount + "/delegations":            `{"limit":100,"offset":0,"total":0,"results":[]}`,
		"/extended/v1/pox4/" + anAccount + "/delegations?height=1e9": thrown(404, "no block at height: 1000000000"),
	} {
		w := fetch(t, s, target)
		if w.Body.String() != want {
			t.Errorf("%s: %d %s, want %s", target, w.Code, w.Body, want)
		}
		if agrees(t, own, target, w) == 0 {
			t.Errorf("%s is in no document", target)
		}
	}
	for _, target := range []string{
		cycles, one, one + "/signers", one + "/signers/" + signer.Key, one + "/signers/" + signer.Key + "/stackers",
		cycles + "/120/signers/" + old + "/stackers", "/extended/v1/pox4/" + signer.Address + "/delegations", "/extended/v1/burnchain/rewards",
		"/extended/v1/burnchain/reward_slot_holders", "/extended/v1/burnchain/rewards/" + signer.Address + "/total",
		"/extended/v2/burn-blocks/latest/pox-transactions", "/extended/v2/blocks/latest/signer-signatures",
	} {
		if w := fetch(t, s, target); w.Code != 200 || agrees(t, own, target, w) == 0 {
			t.Errorf("%s: %d, or in no document", target, w.Code)
		}
	}
	signed := read[struct{ Results []string }](t, fetch(t, s, "/extended/v2/blocks/latest/signer-signatures?limit=5&offset=2"))
	for _, one := range signed.Results {
		if len(one) != 2+2*65 {
			t.Errorf("no signature: %s", one)
		}
	}
	if len(signed.Results) != 5 {
		t.Errorf("%+v", signed)
	}
	young, _ := newServer(t, Config{})
	if w := get(young, "/extended/v1/burnchain/rewards"); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}
