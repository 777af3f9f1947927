//go:build clarity

package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/fork"
	"chainscope/mockserver/fork/forktest"
	"chainscope/wallet/clarity"
)

// sums adds entries of a map, which a node has for every number: each entry is one read.
const sums = `(define-map entries uint uint)
(define-data-var total uint u0)
(define-private (plus (n uint) (so-far uint)) (+ so-far (default-to u0 (map-get? entries n))))
(define-public (sum (all (list 100 uint))) (begin (var-set total (fold plus all u0)) (ok (var-get total))))
`

// setSums lets a node have the contract sums, with entries of 1 for all numbers below a bound.
func setSums(n *forktest.Node, bound int) string {
	id := forktest.Deployer + ".sums"
	issuer := strings.ReplaceAll(fmt.Sprint(must20(forktest.Deployer)), " ", ",")
	named := `{"issuer":[22,` + issuer + `],"name":"sums"}`
	n.SetMetadata(id, "vm-metadata::9::contract-size", strconv.Itoa(len(sums)))
	n.SetMetadata(id, "vm-metadata::9::contract-data-size", "100")
	n.SetMetadata(id, "vm-metadata::9::contract-src", sums)
	n.SetMetadata(id, "vm-metadata::9::contract", `{"contract_context":{"contract_identifier":`+named+`,"variables":{},"functions":{},"defined_traits":{},"implemented_traits":[],"persisted_names":["entries","total"],"meta_data_map":{"entries":{"key_type":"UIntType","value_type":"UIntType"}},"meta_data_var":{"total":{"value_type":"UIntType"}},"meta_nft":{},"meta_ft":{},"data_size":100,"clarity_version":"Clarity3","is_deploying":false}}`)
	n.SetMetadata(id, "analysis", `{"contract_identifier":`+named+`,"private_function_types":{},"variable_types":{},"public_function_types":{"sum":{"Fixed":{"args":[{"signature":{"SequenceType":{"ListType":{"max_len":100,"entry_type":"UIntType"}}},"name":"all"}],"returns":{"ResponseType":["UIntType","NoType"]}}}},"read_only_function_types":{},"map_types":{"entries":["UIntType","UIntType"]},"persisted_variable_types":{"total":"UIntType"},"fungible_tokens":[],"non_fungible_tokens":{},"defined_traits":{},"implemented_traits":[],"contract_interface":null,"is_cost_contract_eligible":false,"epoch":"Epoch31","clarity_version":"Clarity3"}`)
	n.Set(forktest.Value("vm::"+id+"::1::total"), 200, `{"data":"`+"01"+fmt.Sprintf("%032x", 0)+`"}`)
	for i := range bound {
		n.Set(forktest.Value(fmt.Sprintf("vm::%s::0::entries::01%032x", id, i)), 200, `{"data":"0a01`+fmt.Sprintf("%032x", 1)+`"}`)
	}
	return id
}

func must20(address string) [20]byte {
	p, err := clarity.ParsePrincipal(address)
	if err != nil {
		panic(err)
	}
	return p.Address.Hash160
}

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// A call on a fork takes no longer than 1.3 times what the official SDK's own forked session takes where its values are
// known, and 1.5 times where a hundred values are read over loopback. The two take turns, and the medians of
// their calls are compared; each call is in a block of its own, as the SDK has it. Both count costs.
func BenchmarkACallOnAForkBesideTheSDK(b *testing.B) {
	const calls = 20
	n := newNode(b)
	contract := setSums(n, 100*(calls+1))
	var known, unknown, sdkKnown, sdkUnknown []float64
	for b.Loop() {
		out, err := exec.Command("node", "testdata/sdk/forked.mjs", n.URL, strconv.Itoa(forktest.Height), forktest.Holder, contract, strconv.Itoa(calls), "costs").Output()
		if err != nil {
			var ended *exec.ExitError
			if errors.As(err, &ended) {
				out = append(out, ended.Stderr...)
			}
			b.Fatalf("%v\n%s", err, out)
		}
		var sdk struct{ Known, Unknown []float64 }
		if err := json.Unmarshal(out, &sdk); err != nil {
			b.Fatal(err)
		}
		sdkKnown, sdkUnknown = append(sdkKnown, sdk.Known...), append(sdkUnknown, sdk.Unknown...)

		client, err := apiclient.New(apiclient.Options{BaseURL: n.URL})
		if err != nil {
			b.Fatal(err)
		}
		s := newLive(b, n, func(o *fork.Options) { o.Client, o.Cache = client, b.TempDir() })
		at, height := (*engine.Point)(nil), int64(h)
		call := func(from, count int) float64 {
			list := clarity.List{}
			for i := range count {
				list = append(list, clarity.NewUInt(uint64(from+i)))
			}
			height++
			began := time.Now()
			does, then := s.call(at, height, forktest.Holder, contract, "sum", list)
			took := time.Since(began)
			if want := fmt.Sprintf("(ok u%d)", count); clarity.Repr(does.Result) != want {
				b.Fatalf("%s %s, want %s", clarity.Repr(does.Result), does.Error, want)
			}
			at = then
			return float64(took.Microseconds()) / 1000
		}
		for range 5 {
			call(0, 1)
		}
		for range calls {
			known = append(known, call(0, 1))
		}
		for i := range calls {
			unknown = append(unknown, call(100*(i+1), 100))
		}
		s.engine.Close()
		s.source.Close()
		client.Close()
	}
	for _, row := range []struct {
		what      string
		ours, sdk []float64
	}{{"known", known, sdkKnown}, {"100-unknown", unknown, sdkUnknown}} {
		b.ReportMetric(median(row.ours), "ms/"+row.what)
		b.ReportMetric(median(row.sdk), "sdk-ms/"+row.what)
		b.ReportMetric(median(row.ours)/median(row.sdk), "ratio/"+row.what)
	}
}
