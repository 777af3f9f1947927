package mockserver

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// today is a clock at which the network is in epoch 4.0 by its own calendar.
func today(c *Config) {
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	c.Freeze = &at
}

// walked reads a list of v3 page by page, three rows at a time, and back by the cursors of the
// pages before. Each cursor leads to rows that no other has.
func walked(t testing.TB, s *Server, target string) (rows []any) {
	t.Helper()
	cursor, seen := "", map[string]bool{}
	for {
		page := answerTo(t, s, target+"?limit=3"+cursor)
		rows = append(rows, valueAt(page, "results").([]any)...)
		if current, _ := valueAt(page, "cursor", "current").(string); seen[current] {
			t.Fatalf("%s?limit=3%s comes again", target, cursor)
		} else {
			seen[current] = true
		}
		next, more := valueAt(page, "cursor", "next").(string)
		if total := int(valueAt(page, "total").(float64)); !more {
			if total != len(rows) {
				t.Errorf("%s: %d rows, and a total of %d", target, len(rows), total)
			}
			return rows
		}
		cursor = "&cursor=" + next
	}
}

func amountOf(t testing.TB, v any, path ...any) *big.Int {
	t.Helper()
	text, _ := valueAt(v, path...).(string)
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		t.Fatalf("%v of %v is no amount", path, v)
	}
	return n
}

func textOf(v any, path ...any) string {
	text, _ := valueAt(v, path...).(string)
	return text
}

// Whatever one route of staking says, the others say too, and so do balances and /v2/pox: by the
// calendar of the network and where the epoch has begun earlier.
func TestStakingHangsTogether(t *testing.T) {
	notRaced(t)
	for name, clock := range map[string]func(*Config){"today": today, "anchor": func(*Config) {}} {
		t.Run(name, func(t *testing.T) {
			s := anchored(t, clock)
			const v3 = "/extended/v3/"
			opens := func(id string) {
				t.Helper()
				if w := fetch(t, s, v3+"transactions/"+id); w.Code != 200 || !strings.Contains(w.Body.String(), `"status":"success"`) {
					t.Errorf("transaction %s: %d %.200s", id, w.Code, w.Body)
				}
			}
			pox := answerTo(t, s, "/v2/pox")
			burn, cycle := valueAt(pox, "current_burnchain_block_height").(float64), valueAt(pox, "reward_cycle_id").(float64)
			signers, stakers := map[string]string{}, map[string][]any{} // signers with their newest keys
			names := []string{}
			for _, row := range walked(t, s, v3+"staking/signers") {
				signer := textOf(row, "signer")
				signers[signer], names = textOf(row, "signer_key"), append(names, signer)
				one := answerTo(t, s, v3+"staking/signers/"+signer)
				if one["signer_key"] != valueAt(row, "signer_key") || len(textOf(row, "signer_key")) != 68 {
					t.Errorf("%s: %v, and in the list %v", signer, one, row)
				}
				opens(textOf(one, "transaction", "tx_id"))
				if tx := fetch(t, s, v3+"transactions/"+textOf(one, "transaction", "tx_id")+"?include=function_args"); !strings.Contains(tx.Body.String(), textOf(one, "signer_key")[2:]) {
					t.Errorf("%v came with %s", one, tx.Body)
				}
				for _, of := range walked(t, s, v3+"staking/signers/"+signer+"/stakers") {
					for _, kind := range valueAt(of, "types").([]any) {
						stakers[textOf(of, "staker")] = append(stakers[textOf(of, "staker")], kind.(string)+" "+signer)
					}
				}
			}
			if !slices.IsSorted(names) || len(names) < 7 {
				t.Errorf("signers: %v", names)
			}
			inCycle, registered, claims := new(big.Int), map[string]int{}, map[bool]int{}
			statuses, last := map[string]bool{}, 1e9
			for _, row := range walked(t, s, v3+"staking/bonds") {
				index := valueAt(row, "index").(float64)
				path := fmt.Sprintf("%sstaking/bonds/%.0f", v3, index)
				one := answerTo(t, s, path)
				opens(textOf(one, "transaction", "tx_id"))
				if delete(one, "transaction"); !reflect.DeepEqual(any(one), row) || index >= last {
					t.Errorf("bond %.0f: %v, and in the list %v", index, one, row)
				}
				last = index
				from, until := valueAt(row, "schedule", "activation", "bitcoin_height").(float64), valueAt(row, "schedule", "unlock", "bitcoin_height").(float64)
				status := map[bool]string{true: "upcoming", false: "active"}[burn < from]
				if burn >= until {
					status = "unlocked"
				}
				if statuses[status] = true; textOf(row, "status") != status || valueAt(row, "schedule", "unlock", "pox_cycle").(float64)-valueAt(row, "schedule", "activation", "pox_cycle").(float64) != 12 {
					t.Errorf("bond %.0f at burn block %.0f: %v", index, burn, row)
				}
				allowed, capacity := map[string]*big.Int{}, new(big.Int)
				for _, a := range walked(t, s, path+"/allowlist") {
					if one := answerTo(t, s, path+"/allowlist/"+textOf(a, "staker")); !reflect.DeepEqual(any(one), a) {
						t.Errorf("%v is %v in the list", one, a)
					}
					allowed[textOf(a, "staker")] = amountOf(t, a, "max_sats")
					capacity.Add(capacity, amountOf(t, a, "max_sats"))
				}
				sats, stx, n := new(big.Int), new(big.Int), 0
				for _, r := range walked(t, s, path+"/registrations") {
					n++
					staker := textOf(r, "staker")
					sats.Add(sats, amountOf(t, r, "balances", "btc"))
					stx.Add(stx, amountOf(t, r, "balances", "stx"))
					registered[staker]++
					if most := allowed[staker]; most == nil || most.Cmp(amountOf(t, r, "balances", "btc")) < 0 || signers[textOf(r, "signer")] == "" || !slices.Contains(stakers[staker], any("btc "+textOf(r, "signer"))) {
						t.Errorf("bond %.0f: %v, allowed %v", index, r, most)
					}
					whole := answerTo(t, s, path+"/registrations/"+staker)
					for _, position := range walked(t, s, v3+"principals/"+staker+"/staking/bonds") {
						if valueAt(position, "bond_index") != valueAt(row, "index") {
							continue
						}
						if !reflect.DeepEqual(valueAt(position, "locked"), valueAt(r, "balances")) || valueAt(position, "enrollment", "btc_lockup", "amount") != valueAt(r, "balances", "btc") ||
							valueAt(position, "active") != (textOf(position, "status") == "enrolled") {
							t.Errorf("%v is the position of %v", position, r)
						}
						statuses[textOf(position, "status")] = true
						// Each cycle that is over brings the same; the last of them is not claimed yet. Who left
						// did so in the first.
						first, rate := valueAt(row, "schedule", "activation", "pox_cycle").(float64), valueAt(row, "parameters", "target_rate_bps").(float64)
						each := amountOf(t, r, "balances", "btc").Int64() * int64(rate) / 10_000 / 26
						over := int64(max(0, min(cycle-first, 12)))
						accrued, claimed := amountOf(t, position, "rewards", "btc", "accrued").Int64(), amountOf(t, position, "rewards", "btc", "claimed").Int64()
						if enrolled := textOf(position, "status") == "enrolled"; enrolled && accrued != each*over || !enrolled && accrued != 0 || claimed != 0 && claimed != accrued-each {
							t.Errorf("%d cycles of %v brought %v", over, row, position)
						}
						if over > 1 {
							claims[claimed != 0]++
						}
						opens(textOf(position, "enrollment", "tx_id"))
						lockup := textOf(whole, "l2_lockup", "tx_id")
						if l1 := valueAt(whole, "l1_lockup", "transactions", 0, "tx_id") != nil; l1 != (textOf(r, "type") == "l1") || l1 != (lockup == "") || !l1 && lockup != textOf(position, "enrollment", "tx_id") {
							t.Errorf("%v has %v", position, whole)
						}
					}
				}
				if first := valueAt(row, "schedule", "activation", "pox_cycle").(float64); cycle >= first && cycle < first+12 {
					inCycle.Add(inCycle, stx)
				}
				for want, got := range map[string]any{
					fmt.Sprint(len(allowed)): valueAt(row, "registrations", "allowed_count"), fmt.Sprint(n): valueAt(row, "registrations", "registered_count"),
					capacity.String(): valueAt(row, "parameters", "btc_capacity"), sats.String(): valueAt(row, "balances", "locked", "btc"), stx.String(): valueAt(row, "balances", "locked", "stx"),
				} {
					if fmt.Sprint(got) != want {
						t.Errorf("bond %.0f has %v, its lists %s", index, got, want)
					}
				}
			}
			if !statuses["upcoming"] || !statuses["active"] || !statuses["enrolled"] || !statuses["early_exit"] || len(statuses) != 4 {
				t.Errorf("statuses: %v", statuses)
			}
			if claims[true] == 0 || claims[false] == 0 {
				t.Errorf("claims: %v", claims)
			}
			several := 0
			for staker, ofSigners := range stakers {
				position := answerTo(t, s, v3+"principals/"+staker+"/staking")
				rows := walked(t, s, v3+"principals/"+staker+"/staking/bonds")
				if len(rows) > 1 {
					several++
				}
				for i, path := range [][]any{{"locked", "btc"}, {"locked", "stx"}, {"rewards", "btc", "accrued"}, {"rewards", "btc", "claimed"}, {"rewards", "btc", "claimable"}} {
					sum := new(big.Int)
					for _, row := range rows {
						sum.Add(sum, amountOf(t, row, path...))
					}
					if got := amountOf(t, position["bonds"], path...); got.Cmp(sum) != 0 || registered[staker] != len(rows) || valueAt(position, "bonds", "count") != float64(len(rows)) {
						t.Errorf("%s, %d: %v has %v", staker, i, position, rows)
					}
				}
				staked := locksAgree(t, s, staker)
				if lock, is := valueAt(answerTo(t, s, v3+"principals/"+staker+"/balances/stx"), "locked").(map[string]any); is {
					event := valueAt(answerTo(t, s, v3+"transactions/"+textOf(lock, "lock_tx_id")+"/events"), "results", 0)
					want := map[string]any{"address": staker, "amount": lock["amount"], "unlock_bitcoin_height": lock["burn_unlock_height"]}
					if textOf(event, "type") != "stx_lock" || !reflect.DeepEqual(valueAt(event, "stx_lock"), any(want)) {
						t.Errorf("%v came with %v", lock, event)
					}
					// A stake begins with the cycle after its call.
					over := int64(max(0, cycle-1-math.Floor((lock["burn_lock_height"].(float64)-666_050)/2_100)))
					each := amountOf(t, lock, "amount").Int64() / 1_000_000 * 3
					accrued, claimed := amountOf(t, position, "stx", "rewards", "btc", "accrued").Int64(), amountOf(t, position, "stx", "rewards", "btc", "claimed").Int64()
					if accrued != each*over || claimed != 0 && claimed != accrued-each {
						t.Errorf("%d cycles of %v brought %v", over, lock, position)
					}
				}
				if got := amountOf(t, position, "stx", "locked"); got.Cmp(staked) != 0 || (staked.Sign() > 0) != slices.ContainsFunc(ofSigners, func(of any) bool { return strings.HasPrefix(of.(string), "stx ") }) {
					t.Errorf("%s: %v, locked %v, of %v", staker, position, staked, ofSigners)
				}
			}
			if several == 0 {
				t.Error("nobody is registered for several bonds")
			}
			staked, weight, percents, pending, granted := new(big.Int), 1e18, 0., 0, 0
			for _, row := range walked(t, s, v3+"staking/cycles/current/signers") {
				staked.Add(staked, amountOf(t, row, "staked_stx", "amount"))
				if w := valueAt(row, "weight", "amount").(float64); w > weight || w == 0 {
					t.Errorf("weight %.0f after %.0f", w, weight)
				} else {
					weight = w
				}
				percents += valueAt(row, "weight", "percent").(float64)
				for _, m := range valueAt(row, "signer_managers").([]any) {
					opens(textOf(m, "registered_at", "tx_id"))
					newest := signers[textOf(m, "signer_manager")]
					if next := valueAt(m, "pending_key_update"); next == nil && newest != textOf(row, "signing_key") || next != nil && (textOf(next, "signer_key") != newest || valueAt(next, "effective_cycle") != cycle+1) {
						t.Errorf("%v signs with %v, the newest key is %s", m, row, newest)
					} else if next != nil {
						pending++
						opens(textOf(next, "tx_id"))
					}
					for _, grant := range valueAt(m, "granted_keys").([]any) {
						granted++
						opens(textOf(grant, "tx_id"))
					}
				}
			}
			if pending != 1 || granted != 1 || math.Abs(percents-100) > 0.2 {
				t.Errorf("%d keys take another's place, %d are granted, the weights are %v %%", pending, granted, percents)
			}
			if want := big.NewInt(int64(valueAt(pox, "current_cycle", "stacked_ustx").(float64))); staked.Cmp(want) != 0 || staked.Cmp(inCycle) <= 0 {
				t.Errorf("the signers of the cycle have %v, /v2/pox says %v, bonds have %v of it", staked, want, inCycle)
			}
		})
	}
}

// locksAgree holds the routes that say what of an account is locked against each other, and
// returns the amount.
func locksAgree(t testing.TB, s *Server, who string) *big.Int {
	t.Helper()
	v3 := answerTo(t, s, "/extended/v3/principals/"+who+"/balances/stx")
	staking := answerTo(t, s, "/extended/v3/principals/"+who+"/staking")
	node := answerTo(t, s, "/v2/accounts/"+who)
	locked := new(big.Int)
	lock := map[string]any{"amount": "0", "lock_tx_id": "", "stacks_lock_height": 0., "burn_lock_height": 0., "burn_unlock_height": 0.}
	if one, is := v3["locked"].(map[string]any); is {
		lock, locked = one, amountOf(t, one, "amount")
		if one["pox_version"] == 4. { // of which staking does not tell
			staking = map[string]any{"stx": map[string]any{"locked": one["amount"]}}
		} else if one["pox_version"] != 5. {
			t.Errorf("%s: %v", who, one)
		}
	}
	has, left := amountOf(t, v3, "balance"), new(big.Int)
	if left.Sub(has, locked); amountOf(t, v3, "available").Cmp(left) != 0 || left.Sign() < 0 || amountOf(t, staking, "stx", "locked").Cmp(locked) != 0 {
		t.Errorf("%s: %v, and %v", who, v3, staking)
	}
	if node["locked"] != fmt.Sprintf("0x%032x", locked) || node["balance"] != fmt.Sprintf("0x%032x", left) || node["unlock_height"] != lock["burn_unlock_height"] {
		t.Errorf("%s: %v, and the node %v", who, v3, node)
	}
	for _, target := range []string{"/extended/v1/address/" + who + "/balances", "/extended/v1/address/" + who + "/stx", "/extended/v2/addresses/" + who + "/balances/stx"} {
		body := answerTo(t, s, target)
		if inner, is := body["stx"].(map[string]any); is {
			body = inner
		}
		for of, name := range map[string]string{"locked": "amount", "lock_tx_id": "lock_tx_id", "lock_height": "stacks_lock_height", "burnchain_lock_height": "burn_lock_height", "burnchain_unlock_height": "burn_unlock_height"} {
			if body[of] != lock[name] {
				t.Errorf("%s: %s is %v, want %v", target, of, body[of], lock[name])
			}
		}
		if body["balance"] != has.String() {
			t.Errorf("%s: a balance of %v, want %v", target, body["balance"], has)
		}
	}
	return locked
}

// What staking refuses, it refuses as the service does; below what is not there lists are empty.
func TestStakingRefusesAsTheService(t *testing.T) {
	s := anchored(t, today)
	const principals = "params/principal must match pattern \"^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}$\", params/principal must match pattern \"^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$\", params/principal must match a schema in anyOf"
	empty := func(limit int) string {
		return fmt.Sprintf(`{"total":0,"limit":%d,"cursor":{"next":null,"previous":null,"current":null},"results":[]}`, limit)
	}
	for target, want := range map[string]string{
		"staking/signers?limit=0":                                              "400 querystring/limit must be >= 1",
		"staking/signers?limit=251":                                            "400 querystring/limit must be <= 250",
		"staking/signers?cursor=abc":                                           `400 querystring/cursor must match pattern "^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}(\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39})?$"`,
		"staking/signers?cursor=":                                              `400 querystring/cursor must match pattern "^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}(\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39})?$"`,
		"staking/signers/" + anAccount + ".nope":                               "404 Staking signer not found",
		"staking/signers/zzz":                                                  "400 " + principals,
		"staking/signers/zzz/stakers":                                          "400 " + principals,
		"staking/signers/" + anAccount + ".nope/stakers":                       empty(100),
		"staking/signers/" + anAccount + "/stakers?limit=201":                  "400 querystring/limit must be <= 200",
		"staking/signers?cursor=ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ":               empty(100),
		"staking/bonds?limit=51":                                               "400 querystring/limit must be <= 50",
		"staking/bonds?limit=abc":                                              "400 querystring/limit must be integer",
		"staking/bonds?cursor=-1":                                              `400 querystring/cursor must match pattern "^\d+$"`,
		"staking/bonds/999":                                                    "404 Bond not found",
		"staking/bonds/-1":                                                     "404 Bond not found",
		"staking/bonds/99999999999":                                            "404 Bond not found",
		"staking/bonds/abc":                                                    "400 params/bond_index must be integer",
		"staking/bonds/1.5":                                                    "400 params/bond_index must be integer",
		"staking/bonds/abc/allowlist":                                          "400 params/bond_index must be integer",
		"staking/bonds/999/allowlist":                                          empty(20),
		"staking/bonds/999/registrations":                                      empty(20),
		"staking/bonds/1/allowlist?cursor=1":                                   `400 querystring/cursor must match pattern "^[0-9]+:[0-9]+:[0-9]+$"`,
		"staking/bonds/1/allowlist/" + anAccount:                               "404 Bond allowlist entry not found",
		"staking/bonds/999/allowlist/" + anAccount:                             "404 Bond allowlist entry not found",
		"staking/bonds/1/allowlist/zzz":                                        "400 " + principals,
		"staking/bonds/1/registrations/" + anAccount:                           "404 Bond registration not found",
		"staking/bonds/999/registrations/" + anAccount:                         "404 Bond registration not found",
		"staking/cycles/8/signers":                                             "400 params/cycle_number must be equal to constant",
		"staking/cycles/current/signers?cursor=0x03" + strings.Repeat("7", 64): "404 Cursor not found",
		"principals/zzz/staking":                                               "400 " + principals,
		"principals/zzz/staking/bonds":                                         "400 " + principals,
		"principals/" + anAccount + "/staking/bonds":                           empty(20),
		"principals/" + anAccount + "/staking/bonds?limit=51":                  "400 querystring/limit must be <= 50",
		"principals/" + anAccount + "/staking":                                 `{"stx":{"locked":"0","rewards":{"btc":{"accrued":"0","claimed":"0","claimable":"0"}}},"bonds":{"count":0,"locked":{"btc":"0","stx":"0"},"rewards":{"btc":{"accrued":"0","claimed":"0","claimable":"0"}}}}`,
		"tokens/stx/supply":                                                    `{"total":"1700000000000000","projected_total_2050":"2318000000000000"}`,
	} {
		w := fetch(t, s, "/extended/v3/"+target)
		got := w.Body.String()
		if w.Code != 200 {
			var body struct {
				StatusCode     int
				Error, Message string
			}
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || body.StatusCode != w.Code || body.Error != http.StatusText(w.Code) {
				t.Errorf("%s: %d %s", target, w.Code, w.Body)
			}
			got = fmt.Sprint(w.Code, " ", body.Message)
		}
		if got != want {
			t.Errorf("%s: %s\nwant %s", target, got, want)
		}
	}
	bonds := answerTo(t, s, "/extended/v3/staking/bonds?cursor=9999&limit=2")
	if top := answerTo(t, s, "/extended/v3/staking/bonds/?limit=2&offset=1"); !reflect.DeepEqual(bonds, top) || valueAt(top, "cursor", "previous") != nil {
		t.Errorf("above the top: %v, want %v", bonds, top)
	}
	for _, epoch := range []string{"3.4", "3.3"} {
		old := anchored(t, func(c *Config) { c.Epoch = epoch })
		if w := fetch(t, old, "/extended/v3/staking/cycles/current/signers"); w.Code != 404 || !strings.Contains(w.Body.String(), "No PoX cycles found") {
			t.Errorf("epoch %s: %d %s", epoch, w.Code, w.Body)
		}
		if w := fetch(t, old, "/extended/v3/staking/bonds"); w.Body.String() != empty(20) {
			t.Errorf("epoch %s: %d %s", epoch, w.Code, w.Body)
		}
	}
}

// Answers of staking fit the document that the server serves, and the types of the client that
// the service publishes, 9.0.2, which are closed.
func TestStakingFitsItsDocumentAndThePublishedTypes(t *testing.T) {
	notRaced(t)
	published, err := os.ReadFile("testdata/v3-9.0.2.strict.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"9", "v3"} {
		s := anchored(t, today, version(name))
		all := []schema{loadSchema(t, "our own", s.document())}
		if name == "9" {
			all = append(all, loadSchema(t, "published", published))
		}
		signer := textOf(answerTo(t, s, "/extended/v3/staking/signers"), "results", 1, "signer")
		row := valueAt(answerTo(t, s, "/extended/v3/staking/bonds/1/registrations"), "results").([]any)
		targets := []string{
			"staking/signers", "staking/signers/" + signer, "staking/signers/" + signer + "/stakers", "staking/bonds", "staking/bonds?limit=1", "staking/bonds/0",
			"staking/bonds/1/allowlist", "staking/bonds/1/registrations", "staking/cycles/current/signers", "tokens/stx/supply", "staking/bonds/99", "staking/bonds?limit=0",
		}
		for _, r := range row {
			who := textOf(r, "staker")
			targets = append(targets, "staking/bonds/1/allowlist/"+who, "staking/bonds/1/registrations/"+who, "principals/"+who+"/staking", "principals/"+who+"/staking/bonds", "principals/"+who+"/balances/stx")
		}
		for _, target := range targets {
			want := len(all)
			if strings.Contains(target, "cycles/") || strings.HasPrefix(target, "tokens/") {
				want = 1 // they came after it
			}
			if agrees(t, all, "/extended/v3/"+target, fetch(t, s, "/extended/v3/"+target)) != want {
				t.Errorf("%s: not all documents know %s", name, target)
			}
		}
	}
}

// poxCall returns a call of pox-5 by somebody.
func poxCall(p person, nonce uint64, function string, args ...clarity.Value) *stxtx.Transaction {
	id, _ := clarity.ParseContract(facts.Boot(false) + ".pox-5")
	tx := p.mainnetTx(nonce, 5_000, stxtx.ContractCall{Contract: id, Function: function, Args: args})
	tx.PostConditionMode = stxtx.ModeAllow
	return tx
}

// Who stakes through the mock has a lock and a position, and cannot spend what is locked. More
// and longer is one call, an end another; what a reorganisation takes back is rolled back.
func TestWhatIsStakedThroughTheMockIsLocked(t *testing.T) {
	s := anchored(t, today)
	p := someone("staker")
	who := p.address(true)
	if w := post(s, "/mock/v1/accounts", "application/json", []byte(fmt.Sprintf(`{"address":%q,"tokens":{"SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token::sbtc-token":"1"}}`, who))); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	signers := answerTo(t, s, "/extended/v3/staking/signers")
	signer, err := clarity.ParseContract(textOf(signers, "results", 0, "signer"))
	if err != nil {
		t.Fatal(err)
	}
	other, _ := clarity.ParseContract(textOf(signers, "results", 1, "signer"))
	pox := answerTo(t, s, "/v2/pox")
	burn, cycle := uint64(valueAt(pox, "current_burnchain_block_height").(float64)), valueAt(pox, "reward_cycle_id").(float64)
	begin := func(cycle float64) float64 { return 666_050 + 2_100*cycle }
	n := clarity.NewUInt
	mine := func(tx *stxtx.Transaction) string {
		t.Helper()
		id := accepted(t, s, p.signed(t, tx))
		if w := post(s, "/mock/v1/mine", "application/json", []byte(`{"blocks":1}`)); w.Code != 200 {
			t.Fatalf("mine: %d %s", w.Code, w.Body)
		}
		return textOf(answerTo(t, s, "/extended/v3/transactions/0x"+id+"?include=result"), "result", "repr")
	}
	stake := func(nonce, amount, cycles, start uint64, with clarity.Principal) *stxtx.Transaction {
		return poxCall(p, nonce, "stake", with, n(amount), n(cycles), n(start), clarity.None{})
	}
	open := valueAt(answerTo(t, s, "/extended/v3/staking/bonds?limit=1"), "results", 0, "index").(float64)
	register := func(nonce, bond uint64) *stxtx.Transaction {
		return poxCall(p, nonce, "register-for-bond", n(bond), signer, n(600_000e6), clarity.Err{Value: n(1)}, clarity.None{})
	}
	for i, r := range []struct {
		tx     func(nonce uint64) *stxtx.Transaction
		result string
	}{
		{func(nonce uint64) *stxtx.Transaction {
			return stake(nonce, 600_000e6, 3, burn, clarity.Principal{Address: signer.Address, Contract: "nobody"})
		}, "(err u23)"},
		{func(nonce uint64) *stxtx.Transaction { return stake(nonce, 600_000e6, 3, burn+2_100, signer) }, "(err u24)"},
		{func(nonce uint64) *stxtx.Transaction { return stake(nonce, 600_000e6, 97, burn, signer) }, "(err u20)"},
		{func(nonce uint64) *stxtx.Transaction { return stake(nonce, 600_000e6, 0, burn, signer) }, "(err u20)"},
		{func(nonce uint64) *stxtx.Transaction { return stake(nonce, 2_000_000e6, 3, burn, signer) }, "(err u8)"},
		{func(nonce uint64) *stxtx.Transaction {
			return poxCall(p, nonce, "announce-l1-early-exit", principalOf(t, who), signer)
		}, "(err u34)"},
		{func(nonce uint64) *stxtx.Transaction { return poxCall(p, nonce, "unstake", signer) }, "(err u27)"},
		{func(nonce uint64) *stxtx.Transaction { return register(nonce, 999) }, "(err u7)"},
		{func(nonce uint64) *stxtx.Transaction { return register(nonce, uint64(open)) }, "(err u11)"}, // on no list
		{func(nonce uint64) *stxtx.Transaction { return stake(nonce, 600_000e6, 3, burn, signer) }, "(ok { amount-ustx: u600000000000, "},
		{func(nonce uint64) *stxtx.Transaction { return stake(nonce, 1_000e6, 3, burn, signer) }, "(err u19)"},
	} {
		if got := mine(r.tx(uint64(i))); !strings.HasPrefix(got, r.result) {
			t.Errorf("%d: %s, want %s", i, got, r.result)
		}
	}
	unlock := func() float64 {
		return valueAt(answerTo(t, s, "/extended/v3/principals/"+who+"/balances/stx"), "locked", "burn_unlock_height").(float64)
	}
	if got := locksAgree(t, s, who); got.Cmp(big.NewInt(600_000e6)) != 0 || unlock() != begin(cycle+4)+1_050 {
		t.Errorf("locked %v until %.0f", got, unlock())
	}
	types := func(of clarity.Principal) any {
		for _, row := range walked(t, s, "/extended/v3/staking/signers/"+of.String()+"/stakers") {
			if textOf(row, "staker") == who {
				return valueAt(row, "types")
			}
		}
		return nil
	}
	if got := types(signer); !reflect.DeepEqual(got, []any{"stx"}) {
		t.Errorf("%s has the staker with %v", signer, got)
	}
	if next := answerTo(t, s, "/v2/pox"); valueAt(next, "next_cycle", "stacked_ustx").(float64)-valueAt(pox, "next_cycle", "stacked_ustx").(float64) != 600_000e6 {
		t.Errorf("the next cycle has %v, before %v", valueAt(next, "next_cycle"), valueAt(pox, "next_cycle"))
	}
	if reason, _ := refused(t, s, p.signed(t, p.mainnetTx(11, 1_000, to(t, someone("payee").address(true), 400_000e6)))); reason != "NotEnoughFunds" {
		t.Errorf("a transfer of what is locked: %s", reason)
	}
	if got := mine(poxCall(p, 11, "stake-update", other, other, n(2), n(100_000e6), clarity.None{})); got != "(err u36)" {
		t.Errorf("an update from another signer: %s", got)
	}
	if got := mine(poxCall(p, 12, "stake-update", other, signer, n(0), n(900_000e6), clarity.None{})); got != "(err u8)" {
		t.Errorf("an update by more than there is: %s", got)
	}
	if got := mine(poxCall(p, 13, "stake-update", other, signer, n(97), n(0), clarity.None{})); got != "(err u20)" {
		t.Errorf("an update by too many cycles: %s", got)
	}
	if got := mine(poxCall(p, 14, "stake-update", other, signer, n(2), n(100_000e6), clarity.None{})); !strings.Contains(got, "(ok { amount-ustx: u700000000000, ") {
		t.Errorf("an update: %s", got)
	}
	if got := locksAgree(t, s, who); got.Cmp(big.NewInt(700_000e6)) != 0 || unlock() != begin(cycle+6)+1_050 || types(signer) != nil || types(other) == nil {
		t.Errorf("after the update locked %v until %.0f", got, unlock())
	}
	if got := mine(poxCall(p, 15, "unstake", other)); !strings.HasPrefix(got, "(ok ") || unlock() != begin(cycle+1)+1_050 {
		t.Errorf("unstake: %s, locked until %.0f", got, unlock())
	}
	if w := post(s, "/mock/v1/reorg", "application/json", []byte(`{"depth":1}`)); w.Code != 200 || unlock() != begin(cycle+6)+1_050 && unlock() != begin(cycle+1)+1_050 {
		t.Errorf("a reorganisation: %d %s, locked until %.0f", w.Code, w.Body, unlock())
	}
	for range 4 {
		post(s, "/mock/v1/mine", "application/json", []byte(`{"blocks":90000}`))
	}
	if got := locksAgree(t, s, who); got.Sign() != 0 {
		t.Errorf("after it ran out %v are locked", got)
	}
}

// A stake is ended until the last block before a prepare phase, and not from the first block of it on.
func TestNoStakeEndsInAPreparePhase(t *testing.T) {
	notRaced(t)
	s := anchored(t, today, func(c *Config) { c.Seed = 2 })
	p := someone("staker")
	signer := principalOf(t, textOf(answerTo(t, s, "/extended/v3/staking/signers"), "results", 0, "signer"))
	control := func(route, body string) {
		t.Helper()
		if w := post(s, "/mock/v1/"+route, "application/json", []byte(body)); w.Code != 200 {
			t.Fatalf("%s %s: %d %s", route, body, w.Code, w.Body)
		}
	}
	burn := func() int64 {
		return int64(valueAt(answerTo(t, s, "/v2/pox"), "current_burnchain_block_height").(float64))
	}
	ended := func(tx *stxtx.Transaction) (result string, at int64) {
		t.Helper()
		id := accepted(t, s, p.signed(t, tx))
		control("mine", `{"blocks":1}`)
		body := answerTo(t, s, "/extended/v3/transactions/0x"+id+"?include=result")
		return textOf(body, "result", "repr"), int64(valueAt(body, "bitcoin_block", "height").(float64))
	}
	stake := poxCall(p, 0, "stake", signer, clarity.NewUInt(600_000e6), clarity.NewUInt(3), clarity.NewUInt(uint64(burn())), clarity.None{})
	if result, _ := ended(stake); !strings.HasPrefix(result, "(ok ") {
		t.Fatal(result)
	}
	prepare := 666_050 + 2_100*((burn()-666_050)/2_100+1) - 100 // the first burn block of the next prepare phase
	control("clock", fmt.Sprintf(`{"advance":"%dm"}`, 10*(prepare-burn()-8)))
	seen := map[int64]bool{}
	for at := int64(0); at < prepare+2; { // the times between burn blocks vary
		control("snapshot", `{"name":"staking"}`)
		result, height := ended(poxCall(p, 1, "unstake", signer))
		if at = height; (height >= prepare) != (result == "(err u28)") || height < prepare && !strings.HasPrefix(result, "(ok ") {
			t.Errorf("in burn block %d, and the prepare phase begins with %d: %s", height, prepare, result)
		}
		seen[height] = true
		control("revert", `{"to":"staking"}`)
		control("clock", `{"advance":"1m"}`)
	}
	if !seen[prepare-1] || !seen[prepare] {
		t.Errorf("tried in %v, and not around %d", seen, prepare)
	}
}
