package home

import (
	"fmt"
	"math"
	"strings"
	"time"

	"chainscope/tui/keymap"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/chart"
	"chainscope/tui/widget/placeholder"
)

// size is how home is laid out.
type size int

const (
	narrow size = iota // a line each, the picture in one of them
	middle             // lines, the picture in boxes
	wide               // boxes beside each other
)

// The least room of the layouts in cells.
const (
	wideWidth, wideHeight     = 110, 32
	middleWidth, middleHeight = 60, 17
)

func (s *Screen) size() size {
	switch {
	case s.Width >= wideWidth && s.Height >= wideHeight:
		return wide
	case s.Width >= middleWidth && s.Height >= middleHeight:
		return middle
	}
	return narrow
}

// View draws the place. Where a tile stands depends on the window alone, so that
// nothing moves when answers come.
func (s *Screen) View(now time.Time) []string {
	var lines []string
	switch s.size() {
	case wide:
		lines = s.viewWide(now)
	case middle:
		lines = s.viewMiddle(now)
	default:
		lines = s.viewNarrow(now)
	}
	return browser.Fit(s.Theme, lines, s.Width, s.Height)
}

// Heights of the parts of the wide layout in lines; some have more where there is
// room.
const (
	topHeight    = 5
	mostPicture  = 16
	mostChart    = 4 // of one chart, without its heading
	bottomHeight = 7
	mostBottom   = 10
	tryHeight    = 5
)

// shares are the heights of the parts that grow with the window.
type shares struct{ picture, chart, bottom int }

func (s *Screen) shares() shares {
	out := shares{chart: 1, bottom: bottomHeight}
	rest := s.Height - topHeight - 2 - 1 - 1
	if s.greets {
		rest -= tryHeight
	}
	charts := func() int { return 2*(1+out.chart) + 1 }
	for out.chart < mostChart && rest-charts()-2-out.bottom >= mostPicture {
		out.chart++
	}
	out.bottom += max(0, min(rest-charts()-out.bottom-mostPicture, mostBottom-bottomHeight))
	out.picture = min(rest-charts()-out.bottom, mostPicture)
	return out
}

func (s *Screen) viewWide(now time.Time) []string {
	th := s.Theme
	height, age, hash, state, belongs := s.newest(now)
	tip := []string{height + "   " + age, text.MiddleWith(hash, max(12, (s.Width-2)/3-boxFrame-14), th.Glyphs.Ellipsis) + "  " + state, belongs}
	if len(s.chain.blocks) == 0 {
		tip = s.waiting(now, (s.Width-2)/3-boxFrame, topHeight-2)
	}
	room := s.shares()
	out := s.beside(topHeight, part{tipTile, "Tip", "", tip}, part{paceTile, "Pace", "", s.paceLines(now)}, part{apiTile, "API", "", s.apiLines(now)})
	out = append(out, "", s.burnHeading(s.Width, now))
	for _, line := range s.burnPicture(s.burnWidth(), room.picture, now) {
		out = append(out, " "+line)
	}
	out = append(out, "")
	out = append(out, s.charts(room.chart)...)
	out = append(out, "")
	out = append(out, s.bottom(room.bottom, now)...)
	if s.greets {
		out = append(out, s.frameOf(tryTile, "Three things to try", s.hideHint(), s.tries(), s.Width, tryHeight)...)
	}
	return out
}

// part is a box of a row of boxes.
type part struct {
	id, title, foot string
	lines           []string
}

// beside draws boxes beside each other, which share the width.
func (s *Screen) beside(height int, parts ...part) []string {
	boxes := make([][]string, len(parts))
	left := 0
	for i, p := range parts {
		right := (s.Width + 1) * (i + 1) / len(parts)
		boxes[i] = s.frameOf(p.id, p.title, p.foot, p.lines, right-left-1, height)
		left = right
	}
	out, row := make([]string, height), make([]string, len(parts))
	for y := range out {
		for i, box := range boxes {
			row[i] = box[y]
		}
		out[y] = strings.Join(row, " ")
	}
	return out
}

// charts are the four charts, two beside each other, of some rows each.
func (s *Screen) charts(height int) []string {
	p := s.pace
	left, right := (s.Width-2)/2, s.Width-2-(s.Width-2)/2
	rows := [2][2][]string{
		{
			s.chart(figure{intervals, "Seconds between blocks", "", p.intervals}, left, height),
			s.chart(figure{perBlock, "Transactions per block", "", p.txs}, right, height),
		},
		{
			s.chart(figure{costTile, "Cost per block, of the limit", "%", p.shares}, left, height),
			s.chart(figure{latencyTile, "Latency of requests", " ms", s.server.times}, right, height),
		},
	}
	var out []string
	for i, row := range rows {
		if i > 0 {
			out = append(out, "")
		}
		for line := range height + 1 {
			out = append(out, text.Fill(row[0][line], left)+"  "+row[1][line])
		}
	}
	return out
}

// figure is what a chart is of.
type figure struct {
	id, title, unit string
	values          []float64
}

// scale says what a full column stands for, with the mean where both fit.
func (f figure) scale(top float64, width int) string {
	higher, sum, known := 0, 0.0, 0
	for _, v := range f.values {
		if v >= 0 { // gaps are not
			sum += v
			known++
		}
		if v > top {
			higher++
		}
	}
	if known == 0 {
		return ""
	}
	words := "max " + figures(top) + f.unit
	if higher > 0 {
		words = "full " + figures(top) + f.unit + ", " + text.Count(higher) + " higher"
	}
	if mean := ", mean " + figures(sum/float64(known)) + f.unit; len(words)+len(mean) <= width {
		words += mean
	}
	return words
}

// figures writes a number with one digit after the point where that says something.
func figures(v float64) string {
	if v >= 100 || v == math.Trunc(v) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.1f", v)
}

// label is the title of a chart; that of the tile that has the keys stands out.
func (s *Screen) label(f figure) string {
	th := s.Theme
	if s.has(f.id) {
		return th.Accent.Render(th.Glyphs.Cursor + f.title)
	}
	return " " + th.Strong.Render(f.title)
}

// newest are the last values that fit, with gaps before them where there are fewer.
func newest(values []float64, cells int) []float64 {
	values = values[max(0, len(values)-cells):]
	out := make([]float64, cells)
	for i := range out {
		out[i] = chart.Gap()
	}
	copy(out[cells-len(values):], values)
	return out
}

// chart draws a heading with the scale, and the chart below it.
func (s *Screen) chart(f figure, width, height int) []string {
	th := s.Theme
	f.values = newest(f.values, width-2)
	top := chart.Top(f.values)
	head := s.label(f)
	words := th.Muted.Render(f.scale(top, width-text.Width(head)-3))
	head = text.Spread(head, words, width-1)
	glyphs := th.Glyphs.Chart
	glyphs.Unknown = ' '
	out := []string{head}
	for _, row := range chart.Rows(f.values, height, top, glyphs) {
		out = append(out, " "+th.Chart.Render(string(row)))
	}
	return out
}

// bottom are wallet, calls and mock.
func (s *Screen) bottom(height int, now time.Time) []string {
	k := s.env.Keys
	var parts []part
	if s.env.Wallet != nil {
		n := 2
		if s.opt.Scenario != nil {
			n = 3
		}
		foot := s.Theme.Key.Render(keymap.First(k.Global.Tab5)) + " " + s.Theme.Muted.Render("open")
		parts = append(parts, part{walletTile, "Wallet", foot, s.walletLines()},
			part{callsTile, "Last calls", "", s.callLines(s.Width/n-boxFrame-1, height-2, now)})
	}
	if s.opt.Scenario != nil {
		lines := []string{s.scenarioWords(), "", s.Theme.Muted.Render("break the API, mine a block,"), s.Theme.Muted.Render("go back: over any screen")}
		parts = append(parts, part{mockTile, "Mock", placeholder.Hint(s.Theme, k.Global.MockPanel, "control the mock"), lines})
	}
	if len(parts) == 0 {
		return make([]string, height)
	}
	return s.beside(height, parts...)
}

// tries are three things that a newcomer can do here.
func (s *Screen) tries() []string {
	th, k := s.Theme, s.env.Keys
	try := func(keys, words string) string { return text.Fill(th.Key.Render(keys), 9) + words }
	last := try(k.Global.Inspector.Help().Key, "see every request, and copy it as curl")
	if s.opt.Scenario != nil {
		last = try(k.Global.MockPanel.Help().Key, "break the API, mine a block")
	}
	second := try(k.Global.Help.Help().Key, "see the keys of the place where you are")
	if s.env.Wallet != nil {
		second = try(keymap.First(k.Global.Tab5)+" "+keymap.First(k.Wallet.New), "sign something with the test wallet")
	}
	return []string{try(k.Global.GoTo.Help().Key, "go to anything: "+s.opt.Find), second, last}
}

func (s *Screen) hideHint() string {
	return placeholder.Hint(s.Theme, s.env.Keys.Home.Hide, "do not show again")
}

// line marks the tile that has the keys.
func (s *Screen) line(id, label, rest string) string {
	th := s.Theme
	if s.has(id) {
		return th.Accent.Render(th.Glyphs.Cursor+text.Pad(label, labelWidth)) + rest
	}
	return " " + th.Strong.Render(text.Pad(label, labelWidth)) + rest
}

// labelWidth is the width of the labels of lines.
const labelWidth = 8

func (s *Screen) viewMiddle(now time.Time) []string {
	th, p := s.Theme, s.pace
	height, age, hash, state, belongs := s.newest(now)
	first, second := height+"  "+age+"  "+state, th.Muted.Render(text.MiddleWith(hash, max(16, min(66, s.Width-50)), th.Glyphs.Ellipsis))
	if len(s.chain.blocks) == 0 {
		first, second = s.waiting(now, s.Width-labelWidth-2, 1)[0], ""
	} else {
		first = spread(first, fmt.Sprintf("%.1f s/block   %.1f txs/block ", p.interval.mean, p.count.mean), s.Width-labelWidth-1)
		second = spread(second, belongs+" ", s.Width-labelWidth-1)
	}
	out := []string{s.line(tipTile, "Tip", first), strings.Repeat(" ", labelWidth+1) + second, "", s.burnHeading(s.Width, now)}
	below := []string{
		s.chartLine(figure{intervals, "s between blocks", "", p.intervals}),
		s.chartLine(figure{perBlock, "txs per block", "", p.txs}),
		s.chartLine(figure{costTile, "cost, % of limit", "%", p.shares}),
	}
	below = append(below, s.lines(now)...)
	if s.greets {
		below = append(below, s.tryLines()...)
	}
	rest := max(4, s.Height-len(out)-len(below))
	for _, line := range s.burnPicture(s.burnWidth(), rest, now) {
		out = append(out, " "+line)
	}
	return append(out, below...)
}

// lines are API, wallet, calls and mock, a line each.
func (s *Screen) lines(now time.Time) []string {
	th := s.Theme
	api := s.apiLines(now)
	out := []string{s.line(apiTile, "API", api[0]+th.Muted.Render(", ")+api[2])}
	if s.env.Wallet != nil {
		w := s.walletLines()
		calls := th.Muted.Render("none yet")
		if len(s.purse.calls) > 0 {
			calls = s.callLine(s.purse.calls[0], s.Width-labelWidth-2, now)
		}
		out = append(out, s.line(walletTile, "Wallet", w[0]+"   "+w[3]), s.line(callsTile, "Calls", calls))
	}
	if s.opt.Scenario != nil {
		out = append(out, s.line(mockTile, "Mock", s.scenarioWords()+"   "+placeholder.Hint(th, s.env.Keys.Global.MockPanel, "break it, mine a block")))
	}
	return out
}

// tryLines are the three things in as few lines as they need.
func (s *Screen) tryLines() []string {
	all := s.tries()
	all[2] += "   " + s.hideHint()
	out := []string{s.line(tryTile, "Try", all[0])}
	for _, t := range all[1:] {
		out = append(out, s.line("", "", t))
	}
	return out
}

// chartLine draws a chart in one line, with its scale.
func (s *Screen) chartLine(f figure) string {
	th := s.Theme
	const titleWidth, scaleWidth = 19, 32
	cells := max(4, s.Width-titleWidth-scaleWidth-2)
	f.values = newest(f.values, cells)
	spark := chart.Sparkline(f.values, cells, th.Glyphs.Chart)
	return text.Fill(s.label(f), titleWidth) + th.Chart.Render(spark.Text) + "  " + th.Muted.Render(f.scale(spark.Top, scaleWidth))
}

func (s *Screen) viewNarrow(now time.Time) []string {
	th := s.Theme
	height, age, _, _, _ := s.newest(now)
	tip := height + "  " + age
	if len(s.chain.blocks) == 0 {
		tip = s.waiting(now, s.Width-labelWidth-2, 1)[0]
	}
	out := []string{s.line(tipTile, "Tip", tip), s.line(s.burnID(), "Burn", s.burnLine())}
	pace := ""
	if p := s.pace; p.interval.known > 0 {
		pace = fmt.Sprintf("%.1f s/block, %.1f txs/block", p.interval.mean, p.count.mean)
	}
	out = append(out, s.line("", "Pace", th.Muted.Render(pace)))
	out = append(out, s.line(apiTile, "API", s.apiLines(now)[0]))
	if s.env.Wallet != nil {
		w := s.walletLines()
		calls := th.Muted.Render("no calls yet")
		if len(s.purse.calls) > 0 {
			calls = s.callLine(s.purse.calls[0], s.Width-labelWidth-2, now)
		}
		out = append(out, s.line(walletTile, "Wallet", w[0]), s.line(callsTile, "Calls", calls))
	}
	return out
}

// burnLine draws the newest burn block in one line.
func (s *Screen) burnLine() string {
	groups := s.chain.groups
	if len(groups) == 0 {
		return ""
	}
	g := groups[0]
	label := text.Count(g.height) + "  "
	n := min(len(g.blocks), max(0, s.Width-labelWidth-2-len(label)-8))
	top, _ := full(groups)
	return label + s.columns(spot{group: g, columns: n, cells: 1}, 1, top)[0] + s.Theme.Muted.Render("  "+text.Count(len(g.blocks)))
}

// burnID is the tile of the only burn block that is drawn in one line.
func (s *Screen) burnID() string {
	if groups := s.chain.groups; len(groups) > 0 {
		return fmt.Sprint("burn ", groups[0].height)
	}
	return "burn"
}

// waiting stands in place of blocks.
func (s *Screen) waiting(now time.Time, width, height int) []string {
	if s.tip.Err() != nil {
		words := placeholder.Short(s.tip.Err())
		if wait := s.Retrying(slotTip).Sub(now); wait > 0 {
			words += ", again in " + placeholder.Countdown(wait)
		}
		return browser.Fit(s.Theme, []string{s.Theme.Bad.Render(text.TruncateWith(words, width, s.Theme.Glyphs.Ellipsis))}, width, height)
	}
	out := placeholder.Loading(s.Theme, s.PaneKeys(), "the newest blocks", now.Sub(s.tip.Since()), s.Attempt(&s.tip), width, height+1)
	if s.tip.Busy() && now.Sub(s.tip.Since()) >= placeholder.Quiet {
		return browser.Fit(s.Theme, out, width, height)
	}
	return browser.Fit(s.Theme, out[1:], width, height)
}

// spread puts two texts to the ends of a line.
func spread(left, right string, width int) string {
	if text.Width(left)+text.Width(right)+1 > width {
		return left
	}
	return text.Fill(left, width-text.Width(right)) + right
}
