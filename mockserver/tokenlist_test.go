package mockserver

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

type tokenListBody struct {
	Limit, Offset, Total int
	Results              []struct {
		Principal string `json:"contract_principal"`
		Name      string
		Symbol    string
		Decimals  int
		Supply    string `json:"total_supply"`
	}
}

const tokenList = "/metadata/v1/ft"

func TestTokensAreListedAsTheRealServiceListsThem(t *testing.T) {
	s := anchored(t)
	data, err := os.ReadFile("testdata/token-list.strict.json")
	if err != nil {
		t.Fatal(err)
	}
	all := []schema{loadSchema(t, "token-list", []byte(strings.ReplaceAll(string(data), `"format":"uri",`, "")))}
	refused := 0
	for _, r := range recordings(t, "ft-list.json") {
		if r.Path == "/metadata/v1" {
			continue
		}
		w := fetch(t, s, r.Path)
		if r.Path == "/metadata/v1/nft" {
			w = get(s, r.Path)
		}
		if r.Status != 200 {
			refused++
			if body := compactKeepingOrder(t, r.Body); w.Code != r.Status || w.Body.String() != body && r.Path != "/metadata/v1/nft" {
				t.Errorf("GET %s: %d %s\nrecorded %d %s", r.Path, w.Code, w.Body, r.Status, body)
			}
			continue
		}
		if agrees(t, all, r.Path, w) == 0 {
			t.Errorf("no schema describes %s", r.Path)
		}
		if !strings.Contains(w.Body.String(), `"results":[]`) && !strings.Contains(string(r.Body), `"results": []`) {
			if got, want := shapeOf(t, w.Body.Bytes()), shapeOf(t, r.Body); got != want {
				t.Errorf("GET %s: shape %s\nrecorded %s", r.Path, got, want)
			}
		}
	}
	if refused < 8 {
		t.Errorf("only %d refusals", refused)
	}
}

// TestEveryFungibleTokenIsListed pages through the list and holds it against the
// catalogue.
func TestEveryFungibleTokenIsListed(t *testing.T) {
	s := anchored(t)
	var c catalogBody
	if err := json.Unmarshal(get(s, "/mock/v1/catalog").Body.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	total := read[tokenListBody](t, fetch(t, s, tokenList)).Total
	for _, path := range []string{tokenList + "?limit=7", "/metadata/ft?limit=7"} {
		clear(count)
		var names []string
		for offset := 0; offset < total; offset += 7 {
			for _, row := range read[tokenListBody](t, fetch(t, s, path+"&offset="+strconv.Itoa(offset))).Results {
				count[row.Principal]++
				names = append(names, strings.ToLower(row.Name))
			}
		}
		known := slices.Index(names, "")
		if known < 1 || !slices.IsSorted(names[:known]) || strings.Join(names[known:], "") != "" {
			t.Errorf("%s: not in order: %q", path, names)
		}
	}
	for _, ft := range c.FT {
		want := 1 + len(ft.Locales)
		if ft.What == "no_token" || ft.What == "error" && count[ft.Principal] == 0 {
			want = 0
		}
		if count[ft.Principal] != want {
			t.Errorf("%s (%s) is listed %d times, want %d", ft.Principal, ft.What, count[ft.Principal], want)
		}
	}
}

func TestTokensAreFoundByNameSymbolAndDeployer(t *testing.T) {
	s := anchored(t)
	all := read[tokenListBody](t, fetch(t, s, tokenList+"?limit=60"))
	found := read[tokenListBody](t, fetch(t, s, tokenList+"?symbol=weth"))
	if found.Total != 1 || found.Results[0].Name != "Wrapped Ether" || found.Results[0].Decimals != 18 {
		t.Fatalf("%+v", found)
	}
	wrapped := found.Results[0].Principal
	deployer, _, _ := strings.Cut(wrapped, ".")
	for _, query := range []string{
		"?name=RAPPED%20e", "?name=w%25ether", "?name=_rapped", "?symbol=WETH", "?address=" + deployer,
		"?name=wrapped&symbol=weth", "?symbol=weth&valid_metadata_only=false",
	} {
		p := read[tokenListBody](t, fetch(t, s, tokenList+query+"&limit=60"))
		listed := false
		for _, r := range p.Results {
			listed = listed || r.Principal == wrapped
		}
		if !listed || p.Total >= all.Total {
			t.Errorf("%s: %d of %d tokens, %s among them %v", query, p.Total, all.Total, wrapped, listed)
		}
	}
	for _, query := range []string{"?symbol=eth", "?name=nobody", "?address=" + strings.ToLower(deployer), "?name=wrapped&symbol=nobody"} {
		if w := fetch(t, s, tokenList+query); w.Code == 200 && read[tokenListBody](t, w).Total != 0 {
			t.Errorf("%s: %s", query, w.Body)
		}
	}
	falling := read[tokenListBody](t, fetch(t, s, tokenList+"?order=desc&limit=60&order_by=symbol"))
	for i := 1; i < len(falling.Results); i++ {
		a, b := strings.ToLower(falling.Results[i-1].Symbol), strings.ToLower(falling.Results[i].Symbol)
		if a != "" && (b == "" || a < b) {
			t.Errorf("%q before %q", a, b)
		}
	}
}

// TestListingFetchesNothing lists a token in progress: it stays so.
func TestListingFetchesNothing(t *testing.T) {
	s, c := newServer(t, Config{})
	var body catalogBody
	if err := json.Unmarshal(get(s, "/mock/v1/catalog").Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(body.FT, func(r fungibleRow) bool { return r.What == "pending" })
	principal := body.FT[i].Principal
	name := func() string {
		for _, r := range read[tokenListBody](t, get(s, tokenList+"?limit=60")).Results {
			if r.Principal == principal {
				return r.Name
			}
		}
		t.Fatalf("%s is not listed", principal)
		return ""
	}
	for range 2 {
		if got := name(); got != "" {
			t.Errorf("in progress it is named %q", got)
		}
		c.Add(10 * time.Second)
	}
	get(s, tokenList+"/"+principal)
	c.Add(10 * time.Second)
	if name() == "" {
		t.Error("ready it has no name")
	}
}
