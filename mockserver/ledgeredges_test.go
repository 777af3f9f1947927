package mockserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

// An account that has just what a transaction takes may send it; one micro-STX less, and it
// is refused.
func TestJustWhatIsNeededIsEnough(t *testing.T) {
	d := newTrade(t, Config{})
	balance := func(n uint64) {
		t.Helper()
		body := fmt.Sprintf(`{"address":%q,"balance":"%d"}`, d.people[0].address(true), n)
		if w := post(d.s, "/mock/v1/accounts", "application/json", []byte(body)); w.Code != 200 {
			t.Fatal(w.Body)
		}
	}
	const fee = 3000
	pays := func(n uint64) *stxtx.Transaction {
		return d.people[0].mainnetTx(d.nonces[0], fee, stxtx.TokenTransfer{Recipient: d.who(1), Amount: n})
	}
	for name, c := range map[string]struct {
		tx    func() *stxtx.Transaction
		needs uint64
	}{
		"a transfer": {func() *stxtx.Transaction { return pays(500) }, fee + 500},
		"a call":     {func() *stxtx.Transaction { return d.sends(0, 1, 1) }, fee},
	} {
		balance(c.needs - 1)
		if status, body := d.post(0, c.tx()); status != 400 || !strings.Contains(body, "NotEnoughFunds") {
			t.Errorf("%s with one micro-STX less than it needs: %d %s", name, status, body)
		}
		balance(c.needs)
		if m := d.mined(0, c.tx()); m.Status != "success" {
			t.Errorf("%s with just what it needs: %+v", name, m)
		}
		if left := d.s.world.State().Account(d.who(0)).Balance; left != 0 {
			t.Errorf("%s leaves %d micro-STX", name, left)
		}
	}
	// what waits is counted: two that fit each, but not together
	balance(2*fee + 999)
	if status, body := d.post(0, pays(500)); status != 200 {
		t.Fatalf("the first: %d %s", status, body)
	}
	d.nonces[0]++
	if status, body := d.post(0, pays(500)); status != 400 || !strings.Contains(body, "NotEnoughFunds") {
		t.Errorf("the second, one micro-STX short beside the first: %d %s", status, body)
	}
	if status, body := d.post(0, pays(499)); status != 200 {
		t.Errorf("the second, which just fits beside the first: %d %s", status, body)
	}
}

// The last 256 refusals are kept: of one more the oldest is forgotten.
func TestTheOldestRefusalIsForgotten(t *testing.T) {
	d := newTrade(t, Config{})
	var ids []string
	for i := range 257 {
		_, body := d.post(0, d.people[0].mainnetTx(0, 3000, stxtx.TokenTransfer{Recipient: d.who(1), Amount: 1 << 60, Memo: [34]byte{byte(i), byte(i >> 8)}}))
		var refused struct{ TxID string }
		if err := json.Unmarshal([]byte(body), &refused); err != nil || refused.TxID == "" {
			t.Fatal(body)
		}
		ids = append(ids, refused.TxID)
	}
	for i, want := range map[int]int{0: 404, 1: 200, 128: 200, 256: 200} {
		if w := get(d.s, "/mock/v1/tx/0x"+strings.TrimPrefix(ids[i], "0x")+"/why"); w.Code != want {
			t.Errorf("refusal %d of 257: %d %s, want %d", i+1, w.Code, w.Body, want)
		}
	}
}
