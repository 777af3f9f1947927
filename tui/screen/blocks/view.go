package blocks

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/placeholder"
)

// Redraw forgets what was drawn.
func (s *Screen) Redraw() { s.SetTheme(s.theme) }

// SetTheme implements screen.Screen.
func (s *Screen) SetTheme(th *theme.Theme) {
	s.theme, s.source.theme = th, th
	s.list.SetTheme(th)
	s.detail.SetTheme(th)
	s.json.SetTheme(th)
	s.shownAt = 0
}

// View implements screen.Screen.
func (s *Screen) View(now time.Time) []string {
	if s.width <= 0 || s.height <= 0 {
		return make([]string, s.height)
	}
	s.source.now = now
	s.layout()
	s.look()
	if !s.known.started {
		return s.notStarted(now)
	}
	a := s.arrange()
	var body []string
	switch {
	case a.sizing == sizeDetail:
		body = s.detailLines(now)
	case a.sizing == sizeList:
		body = s.listLines(a, now)
	case a.beside:
		body = beside(s.listLines(a, now), s.detailLines(now), s.listRect.width, " "+s.theme.Border.Render(s.theme.Glyphs.Vertical)+" ")
	default:
		rule := s.theme.Border.Render(strings.Repeat(s.theme.Glyphs.Horizontal, s.listRect.width))
		body = append(append(s.listLines(a, now), rule), s.detailLines(now)...)
	}
	if a.context > 0 {
		body = beside(body, s.contextLines(a.context-1), s.width-a.context-1, s.theme.Border.Render(s.theme.Glyphs.Vertical)+" ")
	}
	for len(body) < s.height {
		body = append(body, "")
	}
	return body[:s.height]
}

// beside puts two columns next to each other.
func beside(left, right []string, width int, border string) []string {
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out[i] = text.Fill(l, width) + border + r
	}
	return out
}

func (s *Screen) paneKeys() placeholder.Keys {
	g := s.env.Keys.Global
	return placeholder.Keys{Refresh: g.Refresh, Cancel: g.Up, RawJSON: g.RawJSON, Inspector: g.Inspector, MockPanel: g.MockPanel}
}

// notStarted is drawn while there is no block at all.
func (s *Screen) notStarted(now time.Time) []string {
	switch s.tip.State() {
	case remote.Failed:
		return placeholder.Failure(s.theme, s.paneKeys(), "the recent blocks", s.tip.Err(), s.retryOf(&s.tip), now, s.width, s.height)
	case remote.Idle:
		return placeholder.Empty(s.theme, "No blocks were asked for", []string{placeholder.Hint(s.theme, s.env.Keys.Global.Refresh, "asks for them")}, s.width, s.height)
	case remote.Ready:
		return placeholder.Empty(s.theme, "There are no blocks", []string{"The server's list of blocks is empty."}, s.width, s.height)
	}
	return placeholder.Loading(s.theme, s.paneKeys(), "blocks", now.Sub(s.tip.Since()), s.attempt(), s.width, s.height)
}

// retryOf is when a failed request is made again by itself.
func (s *Screen) retryOf(v *remote.Value[page]) placeholder.Retry {
	if v == &s.more {
		return placeholder.Retry{At: s.retry}
	}
	return placeholder.Retry{At: s.tipRetry}
}

// attempt tells which try is under way, "" for the first.
func (s *Screen) attempt() string {
	if s.env.Client == nil {
		return ""
	}
	all := s.env.Client.Log().Snapshot()
	for i := len(all) - 1; i >= 0; i-- {
		if e := all[i]; !e.Done {
			if e.Attempts > 1 {
				return fmt.Sprintf("attempt %d", e.Attempts)
			}
			return ""
		}
	}
	return ""
}

// listLines draws the list with what stands above and below it.
func (s *Screen) listLines(a arrangement, now time.Time) []string {
	w, th := s.listRect.width, s.theme
	lines := make([]string, 0, s.height)
	if a.charts == 1 {
		lines = append(lines, s.known.short(s.chartsFrom(), w, th))
	}
	if err := s.trouble(); err != nil {
		v := &s.tip
		if s.tip.Err() == nil {
			v = &s.more
		}
		lines = append(lines, "  "+placeholder.Banner(th, s.paneKeys(), err, s.tip.FetchedAt(), s.retryOf(v), now, w-2))
	}
	if line := s.filter.Line(max(12, w-30), th); line != "" {
		found := th.Muted.Render(fmt.Sprintf("  %s of %s loaded", text.Count(len(s.source.filtered)), text.Plural(len(s.known.at)+len(s.known.orphans), "block")))
		lines = append(lines, text.Clip("  "+line+found, w))
	}
	lines = append(lines, s.source.head(w))
	if s.source.filter && len(s.source.filtered) == 0 {
		lines = append(lines, placeholder.Empty(th, "No loaded block matches", []string{
			th.Muted.Render("A filter looks at loaded blocks: heights, hashes, transaction ids, tenure:N, orphaned."),
			placeholder.Hint(th, s.env.Keys.Global.Up, "clears the filter") + "   " + placeholder.Hint(th, s.env.Keys.Global.GoTo, "goes to any height"),
		}, w, s.listRect.height)...)
	} else {
		lines = append(lines, s.list.View()...)
	}
	if a.charts > 1 {
		lines = append(append(lines, ""), s.known.long(s.chartsFrom(), w, th)...)
	}
	return lines
}

// chartsFrom is the newest block of the charts: the first one in sight.
func (s *Screen) chartsFrom() int64 {
	if top := s.list.Place().Top; top < s.source.Len() {
		return s.source.height(top)
	}
	return s.known.tip
}

// fill shows the block under the cursor in the detail.
func (s *Screen) fill(now time.Time) {
	r := s.current()
	if r == nil {
		s.shown = ""
		return
	}
	if r.id() == s.shown && s.shownAt == now.Unix() {
		return
	}
	rows := fields(r, s.known.at[r.Height-1], s.limits, s.env, s.theme, now)
	if r.id() == s.shown {
		s.detail.Update(rows)
	} else {
		s.detail.SetRows(rows)
		s.json.SetJSON(r.raw)
	}
	s.shown, s.shownAt = r.id(), now.Unix()
}

// detailLines draws the block under the cursor, or why there is none.
func (s *Screen) detailLines(now time.Time) []string {
	w, h := s.detailRect.width, s.detailRect.height
	if s.problem != nil {
		var u unreachable
		if errors.As(s.problem, &u) {
			return placeholder.Empty(s.theme, u.title, append(text.Block(u.why, max(10, w-4)), "", placeholder.Hint(s.theme, s.env.Keys.Global.Up, "back")), w, h)
		}
		return placeholder.Failure(s.theme, s.paneKeys(), s.opened.Ref.String(), s.problem, placeholder.Retry{}, now, w, h)
	}
	if by := s.target.Ref.By; by == nav.ByBurnHeight || by == nav.ByBurnHash {
		return placeholder.Loading(s.theme, s.paneKeys(), "the block", now.Sub(s.block.Since()), s.attempt(), w, h)
	}
	s.fill(now)
	if s.shown != "" {
		return s.detail.View()
	}
	i, ok := s.list.Cursor()
	switch {
	case !ok:
		return placeholder.Empty(s.theme, "No block", nil, w, h)
	case s.holes[s.source.height(i)]:
		return placeholder.Empty(s.theme, "The server's list has no block "+text.Count(s.source.height(i)), nil, w, h)
	case s.more.Err() != nil && !s.more.Busy():
		return placeholder.Failure(s.theme, s.paneKeys(), "block "+text.Count(s.source.height(i)), s.more.Err(), placeholder.Retry{At: s.retry}, now, w, h)
	}
	return placeholder.Loading(s.theme, s.paneKeys(), "block "+text.Count(s.source.height(i)), now.Sub(s.more.Since()), s.attempt(), w, h)
}
