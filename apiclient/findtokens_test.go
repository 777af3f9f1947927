package apiclient

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokensAreFoundBySymbolAndByName(t *testing.T) {
	s := newRecordedAPI(t, nil, "ft-list.json")
	list := "/metadata/v1/ft?limit=60&"
	s.answers[list+"symbol=FULL"] = s.answers["/metadata/v1/ft?symbol=FULL&limit=2"]
	s.answers[list+"name=FULL"] = s.answers["/metadata/v1/ft?name=lower"]
	s.answers[list+"symbol=dec+_"] = s.answers["/metadata/v1/ft?symbol=nosuch"]
	s.answers[list+"name=dec+_"] = s.answers["/metadata/v1/ft?name=dec%20_&limit=2"]
	c := serve(t, s.ServeHTTP)
	found, err := c.FindTokens(t.Context(), " FULL ")
	if err != nil {
		t.Fatal(err)
	}
	// The recording has the token of that symbol twice, for two of its locales.
	const of = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR."
	var got []string
	for _, one := range found.Tokens {
		got = append(got, one.Principal+" "+one.Name+" "+one.Symbol)
	}
	if d := cmp.Diff([]string{of + "full Full Token FULL", of + "case lower c"}, got); d != "" || found.More {
		t.Error(d, found.More)
	}
	if full := found.Tokens[0]; full.Extra["token_uri"] == nil || full.Decimals == nil || full.TotalSupply == nil || full.ImageCanonicalURI == "" {
		t.Errorf("fields are lost: %+v", full)
	}
	if d := cmp.Diff([]string{list + "symbol=FULL", list + "name=FULL"}, s.took()); d != "" {
		t.Error(d)
	}
	// 2 of 10 rows were answered: there are more.
	if found, err := c.FindTokens(t.Context(), "dec _"); err != nil || len(found.Tokens) != 2 || !found.More {
		t.Errorf("%+v, %v", found, err)
	}
	for _, bad := range []string{"", "  ", "a\x1bb", "\xff"} {
		if _, err := c.FindTokens(t.Context(), bad); KindOf(err) != InvalidInput {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// What cannot be a contract is not offered, since nobody could open it.
func TestFoundTokensHaveAContract(t *testing.T) {
	s := newRecordedAPI(t, nil)
	for _, by := range []string{"name", "symbol"} {
		s.answers["/metadata/v1/ft?limit=60&"+by+"=x"] = recordedAnswer{Status: 200, Body: json.RawMessage(
			`{"total":1,"results":[{"contract_principal":"../../v2/info","name":"x"},{"name":"x"}]}`)}
	}
	if found, err := serve(t, s.ServeHTTP).FindTokens(t.Context(), "x"); err != nil || len(found.Tokens) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestAServerWithoutASearchIsQueriedOnce(t *testing.T) {
	s := newRecordedAPI(t, nil)
	c := serve(t, s.ServeHTTP)
	for _, want := range []int{1, 0} {
		if _, err := c.FindTokens(t.Context(), "usd"); !RouteGone(err) {
			t.Errorf("got %v", err)
		}
		if requested := s.took(); len(requested) != want {
			t.Errorf("requested %q", requested)
		}
	}
}
