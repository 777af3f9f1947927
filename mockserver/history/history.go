// Package history is what known accounts did before anybody sent a transaction to the mock: for
// each account of the public test mnemonic, on both networks, how it came to its first STX and to
// a few tokens, and the same of a few strangers. It depends on the chain alone, so two servers with the same seed agree.
//
// What strangers staked is in package staking.
//
// These are transactions of the chain's blocks, under the ids that the blocks list; nobody signed
// them. The package must not import anything of HTTP.
package history

import (
	"cmp"
	"iter"
	"math/big"
	"slices"
	"sync"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/splitmix"
	"chainscope/mockserver/staking"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// accounts are the first accounts of the test mnemonic "abandon … about", on mainnet.
var accounts = []string{
	"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J",
	"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH",
	"SP28B7Q9N0NDJSRTGXRWF53B5M08BEV7G32MTC87V",
	"SP3AB6B5T5C6JBWQNDQWR1QB9E3R75T2P1KJFTYN",
	"SP2AQMVV4M2E4TXY9JGD300BHGM7SSENW50XK2VTX",
	"SP17M98YMR68S393P2P8AK3CWEJY9HQ6WGRPEBHRJ",
	"SP3RTB3NQ5RFHV7R2PJ0Y8W982GVJZMW5KHD8KSPT",
	"SP23HR2AW1CHQY48VVN0JE2NEC5MG87NMW53N328M",
	"SP2HFXDWHHTQV5CF0W0C5TVAJ1FQX24XC9Q6QW6RW",
	"SP1S4AVYG6Q88W1T6DE011JCW7ZN82SFG0K1S1YBS",
}

// giver has no known key: it sends what the people begin with. patron does so for
// the regulars.
var (
	giver  = [20]byte{'c', 'h', 'a', 'i', 'n', 's', 'c', 'o', 'p', 'e', ' ', 'f', 'a', 'u', 'c', 'e', 't'}
	patron = [20]byte{'c', 'h', 'a', 'i', 'n', 's', 'c', 'o', 'p', 'e', ' ', 'p', 'a', 't', 'r', 'o', 'n'}
)

// gifts are the STX of each account at first, in micro-STX: together the million
// STX that every account begins with.
var gifts = []struct {
	amount uint64
	memo   string
}{
	{400_000_000_000, "welcome"},
	{250_000_000_000, "grant"},
	{150_000_000_000, "salary"},
	{100_000_000_000, "invoice 17"},
	{50_000_000_000, ""},
	{30_000_000_000, "rent"},
	{15_000_000_000, "dinner"},
	{5_000_000_000, "coffee"},
}

// gift is a token that each account was sent.
type gift struct {
	asset  string
	amount uint64 // of a non-fungible token, what is added to the account's number
	unique bool
}

// tokens hold what each account was sent of contracts of the mock's catalogue on mainnet.
var tokens = []gift{
	{"SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda", 2_500_000_000, false},
	{facts.SBTC(false) + ".sbtc-token::sbtc-token", 75_000_000, false},
	{"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar::harbor-dollar", 1_234_560_000, false},
	{"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light", 1, true},
}

// rehearsals hold what each account has on testnet from the beginning.
var rehearsals = []gift{
	{"ST355K6K7CD8HGWKR67E5PZ9CP18274XGZ7NB44PK.rehearsal-token::rehearsal", 5_000_000_000, false},
	{"ST355K6K7CD8HGWKR67E5PZ9CP18274XGZ7NB44PK.rehearsal-pass::pass", 1, true},
}

// regulars counts the strangers on mainnet that have several tokens and transactions, so that the
// lists of what an account has are longer than a page.
const regulars = 6

// keepsakes are the tokens that each regular received.
var keepsakes = []gift{
	{"SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda", 1_900_000_000, false},
	{facts.SBTC(false) + ".sbtc-token::sbtc-token", 41_000_000, false},
	{"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar::harbor-dollar", 620_000_000, false},
	{"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-point::point", 1_200, false},
	{"SP3MDNVYN9Z9M623G9DZYRZH51NMDF18MST31V4KK.orchard-bitcoin::obtc", 7_500_000, false},
	{"SP3MDNVYN9Z9M623G9DZYRZH51NMDF18MST31V4KK.wrapped-ether::weth", 2_500_000_000_000_000_000, false},
	{"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light", 100, true},
	{"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light", 200, true},
	{"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light", 300, true},
	{"SP1EF7J5EXB5JZNV0D8DR0RP12EBD2K1WGXTZSZJM.mosaic::tile", 100, true},
	{"SP1EF7J5EXB5JZNV0D8DR0RP12EBD2K1WGXTZSZJM.mosaic::tile", 200, true},
	{"SP1EF7J5EXB5JZNV0D8DR0RP12EBD2K1WGXTZSZJM.mosaic::tile", 300, true},
	{"SP3MDNVYN9Z9M623G9DZYRZH51NMDF18MST31V4KK.bare-uri::seed", 100, true},
}

// group are accounts that were sent the same: from whom, and which tokens.
type group struct {
	giver  [20]byte
	who    []clarity.Principal
	tokens []gift
}

func groupOf(mainnet bool) group {
	if mainnet {
		return group{giver, Accounts(true), tokens}
	}
	return group{giver, Accounts(false), rehearsals}
}

// regularGroup returns the regulars. Their accounts have no known key.
func regularGroup() group {
	g := group{patron, make([]clarity.Principal, regulars), keepsakes}
	for i := range g.who {
		key := splitmix.NewKey(0x5e90, uint64(i))
		hash := patron
		for at := range hash {
			hash[at] = byte(key.At(uint64(at)))
		}
		g.who[i] = clarity.Principal{Address: address(hash, true)}
	}
	return g
}

// fee holds what each transaction paid, in micro-STX.
const fee = 2_000

// oldest and youngest are how many blocks before the chain's anchor the
// transactions are at most and at least.
const (
	oldest   = 400_000
	youngest = 500
)

// History holds what known accounts did. It never changes.
type History struct {
	// Staked holds the stakes, nil where nothing can be staked.
	Staked *staking.Staking
	// all is computed on first use: most mocks never need it.
	all func() *transactions
}

// transactions are those of a history.
type transactions struct {
	networks [2][]*ledger.Tx // main and test network, the newest first
	byID     map[[32]byte]*ledger.Tx
}

// New returns the history on a chain of a network in an epoch.
func New(c *chain.Chain, played facts.Epoch) *History {
	staked := staking.New(c, played, Accounts(true)[:3])
	return &History{staked, sync.OnceValue(func() *transactions {
		all := &transactions{byID: map[[32]byte]*ledger.Tx{}}
		used := map[int64]bool{}
		for network := range all.networks {
			all.networks[network] = newNetwork(c, groupOf(network == 0), network == 0, used)
		}
		all.networks[0] = slices.Concat(all.networks[0], newNetwork(c, regularGroup(), true, used), staked.Transactions())
		slices.SortStableFunc(all.networks[0], func(a, b *ledger.Tx) int { return cmp.Compare(b.Height, a.Height) })
		for _, network := range all.networks {
			for _, tx := range network {
				all.byID[tx.ID] = tx
			}
		}
		return all
	})}
}

// Lookup finds a transaction of the history that a chain with a tip has.
func (h *History) Lookup(id [32]byte, tip int64) (*ledger.Tx, bool) {
	tx, ok := h.all().byID[id]
	return tx, ok && tx.Height <= tip
}

// Before lists the transactions of a network that a chain with a tip has, the
// newest first.
func (h *History) Before(mainnet bool, tip int64) iter.Seq[*ledger.Tx] {
	network := 0
	if !mainnet {
		network = 1
	}
	return func(yield func(*ledger.Tx) bool) {
		for _, tx := range h.all().networks[network] {
			if tx.Height <= tip && !yield(tx) {
				return
			}
		}
	}
}

// Prepare lets a ledger know what was given, all of it before the chain's anchor, and what tokens
// the people and the regulars have.
func (h *History) Prepare(l *ledger.Ledger, mainnet bool) {
	groupOf(mainnet).prepare(l, mainnet)
	if mainnet {
		regularGroup().prepare(l, true)
	}
}

func (g group) prepare(l *ledger.Ledger, mainnet bool) {
	var sent uint64
	for _, gift := range gifts {
		sent += uint64(len(g.who)) * gift.amount
	}
	count := uint64(len(g.who) * len(gifts))
	if mainnet {
		count += uint64(len(g.who) * len(g.tokens))
	}
	l.Begin(clarity.Principal{Address: address(g.giver, mainnet)}, count, sent, count*fee)
	for i, to := range g.who {
		for _, t := range g.tokens {
			if asset := assetOf(t.asset); t.unique {
				l.Grant(to, asset, nil, clarity.NewUInt(t.amount+uint64(i)))
			} else {
				l.Grant(to, asset, new(big.Int).SetUint64(t.amount), nil)
			}
		}
	}
}

// Accounts returns the first accounts of the test mnemonic on a network.
func Accounts(mainnet bool) []clarity.Principal {
	all := make([]clarity.Principal, len(accounts))
	for i, text := range accounts {
		p, err := clarity.ParsePrincipal(text)
		if err != nil {
			panic("history: " + err.Error()) // a constant
		}
		p.Address = address(p.Address.Hash160, mainnet)
		all[i] = p
	}
	return all
}

// slot is a place in a block, and what is there.
type slot struct {
	height  int64
	id      chain.Hash
	payload stxtx.Payload
	moves   []outcome.Move // of a call
}

// newNetwork places what happened to a group on a network.
func newNetwork(c *chain.Chain, g group, mainnet bool, used map[int64]bool) []*ledger.Tx {
	var slots []slot
	n := uint64(g.giver[11]-giver[11]) << 20 // another beginning for each group
	place := func(payload stxtx.Payload, moves []outcome.Move) {
		n++
		draw := n << 1
		if mainnet {
			draw++
		}
		height := chain.AnchorHeight - youngest - int64(splitmix.Below(splitmix.Mix(draw), oldest-youngest))
		for {
			if id, ok := c.OwnTx(height, 1); ok && !used[height] {
				used[height] = true
				slots = append(slots, slot{height, id, payload, moves})
				return
			}
			height--
		}
	}
	for i, who := range g.who {
		for _, gift := range gifts {
			memo, _ := stxtx.NewMemo(gift.memo) // a constant that is short enough
			place(stxtx.TokenTransfer{Recipient: who, Amount: gift.amount, Memo: memo}, nil)
		}
		if !mainnet {
			continue // the tokens are on mainnet
		}
		for _, t := range g.tokens {
			amount := t.amount
			if t.unique {
				amount += uint64(i)
			}
			place(tokenTransfer(assetOf(t.asset), amount, g.giver, who, t.unique))
		}
	}
	slices.SortFunc(slots, func(a, b slot) int { return cmp.Compare(a.height, b.height) })
	out := make([]*ledger.Tx, len(slots))
	for nonce, s := range slots {
		out[len(slots)-1-nonce] = s.transaction(g.giver, uint64(nonce), mainnet)
	}
	return out
}

func assetOf(text string) stxtx.Asset {
	asset, err := stxtx.ParseAsset(text)
	if err != nil {
		panic("history: " + err.Error()) // a constant
	}
	return asset
}

// tokenTransfer returns a call that sends a token, and what it moves.
func tokenTransfer(asset stxtx.Asset, amount uint64, giver [20]byte, to clarity.Principal, unique bool) (stxtx.Payload, []outcome.Move) {
	from, n := clarity.Principal{Address: address(giver, true)}, clarity.NewUInt(amount)
	call := stxtx.ContractCall{Contract: asset.Contract, Function: "transfer", Args: []clarity.Value{n, from, to}}
	if unique {
		return call, []outcome.Move{{Asset: asset, Token: n, From: &from, To: &to}}
	}
	call.Args = append(call.Args, clarity.None{})
	return call, []outcome.Move{{Asset: asset, Amount: n.N, From: &from, To: &to}}
}

func (s *slot) transaction(giver [20]byte, nonce uint64, mainnet bool) *ledger.Tx {
	tx := &stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet,
		Auth:       stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: giver, Nonce: nonce, Fee: fee}},
		AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeAllow, Payload: s.payload,
	}
	if !mainnet {
		tx.Version, tx.ChainID = stxtx.VersionTestnet, stxtx.ChainIDTestnet
	}
	mined := ledger.Mined(tx, s.id.Bytes(), s.height)
	if s.moves != nil {
		mined.Moved = s.moves
	}
	return mined
}

func address(hash160 [20]byte, mainnet bool) c32.Address {
	if mainnet {
		return c32.Address{Version: c32.MainnetP2PKH, Hash160: hash160}
	}
	return c32.Address{Version: c32.TestnetP2PKH, Hash160: hash160}
}
