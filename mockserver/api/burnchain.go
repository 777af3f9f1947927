package api

import (
	"crypto/sha256"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/splitmix"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/clarity"
)

// payToHash returns the script that pays to who has a key with a hash.
func payToHash(account [20]byte) []byte {
	return slices.Concat([]byte{0x76, 0xa9, 20}, account[:], []byte{0x88, 0xac})
}

// payeeOf finds what a Bitcoin address of any network pays to.
func payeeOf(address string) (script []byte, err error) {
	for _, n := range []bitcoin.Network{bitcoin.Mainnet, bitcoin.Testnet, bitcoin.Regtest} {
		if script, err = n.ScriptOf(address); err == nil {
			return script, nil
		}
	}
	return nil, err
}

// payment is the reward that a burn block pays to a stacker.
type payment struct {
	burn   int64
	index  int64 // within the block
	amount int64 // in satoshis
	to     *pool
}

// payments walks the payments of the chain, or of a pool, from the newest to the oldest; it leaves
// out the first of them, cycle by cycle where it can.
func (s *stacking) payments(of *pool, skip int) iter.Seq[payment] {
	return func(yield func(payment) bool) {
		for cycle := s.now(); cycle >= 0 && of != nobodysPool; cycle-- {
			shares := s.shares(cycle)
			from, to := s.paid(cycle)
			if of == nil && int64(skip) >= to-from {
				skip -= int(to - from)
				continue
			}
			for n := to - 1; n >= from; n-- {
				p := s.payment(cycle, shares, n)
				if of != nil && p.to != of {
					continue
				}
				if skip--; skip < 0 && !yield(p) {
					return
				}
			}
		}
	}
}

// payment returns the nth of a cycle.
func (s *stacking) payment(cycle int64, shares []share, n int64) payment {
	burn := s.first + cycle*s.length + n/2
	return payment{burn, n % 2, 8_000 + int64(splitmix.Below(s.key.At(uint64(burn)<<8), 30_000)), s.payee(shares, n)}
}

// paid returns which slots of a cycle were paid, as far as the burn blocks of the chain go.
func (s *stacking) paid(cycle int64) (from, to int64) {
	begin := s.first + cycle*s.length
	within := func(burn int64) int64 { return min(s.slots, max(0, 2*(burn-begin))) }
	return within(s.txs.View.FirstBurnHeight()), within(s.era.height + 1)
}

// nobodysPool is whose payments an address has that nobody who stacks has.
var nobodysPool = &pool{}

// payeeOf reads the address of the path, whose payments are requested.
func (x *Exchange) payeeOf(s *stacking, unknown string) (address string, of *pool, ok bool) {
	address = strings.TrimSpace(x.param(0))
	script, err := payeeOf(address)
	if err != nil {
		p, err := clarity.ParsePrincipal(address)
		if err != nil || p.Contract != "" {
			x.Thrown(http.StatusBadRequest, "", unknown)
			return "", nil, false
		}
		script, address = payToHash(p.Address.Hash160), s.bitcoinAddress(p.Address.Hash160)
	}
	return address, s.poolOf(script), true
}

func (s *stacking) poolOf(script []byte) *pool {
	for i := range s.pools {
		if string(payToHash(s.pools[i].account)) == string(script) {
			return &s.pools[i]
		}
	}
	for cycle := s.now(); !s.pooled(cycle); cycle-- {
		for _, one := range s.shares(cycle) {
			if string(payToHash(one.account)) == string(script) {
				return one.pool
			}
		}
	}
	return nobodysPool
}

// paymentPage answers with a page of payments: of the address in the path, where there is one.
func (x *Exchange) paymentPage(w window, total bool, unknown string, show func(*stacking, payment) object) {
	if x.done() {
		return
	}
	s := x.stacking()
	var of *pool
	if strings.Contains(x.route.Pattern, "{") {
		_, payee, ok := x.payeeOf(s, unknown)
		if !ok {
			return
		}
		of = payee
	}
	results := []object{}
	for p := range s.payments(of, w.offset) {
		if len(results) == w.limit {
			break
		}
		results = append(results, show(s, p))
	}
	if !total {
		x.object(object{{"limit", w.limit}, {"offset", w.offset}, {"results", results}})
		return
	}
	count := 0
	if len(results) > 0 {
		count = s.count(of)
	}
	x.object(w.page(count, results))
}

// count returns the number of payments, to a pool or to all.
func (s *stacking) count(of *pool) (n int) {
	if of == nil {
		for cycle := range s.now() + 1 {
			from, to := s.paid(cycle)
			n += int(to - from)
		}
		return n
	}
	for range s.payments(of, 0) {
		n++
	}
	return n
}

func (s *stacking) burnHash(p payment) chain.Hash { return s.txs.View.BurnHash(p.burn) }

func serveRewards(x *Exchange) {
	x.paymentPage(x.window(), false, "Address is not a valid Bitcoin or STX address.", func(s *stacking, p payment) object {
		return object{
			{"canonical", true},
			{"burn_block_hash", s.burnHash(p)},
			{"burn_block_height", p.burn},
			{"burn_amount", "0"},
			{"reward_recipient", s.bitcoinAddress(p.to.account)},
			{"reward_amount", strconv.FormatInt(p.amount, 10)},
			{"reward_index", p.index},
		}
	})
}

func (x *Exchange) notAnAddress() string {
	return fmt.Sprintf("Address %s is not a valid Bitcoin or STX address.", strings.TrimSpace(x.param(0)))
}

func serveSlotHolders(x *Exchange) {
	x.paymentPage(x.window(), true, x.notAnAddress(), func(s *stacking, p payment) object {
		return object{
			{"canonical", true},
			{"burn_block_hash", s.burnHash(p)},
			{"burn_block_height", p.burn},
			{"address", s.bitcoinAddress(p.to.account)},
			{"slot_index", p.index},
		}
	})
}

func serveRewardsTotal(x *Exchange) {
	if x.done() {
		return
	}
	s, sum := x.stacking(), int64(0)
	address, of, ok := x.payeeOf(s, x.notAnAddress())
	if !ok {
		return
	}
	for p := range s.payments(of, 0) {
		sum += p.amount
	}
	x.object(object{{"reward_recipient", address}, {"reward_amount", strconv.FormatInt(sum, 10)}})
}

// poxTransaction returns a payment as the transaction of Bitcoin that makes it: the commitment of a
// miner, which pays to both.
func poxTransaction(s *stacking, p payment) object {
	id := sha256.Sum256(fmt.Appendf(nil, "commitment %s", s.burnHash(p)))
	return object{
		{"burn_block_height", p.burn},
		{"burn_block_hash", s.burnHash(p)},
		{"tx_id", with0x(id[:])},
		{"recipient", s.bitcoinAddress(p.to.account)},
		{"utxo_idx", p.index + 1},
		{"amount", strconv.FormatInt(p.amount, 10)},
	}
}

func servePoXTransactionsOfBlock(x *Exchange) {
	find, w := x.heightOrHash(), x.exactWindow()
	if find.invalid {
		x.Thrown(http.StatusBadRequest, "", "Invalid block height or hash")
	}
	if x.done() {
		return
	}
	s, all := x.stacking(), []payment{}
	v := &s.txs.View
	byHash := func(h chain.Hash) (int64, bool) {
		b, ok := v.BurnByHash(h)
		return v.Best(&b).BurnHeight, ok
	}
	if burn, ok := named(&find, v.TipBurnHeight(), byHash, func(h int64) (int64, bool) { return h, true }); ok {
		cycle := s.cycleOf(burn)
		shares := s.shares(cycle)
		from, to := s.paid(cycle)
		for n := 2 * (burn - s.first - cycle*s.length); n >= from && n < to && len(all) < 2; n++ {
			all = append(all, s.payment(cycle, shares, n))
		}
	}
	x.object(pageOf(w, all, func(p payment) object { return poxTransaction(s, p) }))
}

// servePoXTransactionsOf lists those of a Bitcoin address; one that is none has none.
func servePoXTransactionsOf(x *Exchange) {
	w := x.exactWindow()
	if x.done() {
		return
	}
	if _, err := payeeOf(x.param(0)); err != nil {
		x.object(w.page(0, []object{}))
		return
	}
	x.paymentPage(w, true, "", poxTransaction)
}

const hashPattern = `^(0x)?[a-fA-F0-9]{64}$`

var hashShape = shape(hashPattern)

// serveBurnBlock is endpoint 3: the canonical blocks of a burn block.
func serveBurnBlock(x *Exchange) {
	find := x.heightOrHash()
	w := x.page()
	if v, burn, ok := x.requestedBurn(&find, 0, "Burn block not found"); ok {
		x.object(totalled(w, int(burn.Len()), listedBodies(&v, w.of(burn.Span))))
	}
}

// requestedBurn finds a burn block with at least least Stacks blocks; on false it has answered 304,
// 400 or 404, the latter with the words for a missing one.
func (x *Exchange) requestedBurn(find *blockQuery, least int64, missing string) (v chain.View, burn chain.Burn, ok bool) {
	v = x.state().View
	if x.tipCached(&v) {
		return v, burn, false
	}
	if find.invalid {
		x.Thrown(http.StatusBadRequest, "", "Invalid block height or hash")
		return v, burn, false
	}
	if burn, ok = find.burn(&v); !ok || burn.Len() < least {
		x.Thrown(http.StatusNotFound, "", missing)
		return v, burn, false
	}
	return v, burn, true
}

// blockQuery says which block or burn block is requested.
type blockQuery struct {
	latest  bool
	hash    *chain.Hash
	height  float64
	invalid bool // fits the schema and names nothing
}

// heightOrHash reads the path parameter by the service's schema.
func (x *Exchange) heightOrHash() blockQuery {
	text := x.param(0)
	if text == "latest" {
		return blockQuery{latest: true}
	}
	if hashShape().MatchString(text) {
		hash, _ := chain.ParseHash(text)
		return blockQuery{hash: &hash}
	}
	height, ok := coerceInteger(text)
	if !ok {
		const p = "params/height_or_hash must "
		x.invalid(p + `be equal to constant, ` + p + `match pattern "` + hashPattern + `", ` + p + `be integer, ` + p + `match a schema in anyOf`)
	}
	// A hash with 0X is a number to the schema, and below zero there is none.
	long := len(text) == 66 && text[:2] == "0X"
	return blockQuery{height: height, invalid: height < 0 || long}
}

// burn finds a burn block.
func (q *blockQuery) burn(v *chain.View) (chain.Burn, bool) {
	return named(q, v.TipBurnHeight(), v.BurnByHash, v.BurnByHeight)
}

// named finds what a query names; latest is the height of the latest.
func named[T any](q *blockQuery, latest int64, byHash func(chain.Hash) (T, bool), byHeight func(int64) (T, bool)) (none T, ok bool) {
	switch {
	case q.latest:
		return byHeight(latest)
	case q.hash != nil:
		return byHash(*q.hash)
	case q.invalid || q.height > maxHeight:
		return none, false
	}
	return byHeight(int64(q.height))
}
