package command

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
)

const (
	heldToken  = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar"
	movedToken = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights"
)

// namedIn returns the first name of a kind of token in the interface of a contract.
func namedIn(t *testing.T, api, contract, kind string) string {
	t.Helper()
	_, body := fetch(t, "GET", api+"/extended/v1/contract/"+contract, "")
	var of struct{ ABI string }
	if err := json.Unmarshal([]byte(body), &of); err != nil {
		t.Fatal(err)
	}
	var face map[string]json.RawMessage
	var tokens []struct{ Name string }
	if json.Unmarshal([]byte(of.ABI), &face) != nil || json.Unmarshal(face[kind], &tokens) != nil || len(tokens) == 0 {
		t.Fatalf("no %s in %s", kind, of.ABI)
	}
	return contract + "::" + tokens[0].Name
}

// Who has a token is what the API lists, on every version of it, by three requests.
func TestHoldersAreThoseOfTheAPI(t *testing.T) {
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		api, requests := countedMock(t, version)
		asset := namedIn(t, api, heldToken, "fungible_tokens")
		_, body := fetch(t, "GET", api+"/extended/v1/tokens/ft/"+asset+"/holders", "")
		var answer struct {
			Supply  string `json:"total_supply"`
			Total   int
			Results []struct{ Address, Balance string }
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Total < 5 {
			t.Fatalf("%v: %.300s", err, body)
		}
		var want []string
		for _, h := range answer.Results {
			n, _ := new(big.Int).SetString(h.Balance, 10)
			whole := new(big.Rat).SetFrac(n, big.NewInt(100_000_000)) // harbor-dollar has eight decimals
			want = append(want, h.Address+","+strings.TrimRight(strings.TrimRight(whole.FloatString(8), "0"), "."))
		}
		for _, token := range []string{heldToken, asset} {
			requests.Store(0)
			code, stdout, stderr := run(t, t.Context(), "ft", token, "--holders", "-o", "csv", "--fields", "principal,amount", "--api", api)
			if got := strings.Fields(stdout); code != 0 || !slices.Equal(got[1:], want) || requests.Load() > 3 {
				t.Errorf("%s: %s: exit %d by %d requests: %s\n%s", version, token, code, requests.Load(), stderr, stdout)
			}
		}
		_, stdout, _ := run(t, t.Context(), "ft", heldToken, "--holders", "--limit", "2", "--offset", "1", "-o", "json", "--jq", ".results[].address", "--api", api)
		if got := strings.Fields(stdout); len(got) != 2 || got[0] != answer.Results[1].Address {
			t.Errorf("%s: of --limit 2 --offset 1: %q", version, got)
		}
		if _, stdout, _ = run(t, t.Context(), "ft", heldToken, "--holders", "--api", api); !strings.HasSuffix(stdout, fmt.Sprintf("1 to %d of %d\n", answer.Total, answer.Total)) {
			t.Errorf("%s: %s", version, stdout)
		}
	}
}

// Whose a token is, and who had it, is what the contract and the API say.
func TestTheHistoryOfATokenLeadsToItsOwner(t *testing.T) {
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		api, requests := countedMock(t, version)
		asset := namedIn(t, api, movedToken, "non_fungible_tokens")
		_, body := fetch(t, "GET", api+"/extended/v1/tokens/nft/history?asset_identifier="+asset+"&value=0x01"+strings.Repeat("0", 31)+"1", "")
		var answer struct {
			Results []struct {
				Sender, Recipient string
				ID                string `json:"tx_id"`
			}
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Results) == 0 {
			t.Fatalf("%v: %.300s", err, body)
		}
		var want []string
		for _, m := range answer.Results {
			want = append(want, m.ID+","+m.Sender+","+m.Recipient)
		}
		requests.Store(0)
		code, stdout, stderr := run(t, t.Context(), "nft", movedToken, "1", "--history", "-o", "csv", "--fields", "tx_id,sender,recipient", "--api", api)
		if got := strings.Fields(stdout); code != 0 || !slices.Equal(got[1:], want) || requests.Load() > 2 {
			t.Errorf("%s: exit %d by %d requests: %s\n%s\nwant %q", version, code, requests.Load(), stderr, stdout, want)
		}
		_, stdout, _ = run(t, t.Context(), "nft", movedToken, "1", "--api", api)
		if words := strings.Fields(stdout); words[0] != "owner" || words[1] != answer.Results[0].Recipient {
			t.Errorf("%s: %s", version, stdout)
		}
	}
}

func TestListsOfATokenSayWhatIsWrong(t *testing.T) {
	api, _ := countedMock(t, "9")
	for _, c := range []struct {
		line, says string
		code       int
	}{
		{"ft " + heldToken + " --limit 3", "give it with --holders", 2},
		{"ft " + heldToken + " --holders --locale es", "give --holders without them", 2},
		{"ft " + heldToken + " --holders --follow", "no --follow", 2},
		{"nft " + movedToken + " 1 --sort age", "give it with --history", 2},
		{"nft " + movedToken + " x --history", `"x" is no id of a token`, 2},
		{"ft " + movedToken + " --holders", "has no fungible token", 3},
		{"ft zzz --holders", "zzz", 2},
	} {
		if code, _, stderr := run(t, t.Context(), append(strings.Fields(c.line), "--api", api)...); code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: exit %d, want %d: %s", c.line, code, c.code, stderr)
		}
	}
}
