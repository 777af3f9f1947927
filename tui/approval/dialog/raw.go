package dialog

import (
	"encoding/json"
	"strings"

	"chainscope/tui/approval/words"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// part is something of a request as it is, without explanation.
type part struct{ name, text string }

// nextRaw goes from the words to the raw parts, one after the other, and back.
func (q *question) nextRaw() {
	if q.raw == nil {
		q.raw = rawParts(q)
	}
	q.showRaw = (q.showRaw + 1) % (len(q.raw) + 1)
	q.page = nil
}

func rawParts(q *question) []part {
	a, d := q.approval, q.approval.Description
	var parts []part
	for _, s := range q.foretold(words.Describe(d, a.Arrived)) {
		if s.Title == words.CallsTitle {
			parts = append(parts, part{"what it would call", strings.Join(s.Lines, "\n")})
		}
	}
	if d.Deploy != nil {
		parts = append(parts, part{"contract source", d.Deploy.Source})
	}
	if d.Bitcoin != nil {
		var p struct{ PSBT string }
		if json.Unmarshal(a.Params, &p) == nil && p.PSBT != "" {
			parts = append(parts, part{"PSBT", p.PSBT})
		}
	}
	if d.Message != nil {
		parts = append(parts, part{"message, hexadecimal", d.Message.Hex})
	}
	if d.Signing != nil {
		parts = append(parts, part{"message, hexadecimal", d.Signing.Hex})
	}
	if len(a.Params) > 0 {
		parts = append(parts, part{"params, JSON", text.IndentJSON(a.Params)})
	}
	if d.Transaction != nil && d.Transaction.Unsigned != "" {
		parts = append(parts, part{"unsigned transaction, hexadecimal", d.Transaction.Unsigned})
	}
	if whole, err := json.Marshal(d); err == nil {
		parts = append(parts, part{"description, JSON", text.IndentJSON(whole)})
	}
	return parts
}

// text returns what is shown, to be copied: a raw part as it is, or the words.
func (q *question) text() string {
	if q.showRaw > 0 {
		return q.raw[q.showRaw-1].text
	}
	var b strings.Builder
	for _, s := range words.Describe(q.approval.Description, q.approval.Arrived) {
		b.WriteString(s.Title + "\n")
		for _, r := range s.Rows {
			b.WriteString("  " + r.Label + ": " + r.Value)
			if r.Note != "" {
				b.WriteString("  (" + r.Note + ")")
			}
			b.WriteString("\n")
		}
		for _, l := range s.Lines {
			b.WriteString("  " + l + "\n")
		}
	}
	return b.String()
}

// rawTitle names what is shown.
func (q *question) rawTitle(th *theme.Theme) string {
	if q.showRaw == 0 {
		return ""
	}
	return th.Accent.Render("raw: " + q.raw[q.showRaw-1].name)
}
