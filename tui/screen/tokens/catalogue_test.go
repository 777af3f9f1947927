package tokens

import (
	"strings"
	"testing"
)

func TestOnlyTokensOfTheSameAPIAreOffered(t *testing.T) {
	kept := disk(t)
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
	if err := kept.Set(recentDocument, []visit{{Source: "MOCK", Principal: "\x1b[2J"}, {Source: "MOCK", Principal: somePrincipal, TokenID: "x"}}); err != nil {
		t.Fatal(err)
	}
	if got, err := readRecent(kept, "MOCK"); err != nil || len(got) != 0 {
		t.Errorf("what is no token is offered: %+v, %v", got, err)
	}
	if err := kept.Set(recentDocument, map[string]string{"another": "document"}); err != nil {
		t.Fatal(err)
	}
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
