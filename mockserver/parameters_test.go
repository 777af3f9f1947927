package mockserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const anAccount = "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7"

// What the service's schema refuses is refused on every route, whether the mock looks at the
// parameter or not; what it takes is taken.
func TestParametersAreThoseOfTheService(t *testing.T) {
	for _, name := range []string{"8", "9", "sunset"} {
		t.Run(name, func(t *testing.T) { parametersAreChecked(t, name) })
	}
}

// parametersAreChecked tries what is refused in a version of the API: a route that it does not have is
// unknown, and one that is switched off is gone, whatever is requested.
func parametersAreChecked(t *testing.T, name string) {
	s := anchored(t, version(name))
	only9 := []string{"/extended/v3/", "/extended/v2/smart-contracts/" + anAccount + ".x/logs", "/extended/v2/smart-contracts/zzz/logs"}
	stays := []string{"/extended/v3/", "/extended/v2/smart-contracts/", "/extended/v1/tokens/ft/zzz/holders"}
	v1, v3, tx := "/extended/v1/address/"+anAccount, "/extended/v3/principals/"+anAccount, "0x"+zeros
	block, v2, mistyped := latestHash(t, s), "/extended/v2/addresses/"+anAccount, anAccount[:len(anAccount)-1]+"8"
	rows := []struct{ target, refused string }{
		{v1 + "/transactions?unanchored=foo", "unanchored must be boolean"},
		{v1 + "/stx?unanchored=foo", "unanchored must be boolean"},
		{"/extended/v1/tx?unanchored=1", "unanchored must be boolean"},
		{v1 + "/transactions?height=abc", "height must be integer"},
		{v1 + "/transactions?exclude_function_args=foo", "exclude_function_args must be boolean"},
		{"/extended/v1/tx/block/" + block + "?limit=200", ""},
		{"/extended/v1/tx/block/" + block + "?limit=201", "limit must be <= 200"},
		{v1 + "/assets?limit=100", ""},
		{v1 + "/assets?limit=101", "limit must be <= 100"},
		{"/extended/v1/contract/" + anAccount + ".x/events?limit=51", "limit must be <= 50"},
		{"/extended/v2/smart-contracts/" + anAccount + ".x/logs?offset=1000", ""},
		{"/extended/v2/smart-contracts/" + anAccount + ".x/logs?offset=1001", "offset must be <= 1000"},
		{"/extended/v2/smart-contracts/" + anAccount + ".x/logs?cursor=abc", `cursor must match pattern "^[0-9]+:[0-9]+:[0-9]+:[0-9]+$"`},
		{v3 + "/balance-changes", "querystring must have required property 'tx_id'"},
		{v3 + "/balance-changes?tx_id=" + strings.Repeat(tx+",", 20), ""},
		{v3 + "/balance-changes?tx_id=" + strings.Repeat(tx+",", 21), "tx_id must NOT have more than 20 items"},
		{v3 + "/balance-changes?tx_id=" + tx + "&cursor=1:2", `cursor must match pattern "^[0-9]+:[0-9]+:[0-9]+:[0-9]+:\S+$"`},
		{v3 + "/balances/ft/zzz", `params/asset_identifier must match pattern "^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}::[a-zA-Z]([a-zA-Z0-9]|[-_!?+<>=/*]){0,127}$"`},
		{v3 + "/balances/ft?cursor=", `cursor must match pattern "^\d+:.+$"`},
		{v3 + "/balances/nft?cursor=x:y", `cursor must match pattern "^0x[0-9a-fA-F]*:.+$"`},
		{v1 + "/stx?until_block=abc", "= Unexpected integer value for block height path parameter"},
		{v1 + "/balances?until_block=0", "= Unexpected integer value for block height path parameter"},
		{v1 + "/assets?until_block=5&unanchored=true", "= can't handle both 'unanchored=true' and 'until_block' in the same request"},
		{"/extended/v1/tx?from_address=zzz", `= Invalid query parameter for "from_address": "zzz" is not a valid STX address`},
		{"/extended/v1/tx?to_address=zzz", `= Invalid query parameter for "to_address": "zzz" is not a valid STX address`},
		{"/extended/v1/tx?contract_id=zzz", `= Invalid query parameter for "contract_id": "zzz" is not a valid principal`},
		{"/extended/v1/contract/zzz/events", ""},
		{"/extended/v2/smart-contracts/zzz/logs", ""},
		{"/extended/v1/tokens/ft/zzz/holders", ""},
		{"/extended/v1/tx/mempool?address=zzz", `address must match pattern "^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}"`},
		{"/extended/v1/tx/mempool?address=", `address must match pattern "^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}"`},
		{"/extended/v1/tx/mempool?address=" + mistyped, `= Error: Invalid query parameter: "` + mistyped + `" is not a valid STX address or principal`},
		{"/extended/v1/tx/mempool?address=" + anAccount + ".foo", ""},
		{"/extended/v1/tx/mempool?address=" + anAccount + "&recipient_address=" + anAccount, `= The "address" filter cannot be specified with other address filters`},
		{"/extended/v1/address/" + mistyped + "/mempool", "= Invalid query parameter, not a valid principal"},
		{"/extended/v1/tx/events?address=" + mistyped, `= invalid STX address "` + mistyped + `"`},
		{"/extended/v1/tx/events?address=zzz", "address must match " + `pattern "^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}", querystring/address must match pattern "^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$", querystring/address must match a schema in anyOf`},
		{v1 + "/transactions?height=3&until_block=3", "= can't handle until_block and block_height in the same request"},
		{v1 + "/assets?until_block=3&height=abc", ""},
		{v1 + "/stx?until_block=0x" + zeros, "404 block not found with hash"},
		{v1 + "/" + tx + "/with_transfers", "404 No matching transaction found"},
		{v1 + "/" + zeros + "/with_transfers", "404 No matching transaction found"},
		{v2 + "/transactions/" + tx + "/events", "404 Transaction not found"},
		{"/extended/v2/addresses/" + mistyped + "/transactions", ""},
		{"/extended/v2/addresses/" + mistyped + "/transactions/" + tx + "/events", "404 Transaction not found"},
		{v2 + "/transactions?cursor=abc", "404 Invalid cursor format"},
		{v2 + "/transactions?cursor=" + tx + ":1:2", "404 Invalid cursor: block not found"},
		{v2 + "/transactions?cursor=" + block + ":0:0", ""},
		{"/extended/v2/blocks/latest/transactions?limit=0", "404 Block not found"},
		{"/extended/v2/blocks/latest/transactions?offset=999", "404 Block not found"},
		{v3 + "/transactions?limit=0", "limit must be >= 1"},
		{v3 + "/transactions?limit=51&offset=3&foo=1", "limit must be <= 50"},
		{v3 + "/transactions?offset=3&foo=1", ""},
	}
	for _, r := range rows {
		w := fetch(t, s, r.target)
		begins := func(prefix string) bool { return strings.HasPrefix(r.target, prefix) }
		switch {
		case name == "8" && slices.ContainsFunc(only9, begins):
			if w.Code != http.StatusNotFound || !strings.HasPrefix(w.Body.String(), `{"message":"Route GET:`) {
				t.Errorf("%s: %d %s, which came with 9", r.target, w.Code, w.Body)
			}
			continue
		case name == "8" && strings.Contains(r.target, "/transactions?cursor="): // there it has none
			r.refused = ""
		case name == "sunset" && !slices.ContainsFunc(stays, begins):
			if w.Code != http.StatusGone || !strings.HasPrefix(w.Body.String(), `{"error":"Gone","message":"This endpoint has been disabled.`) {
				t.Errorf("%s: %d %s, which is switched off", r.target, w.Code, w.Body)
			}
			continue
		}
		if r.refused == "" {
			if w.Code != http.StatusOK {
				t.Errorf("%s: %d %s", r.target, w.Code, w.Body)
			}
			continue
		}
		want, code, status := r.refused, "FST_ERR_VALIDATION", 400
		if rest, thrown := strings.CutPrefix(want, "= "); thrown { // by the handler
			want, code = rest, ""
		} else if rest, missing := strings.CutPrefix(want, "404 "); missing {
			want, code, status = rest, "", 404
		} else if !strings.HasPrefix(want, "querystring") && !strings.HasPrefix(want, "params/") {
			want = "querystring/" + want
		}
		var body struct{ Code, Message string }
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != status || body.Code != code || body.Message != want {
			t.Errorf("%s: %d %s, want %s", r.target, w.Code, w.Body, want)
		}
	}
}

// The times of the networks change with the tip; a block that is found by its very time has the
// validator of a block, one that is found by a later time has none.
func TestTimesHaveTheValidatorsOfTheService(t *testing.T) {
	s := anchored(t, version("9"))
	newest := read[struct {
		Index string `json:"index_block_hash"`
		Time  int64  `json:"block_time"`
	}](t, fetch(t, s, "/extended/v2/blocks/latest"))
	for target, want := range map[string]string{
		"/extended/v1/info/network_block_times":                                `"` + newest.Index + `"`,
		"/extended/v1/info/network_block_time/testnet":                         `"` + newest.Index + `"`,
		fmt.Sprintf("/extended/v2/blocks/by-block-time/%d", newest.Time):       `"` + newest.Index + `:true"`,
		fmt.Sprintf("/extended/v2/blocks/by-block-time/%d", newest.Time+1_000): "",
	} {
		w := fetch(t, s, target)
		if got := w.Header().Get("Etag"); w.Code != http.StatusOK || got != want {
			t.Errorf("%s: %d, validator %s, want %s", target, w.Code, got, want)
		}
		if want != "" {
			if w := fetch(t, s, target, "If-None-Match", want); w.Code != http.StatusNotModified {
				t.Errorf("%s: %d", target, w.Code)
			}
		}
	}
}

func latestHash(t *testing.T, s *Server) string {
	t.Helper()
	return read[struct{ Hash string }](t, fetch(t, s, "/extended/v2/blocks/latest")).Hash
}

// The v3 of the service never looks at the checksum of an address: a mistyped one has nothing.
// The older routes refuse it.
func TestOnlyTheOlderRoutesRefuseAMistypedAddress(t *testing.T) {
	s := anchored(t, version("9"))
	mistyped := anAccount[:len(anAccount)-1] + "8"
	for path, want := range map[string]string{
		"/balances/stx": `{"balance":"0","available":"0","locked":null,"mempool":null}`,
		"/nonces":       `{"next_nonce":0,"last_confirmed_nonce":null,"mempool":{"last_nonce":null,"pending_nonces":[],"missing_nonces":[]}}`,
		"/transactions": `{"total":0,"limit":20,"cursor":{"next":null,"previous":null,"current":null},"results":[]}`,
		"/balances/ft":  `{"total":0,"limit":100,"cursor":{"next":null,"previous":null,"current":null},"results":[]}`,
		"/transactions/0x" + zeros + "/balance-changes": `{"total":0,"limit":20,"cursor":{"next":null,"previous":null,"current":null},"results":[]}`,
	} {
		if w := fetch(t, s, "/extended/v3/principals/"+mistyped+path); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := fetch(t, s, "/extended/v1/address/"+mistyped+"/stx"); w.Code != 400 || !strings.Contains(w.Body.String(), `"message":"invalid STX address \"`+mistyped+`\""`) {
		t.Errorf("v1: %d %s", w.Code, w.Body)
	}
}

// A cursor that names no row begins with the next row in the order of the list, and is empty past
// its end: what a walk has read already does not come again when a row has gone.
func TestACursorThatNamesNoRowBeginsWithTheNextRow(t *testing.T) {
	s := anchored(t, version("9"))
	type page struct {
		Total   int
		Cursor  struct{ Next, Previous, Current *string }
		Results []struct {
			ID string `json:"tx_id"`
		}
	}
	text := func(s *string) string {
		if s == nil {
			return "null"
		}
		return *s
	}
	all := read[page](t, fetch(t, s, "/extended/v3/transactions?limit=5"))
	var height, index int64
	if _, err := fmt.Sscanf(*all.Cursor.Current, "%d:2147483647:%d", &height, &index); err != nil {
		t.Fatal(err)
	}
	above := read[page](t, fetch(t, s, fmt.Sprintf("/extended/v3/transactions?limit=5&cursor=%d:0:0", height+9)))
	if len(above.Results) != 5 || above.Results[0] != all.Results[0] || above.Cursor.Previous != nil {
		t.Errorf("above the top: %+v", above)
	}
	between := read[page](t, fetch(t, s, fmt.Sprintf("/extended/v3/transactions?limit=3&cursor=%d:9:%d", height, index)))
	if len(between.Results) != 3 || between.Results[0] == all.Results[0] || text(between.Cursor.Current) == *all.Cursor.Current {
		t.Errorf("between two rows: %+v", between)
	}
	for path, cursor := range map[string]string{
		"/extended/v3/transactions": "0:0:0", "/extended/v3/mempool/transactions": "0:0x" + zeros,
		"/extended/v3/principals/" + anAccount + "/balances/ft": "0:zz",
	} {
		past := read[page](t, fetch(t, s, path+"?cursor="+cursor))
		if past.Total != 0 || len(past.Results) != 0 || past.Cursor.Current != nil || past.Cursor.Previous != nil || past.Cursor.Next != nil {
			t.Errorf("%s past the end: %+v", path, past)
		}
	}
}
