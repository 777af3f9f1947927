package wallet

import (
	"encoding/json"
	"testing"

	"chainscope/wallet/provider"
)

// Whatever a page requests and a wallet answers, the library resolves or rejects.
func FuzzRequest(f *testing.F) {
	f.Add("sendTransfer", []byte(`{"recipients":[{"address":"a","amount":1}]}`), []byte(`{"result":{"txid":"00"}}`), uint8(0))
	f.Add("signPsbt", []byte(`{"psbt":"cHNidP8=","signInputs":[{"index":0,"address":"a"}]}`), []byte(`{"result":{"hex":"00"}}`), uint8(1))
	f.Add("getAddresses", []byte(``), []byte(`{"result":{"addresses":[{"address":"S"},{"address":"b","purpose":"payment"}]}}`), uint8(2))
	f.Add("stx_signMessage", []byte(`{"message":{"type":"uint","value":"1"},"publicKey":"x"}`), []byte(`{"error":null}`), uint8(1))
	f.Fuzz(func(t *testing.T, method string, params, reply []byte, kind uint8) {
		if len(params) > 0 && !json.Valid(params) {
			return
		}
		traits := []provider.Traits{{}, {IsLeather: true}, {XverseFunctions: true}, {IsFordefi: true}}
		wallet := &stub{traits: traits[int(kind)%len(traits)], reply: reply}
		l := New(Config{})
		result, err := l.Request(t.Context(), Options{Provider: wallet}, method, json.RawMessage(params))
		if err == nil && result != nil && !json.Valid(result) {
			t.Fatalf("the result is no JSON: %q", result)
		}
		if record := l.LocalStorage(); record != nil && !json.Valid(record.Raw) {
			t.Fatalf("the record is no JSON: %q", record.Raw)
		}
	})
}
