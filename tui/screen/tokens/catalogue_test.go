package tokens

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestWhatAServerAnswersInsteadOfACatalogue(t *testing.T) {
	for name, c := range map[string]struct {
		mock   bool
		status int
		body   string
		want   string // in the error; "" for an empty catalogue
	}{
		"no such path":         {false, 404, `{"error":"not found"}`, ""},
		"a page of its own":    {false, 200, `<html>`, ""},
		"a mock's refusal":     {true, 403, `{}`, "answered 403"},
		"a mock's garbage":     {true, 200, `{"ft":1}`, "cannot unmarshal"},
		"far too much":         {true, 200, strings.Repeat(" ", maxCatalogue+1), "larger than 1 MiB"},
		"a redirect elsewhere": {true, 302, ``, "answered 302"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/mock/v1/catalog" {
					t.Errorf("asked %s", r.URL.Path)
				}
				if c.mock {
					w.Header().Set("X-Mock-Scenario", "healthy")
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}))
			defer server.Close()
			got, err := FetchCatalogue(server.URL+"/", nil)(context.Background())
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v", err)
			}
			if len(got.FT)+len(got.NFT) > 0 {
				t.Errorf("got tokens: %+v", got)
			}
		})
	}
}

func TestOnlyTokensOfTheSameAPIAreOffered(t *testing.T) {
	kept := documents{}
	for _, v := range []visit{
		{Source: "MOCK", Principal: somePrincipal},
		{Source: "mainnet", Principal: somePrincipal, TokenID: "1", Name: "one"},
		{Source: "MOCK", Principal: somePrincipal, TokenID: "2"},
		{Source: "MOCK", Principal: somePrincipal},
	} {
		if err := writeRecent(kept, v); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readRecent(kept, "MOCK")
	if err != nil || len(got) != 2 || got[0].TokenID != "" || got[1].TokenID != "2" {
		t.Errorf("got %+v, %v", got, err)
	}
	kept[recentDocument] = []byte(`[{"source":"MOCK","principal":"\u001b[2J"},{"source":"MOCK","principal":"` + somePrincipal + `","token_id":"x"}]`)
	if got, err := readRecent(kept, "MOCK"); err != nil || len(got) != 0 {
		t.Errorf("what is no token is offered: %+v, %v", got, err)
	}
	kept[recentDocument] = []byte(`{"another":"document"}`)
	if err := writeRecent(kept, visit{Source: "MOCK", Principal: somePrincipal}); err != nil {
		t.Error(err)
	}
	for i := range maxRecent + 10 {
		if err := writeRecent(kept, visit{Source: "MOCK", Principal: somePrincipal, TokenID: strings.Repeat("1", i+1)}); err != nil {
			t.Fatal(err)
		}
	}
	var all []visit
	if _, err := kept.Get(recentDocument, &all); err != nil || len(all) != maxRecent {
		t.Errorf("%d are kept, %v", len(all), err)
	}
}
