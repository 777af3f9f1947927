package dialog

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/wallet/service"
)

// widest describes how wide the dialog becomes: lines beyond are hard to read.
const widest = 110

// headLines and footLines are around the description, and margin is left above and
// below the box.
const (
	headLines = 3
	footLines = 3
	margin    = 1
)

// roomy is the height from which there is room for them. In a lower window there are no
// rules and no margin, and the title of the box says what is in sight: the first warning
// matters more.
const roomy = 16

func (d *Dialog) tight() bool { return d.height < roomy }

// usedHeight returns how many lines are not the description's.
func (d *Dialog) usedHeight() int {
	if d.tight() {
		return frameHeight + headLines - 1 + footLines - 2
	}
	return frameHeight + headLines + footLines
}

// frameWidth and frameHeight are what the box around takes.
const (
	frameWidth  = 4
	frameHeight = 2
)

// leastBody is the least number of lines of a description, filled or
// not, so that the form for fee and nonce has room.
const leastBody = 8

// bodyWidth and bodyHeight are the cells of the description in sight: as many
// lines as there are, and no more than the window has.
func (d *Dialog) bodyWidth() int { return min(d.width-2, widest) - frameWidth }

func (d *Dialog) bodyHeight(q *question) int {
	room := d.height - d.usedHeight()
	if !d.tight() {
		room -= 2 * margin
	}
	lines := 0
	if q.page != nil {
		lines = len(q.page.lines)
	}
	return max(0, min(room, max(leastBody, lines)))
}

// View draws the dialog for the window that SetSize set; no line when there is
// nothing to decide. A window in which nothing could be read is filled with a
// word about it, and nothing can be approved in it.
func (d *Dialog) View(now time.Time) []string {
	if !d.Open() || d.width <= 0 || d.height <= 0 {
		return nil
	}
	q := d.questions[0]
	if !d.readable() {
		return d.small(q)
	}
	inner := d.bodyWidth()
	w, h := inner+frameWidth, d.bodyHeight(q)+d.usedHeight()
	lines := d.head(q, inner)
	lines = append(lines, d.content(q, inner)...)
	lines = append(lines, d.foot(q, inner, now)...)
	title := d.title(q)
	if sight := d.sight(q); d.tight() && sight != "" {
		title += "  " + sight
	}
	return box.Draw(d.theme, title, d.Hint(), lines, w, h)
}

func (d *Dialog) title(q *question) string {
	title := "Approve request"
	switch {
	case q.origin != nil:
		title = "Allow this origin?"
	case q.approval.Round > 1:
		title = "Approve changed request"
	}
	if n := max(len(d.queue), len(d.questions)); n > 1 {
		title += fmt.Sprintf("  1 of %d", n)
	}
	return title
}

// head returns who asks, for what, and on which network.
func (d *Dialog) head(q *question, width int) []string {
	th := d.theme
	rule := th.Border.Render(strings.Repeat(th.Glyphs.Horizontal, width))
	if q.origin != nil {
		return d.ruled([]string{th.Strong.Render("a web page asks to talk to the wallet"), ""}, rule)
	}
	a := q.approval
	network := d.network(a.Description.Network.Name)
	method := a.Description.Method
	if method == "" {
		method = "a request"
	}
	asks := "requested from " + a.Requester.String()
	if a.Requester.Kind == service.FromPage {
		asks = "requested by the page " + a.Requester.String()
	}
	account := fmt.Sprintf("account %d", a.Description.Account.Index)
	if d.stakes == MockOnly && text.Width(text.Line(method))+text.Width(network)+2 > width {
		network = "" // the description says it, too
	}
	first := text.Spread(th.Strong.Render(text.TruncateWith(method, width-text.Width(network)-2, th.Glyphs.Ellipsis)), network, width)
	return d.ruled([]string{first, text.Spread(text.MiddleWith(asks, max(1, width-len(account)-2), th.Glyphs.Ellipsis), th.Muted.Render(account), width)}, rule)
}

// ruled adds a rule below lines where there is room.
func (d *Dialog) ruled(lines []string, rule string) []string {
	if d.tight() {
		return lines
	}
	return append(lines, rule)
}

// network returns the badge of the request's network.
func (d *Dialog) network(name string) string {
	switch d.stakes {
	case MockOnly:
		return d.theme.Muted.Render(text.Line(name) + " addresses, mock chain")
	case TestKeys:
		return d.theme.Warn.Render(text.Line(name) + ", test keys")
	}
	return Network(d.theme, name)
}

// Network returns the badge of a network: the main one stands out by word and
// color.
func Network(th *theme.Theme, name string) string {
	if name == "mainnet" {
		return th.Bad.Render(th.Glyphs.Warning + " MAINNET")
	}
	return th.Mock.Render(" " + text.Line(name) + " ")
}

// content returns what is in sight of the description, or the form for fee and nonce,
// or the question whether to block.
func (d *Dialog) content(q *question, width int) []string {
	body := d.bodyHeight(q)
	var lines []string
	switch {
	case q.editing:
		lines = q.edit.view(d.theme, width)
	case q.blocking:
		lines = blockPage(d.theme, q, width)
	case q.page != nil:
		lines = q.page.lines[q.page.top:min(len(q.page.lines), q.page.top+body)]
	}
	out := make([]string, body)
	copy(out, lines)
	return out
}

// foot returns how much there is to read, who is next, and what the keys do.
func (d *Dialog) foot(q *question, width int, now time.Time) []string {
	if d.tight() {
		return []string{d.answers(q, width, now)}
	}
	th, position := d.theme, d.sight(q)
	if strings.HasSuffix(position, " more") {
		position = th.Accent.Render(position)
	} else {
		position = th.Muted.Render(position)
	}
	left := position
	if raw := q.rawTitle(th); raw != "" {
		left = strings.TrimSpace(raw + "  " + position)
	}
	ending := q.ending(th)
	if q.offered && q.forecast.Busy() {
		far, _, _ := strings.Cut(d.onFork(), "\n")
		ending = th.Muted.Render(text.TruncateWith(text.Line(far), max(0, width-text.Width(left)-2), th.Glyphs.Ellipsis))
	}
	if ending != "" {
		left = strings.TrimSpace(ending + "  " + left)
	}
	rule := th.Border.Render(strings.Repeat(th.Glyphs.Horizontal, width))
	return []string{rule, text.Spread(left, d.behind(width/2), width), d.answers(q, width, now)}
}

// sight returns which lines of the description are in sight, "" when all are.
func (d *Dialog) sight(q *question) string {
	body, p := d.bodyHeight(q), q.page
	if q.editing || q.blocking || p == nil || len(p.lines) <= body {
		return ""
	}
	words := fmt.Sprintf("%s-%s of %s", text.Count(p.top+1), text.Count(min(len(p.lines), p.top+body)), text.Count(len(p.lines)))
	more := p.top+body < len(p.lines)
	switch {
	case d.tight() && more:
		return words + " " + d.theme.Glyphs.Down
	case d.tight():
		return words
	case more:
		return "lines " + words + "  " + d.theme.Glyphs.Down + " more"
	}
	return "lines " + words
}

// behind names the request that comes next.
func (d *Dialog) behind(width int) string {
	if len(d.queue) < 2 {
		return ""
	}
	next := d.queue[1]
	more := ""
	if len(d.queue) > 2 {
		more = fmt.Sprintf(" and %d more", len(d.queue)-2)
	}
	return d.theme.Muted.Render(text.Truncate("then "+next.Method+" of "+next.Requester.String()+more, width))
}

// buttons returns the answers; the default is marked.
func (d *Dialog) buttons(q *question) string {
	th := d.theme
	if q.editing || q.again {
		return ""
	}
	no, key, yes := "reject", keyApprove, "approve"
	switch {
	case !q.read && !q.blocking:
		yes = "read on"
	case q.blocking:
		no, key, yes = "back", keyConfirm, "block"
	case q.origin != nil:
		no, yes = "refuse", "allow"
	}
	return th.Cursor.Render("[ enter "+no+" ]") + "  " + th.Key.Render(key) + " " + yes
}

// answers returns the buttons, and whether keys count: in words where they fit.
func (d *Dialog) answers(q *question, width int, now time.Time) string {
	buttons, words := d.buttons(q), d.armedWords(q, now)
	if text.Width(buttons)+text.Width(words) >= width && !q.editing && !q.again {
		words = d.theme.OK.Render("ready")
		if left := d.arming.left(now); left > 0 {
			words = d.theme.Warn.Render(fmt.Sprintf("keys work in %.1f s", left.Seconds()))
		}
	}
	return text.Spread(buttons, words, width)
}

// armedWords reports whether keys count.
func (d *Dialog) armedWords(q *question, now time.Time) string {
	th := d.theme
	switch left := d.arming.left(now); {
	case q.again:
		return th.Warn.Render("describing the change")
	case q.editing:
		return ""
	case left > 0:
		return th.Warn.Render(fmt.Sprintf("keys work in %.1f s; a key press restarts the wait", left.Seconds()))
	case d.arming.hurried(keyApprove, now):
		return th.Warn.Render("a came too early: release it")
	}
	return th.OK.Render("ready for input")
}

// small fills a window in which no description can be read.
func (d *Dialog) small(q *question) []string {
	what := "a page's origin"
	if q.origin == nil {
		what = q.approval.Description.Method
	}
	words := []string{
		text.Truncate(what, d.width), "waits for approval.",
		fmt.Sprintf("Too small to read: need %dx%d.", minWidth, minHeight), "esc rejects",
	}
	var lines []string
	for _, word := range words {
		for _, l := range text.Block(word, d.width) {
			lines = append(lines, d.theme.Warn.Render(l))
		}
	}
	out := make([]string, d.height)
	copy(out, lines)
	for i := range out {
		out[i] = text.Fill(out[i], d.width)
	}
	return out
}

// Hint names the keys.
func (d *Dialog) Hint() string {
	if !d.Open() {
		return ""
	}
	q := d.questions[0]
	switch {
	case !d.readable():
		return "esc reject"
	case q.again:
		return "the new transaction is being described"
	case q.editing:
		return q.edit.hint()
	case q.blocking:
		return "y block  esc back"
	case q.origin != nil && q.read:
		return "a allow  esc refuse once  b block…"
	case q.origin != nil:
		return "a read on  esc refuse once  b block…"
	}
	hints := []string{"a approve", "esc reject"}
	if !q.read {
		hints[0] = "a read on"
	}
	if q.approval.Requester.Kind == service.FromPage {
		hints = append(hints, "b block…")
	}
	if q.approval.Editable() {
		hints = append(hints, "e edit")
	}
	if does := d.forecastDoes(q); does != "" {
		hints = append(hints, keyForesee+" "+does)
	}
	if q.exact() != nil {
		hints = append(hints, "p exact conditions")
	}
	return strings.Join(append(hints, "r raw", "y copy", "↑↓ scroll"), "  ")
}
