package mockserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestEveryGenerationDescribesWhatItServes holds the answers of each against the
// document that it serves itself.
func TestEveryGenerationDescribesWhatItServes(t *testing.T) {
	notRaced(t)
	for _, name := range APIVersions() {
		s := anchored(t, version(name))
		text := fetch(t, s, "/openapi.json").Body.Bytes()
		own := []schema{loadSchema(t, "our own", text)}
		targets := []string{
			"/extended", "/v1/namespaces", "/v1/namespaces/btc/names", "/v1/namespaces/btc/names?page=x", tokenList + "?limit=3", tokenList + "?limit=0",
			blockURL + "?limit=1", byHeight + "756066", burnURL + "latest/blocks", burnURL + "?limit=2", burnURL + "latest", burnURL + "1",
			"/extended/v2/blocks?limit=2", "/extended/v2/blocks/?limit=31", "/extended/v2/blocks/latest", "/extended/v2/blocks/abc",
			"/extended/v2/block-tenures/150000/blocks", "/extended/v1/address/SP000000000000000000002Q6VF78/nonces",
		}
		if name != "8" {
			targets = append(targets, "/extended/v3/blocks/latest/transactions", "/extended/v3/blocks/1/transactions?limit=1", "/extended/v3/blocks/0/transactions",
				"/extended/v3/transactions/0x"+zeros, "/extended/v3/principals/SP000000000000000000002Q6VF78/nonces", "/extended/v3/principals/x/nonces")
		}
		if name == "v3" {
			for _, query := range []string{"", "?limit=1", "?limit=0", "?cursor=5", "?cursor=x"} {
				targets = append(targets, "/extended/v3/blocks"+query, "/extended/v3/bitcoin-blocks"+query, "/extended/v3/bitcoin-blocks/latest/blocks"+query)
			}
			for _, one := range []string{"latest", "5", "abc", "700000"} {
				targets = append(targets, "/extended/v3/blocks/"+one, "/extended/v3/bitcoin-blocks/"+one, "/extended/v3/bitcoin-blocks/"+one+"/blocks")
			}
		}
		for _, target := range targets {
			w := get(s, target)
			if agrees(t, own, target, w) == 0 {
				t.Errorf("%s: the document does not know GET %s", name, target)
			}
		}
		var doc struct {
			Paths map[string]map[string]struct {
				Deprecated  bool
				Description string
				Responses   map[string]json.RawMessage
			}
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		for path, methods := range doc.Paths {
			if v3 := strings.HasPrefix(path, "/extended/v3/b") && !strings.HasSuffix(path, "/transactions"); v3 && (name != "v3" || !strings.Contains(methods["get"].Description, "not been seen on a real server")) {
				t.Errorf("%s: %s: %s", name, path, methods["get"].Description)
			}
		}
		_, v3 := doc.Paths["/extended/v3/blocks"]
		v1, v2 := doc.Paths[blockURL]["get"], doc.Paths["/extended/v2/blocks"]["get"]
		_, v1Found := v1.Responses["200"]
		_, v2Found := v2.Responses["200"]
		got := fmt.Sprint(v1.Deprecated, v1Found, v2.Deprecated, v2Found, v3)
		want := map[string]string{
			"8": "true true false true false", "9": "true true false true false",
			"sunset": "true false false true false", "v3": "true false true false true",
		}[name]
		if got != want {
			t.Errorf("%s: v1 deprecated, served, v2 deprecated, served, v3: %s, want %s", name, got, want)
		}
	}
}
