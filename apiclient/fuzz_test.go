package apiclient

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzPrincipal(f *testing.F) {
	f.Add(somePrincipal)
	f.Add("SP.x")
	f.Add(somePrincipal + "\n")
	f.Fuzz(func(t *testing.T, s string) {
		address, name, dot := strings.Cut(s, ".")
		want := dot && len(address) >= 28 && len(address) <= 41 && len(name) >= 1 && len(name) <= 40 &&
			strings.Trim(address, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == "" &&
			strings.Trim(name, tokenLetters+"0123456789-_") == "" && strings.Contains(tokenLetters, name[:1])
		err := CheckPrincipal(s)
		if (err == nil) != want {
			t.Errorf("%q: %v", s, err)
		}
		if err != nil && len(err.Error()) > 1000 {
			t.Errorf("the error of %d bytes is %d long", len(s), len(err.Error()))
		}
	})
}

const tokenLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func FuzzHash(f *testing.F) {
	f.Add("0x" + strings.Repeat("aB", 32))
	f.Add("")
	f.Add("0x")
	f.Fuzz(func(t *testing.T, s string) {
		h, err := normalHash(s)
		if err != nil {
			return
		}
		if len(h) != 66 || !strings.HasSuffix(strings.ToLower(s), h[2:]) || len(s) > 66 {
			t.Errorf("%q became %q", s, h)
		}
		if again, err := normalHash(h); err != nil || again != h {
			t.Errorf("%q became %q, %v", h, again, err)
		}
	})
}

func FuzzErrorBody(f *testing.F) {
	f.Add(`{"error":"x","message":"y","code":1,"statusCode":400}`)
	f.Add(`{"error":{"a":[]}}`)
	f.Add(`<html>`)
	f.Fuzz(func(t *testing.T, body string) {
		e := &Error{Status: 400}
		readErrorBody([]byte(body), e)
		e.Kind = kindOfAnswer(e.Status, e.ServerError)
		if e.Kind == "" || e.Error() == "" {
			t.Errorf("%q says nothing", body)
		}
		want := plainly(body)
		if text, ok := want["error"].(string); ok && e.Extra["error"] == nil && text != e.ServerError {
			t.Errorf("error %q, want %q", e.ServerError, text)
		}
		for key := range want {
			if _, kept := e.Extra[key]; !kept && key != "error" && key != "message" && key != "code" {
				t.Errorf("%q lost the key %q", body, key)
			}
		}
	})
}

func FuzzBlockDecoding(f *testing.F) {
	f.Add(`{"height":1,"txs":["a"],"microblock_tx_count":{"a":1}}`)
	f.Add(`{"results":[{"height":1.5e3,"x":"\ud83d\ude00\n"}]}`)
	f.Add(`{"height":-0,"a":[[[[]]]],"hash":"\u00e9"}`)
	f.Fuzz(func(t *testing.T, body string) {
		b, err := decode[Block]([]byte(body))
		if err == nil {
			if !json.Valid([]byte(body)) {
				t.Errorf("%q is no JSON but was read", body)
			}
			for key, raw := range b.Extra {
				if !json.Valid(raw) {
					t.Errorf("%s kept %q", key, raw)
				}
			}
			if !utf8.ValidString(b.Hash) {
				t.Errorf("the hash %q is not UTF-8", b.Hash)
			}
			if text, ok := plainly(body)["hash"].(string); ok && text != b.Hash {
				t.Errorf("hash %q, want %q", b.Hash, text)
			}
			return
		}
		var where *decodeError
		if !errors.As(err, &where) || where.Offset < 0 || where.Offset > len(body) || where.Reason == "" {
			t.Errorf("%q: %#v", body, err)
		}
	})
}

// plainly returns an object as encoding/json reads it; nil when it would rightly be
// read otherwise: broken UTF-8, or nested too deep.
func plainly(body string) map[string]any {
	var m map[string]any
	if !utf8.ValidString(body) || strings.Count(body, "[")+strings.Count(body, "{") > 500 || json.Unmarshal([]byte(body), &m) != nil {
		return nil
	}
	return m
}

func FuzzListDecoding(f *testing.F) {
	f.Add(`{"limit":20,"offset":0,"total":1,"results":[{"height":1,"tx_count":2}]}`)
	f.Add(`{"results":[],"total":9007199254740992}`)
	f.Add(`{"results":[null]}`)
	f.Fuzz(func(t *testing.T, body string) {
		blocks, err := listOf[Block](nil)([]byte(body))
		wellDecoded(t, body, err)
		if err == nil {
			inRange(t, blocks.Limit, blocks.Offset, blocks.Total)
			for _, b := range blocks.Results {
				inRange(t, b.Height, b.BlockTime, b.BurnBlockHeight, b.BurnBlockTime, b.Runtime, b.ParentMicroblockSequence+1)
			}
		}
		listed, err := listOf[ListedBlock](nil)([]byte(body))
		wellDecoded(t, body, err)
		if err == nil {
			inRange(t, listed.Limit, listed.Offset, listed.Total)
			for _, b := range listed.Results {
				inRange(t, b.Height, b.BlockTime, b.BurnBlockHeight, b.BurnBlockTime, b.TxCount, b.WriteLength)
			}
		}
	})
}

func FuzzTokenDecoding(f *testing.F) {
	f.Add(`{"decimals":6,"total_supply":"100","metadata":{"sip":16,"attributes":[{"value":[1]}],"localization":{"locales":["en"]}}}`)
	f.Add(`{"metadata":{"properties":{"a":{"b":1}}},"total_supply":-5}`)
	f.Fuzz(func(t *testing.T, body string) {
		token, err := decodeFungible([]byte(body))
		wellDecoded(t, body, err)
		if m := token.Metadata; err == nil && m != nil {
			for key, raw := range m.Properties {
				if !json.Valid(raw) {
					t.Errorf("property %q is %q", key, raw)
				}
			}
			for _, a := range m.Attributes {
				if a.Value != nil && !json.Valid(a.Value) {
					t.Errorf("attribute %q is %q", a.TraitType, a.Value)
				}
			}
		}
		_, err = decode[NonFungibleToken]([]byte(body))
		wellDecoded(t, body, err)
	})
}

func FuzzNamesDecoding(f *testing.F) {
	f.Add(`["a.btc","\u00e9.btc"]`)
	f.Add(`[1]`)
	f.Add(`""`)
	f.Add(`[] ,`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, body string) {
		names, err := decodeNames([]byte(body))
		wellDecoded(t, body, err)
		if err != nil || !utf8.ValidString(body) {
			return
		}
		var want []string
		if err := json.Unmarshal([]byte(body), &want); err != nil || !slices.Equal(names, want) {
			t.Errorf("%q became %q, want %q (%v)", body, names, want, err)
		}
	})
}

// wellDecoded checks that what was decoded is JSON, and that an error says where.
func wellDecoded(t *testing.T, body string, err error) {
	t.Helper()
	if err == nil {
		if !json.Valid([]byte(body)) {
			t.Errorf("%q is no JSON but was decoded", body)
		}
		return
	}
	var where *decodeError
	if !errors.As(err, &where) || where.Offset < 0 || where.Offset > len(body) || where.Reason == "" {
		t.Errorf("%q: %#v", body, err)
	}
}

func inRange(t *testing.T, numbers ...int64) {
	t.Helper()
	for _, n := range numbers {
		if n < 0 || n > maxNumber {
			t.Errorf("%d was taken", n)
		}
	}
}

func FuzzHeightOrHash(f *testing.F) {
	f.Add("latest")
	f.Add("0007")
	f.Add("0x" + strings.Repeat("aB", 32))
	f.Add("-1")
	f.Fuzz(func(t *testing.T, s string) {
		which, err := heightOrHash(s)
		if err != nil {
			if len(err.Error()) > 1000 {
				t.Errorf("the error of %d bytes is %d long", len(s), len(err.Error()))
			}
			return
		}
		if again, err := heightOrHash(which); err != nil || again != which {
			t.Errorf("%q became %q, then %q, %v", s, which, again, err)
		}
		if which != "latest" && strings.Trim(which, "0123456789abcdefx") != "" {
			t.Errorf("%q goes into the path as %q", s, which)
		}
	})
}

func FuzzPathSegment(f *testing.F) {
	f.Add("..")
	f.Add("a/b%2F?#")
	f.Fuzz(func(t *testing.T, s string) {
		escaped := escapeSegment(s)
		u, err := url.Parse("http://h/a/" + escaped + "/z")
		if err != nil || u.Path != "/a/"+s+"/z" || u.RawQuery != "" || escaped == ".." || escaped == "." {
			t.Errorf("%q became %q: %v, %v", s, escaped, u, err)
		}
	})
}

func FuzzContentType(f *testing.F) {
	f.Add("application/json;charset=UTF-8")
	f.Add("text/html")
	f.Fuzz(func(t *testing.T, s string) {
		if err := checkJSONType(s); err == nil && s != "" && !strings.Contains(strings.ToLower(s), "json") {
			t.Errorf("%q passes for JSON", s)
		}
	})
}
