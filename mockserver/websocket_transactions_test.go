package mockserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

// TestATransactionIsPushedFromTheMempoolToItsBlock subscribes to everything that a
// wallet shows.
func TestATransactionIsPushedFromTheMempoolToItsBlock(t *testing.T) {
	for _, name := range []string{"8", "9", "sunset", "v3"} {
		t.Run(name, func(t *testing.T) { aTransactionIsPushed(t, anchored(t, version(name))) })
	}
}

func aTransactionIsPushed(t *testing.T, s *Server) {
	from, other := someone("a"), someone("b").address(true)
	raw := from.signed(t, from.mainnetTx(0, 300, to(t, other, 1_000)))
	id := "0x" + stxtx.ID(raw)
	l := listen(t, host(t, s), nil)
	for _, params := range []string{
		`{"event":"mempool"}`, fmt.Sprintf(`{"event":"tx_update","tx_id":%q}`, strings.ToUpper(stxtx.ID(raw))), blockEvents,
		fmt.Sprintf(`{"event":"address_tx_update","address":%q}`, other), fmt.Sprintf(`{"event":"address_balance_update","address":%q}`, from.address(true)),
		`{"event":"nft_event"}`, `{"event":"microblock"}`,
	} {
		l.subscribes(params)
	}
	type frame struct {
		Method string
		Params struct {
			TxID     string `json:"tx_id"`
			Status   string `json:"tx_status"`
			Txs      []string
			Address  string
			Sent     string `json:"stx_sent"`
			Received string `json:"stx_received"`
			Balance  string
			Fees     string `json:"total_fees_sent"`
			Tx       struct {
				Status string `json:"tx_status"`
			}
		}
	}
	next := func() (f frame) {
		t.Helper()
		if err := json.Unmarshal([]byte(l.read()), &f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	accepted(t, s, raw)
	for _, event := range []string{"mempool", "tx_update"} {
		if f := next(); f.Method != event || f.Params.TxID != id || f.Params.Status != "pending" {
			t.Errorf("%s: %+v", event, f)
		}
	}
	l.silent()
	if _, err := s.world.Mine(1); err != nil {
		t.Fatal(err)
	}
	if f := next(); f.Method != "block" || !slices.Contains(f.Params.Txs, id) {
		t.Errorf("%+v", f)
	}
	if f := next(); f.Method != "tx_update" || f.Params.TxID != id || f.Params.Status != "success" {
		t.Errorf("%+v", f)
	}
	if f := next(); f.Method != "address_tx_update" || f.Params.Address != other || f.Params.Received != "1000" || f.Params.Sent != "0" || f.Params.Tx.Status != "success" {
		t.Errorf("%+v", f)
	}
	if f := next(); f.Method != "address_balance_update" || f.Params.Balance != "999999998700" || f.Params.Fees != "300" {
		t.Errorf("%+v", f)
	}
	l.silent()
	// The block is replaced: the transaction waits again, and another block has it.
	if _, err := s.world.Reorg(1); err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{"mempool", "tx_update"} {
		if f := next(); f.Method != event || f.Params.Status != "pending" {
			t.Errorf("%s: %+v", event, f)
		}
	}
	if f := next(); f.Method != "block" || slices.Contains(f.Params.Txs, id) {
		t.Errorf("%+v", f)
	}
}

func TestAMinedTransactionWasPendingFirst(t *testing.T) {
	s := anchored(t, func(c *Config) { c.Automine = true })
	from := someone("a")
	l := listen(t, host(t, s), nil)
	for nonce := range uint64(3) {
		raw := from.signed(t, from.mainnetTx(nonce, 300, to(t, someone("b").address(true), 1_000)))
		l.subscribes(fmt.Sprintf(`{"event":"tx_update","tx_id":%q}`, stxtx.ID(raw)))
		accepted(t, s, raw)
		for _, status := range []string{"pending", "success"} {
			if text := l.read(); !strings.Contains(text, `"tx_status":"`+status+`"`) || !strings.Contains(text, stxtx.ID(raw)) {
				t.Errorf("not %s: %s", status, text)
			}
		}
	}
	l.silent()
}

func TestAReplacedTransactionIsPushed(t *testing.T) {
	s := anchored(t)
	from, b := someone("a"), someone("b").address(true)
	first := from.signed(t, from.mainnetTx(0, 300, to(t, b, 1_000)))
	l := listen(t, host(t, s), nil)
	accepted(t, s, first)
	l.subscribes(fmt.Sprintf(`{"event":"tx_update","tx_id":%q}`, stxtx.ID(first)))
	accepted(t, s, from.signed(t, from.mainnetTx(0, 900, to(t, b, 1_000))))
	if text := l.read(); !strings.Contains(text, `"tx_status":"dropped_replace_by_fee"`) {
		t.Error(text)
	}
	l.silent()
}
