package wallet

import (
	"encoding/json"
	"math/big"
	"testing"

	"chainscope/wallet/internal/vectors"
)

// bigints replaces {"$bigint": "n"} by a bigint.
func bigints(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = bigints(v[i])
		}
	case *object:
		if text, ok := valueOf(v, "$bigint").(string); ok {
			n, _ := new(big.Int).SetString(text, 10)
			return n
		}
		for _, key := range v.keys {
			v.values[key] = bigints(v.values[key])
		}
	}
	return v
}

func TestEveryWalletIsHandedWhatTheLibraryHandsIt(t *testing.T) {
	file := vectors.Load[struct {
		Cases []struct {
			Name, WalletKind, Method string
			EnableOverrides          bool
			Params                   json.RawMessage
			SentMethod               *string
			SentParams               json.RawMessage
			ParamsAbsent             *bool
			Thrown                   *thrown
		}
	}](t, "connect-overrides.json")
	tested := 0
	for _, c := range file.Cases {
		tested++
		name := c.WalletKind + "/overrides off/" + c.Name
		if c.EnableOverrides {
			name = c.WalletKind + "/overrides on/" + c.Name
		}
		t.Run(name, func(t *testing.T) {
			wallet := &stub{traits: traitsOf[c.WalletKind], reply: envelope([]byte(`{}`))}
			l := New(Config{})
			var params any
			if string(c.Params) != "null" {
				tree, err := read(c.Params)
				if err != nil {
					t.Fatal(err)
				}
				params = bigints(tree)
			}
			_, err := l.Request(t.Context(), Options{Provider: wallet, EnableOverrides: &c.EnableOverrides}, c.Method, params)
			if c.Thrown != nil {
				c.Thrown.check(t, err)
				if len(wallet.calls) != 0 {
					t.Error("the wallet was called all the same")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			call := wallet.calls[0]
			if call.method != *c.SentMethod {
				t.Errorf("sent %s, want %s", call.method, *c.SentMethod)
			}
			if *c.ParamsAbsent {
				if call.params != nil {
					t.Errorf("sent params %s, want none", call.params)
				}
			} else if !sameJSON(call.params, c.SentParams) {
				t.Errorf("sent %s\nwant %s", call.params, c.SentParams)
			}
		})
	}
	count(t, 176, tested)
}
