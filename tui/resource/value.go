package resource

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/query"
	"chainscope/tui/text"
)

// Type describes what a column holds: how its values are aligned, cut and compared.
type Type int

// The types of columns.
const (
	Text      Type = iota // cut at its end
	Hash                  // hashes and keys, cut in the middle
	Principal             // an account or a contract, cut in the middle, beside what it is called
	Number                // a whole number, to the right
	Amount                // of a token, in whole tokens, to the right
	Share                 // of a whole, in percent, to the right
	Moment                // a point in time; filters and orders see its age
	Digits                // a number as the server wrote it, of any length
	Address               // of the web
	JSON                  // a list or an object
)

// Middle reports whether values of the type are cut in the middle.
func (t Type) Middle() bool { return t == Hash || t == Principal }

// query returns how a filter compares values of the type.
func (t Type) query() query.Kind {
	switch t {
	case Number, Amount, Share:
		return query.Number
	case Moment:
		return query.Age
	}
	return query.Text
}

// Right reports whether values of the type are aligned at the right of their column.
func (t Type) Right() bool { return t.query() == query.Number }

// Value holds what a column has of a thing, before it is drawn. The zero Value is unknown,
// which is not zero and not empty.
type Value struct {
	// AtLeast reports that only a part was counted: there may be more.
	AtLeast bool

	known    bool
	text     string
	number   int64
	amount   *big.Int
	decimals int
	share    float64
	at       time.Time
}

// TextOf returns a text; "" is unknown.
func TextOf(s string) Value { return Value{known: s != "", text: s} }

// NumberOf returns a number.
func NumberOf(n int64) Value { return Value{known: true, number: n} }

// NumberAt returns the number that a pointer points to, unknown for nil.
func NumberAt(n *int64) Value {
	if n == nil {
		return Value{}
	}
	return NumberOf(*n)
}

// AmountOf returns an amount of a token in its smallest units, shifted by decimals;
// unknown for nil.
func AmountOf(units *big.Int, decimals int) Value {
	return Value{known: units != nil, amount: units, decimals: decimals}
}

// ShareOf returns a share, 1 for all.
func ShareOf(share float64) Value { return Value{known: true, share: share} }

// MomentOf returns a point in time; the zero time is unknown.
func MomentOf(at time.Time) Value { return Value{known: !at.IsZero(), at: at} }

// SecondsOf returns a point in time given in seconds since 1970; 0 is unknown.
func SecondsOf(seconds int64) Value { return Value{known: seconds != 0, at: time.Unix(seconds, 0)} }

// Known reports whether the value is known, in part at least.
func (v Value) Known() bool { return v.known }

// Number returns the number of a column of numbers, false for an unknown one.
func (v Value) Number() (int64, bool) { return v.number, v.known }

// Time returns the point in time of a column of them.
func (v Value) Time() time.Time { return v.at }

// Plain returns a value as files, scripts and filters have it: never cut, no thousands
// separated, times in UTC; "" for an unknown one.
func (v Value) Plain(t Type) string {
	if !v.known {
		return ""
	}
	switch t {
	case Number:
		return strconv.FormatInt(v.number, 10)
	case Amount:
		return strings.ReplaceAll(text.Amount(v.amount, v.decimals), ",", "")
	case Share:
		return strconv.FormatFloat(100*v.share, 'g', 4, 64)
	case Moment:
		return v.at.UTC().Format(time.RFC3339)
	}
	return v.text
}

// Text returns a value in full as people read it. It may be untrusted text.
func (v Value) Text(t Type) string {
	words := v.text
	switch {
	case !v.known:
		return ""
	case t == Number:
		words = text.Count(v.number)
	case t == Amount:
		words = text.Amount(v.amount, v.decimals)
	case t == Share:
		words = text.Percent(v.share)
	case t == Moment:
		words = text.UTC(v.at)
	}
	if v.AtLeast {
		words += "+"
	}
	return words
}

// short returns a value in at most width cells, ready to be drawn. A number is never cut: it is
// rounded to a unit instead.
func (v Value) short(t Type, width int, mark string) string {
	whole := v.Text(t)
	switch {
	case t.Middle():
		return text.MiddleWith(whole, width, mark)
	case t == Text:
		return text.TruncateWith(whole, width, mark)
	case text.Width(whole) <= width:
		return whole
	case t == Number:
		words := text.Compact(uint64(max(0, v.number)))
		if v.AtLeast {
			words += "+"
		}
		return words
	case t == Amount:
		return v.shortAmount(width, mark)
	}
	return text.TruncateWith(whole, width, mark)
}

// shortAmount writes an amount that does not fit. Its fraction is cut, else it is a power
// of ten: a whole number that is cut would be another number.
func (v Value) shortAmount(width int, mark string) string {
	whole := text.Amount(v.amount, v.decimals)
	if before, _, _ := strings.Cut(whole, "."); before != "0" && text.Width(before)+3 <= width {
		return text.TruncateWith(whole, width, mark)
	} else if before != "0" && text.Width(before) <= width {
		return before
	}
	f := new(big.Float).SetInt(v.amount)
	f.Quo(f, new(big.Float).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(v.decimals)), nil)))
	for digits := 4; digits > 0; digits-- {
		if s := strings.Replace(f.Text('e', digits), "e+", "e", 1); text.Width(s) <= width {
			return s
		}
	}
	return mark
}

// compared returns what a filter compares.
func (v Value) compared(t Type, now time.Time) query.Value {
	if t == Moment && v.known {
		return query.Value{Text: strconv.FormatInt(int64(now.Sub(v.at)/time.Second), 10)}
	}
	return query.Value{Text: v.Plain(t), AtLeast: v.AtLeast}
}
