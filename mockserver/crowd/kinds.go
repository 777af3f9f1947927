package crowd

import (
	"fmt"

	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// kind is a kind of transaction: its weight among all of them, and how it is made.
type kind struct {
	weight   uint64
	contract clarity.Principal // that it calls, the zero one for none
	make     func(d *draft)
}

// fungibles and collectibles are contracts of the catalogue.
var (
	fungibles = []stxtx.Asset{
		asset("SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda"),
		asset("SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token::sbtc-token"),
		asset("SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar::harbor-dollar"),
	}
	collectibles = []stxtx.Asset{
		asset("SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light"),
		asset("SP1EF7J5EXB5JZNV0D8DR0RP12EBD2K1WGXTZSZJM.mosaic::tile"),
	}
)

// asset reads an asset that is a constant.
func asset(text string) stxtx.Asset {
	a, err := stxtx.ParseAsset(text)
	if err != nil {
		panic("crowd: " + err.Error())
	}
	return a
}

// kinds returns what strangers do. Seven in a hundred fail, each with an error of its contract.
func kinds() []kind {
	registry, none := principal(facts.BNS2(false)), clarity.Principal{}
	sendMany, guestbook, club := principal(SendManyID), principal(GuestbookID), principal(ClubID)
	all := []kind{
		{280, none, transfer},
		{30, none, deploy},
		{3, none, failingDeploy},
		{215, sendMany, func(d *draft) { d.addCondition(stxtx.SentEqual, d.sendMany(1_000)) }},
		{7, sendMany, func(d *draft) { d.addCondition(stxtx.SentEqual, d.sendMany(1_000)-1_000) }},
		{5, sendMany, func(d *draft) { d.sendMany(1_000) }},
		{3, sendMany, func(d *draft) { d.addCondition(stxtx.SentLessOrEqual, d.sendMany(1_000_000_000)) }}, // more than it has
		{175, registry, func(d *draft) { d.addCondition(stxtx.SentLessOrEqual, d.preorder(20)) }},
		{7, registry, func(d *draft) { d.addCondition(stxtx.SentLess, d.preorder(20)) }},
		{3, registry, func(d *draft) { d.addCondition(stxtx.SentEqual, d.preorder(19)) }},
		{5, registry, func(d *draft) { d.sends(registry.Contract, 1+d.below(200_000), d.me) }},
		{3, registry, func(d *draft) { d.call("set-primary-name", clarity.NewUInt(0)) }},
		{120, club, func(d *draft) { d.addCondition(stxtx.SentLessOrEqual, d.join(1_000_000)) }},
		{5, club, func(d *draft) { d.addCondition(stxtx.SentLessOrEqual, d.join(1_000_000)-500_000) }},
		{4, club, func(d *draft) { d.addCondition(stxtx.SentLessOrEqual, d.join(100_000)) }},
		{130, guestbook, sign},
		{3, guestbook, func(d *draft) { d.call("sign", clarity.UTF8("")) }},
	}
	for _, a := range fungibles { // a stranger has none of them
		all = append(all,
			kind{5, a.Contract, func(d *draft) { d.pays(a, d.me) }},
			kind{2, a.Contract, func(d *draft) { d.pays(a, d.account(1)) }})
	}
	for _, a := range collectibles {
		all = append(all, kind{3, a.Contract, func(d *draft) { d.sends(a.Name, 1+d.below(9), d.me) }})
	}
	return all
}

// memos hold what people write beside a transfer.
var memos = []string{"thanks!", "rent", "coffee", "refund", "invoice %d", "order %d", "deposit %d", "%d", "payout %d", "happy birthday", "lunch", "for the boat"}

// memo returns a memo, which often has a number.
func (d *draft) memo() string {
	text := oneOf(d, memos)
	for i := range len(text) {
		if text[i] == '%' {
			return fmt.Sprintf(text, 100_000+d.below(900_000))
		}
	}
	return text
}

// transfer sends STX. Half of them have a memo.
func transfer(d *draft) {
	p := stxtx.TokenTransfer{Recipient: d.account(1), Amount: 1 + d.id[2]%1_000_000_000}
	if d.below(2) == 0 {
		copy(p.Memo[:], d.memo())
	}
	d.tx.Payload = p
}

// sendMany sends STX to two or more accounts, to each a multiple of a unit, and returns the
// total.
func (d *draft) sendMany(unit uint64) (total uint64) {
	var list clarity.List
	for n := range 2 + d.below(3) {
		amount := unit * (1_000 + d.below(40_000))
		total += amount
		list = append(list, clarity.Tuple{Fields: []clarity.Field{
			{Name: "memo", Value: clarity.Buffer(d.memo())},
			{Name: "to", Value: d.account(1 + int(n))},
			{Name: "ustx", Value: clarity.NewUInt(amount)},
		}})
	}
	d.call("send-many", list)
	return total
}

// preorder pays for a name whose hash has length bytes, and returns the micro-STX that it burns.
func (d *draft) preorder(length int) uint64 {
	burned := oneOf(d, []uint64{2, 2, 2, 10, 20, 50}) * 1_000_000
	raw := d.id.Bytes()
	d.call("name-preorder", clarity.Buffer(raw[len(raw)-length:]), clarity.NewUInt(burned))
	return burned
}

// join joins the club and returns the dues, which are at least least.
func (d *draft) join(least uint64) uint64 {
	dues := least * (1 + d.below(9))
	d.call("join", clarity.NewUInt(dues))
	return dues
}

// sends calls transfer of a contract of non-fungible tokens.
func (d *draft) sends(name string, id uint64, from clarity.Principal) {
	token := clarity.NewUInt(id)
	d.call("transfer", token, from, d.account(1))
	d.tx.PostConditions = []stxtx.PostCondition{{
		Asset: stxtx.AssetNFT, Principal: &from, Condition: stxtx.NFTSent, Token: stxtx.Asset{Contract: d.contract, Name: name}, TokenID: token,
	}}
}

// pays calls transfer of a contract of a fungible token.
func (d *draft) pays(a stxtx.Asset, from clarity.Principal) {
	amount := (1 + d.below(500)) * 250_000
	d.call("transfer", clarity.NewUInt(amount), from, d.account(2), clarity.None{})
	d.tx.PostConditions = []stxtx.PostCondition{{
		Asset: stxtx.AssetFT, Principal: &from, Condition: stxtx.SentEqual, Amount: amount, Token: a,
	}}
}

// entries hold what people write into the guestbook.
var entries = []string{
	"Hello from the harbor.", "First!", "Was here, block by block.", "Greetings from Lisbon ☀", "The lights are beautiful tonight.",
	"gm", "Looking for a berth until Friday.", "Fair winds to everybody.", "港に着いた。", "Thanks for the warm welcome.",
}

// sign writes into the guestbook.
func sign(d *draft) { d.call("sign", clarity.UTF8(oneOf(d, entries))) }
