package mockserver

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/stxtx"
)

func statusOf(t testing.TB, s *Server, raw []byte) string {
	t.Helper()
	return read[struct {
		Status string `json:"tx_status"`
	}](t, get(s, "/extended/v1/tx/0x"+stxtx.ID(raw))).Status
}

func controlOf(t testing.TB, s *Server, route, body string) string {
	t.Helper()
	w := send(s, "POST", "/mock/v1/"+route, body)
	if w.Code != 200 {
		t.Fatalf("%s %s: %d %s", route, body, w.Code, w.Body)
	}
	return w.Body.String()
}

func TestATransactionIsDroppedOnDemand(t *testing.T) {
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen})
	alice, bob := someone("alice"), someone("bob")
	var raw [6][]byte
	for nonce := range raw {
		raw[nonce] = alice.signed(t, alice.testnetTx(uint64(nonce), 300, to(t, bob.address(false), 1)))
		accepted(t, s, raw[nonce])
	}
	for nonce, c := range map[int]struct{ body, status string }{
		5: {`{"drop":"0x` + stxtx.ID(raw[5]) + `","reason":"too_expensive"}`, "dropped_too_expensive"},
		4: {`{"drop":"` + stxtx.ID(raw[4]) + `","reason":"problematic"}`, "dropped_problematic"},
		3: {`{"drop":"` + stxtx.ID(raw[3]) + `","reason":"stale_garbage_collect"}`, "dropped_stale_garbage_collect"},
		1: {`{"drop":"` + stxtx.ID(raw[1]) + `"}`, "dropped_stale_garbage_collect"},
	} {
		controlOf(t, s, "mempool", c.body)
		if got := statusOf(t, s, raw[nonce]); got != c.status {
			t.Errorf("%s: %s", c.body, got)
		}
		if w := get(s, "/extended/v3/transactions/0x"+stxtx.ID(raw[nonce])); w.Code != 404 {
			t.Errorf("v3 returns a transaction that was dropped: %d %s", w.Code, w.Body)
		}
	}
	mine(t, s, 1)
	if got := statusOf(t, s, raw[0]) + " " + statusOf(t, s, raw[2]); got != "success pending" {
		t.Errorf("before and after a gap: %s", got)
	}
	want := map[string]any{
		"last_mempool_tx_nonce": 2.0, "last_executed_tx_nonce": 0.0, "possible_next_nonce": 3.0,
		"detected_missing_nonces": []any{1.0}, "detected_mempool_nonces": []any{},
	}
	if diff := cmp.Diff(want, read[map[string]any](t, get(s, "/extended/v1/address/"+alice.address(false)+"/nonces"))); diff != "" {
		t.Errorf("nonces: -want +got\n%s", diff)
	}
	controlOf(t, s, "mine", `{"blocks":256}`)
	if got := statusOf(t, s, raw[2]); got != "dropped_stale_garbage_collect" {
		t.Errorf("256 blocks later: %s", got)
	}
}

func TestWhatIsHeldIsMinedWhenItIsReleased(t *testing.T) {
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen, Automine: true})
	alice, bob := someone("alice"), someone("bob")
	controlOf(t, s, "snapshot", `{"name":"free"}`)
	controlOf(t, s, "mempool", `{"hold":true}`)
	first := alice.signed(t, alice.mainnetTx(0, 300, to(t, bob.address(true), 1)))
	dearest := bob.signed(t, bob.testnetTx(0, 500, to(t, alice.address(false), 1)))
	second := alice.signed(t, alice.mainnetTx(1, 900, to(t, bob.address(true), 1)))
	for _, raw := range [][]byte{second, first, dearest} {
		accepted(t, s, raw)
	}
	mine(t, s, 2)
	if got := statusOf(t, s, first); got != "pending" {
		t.Errorf("mined meanwhile: %s", got)
	}
	got := controlOf(t, s, "mempool", `{"hold":false}`)
	if want := `{"tip":{"height":1000003,"burn_height":930401},"held":false,"pending":0}`; got != want {
		t.Errorf("released: %s, want %s", got, want)
	}
	block := read[struct{ Results []blockTxs }](t, get(s, "/extended/v1/block?limit=1")).Results[0]
	if diff := cmp.Diff([]string{"0x" + stxtx.ID(second), "0x" + stxtx.ID(first), "0x" + stxtx.ID(dearest)}, block.Txs[:3]); diff != "" {
		t.Errorf("newest first: -want +got\n%s", diff)
	}
	controlOf(t, s, "mempool", `{"hold":true}`)
	controlOf(t, s, "revert", `{"to":"free"}`)
	accepted(t, s, first)
	if got := statusOf(t, s, first); got != "success" {
		t.Errorf("before it was held: %s", got)
	}
}

// TestStatisticsOfTheMempool has the fees of a recorded mempool, and what the API said of it.
func TestStatisticsOfTheMempool(t *testing.T) {
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen})
	sent := 0
	for i, fee := range []uint64{300, 180, 500, 180, 500, 180} {
		who := someone("sender " + string(rune('a'+i)))
		tx := who.testnetTx(1, fee, to(t, someone("bob").address(false), 1)) // waits for its nonce
		sent += len(who.signed(t, tx))
		accepted(t, s, who.signed(t, tx))
		mine(t, s, i+1)
	}
	deployer := someone("deployer")
	accepted(t, s, deployer.signed(t, deployer.testnetTx(1, 3_000, stxtx.SmartContract{Name: "c", Code: "(ok true)"})))
	none := map[string]any{"p25": nil, "p50": nil, "p75": nil, "p95": nil}
	all := func(p25, p50, p75, p95 float64) map[string]any {
		return map[string]any{"p25": p25, "p50": p50, "p75": p75, "p95": p95}
	}
	stats := read[map[string]map[string]any](t, get(s, "/extended/v1/tx/mempool/stats"))
	size := float64(sent / 6)
	for name, want := range map[string]any{
		"tx_type_counts":         map[string]any{"token_transfer": 6.0, "smart_contract": 1.0, "contract_call": 0.0, "poison_microblock": 0.0},
		"tx_simple_fee_averages": map[string]any{"token_transfer": all(180, 240, 450, 500), "smart_contract": all(3000, 3000, 3000, 3000), "contract_call": none, "poison_microblock": none},
		// The blocks since: 21, 20, 18, 15, 11, 6.
		"tx_ages": map[string]any{"token_transfer": all(12, 16.5, 19.5, 20.75), "smart_contract": all(0, 0, 0, 0), "contract_call": none, "poison_microblock": none},
	} {
		if diff := cmp.Diff(want, any(stats[name])); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if diff := cmp.Diff(any(all(size, size, size, size)), stats["tx_byte_sizes"]["token_transfer"]); diff != "" {
		t.Errorf("sizes: -want +got\n%s", diff)
	}
	priorities := func(no, low, medium, high float64) map[string]any {
		return map[string]any{"no_priority": no, "low_priority": low, "medium_priority": medium, "high_priority": high}
	}
	want := map[string]map[string]any{
		"all": priorities(180, 300, 500, 2250), "token_transfer": priorities(180, 240, 450, 500), "smart_contract": priorities(3000, 3000, 3000, 3000),
	}
	if diff := cmp.Diff(want, read[map[string]map[string]any](t, get(s, "/extended/v2/mempool/fees"))); diff != "" {
		t.Errorf("fees: -want +got\n%s", diff)
	}
}
