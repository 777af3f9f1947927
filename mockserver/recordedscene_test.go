package mockserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chainscope/apiclient/apitest"
	"chainscope/mockserver/chain"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// scene is a mock that holds what the recorded servers held: the same contract, calls,
// transfers and mempool, sent by other people.
type scene struct {
	testing.TB
	s      *Server
	people map[string]person // by their recorded addresses
	nonces map[string]uint64
	// replace leads from what was recorded to what replaces it.
	replace *strings.Replacer
	pairs   []string
}

// The recorded addresses.
const (
	recordedA = "STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN"
	recordedB = "ST11NJTTKGVT6D1HY4NJRVQWMQM7TVAR091EJ8P2Y"
	recordedC = "ST1HB1T8WRNBYB0Y3T7WXZS38NKKPTBR3EG9EPJKR"
)

// canned hold what the calls of the contract do, as the recorded servers were given.
const canned = `{"contract":"A.demo-token","calls":{
	"mint":{"result":"(ok true)","moves":[{"asset":"A.demo-token::demo","to":"sender","amount":"$1"},{"asset":"A.demo-token::ticket","to":"sender","id":"u1"}]},
	"transfer":[
		{"args":["u2500","'A","'B","(some 0x6c756e6368)"],"result":"(ok true)","prints":["{ op: \"transfer\", amount: u2500 }"],"moves":[
			{"asset":"A.demo-token::demo","from":"sender","to":"B","amount":"u2500"},
			{"asset":"STX","from":"sender","to":"C","amount":"u5"},
			{"asset":"A.demo-token::demo","from":"sender","amount":"u1"}]},
		{"args":["u99999999","'B","'A","none"],"result":"(err u1)"},
		{"args":["u5","'B","'A","none"],"result":"(ok true)","moves":[{"asset":"A.demo-token::demo","from":"sender","to":"A","amount":"u5"}]}]}}`

// newScene makes the scene on a mock of a generation.
func newScene(t testing.TB, generation string, recorded []apitest.Exchange) *scene {
	t.Helper()
	d := &scene{
		TB: t, s: anchored(t, version(generation)), nonces: map[string]uint64{},
		people: map[string]person{recordedA: someone("alice"), recordedB: someone("bob"), recordedC: someone("carol")},
	}
	for from, p := range d.people {
		d.replaces(from, p.address(false))
	}
	named := d.names()
	if w := post(d.s, "/mock/v1/contracts", "application/json", []byte(named.Replace(canned))); w.Code != 200 {
		t.Fatalf("contracts: %d %s", w.Code, w.Body)
	}
	d.tenureBlock()
	d.block51()
	d.orphan()
	for i := range 4 {
		d.transfers(i)
		mine(t, d.s, 1)
	}
	d.mempool()
	d.replaces("by_trait?limit=2", "by_trait?limit=1") // the catalogue has such contracts too
	d.replaces("tx?limit=2&type=contract_call", "tx?limit=2&contract_id="+d.call("").Contract.String()+"&type=contract_call")
	d.replace = strings.NewReplacer(d.pairs...)
	if w := get(d.s, "/extended/v3/mempool/transactions?limit=2"); w.Code == 200 { // not in version 8
		next := read[struct {
			Cursor struct{ Next string }
		}](t, w)
		for _, e := range recorded {
			if _, cursor, ok := strings.Cut(e.Path, "&cursor="); ok && e.Name == "v3-mempool-next" {
				d.replace = strings.NewReplacer(append([]string{cursor, next.Cursor.Next}, d.pairs...)...)
			}
		}
	}
	return d
}

// replaces adds what replaces something recorded.
func (d *scene) replaces(recorded, ours string) { d.pairs = append(d.pairs, recorded, ours) }

// names turns the letters of people into their addresses.
func (d *scene) names() *strings.Replacer {
	a, b, c := d.people[recordedA].address(false), d.people[recordedB].address(false), d.people[recordedC].address(false)
	return strings.NewReplacer(`"A.`, `"`+a+".", `"'A"`, `"'`+a+`"`, `"'B"`, `"'`+b+`"`, `"A"`, `"`+a+`"`, `"B"`, `"`+b+`"`, `"C"`, `"`+c+`"`)
}

func (d *scene) who(recorded string) clarity.Principal {
	p, err := clarity.ParsePrincipal(d.people[recorded].address(false))
	if err != nil {
		d.Fatal(err)
	}
	return p
}

// send sends a transaction and says which recorded one it replaces, "" for none.
func (d *scene) send(from, recorded string, fee uint64, p stxtx.Payload, change ...func(*stxtx.Transaction)) {
	d.Helper()
	tx := d.people[from].testnetTx(d.nonces[from], fee, p)
	d.nonces[from]++
	for _, f := range change {
		f(tx)
	}
	if err := tx.SignOrigin(d.people[from].sign); err != nil {
		d.Fatal(err)
	}
	if tx.Auth.Sponsor != nil {
		if err := tx.SignSponsor(d.people[recordedC].sign); err != nil {
			d.Fatal(err)
		}
		d.nonces[recordedC]++
	}
	id := "0x" + accepted(d, d.s, encoded(d, tx))
	if recorded != "" {
		d.replaces(recorded, id)
		d.replaces(recorded[2:], id[2:])
	}
}

// sponsored lets carol pay.
func (d *scene) sponsored(tx *stxtx.Transaction) {
	pays := d.people[recordedC].condition(d.nonces[recordedC], tx.Auth.Origin.Fee)
	tx.Auth.Type, tx.Auth.Sponsor = stxtx.AuthSponsored, &pays
	tx.Auth.Origin.Fee = 0
}

func allow(tx *stxtx.Transaction) { tx.PostConditionMode = stxtx.ModeAllow }

func (d *scene) transfer(to string, amount uint64, memo string) stxtx.TokenTransfer {
	p := stxtx.TokenTransfer{Recipient: d.who(to), Amount: amount}
	copy(p.Memo[:], memo)
	return p
}

func (d *scene) call(function string, args ...clarity.Value) stxtx.ContractCall {
	id := d.who(recordedA)
	id.Contract = "demo-token"
	return stxtx.ContractCall{Contract: id, Function: function, Args: args}
}

// tenureBlock finds a block that replaces the recorded 50: a tenure change, a coinbase, and
// a transfer.
func (d *scene) tenureBlock() {
	d.Helper()
	v := d.s.world.State().View
	for h := v.Tip(); h > v.Tip()-5_000; h-- {
		b, _ := v.Block(h)
		ids := v.TxIDs(&b)
		place, ok := v.Place(ids[len(ids)-1])
		if change, _ := place.Begins(&v); !ok || !change || len(ids) != 3 || !d.transfersSTX(ids[0]) {
			continue
		}
		d.replaces("blocks/50/", fmt.Sprintf("blocks/%d/", h))
		d.replaces("0xb6c6aef383479e223c1830a1b9ecedb500592a9e33d81946c3bdcf9b9676ce8c", ids[2].String())
		d.replaces("0x8c2f979c0a81ca17d8027d39c1c222b596e9c0457e8476294afcc4a95b2a0450", ids[1].String())
		return
	}
	d.Fatal("no block begins a tenure and has three transactions")
}

// transfersSTX reports whether a transaction is a transfer of STX without a memo.
func (d *scene) transfersSTX(id chain.Hash) bool {
	tx, _ := d.s.world.State().Transaction(id.Bytes())
	p, ok := tx.Payload.(stxtx.TokenTransfer)
	return ok && p.MemoText() == ""
}

// quietBlock moves the chain on until the next block has a single transaction by itself, a
// transfer.
func (d *scene) quietBlock() {
	d.Helper()
	for range 1_000 {
		if w := post(d.s, "/mock/v1/snapshot", "application/json", []byte(`{"name":"before"}`)); w.Code != 200 {
			d.Fatal(w.Body)
		}
		mine(d, d.s, 1)
		v := d.s.world.State().View
		b, _ := v.Block(v.Tip())
		place, _ := v.Place(v.TxIDs(&b)[0])
		if change, _ := place.Begins(&v); b.TxCount == 1 && !change && d.transfersSTX(v.TxIDs(&b)[0]) {
			post(d.s, "/mock/v1/revert", "application/json", []byte(`{"to":"before"}`))
			return
		}
	}
	d.Fatal("no block has a single transaction")
}

// block51 mines the block that replaces the recorded 51.
func (d *scene) block51() {
	d.Helper()
	var deploy struct {
		Contract struct {
			Source string `json:"source_code"`
		} `json:"smart_contract"`
	}
	for _, e := range apitest.Exchanges(apitest.Version9) {
		if e.Name == "v1-tx-deploy" {
			if err := json.Unmarshal(e.Body, &deploy); err != nil {
				d.Fatal(err)
			}
		}
	}
	a, b, none := d.who(recordedA), d.who(recordedB), clarity.None{}
	d.send(recordedA, "0x7b471365aeaf775f20127daeddd0c22585cbf10827661a0db29e6ab126910565", 10_000,
		stxtx.SmartContract{Name: "demo-token", Code: deploy.Contract.Source, ClarityVersion: 3}, allow)
	mine(d, d.s, 1) // the block to come has one transaction by itself
	d.quietBlock()
	d.send(recordedA, "0x839fdbb890c272b8624272de6c0ff4894be2f5b329113754d3bbcc69bdbc02fd", 3_000, d.call("mint", clarity.NewUInt(1_000_000)), allow)
	d.send(recordedA, "0xa11d1be9ff2319c1a17b324e8823d2b2225e39a25e33414884810e7a8b7e75e6", 3_000, d.call("transfer", clarity.NewUInt(2_500), a, b, clarity.Some{Value: clarity.Buffer("lunch")}),
		func(tx *stxtx.Transaction) {
			token := d.call("").Contract
			tx.PostConditions = []stxtx.PostCondition{
				{Asset: stxtx.AssetFT, Principal: &a, Condition: stxtx.SentEqual, Amount: 2_501, Token: stxtx.Asset{Contract: token, Name: "demo"}},
				{Asset: stxtx.AssetSTX, Principal: &a, Condition: stxtx.SentLessOrEqual, Amount: 10},
				{Asset: stxtx.AssetNFT, Principal: &a, Condition: stxtx.NFTNotSent, Token: stxtx.Asset{Contract: token, Name: "ticket"}, TokenID: clarity.NewUInt(1)},
			}
		})
	d.send(recordedB, "0xc57f7cba9e4c432163caa351704a14479eaffbb3baed8aabbc48323a42d15719", 3_000, d.call("transfer", clarity.NewUInt(99_999_999), b, a, none))
	d.send(recordedB, "0xc33d98575412f32396f39af6b131bbf5418533693fe456e83c35e7c1f7e2b787", 3_000, d.call("transfer", clarity.NewUInt(5), b, a, none))
	d.send(recordedB, "0x88a01b9fd692b258098ea78a65ebd7dcb60d7a6c461dcae0f7ed4426ae30dbfd", 500, d.transfer(recordedA, 777, "sponsored"), d.sponsored)
	d.send(recordedA, "0x85c629adfd176c597b098272faa51f7701e2386f65150bcd2b5f34d200fd8e8d", 3_000, d.transfer(recordedB, 1_500_000, "hello"))
	mine(d, d.s, 1)
	v := d.s.world.State().View
	block, _ := v.Block(v.Tip())
	if block.TxCount != 7 {
		d.Fatalf("the block has %d transactions, not 7", block.TxCount)
	}
	d.replaces("blocks/51/", fmt.Sprintf("blocks/%d/", block.Height))
	d.replaces("block_height/51", fmt.Sprintf("block_height/%d", block.Height))
	d.replaces("block_height=60", fmt.Sprintf("block_height=%d", block.Height))
	d.replaces("0x17e6ffd645db520e1b02f84f181b1407b705fbe03c40a015e8a24fcbc077509f", block.Hash.String())
}

// orphan mines a transfer, replaces its block, and drops it.
func (d *scene) orphan() {
	d.Helper()
	const recorded = "0x3715b4fdc08f53d6785e0dca95334f5996a90b8435d82c10ebb900259f9f4578"
	d.send(recordedA, recorded, 180, d.transfer(recordedB, 1_764, "m764"))
	mine(d, d.s, 1)
	if w := post(d.s, "/mock/v1/reorg", "application/json", []byte(`{"depth":1}`)); w.Code != 200 {
		d.Fatalf("reorg: %d %s", w.Code, w.Body)
	}
	d.drop(recordedA, recorded)
}

// drop drops what replaces a recorded transaction, the last that somebody sent.
func (d *scene) drop(from, recorded string) {
	d.Helper()
	id := strings.NewReplacer(d.pairs...).Replace(recorded)
	if w := post(d.s, "/mock/v1/mempool", "application/json", fmt.Appendf(nil, `{"drop":%q,"reason":"stale_garbage_collect"}`, id)); w.Code != 200 {
		d.Fatalf("drop: %d %s", w.Code, w.Body)
	}
	d.nonces[from]--
}

// transfers sends those of the recorded blocks after 51.
func (d *scene) transfers(i int) {
	memo := fmt.Sprintf("m%d", 700+i)
	d.send(recordedB, "", 180, d.transfer(recordedC, 1_761, memo))
	d.send(recordedB, "", 180, d.transfer(recordedA, 1_761, memo))
	d.send(recordedA, "", 180, d.transfer(recordedB, 1_760, memo))
	d.send(recordedA, "", 180, d.transfer(recordedC, 1_760, memo))
}

// mempool sends what waits: three transfers of bob and one that was dropped, and of alice a
// sponsored transfer and, after a gap, a call.
func (d *scene) mempool() {
	d.send(recordedB, "0x2e46004c26786610fde792762ae01e81b64ba3554347fa55dd5488454dc032ec", 180, d.transfer(recordedC, 4_242, "pending"))
	d.send(recordedB, "0x147319f62dcb523bf046db2be38e147feb7cf2c441f066dc01776dfd4d7415e6", 180, d.transfer(recordedC, 66, "todrop"))
	d.drop(recordedB, "0x147319f62dcb523bf046db2be38e147feb7cf2c441f066dc01776dfd4d7415e6")
	d.send(recordedB, "", 400, d.transfer(recordedC, 66, "another"))
	d.send(recordedB, "", 180, d.transfer(recordedA, 1, "to alice"))
	d.send(recordedA, "0x87d9abbbbb3bb6e3a8af0a6065dd109b3b170a9db73352817b9b01bcb6228421", 500, d.transfer(recordedC, 55, "sp"), d.sponsored)
	d.nonces[recordedA]++
	a := d.who(recordedA)
	d.send(recordedA, "0x05fa2cf4532330317c9902840fed8502d54f0808f08751b76e77ce88a5c03247", 3_000, d.call("mint", clarity.NewUInt(7)),
		func(tx *stxtx.Transaction) {
			tx.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetSTX, Principal: &a, Condition: stxtx.SentGreaterOrEqual, Amount: 1}}
		})
}
