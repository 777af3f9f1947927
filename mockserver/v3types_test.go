package mockserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// neverHere are the words of the published types that no answer of the mock has.
var neverHere = map[string]string{
	"running": "no position of the service has it either", "problematic_skipped": "no block has one", "dropped_replace_across_fork": "a fork puts back what it had",
	"dropped_too_expensive": "so", "dropped_problematic": "v3 of the service forgets what was dropped", "dropped_replace_by_fee": "so", "dropped_stale_garbage_collect": "so",
	"extended": "no tenure of the mock is", "extended_read_count": "so", "extended_read_length": "so", "extended_runtime": "so", "extended_write_count": "so", "extended_write_length": "so",
	"poison_microblock": "microblocks are gone",
}

// wordsOf adds the words that a document allows somewhere.
func wordsOf(v any, all map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			wordsOf(one, all)
		}
	case map[string]any:
		if words, is := v["enum"].([]any); is {
			for _, word := range words {
				all[fmt.Sprint(word)] = true
			}
		}
		for _, one := range v {
			wordsOf(one, all)
		}
	}
}

// crawler requests the routes of v3 and holds what they answer against the published types.
type crawler struct {
	*testing.T
	s       *Server
	schemas []schema
	words   map[string]bool // of the document, true where an answer has it
	routes  map[string]bool
}

// answer returns an answer, whose route is known by its path with names for what varies.
func (c *crawler) answer(route string, values ...any) map[string]any {
	c.Helper()
	target := "/extended/v3/" + fmt.Sprintf(route, values...)
	w := fetch(c, c.s, target)
	if n := agrees(c, c.schemas, target, w); n != len(c.schemas) || w.Code != 200 {
		c.Errorf("%s: %d by %d documents %.200s", target, w.Code, n, w.Body)
	}
	c.routes[strings.Split(route, "?")[0]] = true
	for word := range c.words {
		if strings.Contains(w.Body.String(), `"`+word+`"`) {
			c.words[word] = true
		}
	}
	return read[map[string]any](c, w)
}

// transaction requests everything of a transaction.
func (c *crawler) transaction(id, principal string) {
	c.Helper()
	c.answer("transactions/%s", id)
	c.answer("transactions/%s?include=function_args,source_code,post_conditions,result", id)
	if principal != "" {
		c.answer("transactions/%s/events", id)
		c.answer("principals/%s/transactions/%s/balance-changes", principal, id)
		c.answer("principals/%s/balance-changes?tx_id=%s", principal, id)
	}
}

// sendsAll sends a transaction of each kind, with conditions of each kind, and returns the ids of those in blocks and
// of those that wait.
func (c *crawler) sendsAll(p person) (mined, waiting []string) {
	c.Helper()
	me, contract := principalOf(c, p.address(true)), p.address(true)+".shop"
	token := stxtx.Asset{Contract: principalOf(c, contract), Name: "a"}
	moves := `{"asset":"STX","from":"sender","to":"contract","amount":"u5"},{"asset":"STX","from":"sender","amount":"u1"},` +
		`{"asset":"` + contract + `::a","to":"sender","amount":"u5"},{"asset":"` + contract + `::a","from":"sender","to":"contract","amount":"u1"},{"asset":"` + contract + `::a","from":"sender","amount":"u1"},` +
		`{"asset":"` + contract + `::n","to":"sender","id":"u1"},{"asset":"` + contract + `::n","from":"sender","to":"contract","id":"u1"},{"asset":"` + contract + `::n","from":"contract","id":"u1"}`
	body := fmt.Appendf(nil, `{"contract":%q,"calls":{"go":{"result":"(ok true)","prints":["u1"],"moves":[%s]},"no":{"result":"(err u7)"},"stx":{"result":"(ok true)","moves":[{"asset":"STX","to":"sender","amount":"u5"}]}}}`, contract, moves)
	if w := post(c.s, "/mock/v1/contracts", "application/json", body); w.Code != 200 {
		c.Fatal(w.Body)
	}
	nonce := uint64(0)
	send := func(payload stxtx.Payload, conditions ...stxtx.PostCondition) string {
		c.Helper()
		tx := p.mainnetTx(nonce, 30_000, payload)
		tx.PostConditionMode, tx.PostConditions = stxtx.ModeAllow, conditions
		nonce++
		return "0x" + accepted(c, c.s, p.signed(c, tx))
	}
	call := func(function string) stxtx.ContractCall {
		return stxtx.ContractCall{Contract: token.Contract, Function: function, Args: []clarity.Value{}}
	}
	var all []stxtx.PostCondition
	for _, code := range []stxtx.ConditionCode{stxtx.SentEqual, stxtx.SentGreater, stxtx.SentGreaterOrEqual, stxtx.SentLess, stxtx.SentLessOrEqual} {
		all = append(all, stxtx.PostCondition{Asset: stxtx.AssetSTX, Condition: code, Amount: 5}, stxtx.PostCondition{Asset: stxtx.AssetFT, Condition: code, Amount: 5, Token: token})
	}
	n := stxtx.Asset{Contract: token.Contract, Name: "n"}
	for _, code := range []stxtx.ConditionCode{stxtx.NFTSent, stxtx.NFTNotSent, stxtx.NFTMaybeSent} {
		all = append(all, stxtx.PostCondition{Asset: stxtx.AssetNFT, Principal: &me, Condition: code, Token: n, TokenID: clarity.NewUInt(1)})
	}
	for _, code := range []stxtx.ConditionCode{stxtx.PoXWillPerform, stxtx.PoXMayPerform, stxtx.PoXWillNotPerform} {
		all = append(all, stxtx.PostCondition{Asset: stxtx.AssetPoX, Condition: code})
	}
	all = append(all, stxtx.PostCondition{Asset: stxtx.AssetStaking, Principal: &token.Contract, Condition: stxtx.SentGreater, Amount: 5})
	mined = []string{
		send(call("go")), send(call("no")), send(call("go"), all...), send(call("stx")), send(to(c, anAccount, 5)),
		send(stxtx.SmartContract{Name: "fine", Code: "(define-read-only (one) u1)", ClarityVersion: 6}), send(stxtx.SmartContract{Name: "wrong", Code: "(define-read"}),
	}
	mine(c, c.s, 1)
	return mined, append(waiting, send(to(c, anAccount, 5)), send(call("go"), all...), send(stxtx.SmartContract{Name: "later", Code: "(define-read-only (one) u1)"}))
}

// Every route of v3 of the service, with each kind of transaction, event, condition and outcome that there is,
// answers in the published types of 9.0.2, which are closed; and each word of them was seen.
func TestEveryRouteOfV3FitsThePublishedTypes(t *testing.T) {
	notRaced(t)
	published, err := os.ReadFile("testdata/v3-9.0.2.strict.json")
	if err != nil {
		t.Fatal(err)
	}
	document := decoded(t, published)
	c := &crawler{T: t, s: anchored(t, today), schemas: []schema{loadSchema(t, "published", published)}, words: map[string]bool{}, routes: map[string]bool{}}
	c.schemas = append(c.schemas, loadSchema(t, "our own", c.s.document()))
	words := map[string]bool{}
	wordsOf(document, words)
	for word := range words {
		c.words[word] = false
	}
	p := someone("everything")
	mined, waiting := c.sendsAll(p)
	me := p.address(true)
	for _, id := range mined {
		c.transaction(id, me)
	}
	for _, id := range waiting {
		c.transaction(id, "")
	}
	c.answer("transactions")
	c.answer("mempool/transactions")
	c.answer("principals/%s/mempool/transactions", me)
	for height, left := valueAt(answerTo(t, c.s, "/extended/v2/blocks/latest"), "height").(float64), 200; left > 0; height, left = height-1, left-1 {
		for _, row := range c.answer("blocks/%.0f/transactions", height)["results"].([]any) {
			c.transaction(textOf(row, "tx_id"), textOf(row, "sender", "address"))
		}
	}
	c.requestStaking()
	holders := answerTo(t, c.s, "/extended/v1/tokens/ft/SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-point::point/holders?limit=50")
	for _, row := range valueAt(holders, "results").([]any) {
		c.principal(textOf(row, "address"))
	}
	c.principal(me)
	c.s = anchored(t, func(cfg *Config) { at := time.Date(2028, 3, 1, 0, 0, 0, 0, time.UTC); cfg.Freeze = &at })
	c.requestStaking() // when some bonds have ended
	var missed []string
	for path := range document["paths"].(map[string]any) {
		named := strings.TrimPrefix(path, "/extended/v3/")
		for _, name := range []string{"principal", "tx_id", "bond_index", "height_or_hash", "asset_identifier"} {
			named = strings.ReplaceAll(named, "{"+name+"}", "%s")
		}
		if named = strings.Replace(strings.Replace(named, "bonds/%s", "bonds/%.0f", 1), "blocks/%s", "blocks/%.0f", 1); !c.routes[named] {
			missed = append(missed, named)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(c.words)) {
		if _, known := neverHere[word]; c.words[word] == known {
			t.Errorf("%q was seen: %v", word, c.words[word])
		}
	}
	if len(missed) > 0 || len(c.routes) < 25 {
		t.Errorf("%d routes were requested, and not %v", len(c.routes), missed)
	}
}

func decoded(t *testing.T, data []byte) (document map[string]any) {
	t.Helper()
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	return document
}

func (c *crawler) principal(who string) {
	c.Helper()
	for _, route := range []string{"transactions", "mempool/transactions", "balances/stx", "balances/ft", "balances/nft", "nonces", "staking", "staking/bonds"} {
		c.answer("principals/%s/"+route, who)
	}
	for _, row := range c.answer("principals/%s/balances/ft", who)["results"].([]any) {
		c.answer("principals/%s/balances/ft/%s", who, textOf(row, "asset_identifier"))
	}
}

// requestStaking requests each signer and each bond, and all who stake.
func (c *crawler) requestStaking() {
	c.Helper()
	stakers := map[string]bool{}
	for _, row := range c.answer("staking/signers")["results"].([]any) {
		signer := textOf(row, "signer")
		c.transaction(textOf(c.answer("staking/signers/%s", signer), "transaction", "tx_id"), signer)
		for _, of := range c.answer("staking/signers/%s/stakers", signer)["results"].([]any) {
			stakers[textOf(of, "staker")] = true
		}
	}
	for _, row := range c.answer("staking/bonds?limit=50")["results"].([]any) {
		index := valueAt(row, "index")
		c.transaction(textOf(c.answer("staking/bonds/%.0f", index), "transaction", "tx_id"), "")
		for _, a := range c.answer("staking/bonds/%.0f/allowlist", index)["results"].([]any) {
			c.answer("staking/bonds/%.0f/allowlist/%s", index, textOf(a, "staker"))
		}
		for _, r := range c.answer("staking/bonds/%.0f/registrations", index)["results"].([]any) {
			c.answer("staking/bonds/%.0f/registrations/%s", index, textOf(r, "staker"))
		}
	}
	for staker := range stakers {
		c.principal(staker)
		if id := textOf(answerTo(c, c.s, "/extended/v3/principals/"+staker+"/balances/stx"), "locked", "lock_tx_id"); id != "" {
			c.transaction(id, staker)
		}
	}
}
