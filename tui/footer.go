package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/apiclient/wire"
	"chainscope/tui/keymap"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/placeholder"
)

// footer draws the two lines at the bottom: the request behind what is shown or
// a notice, and the keys that matter.
type footer struct {
	theme  *theme.Theme
	width  int
	notice notice
	marked string // the title of what is marked to be compared, "" for nothing
	// wallet holds texts for the state of the wallet, widest first.
	wallet []string
	// server holds texts for the generation of the API and the requests left, widest first;
	// low means that few are left.
	server []string
	low    bool
	// since is the number of blocks that have come since what is shown was read.
	since   int64
	offline bool // the server cannot be reached
	keys    *keymap.Map
}

// serverWords returns texts for the generation of the API and the requests left, widest
// first.
func serverWords(th *theme.Theme, c *apiclient.Client) []string {
	inForce, left := c.InForce().String(), ""
	short, _, _ := strings.Cut(inForce, " · ")
	style := th.Muted
	if b := c.Gate().Budget(); b.Limit > 0 {
		left = fmt.Sprintf("%d/%d", b.Left, b.Limit)
		if !b.Reported {
			left = "~" + left
		}
		if b.Low() {
			style = th.Warn
		}
	}
	var ways []string
	for _, words := range []string{inForce, short, ""} {
		way := strings.ReplaceAll(join(text.Line(words), left), "·", th.Glyphs.Middle)
		if way != "" && !slices.Contains(ways, style.Render(way)) {
			ways = append(ways, style.Render(way))
		}
	}
	return ways
}

// statusLine returns the notice, or the request behind the screen and its age. Parts that
// do not fit are dropped whole: first the size, then the time, then the middle of the path.
func (f footer) statusLine(s screen.Status, log *wire.ExchangeLog, now time.Time) string {
	if f.notice.text != "" {
		return f.noticeLine()
	}
	right := f.age(s, now)
	e, known := log.Get(s.ExchangeID)
	right = f.withServer(right, e, known)
	for _, wallet := range f.walletOr("") {
		tail := join(right, wallet)
		room := f.width - text.Width(tail) - 3
		if !known {
			return text.Spread("", tail+" ", f.width)
		}
		head := e.Method + " " + e.Target()
		for _, rest := range outcomes(e) {
			if text.Width(head)+text.Width(rest) <= room {
				return text.Spread(" "+f.theme.Muted.Render(text.Line(head)+rest), tail+" ", f.width)
			}
		}
		rest := shortest(outcomes(e))
		if room >= leastPath+text.Width(rest) {
			path := text.MiddleWith(head, room-text.Width(rest), f.theme.Glyphs.Ellipsis)
			return text.Spread(" "+f.theme.Muted.Render(path+rest), tail+" ", f.width)
		}
	}
	return text.Spread("", join(right, shortest(f.wallet))+" ", f.width)
}

// withServer adds the server on the right, in the widest text that leaves room for the
// whole request and the wallet. When few requests are left, their number takes precedence.
func (f footer) withServer(right string, e wire.Exchange, known bool) string {
	taken := text.Width(right) + 5
	if known {
		taken += text.Width(e.Method+" "+e.Target()) + text.Width(shortest(outcomes(e)))
	}
	if len(f.wallet) > 0 {
		taken += text.Width(f.wallet[0]) + 2
	}
	for _, way := range f.server {
		if taken+text.Width(way) <= f.width {
			return join(right, way)
		}
	}
	if f.low {
		return join(right, shortest(f.server))
	}
	return right
}

// walletOr returns the texts for the wallet, or one other text without a wallet.
func (f footer) walletOr(other string) []string {
	if len(f.wallet) == 0 {
		return []string{other}
	}
	return f.wallet
}

// leastPath is the least width of a request's path, in cells.
const leastPath = 18

func shortest(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// noticeLine shows the notice before the state of the wallet, if both fit.
func (f footer) noticeLine() string {
	style := f.theme.OK
	if f.notice.bad {
		style = f.theme.Bad
	}
	words := text.Line(f.notice.text)
	for _, wallet := range slices.Concat(f.wallet, []string{""}) {
		if text.Width(words)+text.Width(wallet)+4 <= f.width {
			return text.Spread(" "+style.Render(words), wallet+" ", f.width)
		}
	}
	// What matters of a long notice may be its end: the name of a file.
	return " " + style.Render(text.MiddleWith(f.notice.text, f.width-2, f.theme.Glyphs.Ellipsis))
}

// longNotice returns a notice that takes two lines, in place of the hints. It returns nil
// if one line is enough, or two are not.
func (f footer) longNotice() []string {
	lines := text.Block(text.Line(f.notice.text), f.width-2)
	if len(lines) != 2 {
		return nil
	}
	style := f.theme.OK
	if f.notice.bad {
		style = f.theme.Bad
	}
	return []string{" " + style.Render(lines[0]), " " + style.Render(lines[1])}
}

// outcomes returns texts for the result of a request, longest first.
func outcomes(e wire.Exchange) []string {
	if !e.Done || e.Status == 0 {
		return []string{""}
	}
	status := fmt.Sprintf("  %d", e.Status)
	took := "  " + text.Duration(e.Duration)
	if e.Duration < time.Millisecond {
		took = ""
	}
	return []string{status + took + "  " + text.Bytes(e.ResponseSize), status + took, status}
}

// age returns how old the data is, or that it is loading.
func (f footer) age(s screen.Status, now time.Time) string {
	th := f.theme
	switch {
	case s.Busy && now.Sub(s.Since) >= placeholder.Quiet:
		waited := now.Sub(s.Since)
		return th.Accent.Render(placeholder.Spinner(th, waited)) + " " + th.Muted.Render("loading "+text.Duration(waited))
	case (s.Err != nil || f.offline) && !s.FetchedAt.IsZero():
		return th.Warn.Render(placeholder.DataOf(now, s.FetchedAt))
	case !s.FetchedAt.IsZero():
		words := th.Muted.Render("fetched " + text.Age(now, s.FetchedAt))
		if s.Follows && f.since > 0 {
			words = th.Warn.Render(text.Plural(int(f.since), "block")+" since") + " " + placeholder.Hint(th, f.keys.Global.Refresh, "read again") + "  " + words
		}
		return words
	}
	return ""
}

// join puts a gap between two texts, unless one is empty.
func join(left, right string) string {
	if left == "" || right == "" {
		return left + right
	}
	return left + "  " + right
}

// hintLine names the keys that work here: those of the place, and unless a text
// is typed those of the frame. Hints are dropped whole where they do not fit,
// the last ones first; help always fits.
func (f footer) hintLine(s screen.Status, subject screen.Subject, typing bool, k *keymap.Map) string {
	th := f.theme
	hints := strings.Split(s.Hint, hintGap)
	help := ""
	if !typing {
		if f.marked != "" && subject.Raw != nil && subject.Title != f.marked {
			hints = append([]string{placeholder.Hint(th, k.Global.Compare, "compare with "+text.Truncate(f.marked, 24))}, hints...)
		}
		hints = append(hints, placeholder.Hint(th, k.Global.GoTo, "go to"))
		if len(subject.Copies) > 0 || subject.Raw != nil || s.ExchangeID != 0 {
			hints = append(hints, placeholder.Hint(th, k.Global.Copy, "copy"))
		}
		if subject.Raw != nil {
			hints = append(hints, placeholder.Hint(th, k.Global.RawJSON, "JSON"))
		}
		hints = append(hints, placeholder.Hint(th, k.Global.Inspector, "requests"))
		help = placeholder.Hint(th, k.Global.Help, "help") + " "
	}
	line := " " + placeholder.Fit(hints, hintGap, f.width-1-text.Width(help)-len(hintGap))
	return text.Spread(line, help, f.width)
}

// hintGap is between two hints of a footer.
const hintGap = "  "
