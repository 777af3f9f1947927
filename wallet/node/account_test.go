package node

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

// served answers paths from a table, and every other with what an API says of a route that it lacks.
func served(t *testing.T, answers map[string]string) *Client {
	t.Helper()
	rec := record(t, "", "", func(w http.ResponseWriter, r *http.Request) {
		answer, there := answers[strings.TrimSuffix(r.URL.Path, "/")]
		if !there {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"message":"Route GET:%s not found"}`, r.URL.Path)
			return
		}
		fmt.Fprint(w, answer)
	})
	return client(t, Options{BaseURL: rec.URL})
}

func TestTheNoncesOfAnAccountAreReadFromBothGenerations(t *testing.T) {
	const v1, v3 = "/extended/v1/address/STX/", "/extended/v3/principals/STX/"
	six := uint64(6)
	want := Account{Next: 12, Executed: &six, Waiting: map[uint64]string{7: "0xaa", 11: "0xbb"}, Missing: []uint64{9, 8}}
	for name, answers := range map[string]map[string]string{
		"v1": {
			v1 + "nonces":  `{"possible_next_nonce":12,"last_executed_tx_nonce":6,"detected_missing_nonces":[9,8]}`,
			v1 + "mempool": `{"results":[{"tx_id":"0xbb","nonce":11,"sender_address":"STX"},{"tx_id":"0xcc","nonce":8,"sender_address":"STY"},{"tx_id":"0xaa","nonce":7,"sender_address":"STX"}]}`,
		},
		"v3": {
			v3 + "nonces":               `{"next_nonce":12,"last_confirmed_nonce":6,"mempool":{"missing_nonces":[9,8]}}`,
			v3 + "mempool/transactions": `{"results":[{"tx_id":"0xaa","sender":{"address":"STX","nonce":7}},{"tx_id":"0xcc","sender":{"address":"STY","nonce":8}},{"tx_id":"0xbb","sender":{"address":"STX","nonce":11}}]}`,
		},
	} {
		if got, err := served(t, answers).Account(t.Context(), "STX"); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
	if _, err := served(t, map[string]string{v1 + "nonces": `{}`}).Account(t.Context(), "STX"); err == nil {
		t.Error("an API without the mempool of an account has what waits")
	}
}

func TestTheBytesOfATransactionAreThoseOfItsID(t *testing.T) {
	raw := []byte("transaction")
	id := stxtx.ID(raw)
	text := hex.EncodeToString(raw)
	for name, answers := range map[string]map[string]string{
		"API":  {"/extended/v1/tx/0x" + id + "/raw": `{"raw_tx":"0x` + text + `"}`},
		"node": {"/v2/transactions/unconfirmed/" + id: `{"tx":"` + text + `","status":"Mempool"}`},
	} {
		if got, err := served(t, answers).Raw(t.Context(), strings.ToUpper(id)); err != nil || string(got) != "transaction" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, other := range []string{`{"raw_tx":"0xabcd"}`, `{"raw_tx":"zz"}`, `{}`} {
		if _, err := served(t, map[string]string{"/extended/v1/tx/0x" + id + "/raw": other}).Raw(t.Context(), id); err == nil {
			t.Errorf("%s is taken for the transaction", other)
		}
	}
}
