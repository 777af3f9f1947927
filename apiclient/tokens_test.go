package apiclient

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const somePrincipal = "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.token"

func TestRecordedTokensAreReadInFull(t *testing.T) {
	read := func(name string) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(recorded(t, name), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	for key, body := range read("ft-metadata.json") {
		if key == "schema_examples" {
			continue
		}
		t.Run("fungible "+key, func(t *testing.T) {
			var rows []json.RawMessage
			if json.Unmarshal(body, &rows) != nil {
				rows = []json.RawMessage{body}
			}
			for _, body := range rows {
				c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, string(body)) })
				got, err := c.FungibleToken(t.Context(), somePrincipal, "")
				if err != nil {
					t.Fatal(err)
				}
				var want FungibleToken
				var loose struct {
					Supply string `json:"total_supply"`
				}
				if err := json.Unmarshal(body, &want); err != nil {
					t.Fatal(err)
				}
				_ = json.Unmarshal(body, &loose)
				v := got.Value
				supply := ""
				if v.TotalSupply != nil {
					supply = v.TotalSupply.String()
				}
				if supply != loose.Supply {
					t.Errorf("supply %s, want %s", supply, loose.Supply)
				}
				v.TotalSupply, v.Extra = nil, nil
				if d := cmp.Diff(jsonOf(t, want), jsonOf(t, v)); d != "" {
					t.Error(d)
				}
			}
		})
	}
	for key, body := range read("nft-metadata.json") {
		if key == "raw_sip16_documents" {
			continue
		}
		t.Run("non-fungible "+key, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, string(body)) })
			got, err := c.NonFungibleToken(t.Context(), somePrincipal, "1", "")
			if err != nil {
				t.Fatal(err)
			}
			var want NonFungibleToken
			if err := json.Unmarshal(body, &want); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(jsonOf(t, want), jsonOf(t, got.Value)); d != "" {
				t.Error(d)
			}
		})
	}
}

func jsonOf(t testing.TB, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestUnknownValuesMayBeAbsentNullOrEmpty(t *testing.T) {
	for name, body := range map[string]string{
		"absent": `{"tx_id":"0x01"}`,
		"null":   `{"tx_id":"0x01","name":null,"decimals":null,"total_supply":null,"metadata":null,"image_uri":null}`,
		"empty":  `{"tx_id":"0x01","name":"","decimals":"","total_supply":"","metadata":"","image_uri":""}`,
	} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, body) })
		got, err := c.FungibleToken(t.Context(), somePrincipal, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d := cmp.Diff(FungibleToken{TxID: "0x01"}, got.Value); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestATokenKeepsEveryKindOfJSONAndUnknownFields(t *testing.T) {
	const body = `{"tx_id":"0x01","decimals":6.0,"total_supply":340282366920938463463374607431768211455,"new":[1,{"a":null}],
	"metadata":{"sip":1.6e1,"properties":{"a":1.50,"b":[true],"collection":"c"},"odd":1,
	"attributes":[{"trait_type":"t","value":{"x":1}},{"value":null,"weight":2},null],
	"localization":{"uri":"u/{locale}","default":"en","locales":["en","es-MX"],"more":false}}}`
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, body) })
	got, err := c.FungibleToken(t.Context(), somePrincipal, "")
	if err != nil {
		t.Fatal(err)
	}
	v := got.Value
	m := v.Metadata
	if *v.Decimals != 6 || v.TotalSupply.BitLen() != 128 || *m.SIP != 16 {
		t.Errorf("numbers: %v %v %v", *v.Decimals, v.TotalSupply, *m.SIP)
	}
	for what, pair := range map[string][2]string{
		"unknown field":             {string(v.Extra["new"]), `[1,{"a":null}]`},
		"unknown field of metadata": {string(m.Extra["odd"]), `1`},
		"property":                  {string(m.Properties["a"]), `1.50`},
		"attribute's object":        {string(m.Attributes[0].Value), `{"x":1}`},
		"attribute's null":          {string(m.Attributes[1].Value), `null`},
		"attribute's extra":         {string(m.Attributes[1].Extra["weight"]), `2`},
		"localization's extra":      {string(m.Localization.Extra["more"]), `false`},
		"last locale":               {m.Localization.Locales[1], `es-MX`},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", what, pair[0], pair[1])
		}
	}
	if len(m.Attributes) != 3 {
		t.Errorf("%d attributes", len(m.Attributes))
	}
}

func TestAnAbsurdSupplyDoesNotHideTheToken(t *testing.T) {
	for supply, want := range map[string]string{"-5": "-5", "1.5": "", "lots": "", strings.Repeat("9", 200): strings.Repeat("9", 200), strings.Repeat("9", 2000): ""} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, `{"name":"x","total_supply":"`+supply+`"}`)
		})
		got, err := c.FungibleToken(t.Context(), somePrincipal, "")
		if err != nil {
			t.Fatalf("%s: %v", supply, err)
		}
		number := ""
		if got.Value.TotalSupply != nil {
			number = got.Value.TotalSupply.String()
		}
		if number != want || (want == "") != (got.Value.TotalSupplyText == supply) {
			t.Errorf("%s: number %q, text %q", supply, number, got.Value.TotalSupplyText)
		}
	}
}

// One field of a wrong type leaves the others of a token: it alone stays unknown.
func TestAWrongFieldOfATokenHidesNoOther(t *testing.T) {
	for wrong, known := range map[string]bool{
		`"decimals":"six"`: false, `"decimals":99999999999`: false, `"decimals":6`: true,
		`"decimals":6,"description":["a"]`: true, `"decimals":6,"metadata":{"sip":"x","name":"Inner"}`: true, `"decimals":6,"metadata":"none"`: true,
		`"decimals":6,"metadata":{"name":"Inner","attributes":[{"trait_type":5}]}`: true, `"decimals":6,"image_uri":{},"token_uri":7,"description":true`: true,
	} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, `{"name":"Token","symbol":"TKN","total_supply":"500",`+wrong+`,"tx_id":"0x01","sender_address":"SP","asset_identifier":"a"}`)
		})
		a, err := c.FungibleToken(t.Context(), somePrincipal, "")
		token := a.Value
		if err != nil || token.Name != "Token" || token.Symbol != "TKN" || token.TotalSupply == nil || token.TotalSupply.Int64() != 500 || token.TxID != "0x01" || (token.Decimals != nil) != known {
			t.Errorf("%s: %+v, %v", wrong, token, err)
		}
		if strings.Contains(wrong, "Inner") && (token.Metadata == nil || token.Metadata.Name != "Inner") {
			t.Errorf("%s: the metadata is %+v", wrong, token.Metadata)
		}
	}
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, `["not a token"]`) })
	if _, err := c.FungibleToken(t.Context(), somePrincipal, ""); KindOf(err) != Decode {
		t.Errorf("a list in place of a token: %v", err)
	}
}

func TestASupplyOfAnotherTypeIsADecodeError(t *testing.T) {
	for _, body := range []string{`{"total_supply":true}`, `{"total_supply":{}}`} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, body) })
		if _, err := c.FungibleToken(t.Context(), somePrincipal, ""); KindOf(err) != Decode {
			t.Errorf("%s: %v", body, err)
		}
	}
}
