package dialog

import (
	"slices"
	"sort"
	"strings"
	"time"

	"chainscope/tui/approval/words"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// page is lines of terminal text for one width.
type page struct {
	lines []string
	width int
	top   int
	seen  int // how many lines from the start on have been in sight
}

// clamp keeps the lines in sight on the page, and takes note of them.
func (p *page) clamp(height int) {
	p.top = text.Scrolled(p.top, height, len(p.lines))
	if p.top <= p.seen {
		p.seen = max(p.seen, min(len(p.lines), p.top+height))
	}
}

// maxLabel describes how wide the column of labels may become.
const maxLabel = 18

// describe returns the page of a description: warnings first, then what is
// signed, then who asks.
func describe(th *theme.Theme, q *question, stakes Stakes, width int) []string {
	a := q.approval
	sections := q.foretold(sections(a, stakes, q.at))
	changed := a.Round > 1
	sort.SliceStable(sections, func(i, j int) bool { return rank(sections[i], changed) < rank(sections[j], changed) })
	b := builder{theme: th, width: width}
	if changed {
		b.add(th.Accent.Render("Changed: this is the transaction with what was changed."), "")
	}
	named := stakes != MockOnly
	for _, s := range sections {
		if !named && rank(s, changed) != warns {
			format := text.Line(a.Description.Network.Name) + " address format"
			if t := a.Description.Transaction; t != nil && t.Broadcast {
				format += "; goes to the mock only"
			}
			b.wrapped("", format, th.Muted)
			b.add("")
			named = true
		}
		if !s.Raw { // one key away
			b.section(s)
		}
	}
	b.section(words.Section{Title: "Asked by", Rows: []words.Row{
		{Label: "who", Value: text.Line(a.Requester.String())},
		{Label: "wallet", Value: text.Line(string(a.Wallet))},
	}})
	return b.trimmed()
}

// sections returns the words of a description, without alarm where no real coins are
// at stake.
func sections(a service.ApprovalNeeded, stakes Stakes, now time.Time) []words.Section {
	d := a.Description
	if stakes == RealCoins {
		return words.Describe(d, now)
	}
	d.Warnings = slices.DeleteFunc(slices.Clone(d.Warnings), func(w signer.Warning) bool {
		return w.Kind == signer.WarnMainnet || w.Kind == signer.WarnPublicKeys && stakes == MockOnly
	})
	all := words.Describe(d, now)
	for _, s := range all {
		if s.Title != "From" {
			continue
		}
		for i := range s.Rows {
			s.Rows[i].Warn = s.Rows[i].Warn && s.Rows[i].Label != "network"
		}
	}
	return all
}

// Places of sections on the page.
const (
	warns   = iota
	changes // what was edited
	explains
	repeats // what the head of the dialog says, too
	long
)

// rank returns where a section is: what warns before everything else, and before
// a long text all that should not be missed for it.
func rank(s words.Section, changed bool) int {
	switch s.Title {
	case "Warnings":
		return warns
	case "Transaction":
		if changed {
			return changes
		}
	case "From":
		return repeats
	case "Source":
		return long
	}
	return explains
}

// originPage makes the page of a question about an origin.
func originPage(th *theme.Theme, o service.OriginNeeded, width int) []string {
	b := builder{theme: th, width: width}
	for _, l := range text.Block(o.Origin, width) {
		b.add(th.Strong.Render(l))
	}
	b.add("")
	calls := text.Plural(o.Waiting, "call") + " waits"
	if o.Waiting != 1 {
		calls = text.Plural(o.Waiting, "call") + " wait"
	}
	for _, l := range []string{
		"A web page of this origin wants to use the wallet for the first time. " + calls + ".",
		"",
		"Allow: its pages may ask you to sign, and you approve each request here. " +
			"Refuse: the page gets an error and may ask again. Block: its requests are rejected without asking you.",
	} {
		b.wrapped("", l, th.Text)
	}
	return b.trimmed()
}

// blockPage asks whether an origin is to be blocked.
func blockPage(th *theme.Theme, q *question, width int) []string {
	origin := q.approval.Requester.Origin
	if q.origin != nil {
		origin = q.origin.Origin
	}
	b := builder{theme: th, width: width}
	b.add(th.Warn.Render("Block this origin?"), "")
	for _, l := range text.Block(origin, width) {
		b.add(th.Strong.Render(l))
	}
	b.add("")
	b.wrapped("", "Everything it asks for is rejected from now on, also after a restart, without asking you. "+
		"The wallet pane lists blocked origins; Enter on one makes the wallet ask again.", th.Text)
	return b.trimmed()
}

// builder makes lines.
type builder struct {
	theme *theme.Theme
	width int
	lines []string
}

func (b *builder) add(lines ...string) { b.lines = append(b.lines, lines...) }

func (b *builder) trimmed() []string {
	for len(b.lines) > 0 && b.lines[len(b.lines)-1] == "" {
		b.lines = b.lines[:len(b.lines)-1]
	}
	return b.lines
}

func (b *builder) wrapped(indent, s string, style theme.Style) {
	if s == "" {
		b.add("")
		return
	}
	for _, l := range text.Block(s, b.width-len(indent)) {
		b.add(indent + style.Render(l))
	}
}

func (b *builder) section(s words.Section) {
	th := b.theme
	title, warning := th.Strong, rank(s, false) == warns
	if warning {
		title = th.Warn
	}
	b.add(title.Render(text.Truncate(s.Title, b.width)))
	label := 0
	for _, r := range s.Rows {
		label = max(label, min(maxLabel, text.Width(r.Label)))
	}
	for _, r := range s.Rows {
		if warning && r.Note != "" { // the path of the param
			r.Value, r.Note = r.Value+" ("+r.Note+")", ""
		}
		b.row(r, label)
	}
	for _, l := range s.Lines {
		b.wrapped("  ", l, th.Text)
	}
	b.add("")
}

// leastHeight is the number of cells that a value has at least beside its label.
const leastHeight = 18

// row draws a label, the value beside it and the note after that, or below when it
// does not fit.
func (b *builder) row(r words.Row, label int) {
	th := b.theme
	mark, value := "  ", th.Text
	if r.Warn {
		mark, value = th.Warn.Render(th.Glyphs.Warning)+" ", th.Warn
	}
	gap := strings.Repeat(" ", label+4)
	room := max(8, b.width-label-4)
	if room < leastHeight && text.Width(r.Value) > room { // the value goes below its label
		b.add(mark + th.Muted.Render(r.Label))
		mark, gap, r.Label, label = "  ", "    ", "", 0
		room = max(8, b.width-len(gap))
	}
	lines := text.Block(r.Value, room)
	if len(lines) == 0 {
		lines = []string{""}
	}
	for i, l := range lines {
		head := gap
		if i == 0 {
			head = mark + th.Muted.Render(text.Pad(r.Label, label)) + "  "
		}
		line := head + value.Render(l)
		if i == len(lines)-1 && r.Note != "" && text.Width(l)+2+text.Width(r.Note) <= room {
			b.add(line + "  " + th.Muted.Render(r.Note))
			return
		}
		b.add(line)
	}
	for _, l := range text.Block(r.Note, room) {
		b.add(gap + th.Muted.Render(l))
	}
}
