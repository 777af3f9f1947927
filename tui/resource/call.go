package resource

import (
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/service"
)

// Call is a call of the wallet in a list.
type Call struct {
	service.Call
	service.Status
}

// Title returns the method of a call, or what it did instead.
func (c Call) Title() string {
	if c.Kind == service.KindConnect || c.Kind == service.KindDisconnect {
		return string(c.Kind)
	}
	return c.Method
}

// Calls describes the calls of the wallet.
func Calls() Kind[Call] {
	return Kind[Call]{Name: "call", Columns: []Column[Call]{
		{Name: "method", Field: "method", Head: "METHOD", Least: 21, Most: 27, Keep: 9, Value: func(c Call) Value { return TextOf(c.Title()) }, Draw: callMethod},
		{Name: "by", Field: "from", Head: "ASKED BY", Least: 18, Most: 18, Keep: 4, Style: Muted, Value: func(c Call) Value { return TextOf(c.Requester.String()) }},
		{Name: "decision", Field: "decision", Head: "DECISION", Least: 20, Most: 20, Keep: 3, Style: Muted, Value: func(c Call) Value { return TextOf(string(c.Decision)) }},
		{Name: "result", Field: "outcome", Head: "RESULT", Least: 15, Most: 200, Keep: 8, Value: func(c Call) Value { return TextOf(c.Words) }, Draw: callResult},
		{Name: "took", Field: "duration_ms", Head: "TOOK", Type: Number, Least: 6, Most: 6, Keep: 5, Value: func(c Call) Value { return NumberOf(c.Duration.Milliseconds()) }, Draw: callDuration},
		{Name: "age", Field: "time", Head: "AGE", Type: Moment, Tail: true, Value: func(c Call) Value { return MomentOf(c.Time) }},
		{Name: "network", Field: "network", Value: func(c Call) Value { return TextOf(c.Network) }},
		{Name: "kind", Field: "kind", Hidden: true, Value: func(c Call) Value { return TextOf(string(c.Kind)) }},
		{Name: "wallet", Field: "wallet", Hidden: true, Value: func(c Call) Value { return TextOf(string(c.Wallet)) }},
		{Name: "txid", Field: "txid", Type: Hash, Value: func(c Call) Value { return TextOf(c.TxID) }},
		{Name: "params", Hidden: true, Value: func(c Call) Value { return TextOf(string(c.Params)) }},
	}}
}

// fate returns the glyph and the style of how a call came out.
func (c Call) fate(th *theme.Theme) (mark string, style theme.Style) {
	switch c.Fate {
	case service.Waits:
		return th.Glyphs.Ellipsis, th.Warn
	case service.Bad:
		return th.Glyphs.Cross, th.Bad
	}
	return th.Glyphs.Check, th.OK
}

func callMethod(c Call, width int, th *theme.Theme) string {
	mark, style := c.fate(th)
	return text.Fill(style.Render(mark)+" "+text.TruncateWith(c.Title(), max(0, width-2), th.Glyphs.Ellipsis), width)
}

func callResult(c Call, width int, th *theme.Theme) string {
	_, style := c.fate(th)
	return text.Fill(style.Render(text.TruncateWith(c.Words, width, th.Glyphs.Ellipsis)), width)
}

func callDuration(c Call, width int, th *theme.Theme) string {
	if !c.Done {
		return strings.Repeat(" ", width)
	}
	return th.Muted.Render(text.PadLeft(text.Duration(c.Duration), width))
}
