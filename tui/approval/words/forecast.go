package words

import (
	"slices"
	"strings"

	"chainscope/tui/text"
	"chainscope/wallet/node"
	"chainscope/wallet/outcome"
)

// conditionsTitle is the title of the section that has the post-conditions.
const conditionsTitle = "Post-conditions"

// ForecastTitle is its title with a forecast, TransferTitle that of the forecast of a transfer
// of STX, which has no post-conditions.
const (
	ForecastTitle = "Post-conditions and forecast"
	TransferTitle = "Forecast"
)

// mostMoves limits how many movements and broken conditions of a forecast are named.
const mostMoves = 6

// Foretold adds a forecast to what describes a transaction: below its post-conditions, and
// beside each of them whether it holds. A text in place of the forecast says why there is none.
func Foretold(sections []Section, f *node.Forecast, instead string) []Section {
	ends := []Row{{Label: "forecast", Value: text.Line(instead)}}
	if f != nil {
		ends = forecast(f)
	}
	for i, s := range sections {
		switch {
		case s.Title == conditionsTitle:
			if f != nil {
				s.Rows = held(s.Rows, f.Conditions)
			}
			sections[i] = Section{Title: ForecastTitle, Rows: append(s.Rows, ends...)}
			if f != nil && f.Root != nil {
				sections = append(sections, calls(f))
			}
			return sections
		case s.Title == transactionTitle && (i+1 == len(sections) || sections[i+1].Title != conditionsTitle):
			return slices.Insert(sections, i+1, Section{Title: TransferTitle, Rows: ends})
		}
	}
	return sections
}

// CallsTitle is the title of the section of what a transaction would call, and CallsLabel the label of the row
// that counts it.
const (
	CallsTitle = "Calls"
	CallsLabel = "calls"
)

// calls returns the section of what a transaction would call: a line a call, those within it further right.
func calls(f *node.Forecast) Section {
	s := Section{Title: CallsTitle, Raw: true}
	for _, l := range f.Root.Lines(f.Calls + 1) {
		call := strings.TrimLeft(l, " ")
		s.Lines = append(s.Lines, l[:len(l)-len(call)]+text.Line(call))
	}
	if left := f.Calls + 1 - len(s.Lines); left > 0 {
		s.Lines = append(s.Lines, "and "+text.Count(left)+" more")
	}
	return s
}

// held says beside each post-condition whether it holds. The first row is the mode.
func held(rows []Row, conditions []outcome.Finding) []Row {
	if len(conditions) > len(rows)-1 {
		return rows // a forecast of something else
	}
	rows = append([]Row(nil), rows...)
	for i, c := range conditions {
		row := &rows[i+1]
		if row.Note = "would hold"; !c.Holds {
			row.Note, row.Warn = "would not hold: "+line(c.Sent), true
		}
	}
	return rows
}

// forecast returns a forecast in words.
func forecast(f *node.Forecast) []Row {
	rows := []Row{{Label: "forecast", Value: long(f.Sentence), Warn: f.Fails() || !f.Known()}}
	add := func(label, value string) { rows = append(rows, Row{Label: label, Value: value}) }
	if f.Fix != "" {
		add("what helps", long(f.Fix))
	}
	if f.Result != "" && f.Result != "(ok true)" { // the usual one says nothing more
		add("answer", long(f.Result))
	}
	for i, moved := range f.Moves {
		label := ""
		switch {
		case i > 0:
		case f.Fails():
			label = "tries to move"
		default:
			label = "moves"
		}
		if i == mostMoves {
			add(label, "and "+text.Count(len(f.Moves)-i)+" more")
			break
		}
		add(label, long(moved))
	}
	if f.Status == "success" && len(f.Moves) == 0 {
		add("moves", "nothing")
	}
	if len(f.Conditions) > 1 {
		add("conditions", counted(f))
	}
	if f.Calls > 0 {
		add(CallsLabel, text.Count(f.Calls)+" within it")
	}
	if f.LeftOut > 0 {
		add("left out", text.Count(f.LeftOut)+" more moves and conditions")
	}
	return rows
}

// counted returns how many post-conditions hold.
func counted(f *node.Forecast) string {
	broken, all := 0, len(f.Conditions)
	for _, c := range f.Conditions {
		if !c.Holds {
			broken++
		}
	}
	if broken > 0 {
		return text.Count(broken) + " of " + text.Count(all) + " would not hold"
	}
	return "all " + text.Count(all) + " would hold"
}

// Ending says in a few words how a transaction would end.
func Ending(f *node.Forecast) string {
	switch {
	case f.Status == "rejected":
		return "would be refused"
	case !f.Known():
		return "the mock cannot know"
	case f.Status == "success":
		return "would succeed"
	case f.Status == "pending":
		return "would wait"
	}
	return "would fail"
}

// long returns an untrusted text on one line, however long.
func long(s string) string { return strings.Join(whole(s), " ") }
