package resource

import (
	"math/big"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/text"
)

// move is what an account sent and received of an asset by a transaction.
type move struct {
	account, asset string // the asset "" is STX
	sent, received big.Int
	values         []string // of non-fungible tokens, with + or - before them
}

// moves sums up the events by account and asset, in their order.
func (t Transaction) moves() []*move {
	var all []*move
	of := func(account, asset string) *move {
		for _, m := range all {
			if m.account == account && m.asset == asset {
				return m
			}
		}
		m := &move{account: account, asset: asset}
		all = append(all, m)
		return m
	}
	for _, e := range t.Events {
		a := e.Asset
		if a == nil {
			continue
		}
		amount, known := new(big.Int).SetString(a.Amount, 10)
		if a.Sender != "" {
			m := of(a.Sender, a.AssetID)
			if known {
				m.sent.Add(&m.sent, amount)
			} else if a.Value != nil {
				m.values = append(m.values, "-"+a.Value.Repr)
			}
		}
		if a.Recipient != "" {
			m := of(a.Recipient, a.AssetID)
			if known {
				m.received.Add(&m.received, amount)
			} else if a.Value != nil {
				m.values = append(m.values, "+"+a.Value.Repr)
			}
		}
	}
	return all
}

// words say what came and went: "-2,500 demo", "+1.5 STX", "-u1 ticket".
func (m *move) words() string {
	if len(m.values) > 0 {
		return strings.Join(m.values, " ") + " " + assetName(m.asset)
	}
	net := new(big.Int).Sub(&m.received, &m.sent)
	return signed(net, m.asset)
}

// signed writes an amount of an asset with its sign.
func signed(n *big.Int, asset string) string {
	sign := "+"
	if n.Sign() < 0 {
		sign = "-"
	}
	return sign + units(new(big.Int).Abs(n), asset)
}

// units writes an amount of an asset. Decimals of tokens are not known here: their amounts
// are in the smallest unit.
func units(n *big.Int, asset string) string {
	if asset == "" {
		return text.Amount(n, stxDecimals) + " STX"
	}
	return text.Amount(n, 0) + " " + assetName(asset)
}

// assetName is the name of a token without its contract.
func assetName(asset string) string {
	if _, name, ok := strings.Cut(asset, "::"); ok {
		return name
	}
	return "STX"
}

// codes are the words of conditions on amounts, and whether an amount that was sent fulfils
// them.
var codes = map[string]struct {
	words string
	holds func(sent, wanted *big.Int) bool
}{
	"sent_equal_to":                 {"exactly", func(s, w *big.Int) bool { return s.Cmp(w) == 0 }},
	"sent_greater_than":             {"more than", func(s, w *big.Int) bool { return s.Cmp(w) > 0 }},
	"sent_greater_than_or_equal_to": {"at least", func(s, w *big.Int) bool { return s.Cmp(w) >= 0 }},
	"sent_less_than":                {"less than", func(s, w *big.Int) bool { return s.Cmp(w) < 0 }},
	"sent_less_than_or_equal_to":    {"at most", func(s, w *big.Int) bool { return s.Cmp(w) <= 0 }},
}

// conditionAsset is the token of a condition, "" for STX.
func conditionAsset(c apiclient.PostCondition) string {
	if c.Asset == nil {
		return ""
	}
	return c.Asset.ContractAddress + "." + c.Asset.ContractName + "::" + c.Asset.Name
}

// conditionPrincipal is whom a condition speaks of.
func (t Transaction) conditionPrincipal(c apiclient.PostCondition) string {
	switch {
	case c.Principal.Kind == "principal_origin":
		return t.Sender
	case c.Principal.ContractName != "":
		return c.Principal.Address + "." + c.Principal.ContractName
	}
	return c.Principal.Address
}

// conditionField says a condition in words, and whether what was sent fulfils it. That is
// not known of a transaction that was aborted or waits: it has no events.
func (t Transaction) conditionField(c apiclient.PostCondition) Field {
	who, asset := t.conditionPrincipal(c), conditionAsset(c)
	f := Field{Label: shortAddress(who)}
	code, onAmount := codes[c.Code]
	switch wanted, ok := new(big.Int).SetString(c.Amount, 10); {
	case onAmount && ok:
		f.Value = TextOf("sends " + code.words + " " + units(wanted, asset))
		if t.eventsKnown() {
			sent := t.sent(who, asset)
			f.Mark, f.Note = holds(code.holds(sent, wanted)), "sent "+units(sent, asset)
		}
	case c.Value != nil:
		does := map[string]string{"sent": "sends", "not_sent": "keeps"}[c.Code]
		if does == "" {
			does = strings.ReplaceAll(c.Code, "_", " ")
		}
		f.Value = TextOf(does + " " + c.Value.Repr + " " + assetName(asset))
		if t.eventsKnown() && (c.Code == "sent" || c.Code == "not_sent") {
			f.Mark = holds(t.sentValue(who, asset, c.Value.Hex) == (c.Code == "sent"))
		}
	default:
		f.Value = TextOf(strings.TrimSpace(strings.ReplaceAll(c.Code, "_", " ") + " " + c.Amount + " " + assetName(asset)))
	}
	return f
}

func holds(ok bool) Mark {
	if ok {
		return Good
	}
	return Bad
}

// eventsKnown reports whether all that the transaction did is known.
func (t Transaction) eventsKnown() bool {
	return t.Status == apiclient.StatusSuccess && t.EventCount != nil && *t.EventCount == int64(len(t.Events))
}

// sent is how much of an asset a principal sent, burned units with it.
func (t Transaction) sent(principal, asset string) *big.Int {
	for _, m := range t.moves() {
		if m.account == principal && m.asset == asset {
			return &m.sent
		}
	}
	return new(big.Int)
}

// sentValue reports whether a principal sent a non-fungible token.
func (t Transaction) sentValue(principal, asset, value string) bool {
	for _, e := range t.Events {
		if a := e.Asset; a != nil && a.AssetID == asset && a.Sender == principal && a.Value != nil && a.Value.Hex == value {
			return true
		}
	}
	return false
}
