package apiclient

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chainscope/apiclient/apitest"

	jsonv2 "github.com/go-json-experiment/json"
)

// recordedClient reads the recordings of a version. Gone are routes, by how they begin, that
// the server does not have beside those that it did not.
func recordedClient(t *testing.T, version string, gone ...string) *Client {
	t.Helper()
	recorded := apitest.Transactions(version)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.ContainsFunc(gone, func(route string) bool { return strings.HasPrefix(r.URL.Path, route) }) {
			answer(w, http.StatusGone, goneBody)
			return
		}
		recorded.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	c, err := New(Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// named returns the recordings whose names begin so.
func named(version, prefix string) []apitest.Exchange {
	return slices.DeleteFunc(apitest.Exchanges(version), func(e apitest.Exchange) bool {
		return !strings.HasPrefix(e.Name, prefix) || e.Status != 200
	})
}

// What v1 says of a transaction is there in full: written again, it is what was read.
func TestARecordedTransactionIsReadWithoutLoss(t *testing.T) {
	c := recordedClient(t, apitest.Version9)
	tested := 0
	for _, e := range named(apitest.Version9, "v1-tx-") {
		id, isOne := strings.CutPrefix(e.Path, "/extended/v1/tx/")
		if !isOne || len(id) != 66 {
			continue
		}
		tested++
		a, err := c.Transaction(t.Context(), id)
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		written, err := jsonv2.Marshal(a.Value)
		if err != nil {
			t.Fatal(err)
		}
		missing(t, e.Name, decoded(t, e.Body), decoded(t, written))
	}
	if tested < 13 {
		t.Errorf("only %d transactions are recorded", tested)
	}
}

func decoded(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// missing reports what of a recorded value is not in what was written. What is unknown in
// the one, null, "", or false, may be left out of the other.
func missing(t *testing.T, path string, recorded, written any) {
	t.Helper()
	switch r := recorded.(type) {
	case map[string]any:
		w, _ := written.(map[string]any)
		for key, value := range r {
			missing(t, path+"."+key, value, w[key])
		}
	case []any:
		w, _ := written.([]any)
		if len(w) != len(r) {
			t.Errorf("%s has %d entries, not %d", path, len(w), len(r))
			return
		}
		for i := range r {
			missing(t, path, r[i], w[i])
		}
	default:
		unknown := r == nil || r == "" || r == false
		if !reflect.DeepEqual(recorded, written) && !(unknown && (written == nil || written == "" || written == 0.0)) {
			t.Errorf("%s is %v, not %v", path, written, recorded)
		}
	}
}

// The three ways to request a transaction give the same.
func TestATransactionIsTheSameByEveryRoute(t *testing.T) {
	routes := map[string]*Client{
		"several by id": recordedClient(t, apitest.Sunset),
		"v3":            recordedClient(t, apitest.Sunset, "/extended/v1/tx/multiple"),
	}
	first := recordedClient(t, apitest.Version9)
	for _, kind := range []string{"call_events", "call_failed", "call_abort_pc", "transfer", "sponsored", "deploy", "coinbase", "tenure_change", "pending", "pending_call"} {
		e := named(apitest.Version9, "v1-tx-"+kind)[0]
		id := strings.TrimPrefix(e.Path, "/extended/v1/tx/")
		want, err := first.Transaction(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range routes {
			got, err := c.Transaction(t.Context(), strings.TrimPrefix(id, "0x"))
			if err != nil {
				t.Errorf("%s by %s: %v", kind, name, err)
				continue
			}
			same(t, kind+" by "+name, want.Value, got.Value)
		}
	}
}

// same compares what both know of a transaction.
func same(t *testing.T, what string, want, got Transaction) {
	t.Helper()
	if got.ID != want.ID || got.Sender != want.Sender || got.FeeRate != want.FeeRate || got.Status != want.Status || got.Type != want.Type ||
		got.BlockHash != want.BlockHash || got.BlockTime != want.BlockTime || got.ExecutionCost != want.ExecutionCost || got.Sponsor != want.Sponsor ||
		!reflect.DeepEqual(got.Nonce, want.Nonce) || !reflect.DeepEqual(got.BlockHeight, want.BlockHeight) || !reflect.DeepEqual(got.Index, want.Index) ||
		!reflect.DeepEqual(got.SponsorNonce, want.SponsorNonce) || !reflect.DeepEqual(got.BurnBlockHeight, want.BurnBlockHeight) || !reflect.DeepEqual(got.EventCount, want.EventCount) {
		t.Errorf("%s:\n%+v\nis not\n%+v", what, got, want)
	}
	switch {
	case want.TokenTransfer != nil && (got.TokenTransfer == nil || got.TokenTransfer.Recipient != want.TokenTransfer.Recipient ||
		got.TokenTransfer.Amount != want.TokenTransfer.Amount || got.TokenTransfer.Memo != want.TokenTransfer.Memo):
		t.Errorf("%s: the transfer is %+v, not %+v", what, got.TokenTransfer, want.TokenTransfer)
	case want.ContractCall != nil && (got.ContractCall == nil || got.ContractCall.ContractID != want.ContractCall.ContractID || got.ContractCall.Function != want.ContractCall.Function):
		t.Errorf("%s: the call is %+v, not %+v", what, got.ContractCall, want.ContractCall)
	case want.Coinbase != nil && (got.Coinbase == nil || got.Coinbase.Data != want.Coinbase.Data):
		t.Errorf("%s: the coinbase is %+v, not %+v", what, got.Coinbase, want.Coinbase)
	case want.TenureChange != nil && (got.TenureChange == nil || got.TenureChange.Cause != want.TenureChange.Cause):
		t.Errorf("%s: the tenure change is %+v, not %+v", what, got.TenureChange, want.TenureChange)
	}
	if got.Lacks["nonce"] || got.Lacks == nil != (got.Mode != "") {
		t.Errorf("%s: what the route lacks is %v, its mode is %q", what, got.Lacks, got.Mode)
	}
}

// With everything requested, v3 has arguments, conditions and result too.
func TestV3ReturnsWhatIsRequested(t *testing.T) {
	var body []byte
	for _, e := range named(apitest.Sunset, "v3-tx-include-all") {
		body = e.Body
	}
	got, err := decodeWith[Transaction](body, lenientV3)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.ContractCall.Args); n != 4 || got.ContractCall.Args[0].Repr != "u2500" || got.ContractCall.Args[0].Name != "" {
		t.Errorf("%d arguments: %+v", n, got.ContractCall.Args)
	}
	if n := len(got.PostConditions); n != 3 || got.PostConditions[2].Value.Repr != "u1" || got.PostConditions[2].Asset.Name != "ticket" || got.PostConditions[0].Amount != "2500" {
		t.Errorf("%d conditions: %+v", n, got.PostConditions)
	}
	if got.Result == nil || got.Result.Repr != "(ok true)" || !bytes.Contains(body, []byte(got.Result.Hex)) {
		t.Errorf("the result is %+v", got.Result)
	}
}

const alice = "STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN"

// Each list has the transactions of its recording, by either route.
func TestTheListsOfTransactions(t *testing.T) {
	tests := []struct {
		version, name string
		of            Among
		next          string
		ids           func(row map[string]any) any
	}{
		{apitest.Version8, "v1-tx-list", Among{}, "offset:3", id},
		{apitest.Sunset, "v3-tx-list", Among{}, "v3", id},
		{apitest.Version9, "v2-block-transactions", Among{Block: "51"}, "offset:3", id},
		{apitest.Sunset, "v3-block-transactions", Among{Block: "51"}, "", id},
		{apitest.Version8, "v2-address-transactions-a", Among{Principal: alice}, "offset:2", func(row map[string]any) any { return id(row["tx"].(map[string]any)) }},
		{apitest.Version9, "v2-address-transactions-a", Among{Principal: alice}, "offset:2", func(row map[string]any) any { return id(row["tx"].(map[string]any)) }},
		{apitest.Sunset, "v3-principal-transactions-a", Among{Principal: alice}, "v3", func(row map[string]any) any { return id(row["transaction"].(map[string]any)) }},
		{apitest.Version8, "v1-mempool", Among{Mempool: true}, "offset:5", id},
		{apitest.Sunset, "v3-mempool", Among{Mempool: true}, "v3", id},
		{apitest.Version8, "v1-address-mempool", Among{Principal: alice, Mempool: true}, "", id},
		{apitest.Sunset, "v3-principal-mempool", Among{Principal: alice, Mempool: true}, "", id},
	}
	for _, tt := range tests {
		t.Run(tt.version+" "+tt.name, func(t *testing.T) {
			var want struct {
				Results []map[string]any
				Total   int64
				Cursor  any
			}
			if err := json.Unmarshal(named(tt.version, tt.name)[0].Body, &want); err != nil {
				t.Fatal(err)
			}
			a, err := recordedClient(t, tt.version).Transactions(t.Context(), tt.of, 3, "")
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Value.Results) != len(want.Results) || a.Value.Total != want.Total || len(want.Results) == 0 {
				t.Fatalf("%d of %d, want %d of %d", len(a.Value.Results), a.Value.Total, len(want.Results), want.Total)
			}
			for i, row := range want.Results {
				if got := a.Value.Results[i]; got.ID != tt.ids(row) || got.Sender == "" || got.Status == "" || got.Type == "" {
					t.Errorf("row %d is %+v, want %v", i, got, tt.ids(row))
				}
			}
			if tt.next == "v3" {
				tt.next, _ = want.Cursor.(map[string]any)["next"].(string)
			}
			if a.Value.Next != tt.next {
				t.Errorf("the next page begins at %q, want %q", a.Value.Next, tt.next)
			}
		})
	}
}

func id(row map[string]any) any { return row["tx_id"] }

// What a principal sent and received by a transaction is beside it.
func TestAListOfAPrincipalShowsWhatItMoved(t *testing.T) {
	for _, version := range []string{apitest.Version8, apitest.Version9, apitest.Sunset} {
		a, err := recordedClient(t, version).Transactions(t.Context(), Among{Principal: alice}, 2, "")
		if err != nil {
			t.Fatal(err)
		}
		if rows := a.Value.Results; rows[0].Sent != "1941" || rows[0].Received != "1761" || rows[1].Sent != "1941" || rows[1].Received != "0" {
			t.Errorf("%s: %+v", version, rows)
		}
	}
}

func TestAListOfTransactionsRefusesWhatItCannotRequest(t *testing.T) {
	c := recordedClient(t, apitest.Sunset)
	for want, send := range map[string]func() (Answer[TransactionPage], error){
		"limit must be 1-50": func() (Answer[TransactionPage], error) { return c.Transactions(t.Context(), Among{}, 51, "") },
		"is no cursor":       func() (Answer[TransactionPage], error) { return c.Transactions(t.Context(), Among{}, 5, "offset:-1") },
		"is no address": func() (Answer[TransactionPage], error) {
			return c.Transactions(t.Context(), Among{Principal: "me"}, 5, "")
		},
		"neither those of a principal": func() (Answer[TransactionPage], error) {
			return c.Transactions(t.Context(), Among{Block: "1", Mempool: true}, 5, "")
		},
		"a height or a hash":                  func() (Answer[TransactionPage], error) { return c.Transactions(t.Context(), Among{Block: "x"}, 5, "") },
		"Route GET:/extended/v1/tx not found": func() (Answer[TransactionPage], error) { return c.Transactions(t.Context(), Among{}, 5, "offset:20") },
		"contract name has 0 characters, not": func() (Answer[TransactionPage], error) {
			return c.Transactions(t.Context(), Among{Principal: alice + "."}, 5, "")
		},
	} {
		if _, err := send(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestAnAccountIsReadByEveryGeneration(t *testing.T) {
	for _, version := range []string{apitest.Version8, apitest.Version9, apitest.Sunset} {
		c := recordedClient(t, version)
		b, err := c.AccountBalance(t.Context(), alice)
		if v := b.Value; err != nil || v.Balance != "-2270762" || v.Locked != "0" || version != apitest.Sunset && (v.Estimated != "-2274872" || v.Outbound != "4110" || v.Inbound != "0") {
			t.Errorf("%s: %+v, %v", version, v, err)
		}
		n, err := c.AccountNonces(t.Context(), alice)
		if v := n.Value; err != nil || v.Next != 486 || *v.LastExecuted != 482 || *v.LastPending != 485 || !slices.Equal(v.Pending, []int64{483}) || !slices.Equal(v.Missing, []int64{484}) {
			t.Errorf("%s: %+v, %v", version, v, err)
		}
		f, err := c.FungibleHoldings(t.Context(), alice)
		if v := f.Value; err != nil || v.Total != 1 || v.Results[0].AssetID != alice+".demo-token::demo" || v.Results[0].Balance != "997499" || v.Results[0].Value != nil {
			t.Errorf("%s: %+v, %v", version, v, err)
		}
		h, err := c.NonFungibleHoldings(t.Context(), alice)
		if v := h.Value; err != nil || v.Total != 1 || v.Results[0].AssetID != alice+".demo-token::ticket" || v.Results[0].Value.Repr != "u1" {
			t.Errorf("%s: %+v, %v", version, v, err)
		}
	}
}
