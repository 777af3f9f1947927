package provider_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
)

// objectsIn calls back with each object inside a JSON value, the value itself left out.
func objectsIn(v any, depth int, found func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		if depth > 0 {
			found(v)
		}
		for name, inner := range v {
			if name != "network" || depth > 0 { // an object of stacks.js with functions and more
				objectsIn(inner, depth+1, found)
			}
		}
	case []any:
		for _, inner := range v {
			objectsIn(inner, depth+1, found)
		}
	}
}

// nested are params with objects in them, beside the samples of each method.
var nested = map[string]string{
	"stx_callContract": `{"contract":"` + contract + `","functionName":"f","functionArgs":[
		{"type":"uint","value":"1"},{"type":"none"},{"type":"some","value":{"type":"true"}},
		{"type":"list","value":[{"type":"int","value":"-1"}]},{"type":"tuple","value":{"a":{"type":"ascii","value":"x"}}}],
		"postConditions":[{"type":"stx-postcondition","address":"origin","condition":"eq","amount":"1"},
		{"type":"ft-postcondition","address":"origin","condition":"gte","amount":"1","asset":"` + contract + `::t"},
		{"type":"nft-postcondition","address":"origin","condition":"sent","asset":"` + contract + `::n","assetId":{"type":"uint","value":"1"}}]}`,
	"stx_signStructuredMessage": `{"message":{"type":"tuple","value":{"a":{"type":"uint","value":"1"}}},
		"domain":{"type":"tuple","value":{"name":{"type":"ascii","value":"d"},"version":{"type":"ascii","value":"1"},"chain-id":{"type":"uint","value":"1"}}}}`,
}

func TestInventedFieldsBelowTheFirstLevelAreNotSigned(t *testing.T) {
	requests := maps.Clone(nested)
	for method, s := range samples(t) {
		requests[method+" "] = string(object(mergedParams(s.must, s.may)))
	}
	tried := 0
	for method, params := range requests {
		method = strings.TrimSpace(method)
		var tree any
		if err := json.Unmarshal([]byte(params), &tree); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		w := newWatcher(provider.PlayChainscope)
		if _, failure := w.outcome(t, method, json.RawMessage(params)); failure != nil && nested[method] == params {
			t.Errorf("%s is refused as it is: %v", method, failure)
		}
		objectsIn(tree, 0, func(o map[string]any) {
			o["madeUp"] = 1
			text, _ := json.Marshal(tree)
			delete(o, "madeUp")
			w := newWatcher(provider.PlayChainscope)
			_, failure := w.outcome(t, method, text)
			if failure == nil || failure.Code != jsonrpc.InvalidParams || w.signed > 0 {
				t.Errorf("%s %s: %v after %d approvals", method, text, failure, w.signed)
			}
			tried++
		})
	}
	if tried < 30 {
		t.Errorf("%d objects were tried", tried)
	}
	// A member that another type of post-condition has is none of this one.
	stray := strings.Replace(nested["stx_callContract"], `"assetId":`, `"amount":"5","assetId":`, 1)
	if _, failure := newWatcher(provider.PlayChainscope).outcome(t, "stx_callContract", json.RawMessage(stray)); failure == nil ||
		!strings.HasPrefix(failure.Message, "postConditions[2].amount: it is no part of a nft-postcondition") {
		t.Errorf("an amount in a condition about one token: %v", failure)
	}
}
