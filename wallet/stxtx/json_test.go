package stxtx

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/clarity"
)

// explained returns the payload of a transaction as it is explained, with what the
// other parts of the transaction are left out.
func explained(t *testing.T, tx *Transaction) map[string]any {
	t.Helper()
	text, err := json.Marshal(tx)
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Payload map[string]any }
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out.Payload
}

func TestEveryPayloadIsExplainedWithAllItsFields(t *testing.T) {
	memo, err := NewMemo("rent")
	if err != nil {
		t.Fatal(err)
	}
	to, err := clarity.ParsePrincipal("SP000000000000000000002Q6VF78.pool")
	if err != nil {
		t.Fatal(err)
	}
	proof := [80]byte{1}
	zeros := func(n int) string { return strings.Repeat("00", n) }
	header := func(sequence float64) map[string]any {
		return map[string]any{"version": 1.0, "sequence": sequence, "parent": "02" + zeros(31), "tx_merkle_root": "03" + zeros(31), "signature": zeros(65)}
	}
	for _, c := range []struct {
		payload Payload
		want    map[string]any
	}{
		{TokenTransfer{to, 18446744073709551615, memo}, map[string]any{
			"type": "token_transfer", "recipient": "SP000000000000000000002Q6VF78.pool", "amount": "18446744073709551615",
			"memo": "rent", "memo_hex": "72656e74" + zeros(30),
		}},
		{ContractCall{to, "stake", []clarity.Value{clarity.NewUInt(5), clarity.None{}}}, map[string]any{
			"type": "contract_call", "contract": "SP000000000000000000002Q6VF78.pool", "function": "stake",
			"args": []any{
				map[string]any{"hex": "01" + zeros(15) + "05", "repr": "u5", "type": "uint"},
				map[string]any{"hex": "09", "repr": "none", "type": "(optional none)"},
			},
		}},
		{SmartContract{3, "pool", "(ok 1)"}, map[string]any{
			"type": "versioned_smart_contract", "name": "pool", "source": "(ok 1)", "clarity_version": 3.0,
		}},
		{SmartContract{0, "pool", "(ok 1)"}, map[string]any{"type": "smart_contract", "name": "pool", "source": "(ok 1)"}},
		{PoisonMicroblock{MicroblockHeader{1, 7, [32]byte{2}, [32]byte{3}, Signature{}}, MicroblockHeader{1, 8, [32]byte{2}, [32]byte{3}, Signature{}}}, map[string]any{
			"type": "poison_microblock", "microblocks": []any{header(7), header(8)},
		}},
		{Coinbase{Data: [32]byte{9}}, map[string]any{"type": "coinbase", "data": "09" + zeros(31)}},
		{Coinbase{Data: [32]byte{9}, Recipient: &to, VRFProof: &proof}, map[string]any{
			"type": "nakamoto_coinbase", "data": "09" + zeros(31), "recipient": to.String(), "vrf_proof": hex.EncodeToString(proof[:]),
		}},
		{TenureChange{[20]byte{1}, [20]byte{2}, [20]byte{3}, [32]byte{4}, 5, 1, [20]byte{6}}, map[string]any{
			"type": "tenure_change", "tenure_consensus_hash": "01" + zeros(19), "prev_tenure_consensus_hash": "02" + zeros(19),
			"burn_view_consensus_hash": "03" + zeros(19), "previous_tenure_end": "04" + zeros(31), "previous_tenure_blocks": 5.0,
			"cause": "extended", "pubkey_hash": "06" + zeros(19),
		}},
	} {
		tx := someTransfer(t)
		tx.Payload = c.payload
		if d := cmp.Diff(c.want, explained(t, tx)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.payload.Type(), d)
		}
	}
}

func TestTheOriginsAreExplained(t *testing.T) {
	several, _ := multisigVectors(t)
	c := several[1]
	text, err := json.Marshal(decodeHex(t, c.Signed))
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		TxID, Network string
		Origin        struct {
			Address, Nonce, Fee string
			Hash                string `json:"hash_mode"`
			Required            uint16 `json:"signatures_required"`
			Fields              []map[string]string
		}
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	if out.TxID != c.TxID || out.Network != c.Network || out.Origin.Address != c.Address || out.Origin.Hash != c.HashMode || out.Origin.Required != c.Required {
		t.Errorf("explained as %+v, want %+v", out, c)
	}
	for i, step := range c.Steps {
		field := out.Origin.Fields[i]
		if (field["public_key"] == step.PublicKey) == step.Signs || (len(field["signature"]) == 130) != step.Signs {
			t.Errorf("field %d: %v, want %+v", i, field, step)
		}
	}
}

func TestABadValueInsideATransactionIsRefused(t *testing.T) {
	tx := someTransfer(t)
	contract, err := clarity.ParseContract("SP000000000000000000002Q6VF78.pool")
	if err != nil {
		t.Fatal(err)
	}
	tx.Payload = ContractCall{contract, "f", []clarity.Value{clarity.NewUInt(1), clarity.Bool(true)}}
	good, err := tx.Encode()
	if err != nil {
		t.Fatal(err)
	}
	bad := append([]byte(nil), good...)
	bad[len(bad)-1] = 0xee // the type of the last argument
	if _, err := Decode(bad); err == nil || !strings.Contains(err.Error(), "argument 1") {
		t.Errorf("an argument of an unknown type: %v", err)
	}
	tx.Payload = SmartContract{ClarityVersion: 3, Name: "c", Code: "(ok \xff)"}
	if _, err := tx.Encode(); err == nil {
		t.Error("a source that is no UTF-8 is written")
	}
}

func TestWhatIsTooLongIsNotRead(t *testing.T) {
	if _, err := Decode(make([]byte, MaxBytes+1)); err == nil || !strings.Contains(err.Error(), "at most 2097152 are read") {
		t.Errorf("%v", err)
	}
	if _, err := DecodePayload(make([]byte, MaxBytes+1)); err == nil || !strings.Contains(err.Error(), "at most 2097152 are read") {
		t.Errorf("%v", err)
	}
	if _, err := DecodeHex(strings.Repeat("00", MaxBytes+2)); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v", err)
	}
	tx := someTransfer(t)
	tx.Payload = SmartContract{Name: "c", Code: strings.Repeat("x", MaxBytes)}
	if _, err := tx.Encode(); err == nil || !strings.Contains(err.Error(), "at most 2097152 are taken") {
		t.Errorf("%v", err)
	}
}

func TestPostConditionsInWords(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"stx-postcondition","address":"origin","condition":"lte","amount":"5"}`:                                                                   "the origin must send at most 5 micro-STX",
		`{"type":"staking-postcondition","address":"origin","condition":"eq","amount":"5"}`:                                                                "the origin must lock exactly 5 micro-STX",
		`{"type":"ft-postcondition","address":"SP000000000000000000002Q6VF78","condition":"gt","amount":"5","asset":"SP000000000000000000002Q6VF78.a::b"}`: "SP000000000000000000002Q6VF78 must send more than 5 units of SP000000000000000000002Q6VF78.a::b",
		`{"type":"nft-postcondition","address":"origin","condition":"maybe-sent","asset":"SP000000000000000000002Q6VF78.a::b","assetId":"03"}`:             "the origin may send true of SP000000000000000000002Q6VF78.a::b",
		`{"type":"pox-postcondition","address":"origin","condition":"will-not-perform"}`:                                                                   "the origin must not change its stacking state without locking STX",
		`{"type":"pox-postcondition","address":"origin","condition":"may-perform"}`:                                                                        "the origin may change its stacking state without locking STX",
	} {
		p, err := ParsePostConditionJSON([]byte(text))
		if err != nil || p.Words() != want {
			t.Errorf("%s: %q, %v, want %q", text, p.Words(), err, want)
		}
	}
}

func FuzzPayload(f *testing.F) {
	for _, c := range load(f, "stx-transactions.json") {
		f.Add(unhexTest(f, c.Expect.SignedTx)[115:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := DecodePayload(b)
		if err != nil {
			return
		}
		w := writer{}
		w.byte(byte(p.Type()))
		p.write(&w)
		if w.err != nil || !bytes.Equal(w.out, b) {
			t.Fatalf("%x is written as %x, %v", b, w.out, w.err)
		}
	})
}

func FuzzAsset(f *testing.F) {
	f.Add("SP000000000000000000002Q6VF78.a::b")
	f.Add("::")
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := ParseAsset(text); err == nil && a.String() != text {
			if again, err := ParseAsset(a.String()); err != nil || again != a {
				t.Fatalf("%q is written as %q, read as %+v, %v", text, a, again, err)
			}
		}
	})
}
