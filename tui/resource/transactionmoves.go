package resource

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/text"
)

// move holds what an account sent and received of an asset by a transaction.
type move struct {
	account, asset string // the asset "" is STX
	sent, received big.Int
	values         []string // of non-fungible tokens, with + or - before them
	partly         bool     // an event does not say how much
}

// moves sums up the events by asset and account, in the order in which they came.
func (t Transaction) moves() []*move {
	type owned struct{ asset, account string }
	var all []*move
	known := map[owned]*move{}
	assets := map[string]int{} // the order of their first events
	of := func(account, asset string) *move {
		m := known[owned{asset, account}]
		if m == nil {
			m = &move{account: account, asset: asset}
			known[owned{asset, account}], all = m, append(all, m)
			if _, there := assets[asset]; !there {
				assets[asset] = len(assets)
			}
		}
		return m
	}
	for _, e := range t.Events {
		a := movedBy(e)
		if a == nil {
			continue
		}
		amount := Decimal(a.Amount)
		add := func(m *move, sum *big.Int, sign string) {
			switch {
			case amount != nil:
				sum.Add(sum, amount)
			case a.Value != nil:
				m.values = append(m.values, sign+a.Value.Repr)
			default:
				m.partly = true
			}
		}
		if a.Sender != "" {
			m := of(a.Sender, a.AssetID)
			add(m, &m.sent, "-")
		}
		if a.Recipient != "" {
			m := of(a.Recipient, a.AssetID)
			add(m, &m.received, "+")
		}
	}
	slices.SortStableFunc(all, func(a, b *move) int { return assets[a.asset] - assets[b.asset] })
	return all
}

// movedBy returns what an event moved: nil for a lock, a print, and an event of a kind that is not
// known, which may mean something else by its fields.
func movedBy(e apiclient.Event) *apiclient.AssetEvent {
	switch a := e.Asset; {
	case a == nil:
	case e.Type == apiclient.EventSTX && a.AssetID == "", (e.Type == apiclient.EventFungible || e.Type == apiclient.EventNonFungible) && a.AssetID != "":
		return a
	}
	return nil
}

// others returns the fields of events of other kinds: they are named, by their number.
func (t Transaction) others() []Field {
	counts := map[string]int{}
	for _, e := range t.Events {
		if movedBy(e) == nil && (e.Type != apiclient.EventLog || e.Log == nil) && (e.Type != apiclient.EventLock || e.Lock == nil) {
			counts[e.Type]++
		}
	}
	var fields []Field
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		fields = append(fields, Field{Label: cmp.Or(brief(words(kind)), "an event"), Value: TextOf(text.Plural(counts[kind], "event") + " of another kind"), Note: "in the raw JSON"})
	}
	return fields
}

// locked returns how much a principal locked for stacking.
func (t Transaction) locked(principal string) *big.Int {
	sum := new(big.Int)
	for _, e := range t.Events {
		if e.Type == apiclient.EventLock && e.Lock != nil && e.Lock.Address == principal {
			if n := Decimal(e.Lock.Amount); n != nil {
				sum.Add(sum, n)
			}
		}
	}
	return sum
}

// moveWords say what came and went: "-2,500 demo", "+1.5 STX", "-u1 ticket".
func (b Background) moveWords(m *move) string {
	const most = 20
	if n := len(m.values); n > most {
		return strings.Join(m.values[:most], " ") + " … " + assetName(m.asset)
	}
	if len(m.values) > 0 {
		return strings.Join(m.values, " ") + " " + assetName(m.asset)
	}
	return b.signed(new(big.Int).Sub(&m.received, &m.sent), m.asset)
}

// movedTokens returns what an account sent (-) or received (+) of tokens, as far as the events are
// known.
func (t Transaction) movedTokens(account, sign string) (words []string) {
	for _, m := range t.moves() {
		if m.account != account || m.asset == "" {
			continue
		}
		amount := &m.received
		if sign == "-" {
			amount = &m.sent
		}
		if amount.Sign() > 0 {
			words = append(words, sign+t.amount(amount, m.asset))
		}
		for _, value := range m.values {
			if strings.HasPrefix(value, sign) {
				words = append(words, value+" "+assetName(m.asset))
			}
		}
	}
	return words
}

// assetName returns the name of a token without its contract.
func assetName(asset string) string {
	if _, name, ok := strings.Cut(asset, "::"); ok {
		return name
	}
	return "STX"
}

// eventsLoaded reports whether all that the transaction did is known.
func (t Transaction) eventsLoaded() bool {
	return t.Status == apiclient.StatusSuccess && t.EventCount != nil && *t.EventCount == int64(len(t.Events)) || t.heldAgainstNothing()
}

// heldAgainstNothing reports whether a call answered an error, which moves nothing, and its
// post-conditions were compared with that.
func (t Transaction) heldAgainstNothing() bool {
	return t.Status == apiclient.StatusAbortByPostCondition && t.AnsweredError()
}

// sent returns how much of an asset a principal sent, burned units with it.
func (t Transaction) sent(principal, asset string) *big.Int {
	sum := new(big.Int)
	for _, e := range t.Events {
		if a := movedBy(e); a != nil && a.Sender == principal && a.AssetID == asset {
			if n := Decimal(a.Amount); n != nil {
				sum.Add(sum, n)
			}
		}
	}
	return sum
}

// sentValue reports whether a principal sent a non-fungible token.
func (t Transaction) sentValue(principal, asset, value string) bool {
	for _, e := range t.Events {
		if a := movedBy(e); a != nil && a.AssetID == asset && a.Sender == principal && a.Value != nil && a.Value.Hex == value {
			return true
		}
	}
	return false
}
