package mockserver

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/tokens"
)

const (
	deployer = "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS"

	badPrincipal  = `{"statusCode":400,"error":"Bad Request","message":"params/principal must match pattern \"^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}\\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$\""}`
	badTokenID    = `{"statusCode":400,"error":"Bad Request","message":"params/token_id must be integer"}`
	noContract    = `{"error":"Contract not found"}`
	noToken       = `{"error":"Token not found"}`
	noLocale      = `{"error":"Locale not found"}`
	inProgress    = `{"error":"Token metadata fetch in progress"}`
	clarityFailed = `{"error":"Token error","message":"The token contract produced a Clarity error when trying to fetch metadata"}`
	parseFailed   = `{"error":"Token error","message":"Metadata could not be parsed or it does not conform to SIP-016"}`
)

func noRoute(method, path string) string {
	return `{"message":"Route ` + method + ":" + path + ` not found","error":"Not Found","statusCode":404}`
}

func TestTokenRequestsThatAreRefused(t *testing.T) {
	ft, nft := "/metadata/v1/ft/", "/metadata/v1/nft/"
	long := strings.Repeat("n", 41)
	cases := []struct {
		name, path string
		status     int
		body       string
	}{
		{"a lower case address", ft + strings.ToLower(deployer) + ".ft-full", 400, badPrincipal},
		{"an asset behind the principal", ft + deployer + ".ft-full::full", 400, badPrincipal},
		{"a contract name of 41 characters", ft + deployer + "." + long, 400, badPrincipal},
		{"a contract name of 40 characters", ft + deployer + "." + long[1:], 404, noContract},
		{"a contract name that begins with a digit", ft + deployer + ".1ft", 400, badPrincipal},
		{"an address without a contract", ft + deployer, 400, badPrincipal},
		{"an address of 27 characters", ft + strings.Repeat("S", 27) + ".a", 400, badPrincipal},
		{"a line break behind the principal", ft + deployer + ".ft-full%0A", 400, badPrincipal},
		{"an empty principal", ft, 400, badPrincipal},
		{"a bad principal before a bad id", nft + "bad/abc", 400, badPrincipal},
		{"an id of letters", nft + deployer + ".nft/abc", 400, badTokenID},
		{"an id with a fraction", nft + deployer + ".nft/1.5", 400, badTokenID},
		{"an empty id", nft + deployer + ".nft/", 400, badTokenID},
		{"a bad id of an unknown contract", nft + deployer + ".nope/x", 400, badTokenID},
		{"an unknown contract", ft + deployer + ".nope", 404, noContract},
		{"a contract name in another case", ft + deployer + ".FT-full", 404, noContract},
		{"an unknown contract with a locale", ft + deployer + ".nope?locale=en", 404, noContract},
		{"an invalid contract", ft + deployer + ".ct-invalid", 422, clarityFailed},
		{"an invalid contract with an unknown id", nft + deployer + ".nft-ct-invalid/99", 422, clarityFailed},
		{"an invalid contract with an unknown locale", ft + deployer + ".ct-invalid?locale=xx", 422, clarityFailed},
		{"a contract without a token", ft + deployer + ".ft-notoken", 404, noToken},
		{"an unknown token", nft + deployer + ".nft/3", 404, noToken},
		{"token 0", nft + deployer + ".nft/0", 404, noToken},
		{"token -1", nft + deployer + ".nft/-1", 404, noToken},
		{"the highest token id", nft + deployer + ".nft/340282366920938463463374607431768211455", 404, noToken},
		{"an unknown token with a locale", nft + deployer + ".nft/3?locale=en", 404, noToken},
		{"an unknown locale", ft + deployer + ".ft-full?locale=xx", 422, noLocale},
		{"a locale in another case", ft + "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar?locale=ES-mx", 422, noLocale},
		{"an invalid token with an unknown locale", ft + deployer + ".ft-invalid?locale=xx", 422, noLocale},
		{"an invalid token", ft + deployer + ".ft-invalid", 422, parseFailed},
		{"a token in progress with an unknown locale", ft + deployer + ".ft-pending?locale=xx", 422, noLocale},
		{"a token in progress", ft + deployer + ".ft-pending", 422, inProgress},
		{"a slash behind a fungible token", ft + deployer + ".ft-full/", 404, noRoute("GET", ft+deployer+".ft-full/")},
		{"a slash behind a non-fungible token", nft + deployer + ".nft/1/", 404, noRoute("GET", nft+deployer+".nft/1/")},
		{"no id", nft + deployer + ".nft", 404, noRoute("GET", nft+deployer+".nft")},
		{"a path without the version", "/metadata/ft/" + deployer + ".nope", 404, noContract},
		{"a locale given twice", ft + deployer + ".ft-full?locale=a&locale=b", 400, `{"statusCode":400,"error":"Bad Request","message":"querystring/locale must be string"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, _ := newServer(t, Config{})
			w := get(s, c.path)
			if w.Code != c.status || w.Body.String() != c.body {
				t.Errorf("%s\n got %d %s\nwant %d %s", c.path, w.Code, w.Body, c.status, c.body)
			}
			if w.Header().Get("ETag") != "" {
				t.Error("an error has an ETag")
			}
			if got := w.Header().Get("Content-Type"); got != jsonType {
				t.Errorf("content type %q", got)
			}
		})
	}
}

func decodeFungible(t *testing.T, w *httptest.ResponseRecorder) (ft tokens.Fungible) {
	t.Helper()
	if w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &ft); err != nil {
		t.Fatal(err)
	}
	return ft
}

func TestTokensThatAreFound(t *testing.T) {
	s, _ := newServer(t, Config{})
	t.Run("every spelling of an id that JavaScript takes", func(t *testing.T) {
		for _, id := range []string{"1", "1.0", "1e0", "0x1", "%201", "+1", "01"} {
			if w := get(s, "/metadata/v1/nft/"+deployer+".nft/"+id); w.Code != 200 {
				t.Errorf("id %q: %d %s", id, w.Code, w.Body)
			}
		}
	})
	t.Run("an empty record is the empty object", func(t *testing.T) {
		if w := get(s, "/metadata/v1/nft/"+deployer+".nft/2"); w.Body.String() != "{}" {
			t.Errorf("got %s", w.Body)
		}
	})
	t.Run("a non-fungible contract requested as fungible has no asset", func(t *testing.T) {
		ft := decodeFungible(t, get(s, "/metadata/v1/ft/"+deployer+".nft"))
		if ft.AssetIdentifier != deployer+".nft::null" || ft.Metadata == nil {
			t.Errorf("got %+v", ft)
		}
	})
	t.Run("a fungible contract requested as non-fungible is its token 1", func(t *testing.T) {
		if w := get(s, "/metadata/v1/nft/"+deployer+".ft-full/1"); w.Code != 200 || !strings.Contains(w.Body.String(), "Harbor Full Coin") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
	t.Run("a locale changes the metadata and what is made of it, not name and symbol", func(t *testing.T) {
		const path = "/metadata/v1/ft/SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar"
		plain, spanish := decodeFungible(t, get(s, path)), decodeFungible(t, get(s, path+"?locale=es-MX"))
		if plain.Name != spanish.Name || plain.Symbol != spanish.Symbol {
			t.Error("name or symbol changed")
		}
		if spanish.Description != "Un dólar para cada puerto." || spanish.Metadata.Name != "Dólar del Puerto" || spanish.ImageURI == plain.ImageURI {
			t.Errorf("not localized: %+v", spanish)
		}
		if plain.Metadata.Localization == nil || len(plain.Metadata.Localization.Locales) != 4 {
			t.Errorf("localization %+v", plain.Metadata.Localization)
		}
		if empty := get(s, path+"?locale="); empty.Code != 200 || empty.Body.String() != get(s, path).Body.String() {
			t.Error("an empty locale is not as if absent")
		}
	})
	t.Run("the record that the real service gave for a token of nulls", func(t *testing.T) {
		var got, want map[string]any
		recordedTokens := readJSON[map[string]json.RawMessage](t, "recorded/ft-metadata.json")
		if err := json.Unmarshal(recordedTokens["recorded_all_columns_null"], &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(get(s, "/metadata/v1/ft/"+deployer+".ft-nulls").Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		delete(got, "tx_id")
		delete(want, "tx_id")
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
	})
}

func TestATokenInProgressIsReadyFiveSecondsAfterItsFirstRequest(t *testing.T) {
	for _, path := range []string{"/metadata/v1/ft/" + deployer + ".ft-pending", "/metadata/v1/nft/" + deployer + ".nft-pending/1"} {
		frozen := newClock().at // the chain's clock is stopped, this one runs
		s, c := newServer(t, Config{Freeze: &frozen})
		c.Add(time.Hour) // not requested yet
		for _, step := range []struct {
			wait   time.Duration
			status int
		}{{0, 422}, {4999 * time.Millisecond, 422}, {time.Millisecond, 200}, {time.Hour, 200}} {
			c.Add(step.wait)
			if w := get(s, path); w.Code != step.status {
				t.Errorf("%s after %v more: %d %s", path, step.wait, w.Code, w.Body)
			}
		}
	}
}

func TestTokenETag(t *testing.T) {
	s, _ := newServer(t, Config{})
	path := "/metadata/v1/ft/" + deployer + ".ft-full"
	etag := get(s, path).Header().Get("ETag")
	if !strings.HasPrefix(etag, `"17`) || !strings.HasSuffix(etag, `"`) {
		t.Fatalf("ETag %q is no time", etag)
	}
	for _, given := range []string{etag, "W/" + etag, `"x", ` + etag, "*"} {
		w := get(s, path, "If-None-Match", given)
		if w.Code != 304 || w.Body.Len() != 0 || w.Header().Get("ETag") != etag || w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("If-None-Match %s: %d %v", given, w.Code, w.Header())
		}
	}
	if w := get(s, path, "If-None-Match", `"other"`); w.Code != 200 {
		t.Errorf("another ETag: %d", w.Code)
	}
	if w := get(s, path+"?locale="); w.Header().Get("ETag") != "" {
		t.Error("an answer to a query has an ETag")
	}
}

func TestPicturesAreServedByTheMock(t *testing.T) {
	s, _ := newServer(t, Config{})
	ft := decodeFungible(t, get(s, "/metadata/v1/ft/"+deployer+".ft-full", "Host", "localhost:4242"))
	for _, uri := range []string{ft.ImageURI, ft.ImageThumbnailURI, ft.ImageCanonicalURI} {
		path, ok := strings.CutPrefix(uri, "http://localhost:4242")
		if !ok {
			t.Fatalf("%q is not on the host of the request", uri)
		}
		w := get(s, path)
		if w.Code != 200 || w.Header().Get("Content-Type") != "image/png" || !strings.HasPrefix(w.Body.String(), "\x89PNG") {
			t.Errorf("%s: %d %s", path, w.Code, w.Header().Get("Content-Type"))
		}
	}
	if w := get(s, "/pictures/redirect.png"); w.Code != 302 || !strings.HasPrefix(w.Header().Get("Location"), "http://127.0.0.1:") {
		t.Errorf("the hostile redirect: %d %v", w.Code, w.Header())
	}
	for _, path := range []string{"/pictures/nope.png", "/pictures/full", "/pictures/..%2fx.png"} {
		if w := get(s, path); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
