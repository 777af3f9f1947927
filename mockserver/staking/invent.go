package staking

import (
	"cmp"
	"encoding/binary"
	"slices"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/splitmix"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// How much is invented of each.
const (
	bonds    = 30 // of one period: two years and more
	stakers  = 48 // that stake STX by themselves
	renewals = 60 // of the key of one signer
	room     = 3_000
	// knownSats holds what an account whose key is known may have in a bond, in satoshi.
	knownSats = 50_000_000
)

// names are those of the signers, in the order in which they register.
var names = []string{
	"harbor-signer", "lighthouse-pool", "orchard-signer", "lantern-stake", "council-signer", "tidewater", "north-pier", "granite-pool",
	"meadow-signer", "compass-stake", "ferry-signer", "anchor-pool", "windward", "quiet-cove",
}

// idle are the signers, the last ones of names, with whom nobody stakes.
const idle = 2

// inventor makes up one period.
type inventor struct {
	*Staking
	*period
	out  *invented
	key  splitmix.Key
	used map[int64]bool
	n    uint64 // draws so far
	who  uint64 // accounts so far
}

// invent makes up what was staked. A period is identified by the tips between the starts of two epochs.
func (s *Staking) invent(played facts.Epoch) *invented {
	out := &invented{senders: map[[20]byte][]*ledger.Tx{}, stakes: map[[20]byte]uint64{}}
	used := map[int64]bool{}
	all := facts.Until(played)
	for i, epoch := range all {
		p := &period{tips: [2]int64{epoch.Start, 1 << 62}}
		if i+1 < len(all) {
			p.tips[1] = all[i+1].Start
		}
		if p.tips[1]-p.tips[0] < room || s.chain.FirstAt(p.tips[0]+room) <= s.chain.Older() {
			continue // no block of the newer era has any of it
		}
		p.since = facts.Calendar(played, p.tips[0]+room, 0)[len(all)-1].Start
		made := inventor{Staking: s, period: p, out: out, key: splitmix.NewKey(s.chain.Params().Seed, 0x5ead+uint64(i)), used: used}
		made.registerSigners()
		made.setUpBonds()
		made.stakeSTX()
		out.periods = append(out.periods, p)
	}
	slices.SortFunc(out.txs, func(a, b *ledger.Tx) int { return cmp.Compare(b.Height, a.Height) })
	for _, tx := range slices.Backward(out.txs) {
		origin := &tx.Auth.Origin
		origin.Nonce = uint64(len(out.senders[origin.Signer]))
		out.senders[origin.Signer] = append(out.senders[origin.Signer], tx)
	}
	return out
}

// below draws a number below n.
func (v *inventor) below(n uint64) uint64 {
	v.n++
	return splitmix.Below(v.key.At(v.n), n)
}

// bytes draws as many bytes.
func (v *inventor) bytes(n int) []byte {
	var raw []byte
	for len(raw) < n {
		v.n++
		raw = binary.BigEndian.AppendUint64(raw, v.key.At(v.n))
	}
	return raw[:n]
}

// account makes up an account that needs to have an amount of micro-STX.
func (v *inventor) account(needs uint64) clarity.Principal {
	v.who++
	of := splitmix.NewKey(uint64(v.key), v.who)
	var raw []byte
	for i := range uint64(3) {
		raw = binary.BigEndian.AppendUint64(raw, of.At(i))
	}
	p := clarity.Principal{Address: c32.Address{Version: c32.MainnetP2PKH, Hash160: [20]byte(raw[:20])}}
	v.out.stakes[p.Address.Hash160] = max(v.out.stakes[p.Address.Hash160], needs+needs/4)
	return p
}

// place lets a block that is not before a burn block, and before another, have a call. It returns nil
// where none of them has room.
func (v *inventor) place(from, before int64, sender clarity.Principal, contract clarity.Principal, result clarity.Value, function string, args ...clarity.Value) *ledger.Tx {
	if before > v.tips[1] {
		before = v.tips[1]
	}
	for height := v.chain.FirstAt(from); v.burnOf(height) < before; height++ {
		id, there := v.chain.OwnTx(height, 2)
		if !there || v.used[height] {
			continue
		}
		v.used[height] = true
		tx := ledger.Mined(&stxtx.Transaction{
			Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet, AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeAllow,
			Auth:    stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: sender.Address.Hash160, Fee: 3_000 + v.below(9_000)}},
			Payload: stxtx.ContractCall{Contract: contract, Function: function, Args: args},
		}, id.Bytes(), height)
		tx.Result = clarity.OK{Value: result}
		v.out.txs = append(v.out.txs, tx)
		return tx
	}
	return nil
}

// registerSigners lets the signers register their keys. The last with whom an account stakes shares
// the key of the first, and the third has a new one for each reward cycle.
func (v *inventor) registerSigners() {
	for i, name := range names {
		deployer := v.account(0)
		s := &Signer{ID: clarity.Principal{Address: deployer.Address, Contract: name}}
		burn := v.since + int64(i)
		key := v.newKey()
		if i == len(names)-idle-1 {
			key = v.signers[0].Keys[0].Bytes
		}
		v.register(s, deployer, key, burn)
		if i == 2 {
			for cycle := range int64(renewals) {
				v.register(s, deployer, v.newKey(), v.beginOf(v.firstCycle()+cycle)+105)
			}
		}
		if i == 1 {
			granted := v.newKey()
			auth := 1 + v.below(1_000)
			if tx := v.place(burn+6, burn+600, deployer, Contract(false), clarity.Bool(true), "grant-signer-key",
				clarity.Buffer(granted[:]), s.ID, clarity.NewUInt(auth), clarity.Buffer(v.bytes(65))); tx != nil {
				s.Granted = []Key{{granted, auth, tx, v.burnOf(tx.Height)}}
			}
		}
		if len(s.Keys) > 0 {
			v.signers = append(v.signers, s)
		}
	}
}

func (v *inventor) newKey() (key [33]byte) {
	copy(key[:], v.bytes(33))
	key[0] = 2 + key[0]&1
	return key
}

func (v *inventor) register(s *Signer, deployer clarity.Principal, key [33]byte, burn int64) {
	tx := v.place(burn, burn+600, deployer, s.ID, clarity.Tuple{Fields: []clarity.Field{
		{Name: "signer", Value: s.ID}, {Name: "signer-key", Value: clarity.Buffer(key[:])},
	}}, "register-self", clarity.Buffer(key[:]))
	if tx != nil { // else the period ends before
		s.Keys = append(s.Keys, Key{Bytes: key, Tx: tx, Burn: v.burnOf(tx.Height)})
	}
}

// signer draws one of those with whom an account stakes.
func (v *inventor) signer() clarity.Principal {
	return v.signers[v.below(uint64(len(v.signers)-idle))].ID
}

// firstCycle returns the first reward cycle of the period that begins with pox-5.
func (v *inventor) firstCycle() int64 { return v.cycleAt(v.since-1) + 1 }

// setUpBonds sets the bonds up and lets accounts register for them. Three accounts register for
// each of the first three, so that their lists have pages.
func (v *inventor) setUpBonds() {
	admin := v.account(0)
	often := []clarity.Principal{v.account(4_000_000e6), v.account(4_000_000e6), v.account(4_000_000e6)}
	for i := range int64(bonds) {
		b := &Bond{Index: i, Start: v.firstCycle() + facts.BondGap*i, Rate: 300 + int(v.below(9))*5, ValueRatio: 250_000 + 1_000*int(v.below(40)), LeastStake: 1_000}
		who := []clarity.Principal{}
		if i < 3 {
			who = append(who, often...)
		}
		for range 6 {
			who = append(who, v.account(3_000_000e6))
		}
		list := clarity.List{}
		for _, one := range who {
			b.Allowed = append(b.Allowed, Allowance{one, (10 + v.below(40)) * 50_000_000})
		}
		for _, one := range v.known {
			b.Allowed = append(b.Allowed, Allowance{one, knownSats})
		}
		for _, a := range b.Allowed {
			list = append(list, clarity.Tuple{Fields: []clarity.Field{{Name: "max-sats", Value: clarity.NewUInt(a.MaxSats)}, {Name: "staker", Value: a.Staker}}})
		}
		start := v.beginOf(b.Start)
		from := max(v.since+30, start-4_160)
		b.Tx = v.place(from, start, admin, Contract(false), clarity.Tuple{Fields: []clarity.Field{
			{Name: "bond-index", Value: clarity.NewUInt(uint64(i))}, {Name: "max-allocation-sats", Value: clarity.NewUInt(b.Capacity())},
		}}, "setup-bond", clarity.NewUInt(uint64(i)), clarity.NewUInt(uint64(b.Rate)), clarity.NewUInt(uint64(b.ValueRatio)), clarity.NewUInt(uint64(b.LeastStake)),
			clarity.Buffer(v.bytes(35)), admin, list)
		if b.Tx == nil {
			return // the period ends before
		}
		v.bonds = append(v.bonds, b)
		v.registerFor(b, admin, v.burnOf(b.Tx.Height), start)
	}
}

// Capacity returns the most that can be locked in all, in satoshi.
func (b *Bond) Capacity() (sum uint64) {
	for _, a := range b.Allowed {
		sum += a.MaxSats
	}
	return sum
}

// registerFor lets those on the list register whose keys nobody knows, but for the last two,
// between two burn blocks. The second of them with bitcoin on Bitcoin leaves early.
func (v *inventor) registerFor(b *Bond, admin clarity.Principal, from, start int64) {
	onBitcoin := 0
	for i, a := range b.Allowed[:len(b.Allowed)-len(v.known)-2] {
		r := &Registration{Bond: b, Staker: a.Staker, Signer: v.signer(), claims: i%3 == 0}
		r.Sats = a.MaxSats / 10 * (5 + v.below(6))
		r.STX = r.Sats / 100 * uint64(b.ValueRatio) * uint64(b.LeastStake) / 10_000
		lockup := clarity.Value(clarity.Err{Value: clarity.NewUInt(r.Sats)})
		if i%2 == 1 {
			onBitcoin++
			lockup = v.lockUp(r, start)
		}
		burn := from + 2 + int64(v.below(uint64(max(1, min(600, start-from)/2))))
		unlock := b.Start + facts.BondLength
		r.Tx = v.place(burn, start, a.Staker, Contract(false), clarity.Tuple{Fields: []clarity.Field{
			{Name: "amount-ustx", Value: clarity.NewUInt(r.STX)},
			{Name: "bond-index", Value: clarity.NewUInt(uint64(b.Index))},
			{Name: "first-reward-cycle", Value: clarity.NewUInt(uint64(b.Start))},
			{Name: "signer", Value: r.Signer},
			{Name: "staker", Value: r.Staker},
			{Name: "unlock-burn-height", Value: clarity.NewUInt(uint64(v.unlockOf(unlock)))},
			{Name: "unlock-cycle", Value: clarity.NewUInt(uint64(unlock))},
		}}, "register-for-bond", clarity.NewUInt(uint64(b.Index)), r.Signer, clarity.NewUInt(r.STX), lockup, clarity.None{})
		if r.Tx == nil {
			continue
		}
		b.Registered = append(b.Registered, r)
		if onBitcoin == 2 && i%2 == 1 {
			if r.Exit = v.place(start+300, start+1_500, admin, Contract(false), clarity.Bool(true), "announce-l1-early-exit", r.Staker, r.Signer); r.Exit != nil {
				r.exit = v.burnOf(r.Exit.Height)
			}
		}
	}
}

// lockUp makes up outputs on Bitcoin for all that is registered.
func (v *inventor) lockUp(r *Registration, burn int64) clarity.Value {
	outputs := clarity.List{}
	left := r.Sats
	for n := 1 + v.below(2); n > 0; n-- {
		part := left / n
		left -= part
		one := Lockup{TxID: chain.HashOf([32]byte(v.bytes(32))), Index: int(v.below(4))}
		r.Lockups = append(r.Lockups, one)
		outputs = append(outputs, clarity.Tuple{Fields: []clarity.Field{
			{Name: "amount", Value: clarity.NewUInt(part)},
			{Name: "header", Value: clarity.Buffer(v.bytes(80))},
			{Name: "height", Value: clarity.NewUInt(uint64(burn - 5_000))},
			{Name: "leaf-hashes", Value: clarity.List{clarity.Buffer(v.bytes(32))}},
			{Name: "output-index", Value: clarity.NewUInt(uint64(one.Index))},
			{Name: "tx", Value: clarity.Buffer(v.bytes(120))},
			{Name: "tx-count", Value: clarity.NewUInt(2)},
			{Name: "tx-index", Value: clarity.NewUInt(1)},
		}})
	}
	return clarity.OK{Value: clarity.Tuple{Fields: []clarity.Field{{Name: "outputs", Value: outputs}, {Name: "unlock-bytes", Value: clarity.Buffer(v.bytes(35))}}}}
}

// stakeSTX lets accounts stake by themselves: most of them in the first days, for one cycle to
// the most that there may be. The first has a part in a bond as well.
func (v *inventor) stakeSTX() {
	lengths := []int64{1, 2, 6, 12, 24, 48, facts.MostCycles, facts.MostCycles}
	for i := range int64(stakers) {
		k := &Stake{Amount: (150 + v.below(18_000)) * 1_000e6, Cycles: lengths[v.below(uint64(len(lengths)))], Signer: v.signer(), claims: i%3 == 1}
		k.Staker = v.account(k.Amount)
		burn := v.since + 40 + 37*i
		if i >= stakers*3/4 {
			burn = v.since + 2_500*(i-stakers*3/4+1)
		}
		if i == 0 && len(v.bonds) > 1 && len(v.bonds[0].Registered) > 3 {
			k.Staker, k.Cycles = v.bonds[0].Registered[3].Staker, facts.MostCycles
			v.out.stakes[k.Staker.Address.Hash160] += k.Amount
		}
		k.First = v.cycleAt(burn) + 1
		k.Tx = v.place(burn, v.beginOf(k.First), k.Staker, Contract(false), staked(v.Staking, k), "stake",
			k.Signer, clarity.NewUInt(k.Amount), clarity.NewUInt(uint64(k.Cycles)), clarity.NewUInt(uint64(burn)), clarity.None{})
		if k.Tx != nil {
			k.Tx.Locks = []ledger.Lock{v.lock(k)}
			v.stakes = append(v.stakes, k)
		}
	}
}
