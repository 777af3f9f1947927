package apiclient

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestEveryRecordedErrorHasItsKindAndKeepsWhatTheServerSaid(t *testing.T) {
	var rows []struct {
		Path   string
		Status int
		Body   json.RawMessage
	}
	if err := json.Unmarshal(recorded(t, "errors.json"), &rows); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]Kind{
		"No such namespace": NotFound, "Contract not found": NotFound, "Token not found": NotFound,
		"Locale not found": NotFound, "Token metadata fetch in progress": InProgress,
		"Token error": TokenError, "Invalid page": InvalidInput,
		"Bad Request": InvalidInput, "Not Found": NotFound,
	}
	for _, row := range rows {
		t.Run(row.Path, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, row.Status, string(row.Body)) })
			_, err := c.Blocks(t.Context(), Page{})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			var body map[string]any
			_ = json.Unmarshal(row.Body, &body)
			said := body["error"].(string)
			want, ok := kinds[said]
			if message, _ := body["message"].(string); strings.HasPrefix(message, "Route ") {
				want = Gone
			}
			if !ok || e.Kind != want {
				t.Errorf("kind %s of %q, want %s", e.Kind, said, want)
			}
			message, has := body["message"].(string)
			if !has {
				message = said
			}
			if e.Detail() != message || e.ServerError != said || e.Status != row.Status || e.Attempts != 1 {
				t.Errorf("got %+v", e)
			}
			if code, _ := body["code"].(string); e.Code != code {
				t.Errorf("code %q, want %q", e.Code, code)
			}
			if _, ok := body["statusCode"]; ok && string(e.Extra["statusCode"]) == "" {
				t.Error("the key statusCode is lost")
			}
			if !strings.Contains(e.Error(), message) {
				t.Errorf("text %q does not say %q", e, message)
			}
		})
	}
}

func TestTheKindGoesFirstByTheBodyThenByTheStatus(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		body   string
		want   Kind
	}{
		{"a 422 of unknown text is the server's", 422, `{"error":"Odd"}`, ServerFault},
		{"410 is gone", 410, `{"error":"Gone","message":"This endpoint has been disabled."}`, Gone},
		{"401 is the server's", 401, `{"error":"Unauthorized"}`, ServerFault},
		{"500 is the server's", 500, `{"error":"Internal"}`, ServerFault},
		{"a 500 whose body says that the token is missing", 500, `{"error":"Token not found"}`, NotFound},
		{"the message does not decide", 400, `{"error":"Bad Request","message":"Token not found"}`, InvalidInput},
		{"an error page that is no JSON", 404, `<html>nothing here</html>`, Gone},
		{"no words at all", 404, ``, Gone},
		{"no words but those of the status", 404, `{"error":"Not Found","status":404}`, Gone},
		{"the words of a gateway", 404, `{"message":"no Route matched with those values"}`, Gone},
		{"words of what is not there", 404, `{"statusCode":404,"error":"Not Found","message":"cannot find block by height"}`, NotFound},
		{"an empty body", 500, ``, ServerFault},
		{"an error that is an object", 400, `{"error":{"a":1},"message":null}`, InvalidInput},
		{"a list", 400, `[1]`, InvalidInput},
		{"a page that is not there, whatever the status", 404, `{"error":"Invalid page"}`, InvalidInput},
		{"a namespace that is not there", 400, `{"error":"No such namespace"}`, NotFound},
		{"a contract that is not there, whatever the status", 422, `{"error":"Contract not found"}`, NotFound},
		{"a token that is not there, whatever the status", 422, `{"error":"Token not found"}`, NotFound},
		{"a locale that is not there, whatever the status", 422, `{"error":"Locale not found"}`, NotFound},
		{"metadata that is being fetched", 422, `{"error":"Token metadata fetch in progress"}`, InProgress},
		{"metadata that could not be fetched", 422, `{"error":"Token error","message":"Too slow"}`, TokenError},
		{"a retired route, whatever it says", 410, `<html>`, Gone},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, tc.status, tc.body) })
			_, err := c.BlockByBurnHeight(t.Context(), 5)
			if KindOf(err) != tc.want || err.Error() == "" {
				t.Errorf("kind %s of %v, want %s", KindOf(err), err, tc.want)
			}
		})
	}
}

func TestInputIsCheckedBeforeAnythingIsSent(t *testing.T) {
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("sent %s", r.URL) })
	ctx := t.Context()
	hash := strings.Repeat("ab", 32)
	good := "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-token"
	calls := map[string]func() error{
		"a lower-case address":        func() error { _, e := c.FungibleToken(ctx, strings.ToLower(good), ""); return e },
		"an asset suffix":             func() error { _, e := c.FungibleToken(ctx, good+"::x", ""); return e },
		"an address of 27 characters": func() error { _, e := c.FungibleToken(ctx, good[:27]+".token", ""); return e },
		"a newline at the end":        func() error { _, e := c.FungibleToken(ctx, good+"\n", ""); return e },
		"a 41-character name": func() error {
			_, e := c.FungibleToken(ctx, good[:42]+strings.Repeat("a", 41), "")
			return e
		},
		"no contract name":           func() error { _, e := c.NonFungibleToken(ctx, good[:41], "1", ""); return e },
		"an empty principal":         func() error { _, e := c.NonFungibleToken(ctx, "", "1", ""); return e },
		"an empty token id":          func() error { _, e := c.NonFungibleToken(ctx, good, "", ""); return e },
		"a token id with a fraction": func() error { _, e := c.NonFungibleToken(ctx, good, "1.5", ""); return e },
		"a token id above 128 bits": func() error {
			_, e := c.NonFungibleToken(ctx, good, "340282366920938463463374607431768211456", "")
			return e
		},
		"a locale with an escape":     func() error { _, e := c.FungibleToken(ctx, good, "e\x1b"); return e },
		"limit 31":                    func() error { _, e := c.Blocks(ctx, rows(31, 0)); return e },
		"limit -2":                    func() error { _, e := c.Blocks(ctx, rows(-2, 0)); return e },
		"offset -1":                   func() error { _, e := c.Blocks(ctx, Page{Offset: -1}); return e },
		"a negative height":           func() error { _, e := c.BlockByBurnHeight(ctx, -1); return e },
		"a short hash":                func() error { _, e := c.BlockByBurnHash(ctx, hash[:62]); return e },
		"a hash that is not hex":      func() error { _, e := c.BlockByBurnHash(ctx, "0xzz"+hash[:62]); return e },
		"LATEST":                      func() error { _, e := c.BurnBlockBlocks(ctx, "LATEST", Page{}); return e },
		"a negative burn height":      func() error { _, e := c.BurnBlockBlocks(ctx, "-1", Page{}); return e },
		"an endless height":           func() error { _, e := c.BurnBlockBlocks(ctx, "99999999999999999999", Page{}); return e },
		"an empty namespace":          func() error { _, e := c.Names(ctx, "", NamesQuery{}); return e },
		"a namespace with a newline":  func() error { _, e := c.Names(ctx, "b\ntc", NamesQuery{}); return e },
		"a namespace of broken UTF-8": func() error { _, e := c.AllNames(ctx, "\xff", AllNamesQuery{}); return e },
		"a namespace with a C1 byte":  func() error { _, e := c.AllNames(ctx, "a\u009b", AllNamesQuery{}); return e },
		"page -1":                     func() error { _, e := c.Names(ctx, "btc", NamesQuery{Page: -1}); return e },
	}
	for name, call := range calls {
		if err := call(); KindOf(err) != InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsWrongWithAnInputIsSaid(t *testing.T) {
	address := "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE"
	hash := strings.Repeat("ab", 32)
	_, unreadable := heightOrHash("0xzz")
	_, endless := heightOrHash("99999999999999999999")
	for want, err := range map[string]error{
		"principal is empty (want ":                                    CheckPrincipal(""),
		`principal "` + address + `" has no contract name (want `:      CheckPrincipal(address),
		": leave out the asset name after \"::\"":                      CheckPrincipal(address + ".a::b"),
		": the address has 27 characters, not 28-41 (want ":            CheckPrincipal(address[:27] + ".a"),
		": the address has 42 characters, not 28-41 (want ":            CheckPrincipal(address + "A.a"),
		": the contract name has 0 characters, not 1-40":               CheckPrincipal(address + "."),
		": the contract name has 41 characters, not 1-40":              CheckPrincipal(address + "." + strings.Repeat("a", 41)),
		": the address must be in upper case":                          CheckPrincipal(strings.ToLower(address) + ".a"),
		" has an invalid character (want ":                             CheckPrincipal(address + ".1"),
		": invalid hex digit 'o' at position 2":                        CheckHash("aob" + hash[3:]),
		": invalid hex digit 'é' at position 5":                        CheckHash("0xabé" + hash),
		" has 63 hex digits, not 64":                                   CheckHash("0x" + hash[1:]),
		" has 65 hex digits, not 64":                                   CheckHash(hash + "a"),
		"height must be 0 or more":                                     validHeight(-1),
		"limit must be 0-30":                                           validPage(Page{Limit: 31}),
		"offset must be 0 or more":                                     validPage(Page{Offset: -1}),
		"token id is empty (want a whole number)":                      validTokenID(""),
		`token id "1.5" is not a whole number`:                         validTokenID("1.5"),
		"is above 2^128-1":                                             validTokenID("340282366920938463463374607431768211456"),
		"namespace is empty":                                           CheckNamespace(""),
		"namespace has 1025 bytes, more than 1024":                     CheckNamespace(strings.Repeat("a", 1025)),
		`namespace "\xff" is not valid UTF-8`:                          CheckNamespace("\xff"),
		`locale "\x1b" has the control character U+001B`:               CheckLocale("\x1b"),
		`"0xzz" is not "latest", a height or a hash (0x and 64 hex di`: unreadable,
		`height "99999999999999999999" is too large`:                   endless,
		"page must be 1 or more":                                       validNamesQuery("btc", -1),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	for _, err := range []error{
		CheckPrincipal(address[:28] + ".a"), CheckPrincipal(address + "." + strings.Repeat("a", 40)),
		CheckNamespace(strings.Repeat("a", 1024)), CheckLocale(""), CheckHash(hash), CheckHash("0X" + hash),
		validTokenID("340282366920938463463374607431768211455"), validHeight(0),
	} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestPathsAreWrittenAsTheServerReadsThem(t *testing.T) {
	var requested string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requested = r.RequestURI
		answer(w, 404, `{"error":"x"}`)
	})
	ctx := t.Context()
	hash := strings.Repeat("Ab", 32)
	for want, call := range map[string]func(){
		"/v1/namespaces/%2E%2E/names":                                              func() { _, _ = c.Names(ctx, "..", NamesQuery{}) },
		"/v1/namespaces/%2E/names":                                                 func() { _, _ = c.Names(ctx, ".", NamesQuery{}) },
		"/v1/namespaces/a%2Fb%25%20%3F%23/names":                                   func() { _, _ = c.Names(ctx, "a/b% ?#", NamesQuery{Page: 1}) },
		"/v1/namespaces/%C3%BC/names?unanchored=true":                              func() { _, _ = c.Names(ctx, "ü", NamesQuery{Unanchored: true}) },
		"/extended/v1/block":                                                       func() { _, _ = c.Blocks(ctx, Page{}) },
		"/extended/v1/block?limit=0&offset=7":                                      func() { _, _ = c.Blocks(ctx, rows(0, 7)) },
		"/extended/v1/block/by_burn_block_height/872114":                           func() { _, _ = c.BlockByBurnHeight(ctx, 872114) },
		"/extended/v1/block/by_burn_block_hash/0x" + strings.ToLower(hash):         func() { _, _ = c.BlockByBurnHash(ctx, hash) },
		"/extended/v2/burn-blocks/0x" + strings.ToLower(hash) + "/blocks":          func() { _, _ = c.BurnBlockBlocks(ctx, "0x"+hash, Page{}) },
		"/extended/v2/burn-blocks/0x" + strings.Repeat("1", 64) + "/blocks":        func() { _, _ = c.BurnBlockBlocks(ctx, strings.Repeat("1", 64), Page{}) },
		"/extended/v2/burn-blocks/latest/blocks?offset=3":                          func() { _, _ = c.BurnBlockBlocks(ctx, "latest", Page{Offset: 3}) },
		"/metadata/v1/ft/SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.a?locale=a%26b": func() { _, _ = c.FungibleToken(ctx, "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.a", "a&b") },
		"/metadata/v1/nft/SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.a/340282366920938463463374607431768211455": func() {
			_, _ = c.NonFungibleToken(ctx, "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.a", "340282366920938463463374607431768211455", "")
		},
		"/metadata/v1/nft/SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.a/1?locale=jp": func() {
			_, _ = c.NonFungibleToken(ctx, "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.a", "1", "jp")
		},
	} {
		if call(); requested != want {
			t.Errorf("requested %s, want %s", requested, want)
		}
	}
}
