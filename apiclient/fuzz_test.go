package apiclient

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"chainscope/apiclient/internal/jsoncursor"
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
		err := ValidPrincipal(s)
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
		readErrorBody(body, e)
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
		b, err := blockDecoder(body)
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
		var where *jsoncursor.Error
		if !errors.As(err, &where) || where.Offset < 0 || where.Offset > len(body) || where.Reason == "" {
			t.Errorf("%q: %#v", body, err)
		}
	})
}

// plainly is an object as encoding/json reads it; nil when it would rightly be
// read otherwise: broken UTF-8, or nested too deep.
func plainly(body string) map[string]any {
	var m map[string]any
	if !utf8.ValidString(body) || strings.Count(body, "[")+strings.Count(body, "{") > 500 || json.Unmarshal([]byte(body), &m) != nil {
		return nil
	}
	return m
}
