package mockserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// vault is a contract whose calls move STX, and tokens of its own.
const (
	vault = "SP000000000000000000002Q6VF78.vault"
	coin  = vault + "::coin"
	card  = vault + "::card"
)

// vaultCalls are its calls: what is canned for each, and its number of arguments.
const vaultCalls = `{"contract":"` + vault + `","calls":{
	"pledge":{"result":"(ok $1)","moves":[{"asset":"STX","from":"sender","to":"contract","amount":"$1"}],"prints":["$1"]},
	"drain":{"result":"(ok true)","moves":[{"asset":"STX","from":"sender","to":"contract","amount":"u900000000000"}]},
	"refund":{"result":"(ok $1)","moves":[{"asset":"STX","from":"contract","to":"sender","amount":"$1"}]},
	"mint":{"result":"(ok $1)","moves":[{"asset":"` + coin + `","to":"sender","amount":"$1"}]},
	"burn":{"result":"(ok $1)","moves":[{"asset":"` + coin + `","from":"sender","amount":"$1"}]},
	"swap":{"result":"(ok $1)","moves":[{"asset":"` + coin + `","from":"sender","to":"contract","amount":"$1"},{"asset":"STX","from":"contract","to":"sender","amount":"$1"}]},
	"draw":{"result":"(ok $1)","moves":[{"asset":"` + card + `","to":"sender","id":"$1"}]},
	"discard":{"result":"(ok $1)","moves":[{"asset":"` + card + `","from":"sender","id":"$1"}]},
	"lend":{"result":"(ok $1)","moves":[{"asset":"` + card + `","from":"sender","to":"contract","id":"$1"},{"asset":"STX","from":"contract","to":"sender","amount":"$1"}]},
	"fail":{"result":"(err u7)","moves":[{"asset":"STX","from":"sender","to":"contract","amount":"$1"}]}}}`

// holding records how much everybody has of everything, and who has each non-fungible token.
type holding struct {
	amounts map[string]map[string]*big.Int // by asset, "" for STX and "sent" for what was sent of it, and principal
	owners  map[string]map[string]string   // by asset and token
	nonces  map[string]uint64
}

func (h *holding) add(asset, who string, n *big.Int) {
	if h.amounts[asset] == nil {
		h.amounts[asset] = map[string]*big.Int{}
	}
	if h.amounts[asset][who] == nil {
		h.amounts[asset][who] = new(big.Int)
	}
	h.amounts[asset][who].Add(h.amounts[asset][who], n)
}

func (h *holding) of(asset, who string) string {
	if n := h.amounts[asset][who]; n != nil {
		return n.String()
	}
	return "0"
}

func (h *holding) sum(asset string) *big.Int {
	sum := new(big.Int)
	for _, n := range h.amounts[asset] {
		sum.Add(sum, n)
	}
	return sum
}

// What the routes show, as far as the bank reads it.
type (
	shownBalances struct {
		STX struct {
			Balance string `json:"balance"`
			Sent    string `json:"total_sent"`
		} `json:"stx"`
		Fungibles map[string]struct {
			Balance string `json:"balance"`
		} `json:"fungible_tokens"`
	}
	shownToken struct {
		Asset string `json:"asset_identifier"`
		Value struct{ Repr string }
	}
	shownAsset struct {
		ID        string `json:"asset_id"`
		Sender    string `json:"sender"`
		Recipient string `json:"recipient"`
		Amount    string `json:"amount"`
		Value     *struct{ Repr string }
	}
	shownAccount struct {
		Balance string `json:"balance"`
		Nonce   uint64 `json:"nonce"`
	}
	shownNonces struct {
		Next uint64 `json:"possible_next_nonce"`
	}
)

// bank is a server on which random people send random transactions.
type bank struct {
	testing.TB
	r      *rapid.T
	s      *Server
	people []person
	all    []string // everybody who can have something
	sent   []string // ids of what was sent
	begin  func() holding
	total  *big.Int // of STX
}

// Fatal and Fatalf end a round, so that a shorter one is looked for.
func (b *bank) Fatal(all ...any)                 { b.r.Fatal(all...) }
func (b *bank) Fatalf(format string, all ...any) { b.r.Fatalf(format, all...) }

func newBank(t testing.TB, r *rapid.T, s *Server) *bank {
	b := &bank{TB: t, r: r, s: s}
	for _, name := range []string{"alice", "bob", "carol"} {
		b.people = append(b.people, someone(name))
		b.all = append(b.all, someone(name).address(true))
	}
	deployer := asset(b, lights).Contract.Address.String()
	b.all = append(b.all, vault, asset(b, usda).Contract.Address.String(), deployer, someone("nobody").address(true))
	for _, address := range b.all[:3] {
		b.control("accounts", fmt.Sprintf(`{"address":%q,"tokens":{%q:"1000"}}`, address, usda))
	}
	b.control("contracts", vaultCalls)
	begin := b.shown()
	b.total = begin.sum("")
	b.begin = func() holding { return b.copied(begin) }
	return b
}

func (b *bank) copied(h holding) holding {
	c := holding{map[string]map[string]*big.Int{}, map[string]map[string]string{}, maps.Clone(h.nonces)}
	for asset, all := range h.amounts {
		for who, n := range all {
			c.add(asset, who, n)
		}
	}
	for asset, all := range h.owners {
		c.owners[asset] = maps.Clone(all)
	}
	return c
}

func (b *bank) control(route, body string) {
	if w := post(b.s, "/mock/v1/"+route, "application/json", []byte(body)); w.Code != http.StatusOK {
		b.Fatalf("%s %s: %d %s", route, body, w.Code, w.Body)
	}
}

func ofBank[T any](b *bank, target string) (v T) {
	w := get(b.s, target)
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code != http.StatusOK {
		b.Fatalf("%s: %d %s %v", target, w.Code, w.Body, err)
	}
	return v
}

// shown returns what the balances of v1 show of everybody.
func (b *bank) shown() holding {
	h := holding{map[string]map[string]*big.Int{}, map[string]map[string]string{}, map[string]uint64{}}
	for _, who := range b.all {
		body := ofBank[shownBalances](b, "/extended/v1/address/"+who+"/balances")
		h.add("", who, b.number(body.STX.Balance))
		h.add("sent", who, b.number(body.STX.Sent))
		for id, one := range body.Fungibles {
			h.add(id, who, b.number(one.Balance))
		}
		for _, one := range b.holdings(who) {
			if h.owners[one.Asset] == nil {
				h.owners[one.Asset] = map[string]string{}
			}
			if other := h.owners[one.Asset][one.Value.Repr]; other != "" {
				b.Fatalf("%s %s belongs to %s and to %s", one.Asset, one.Value.Repr, other, who)
			}
			h.owners[one.Asset][one.Value.Repr] = who
		}
	}
	return h
}

func (b *bank) holdings(who string) []shownToken {
	return ofBank[struct{ Results []shownToken }](b, "/extended/v1/tokens/nft/holdings?limit=200&principal="+who).Results
}

func (b *bank) number(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || n.Sign() < 0 {
		b.Fatalf("%q is no amount", text)
	}
	return n
}

// explained returns what the events of everything that was mined make of the beginning.
func (b *bank) explained() holding {
	h := b.begin()
	for _, id := range b.sent {
		tx := ofBank[struct {
			Status string `json:"tx_status"`
			Sender string `json:"sender_address"`
			Fee    string `json:"fee_rate"`
			Events []struct{ Asset *shownAsset }
		}](b, "/extended/v1/tx/0x"+id)
		if tx.Status == "pending" || strings.HasPrefix(tx.Status, "dropped") {
			continue
		}
		h.nonces[tx.Sender]++
		h.add("", tx.Sender, new(big.Int).Neg(b.number(tx.Fee)))
		if tx.Status != "success" && len(tx.Events) > 0 {
			b.Fatalf("%s is %s and has events", id, tx.Status)
		}
		for _, e := range tx.Events {
			if e.Asset == nil {
				continue
			}
			if e.Asset.Value != nil {
				b.moves(&h, e.Asset)
				continue
			}
			if n := b.number(e.Asset.Amount); e.Asset.Sender != "" {
				h.add(e.Asset.ID, e.Asset.Sender, new(big.Int).Neg(n))
				if e.Asset.ID == "" {
					h.add("sent", e.Asset.Sender, n)
				}
			}
			if n := b.number(e.Asset.Amount); e.Asset.Recipient != "" {
				h.add(e.Asset.ID, e.Asset.Recipient, n)
			}
		}
	}
	return h
}

// moves moves a non-fungible token. In which order those of a block came is not compared: whoever
// it came from loses it once for each time that it came.
func (b *bank) moves(h *holding, e *shownAsset) {
	one := new(big.Int).SetInt64(1)
	of := e.ID + " " + e.Value.Repr
	if e.Sender != "" {
		h.add(of, e.Sender, new(big.Int).Neg(one))
	}
	if e.Recipient != "" {
		h.add(of, e.Recipient, one)
	}
}

// check compares every route that reports what somebody has, with each other and with the events.
func (b *bank) check() {
	shown, reported := b.shown(), b.explained()
	for asset, owners := range b.begin().owners {
		for token, who := range owners {
			reported.add(asset+" "+token, who, big.NewInt(1))
		}
	}
	for _, who := range b.all {
		for _, id := range []string{"", "sent", usda, coin} {
			if got, want := shown.of(id, who), reported.of(id, who); got != want {
				b.Fatalf("%s has %s of %q, its events say %s", who, got, id, want)
			}
		}
		for _, id := range []string{lights, card} {
			for token := range 8 {
				repr := fmt.Sprintf("u%d", token)
				if got, want := shown.owners[id][repr] == who, reported.of(id+" "+repr, who) == "1"; got != want {
					b.Fatalf("%s owns %s %s: %v, its events say %s", who, id, repr, got, reported.of(id+" "+repr, who))
				}
			}
		}
		b.checkRoutes(who, shown, reported.nonces[who])
	}
	b.checkSupplies(shown, reported)
}

// checkRoutes compares what the other routes show of somebody with the balances of v1.
func (b *bank) checkRoutes(who string, shown holding, nonce uint64) {
	balances := map[string]string{}
	account := ofBank[shownAccount](b, "/v2/accounts/"+who+"?proof=0")
	balance, _ := new(big.Int).SetString(strings.TrimPrefix(account.Balance, "0x"), 16)
	balances["/v2/accounts"] = balance.String()
	type has struct {
		Balance string `json:"balance"`
	}
	for _, route := range []string{"/extended/v1/address/%s/stx", "/extended/v2/addresses/%s/balances/stx", "/extended/v3/principals/%s/balances/stx"} {
		balances[route] = ofBank[has](b, fmt.Sprintf(route, who)).Balance
	}
	for route, got := range balances {
		if want := shown.of("", who); got != want {
			b.Fatalf("%s says that %s has %s micro-STX, the balances %s", route, who, got, want)
		}
	}
	if account.Nonce != nonce {
		b.Fatalf("the next nonce of %s is %d, with %d transactions in blocks", who, account.Nonce, nonce)
	}
	for _, id := range []string{usda, coin} {
		list := ofBank[struct {
			Results []struct{ Token, Balance string }
		}](b, "/extended/v2/addresses/"+who+"/balances/ft?limit=200").Results
		v3 := ofBank[struct {
			Results []struct {
				ID      string `json:"asset_identifier"`
				Balance string
			}
		}](b, "/extended/v3/principals/"+who+"/balances/ft?limit=200").Results
		reported := map[string]string{"v2 one": ofBank[has](b, "/extended/v2/addresses/"+who+"/balances/ft/"+id).Balance, "v2 list": "0", "v3 list": "0"}
		for _, one := range list {
			if one.Token == id {
				reported["v2 list"] = one.Balance
			}
		}
		for _, one := range v3 {
			if one.ID == id {
				reported["v3 list"] = one.Balance
			}
		}
		for route, got := range reported {
			if want := shown.of(id, who); got != want {
				b.Fatalf("%s: %s has %s of %s, the balances say %s", route, who, got, id, want)
			}
		}
	}
	contract, _, _ := strings.Cut(usda, "::")
	if got, want := reads(b, b.s, contract, "get-balance", principalOf(b, who)), "(ok u"+shown.of(usda, who)+")"; got != want {
		b.Fatalf("get-balance of %s answers %s, want %s", who, got, want)
	}
	var nfts []string
	for _, one := range ofBank[struct {
		Results []struct {
			ID    string `json:"asset_identifier"`
			Value struct{ Repr string }
		}
	}](b, "/extended/v3/principals/"+who+"/balances/nft?limit=200").Results {
		nfts = append(nfts, one.ID+" "+one.Value.Repr)
	}
	var held []string
	for _, one := range b.holdings(who) {
		held = append(held, one.Asset+" "+one.Value.Repr)
	}
	slices.Sort(nfts)
	if slices.Sort(held); !slices.Equal(held, nfts) {
		b.Fatalf("%s holds %v, and in v3 %v", who, held, nfts)
	}
}

// checkSupplies compares what there is with what all have.
func (b *bank) checkSupplies(shown, reported holding) {
	contract, _, _ := strings.Cut(usda, "::")
	if got, want := reads(b, b.s, contract, "get-total-supply"), "(ok u"+shown.sum(usda).String()+")"; !strings.HasPrefix(want, "(ok u") || got != b.supply(want) {
		b.Fatalf("there are %s of usda, and all have %s", got, want)
	}
	fees := new(big.Int).Sub(b.total, shown.sum(""))
	if want := new(big.Int).Sub(b.total, reported.sum("")); fees.Cmp(want) != 0 || fees.Sign() < 0 {
		b.Fatalf("%s micro-STX are missing, and the fees were %s", fees, want)
	}
	for _, id := range []string{usda, coin} {
		holders := map[string]string{}
		for _, one := range ofBank[struct {
			Results []struct{ Address, Balance string }
		}](b, "/extended/v1/tokens/ft/"+id+"/holders?limit=200").Results {
			holders[one.Address] = one.Balance
		}
		for _, who := range b.all {
			if got, want := cmp.Or(holders[who], "0"), shown.of(id, who); got != want {
				b.Fatalf("as a holder of %s %s has %s, the balances say %s", id, who, got, want)
			}
		}
	}
	nft, _, _ := strings.Cut(lights, "::")
	for token, who := range shown.owners[lights] {
		n := clarity.NewUInt(number(b, token[1:]))
		if got, want := reads(b, b.s, nft, "get-owner", n), "(ok (some '"+who+"))"; got != want {
			b.Fatalf("get-owner of %s answers %s, want %s", token, got, want)
		}
	}
}

// supply returns a sum with what the people of the test mnemonic and six strangers have, who do
// nothing here.
func (b *bank) supply(sum string) string {
	n := b.number(strings.Trim(sum, "(oku )"))
	return "(ok u" + n.Add(n, big.NewInt(10*2_500_000_000+6*1_900_000_000)).String() + ")"
}

// send broadcasts a random transaction of somebody. It may be refused.
func (b *bank) send() {
	from := rapid.IntRange(0, len(b.people)-1).Draw(b.r, "from")
	to := principalOf(b, rapid.SampledFrom(b.all).Draw(b.r, "to"))
	me := principalOf(b, b.all[from])
	n := rapid.Uint64Range(0, 7).Draw(b.r, "n")
	amount := n * rapid.SampledFrom([]uint64{1, 100, 100_000_000_000}).Draw(b.r, "times")
	next := ofBank[shownNonces](b, "/extended/v1/address/"+b.all[from]+"/nonces").Next
	nonce := next - min(next, rapid.SampledFrom([]uint64{0, 0, 0, 1}).Draw(b.r, "again"))
	call := func(contract, function string, args ...clarity.Value) stxtx.Payload {
		return stxtx.ContractCall{Contract: principalOf(b, contract), Function: function, Args: args}
	}
	ft, _, _ := strings.Cut(usda, "::")
	nft, _, _ := strings.Cut(lights, "::")
	var payload stxtx.Payload
	switch kind := rapid.IntRange(0, 5).Draw(b.r, "kind"); kind {
	case 0:
		payload = stxtx.TokenTransfer{Recipient: to, Amount: amount}
	case 1:
		payload = call(ft, "transfer", clarity.NewUInt(n*200), me, to, clarity.None{})
	case 2:
		payload = call(nft, "transfer", clarity.NewUInt(n), me, to)
	default:
		function := rapid.SampledFrom([]string{"pledge", "drain", "refund", "mint", "burn", "swap", "draw", "discard", "lend", "fail"}).Draw(b.r, "function")
		value := n
		if function == "pledge" || function == "refund" {
			value = amount
		}
		payload = call(vault, function, clarity.NewUInt(value))
	}
	tx := b.people[from].mainnetTx(nonce, rapid.Uint64Range(400, 405).Draw(b.r, "fee"), payload)
	if tx.PostConditionMode = stxtx.ModeAllow; rapid.IntRange(0, 4).Draw(b.r, "strict") == 0 {
		tx.PostConditionMode = stxtx.ModeDeny
	}
	if err := tx.SignOrigin(b.people[from].sign); err != nil {
		b.Fatal(err)
	}
	raw := encoded(b, tx)
	if w := broadcastRaw(b.s, raw); w.Code == http.StatusOK && !slices.Contains(b.sent, stxtx.ID(raw)) {
		b.sent = append(b.sent, stxtx.ID(raw))
	}
}

// Whatever is sent, rolled back and sent again: what everybody has adds up to what there is, the events
// explain it, and every route shows the same.
func TestWhatEverybodyHasAddsUp(t *testing.T) {
	notRaced(t)
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen, APIVersion: "9"})
	rapid.Check(t, func(rt *rapid.T) {
		if w := post(s, "/mock/v1/reset", "application/json", nil); w.Code != http.StatusOK {
			rt.Fatal(w.Body)
		}
		b := newBank(t, rt, s)
		b.check()
		snapshots := [][]string{slices.Clone(b.sent)}
		b.control("snapshot", `{"name":"0"}`)
		for range rapid.IntRange(5, 20).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"send", "send", "send", "send", "mine", "mine", "reorg", "snapshot", "revert", "hold"}).Draw(rt, "do") {
			case "send":
				b.send()
				continue
			case "mine":
				b.control("mine", `{"blocks":1}`)
			case "reorg":
				b.control("reorg", fmt.Sprintf(`{"depth":%d}`, rapid.IntRange(1, 3).Draw(rt, "depth")))
			case "snapshot":
				b.control("snapshot", fmt.Sprintf(`{"name":"%d"}`, len(snapshots)))
				snapshots = append(snapshots, slices.Clone(b.sent))
			case "revert":
				to := rapid.IntRange(0, len(snapshots)-1).Draw(rt, "back")
				b.control("revert", fmt.Sprintf(`{"to":"%d"}`, to))
				snapshots = snapshots[:to+1]
				b.sent = slices.Clone(snapshots[to])
			case "hold":
				b.control("mempool", fmt.Sprintf(`{"hold":%v}`, rapid.Bool().Draw(rt, "held")))
			}
			b.check()
		}
		b.control("mempool", `{"hold":false}`)
		b.control("mine", `{"blocks":2}`)
		b.check()
	})
}
