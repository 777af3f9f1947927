package home

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/service"
)

// tipID is the first tile, which has the keys at the start.
const tipID = "tip"

// tipTile returns the newest block, what it belongs to, and its age.
func (s *Screen) tipTile(now time.Time) tile {
	th, b, p := s.Theme, s.chain.Newest(), s.pace
	if len(s.chain.blocks) == 0 {
		return tile{
			id: tipID, title: "Tip", action: "open the blocks", open: s.visits(nav.Blocks()),
			lines: func(width, height int) []string { return s.waiting(now, width, height) },
			short: func(width int) []string { return s.waiting(now, width-1, 1) },
		}
	}
	height, age := th.Strong.Render(text.Count(b.Height)), ""
	if b.BlockTime > 0 {
		age = th.Muted.Render(s.env.Times.Short(s.env.ChainNow(), time.Unix(b.BlockTime, 0)))
	}
	state := th.OK.Render(th.Glyphs.Check + " canonical")
	switch {
	case b.Lacks["canonical"]:
		state = ""
	case !b.Canonical:
		state = th.Bad.Render(th.Glyphs.Cross + " orphaned")
	}
	belongs := "burn " + text.Count(b.BurnBlockHeight)
	if b.TenureHeight != nil {
		belongs = "tenure " + text.Count(*b.TenureHeight) + "   " + belongs
	}
	belongs = th.Muted.Render(belongs)
	pace := ""
	if s.size() != narrow { // where it has a line of its own
		pace = fmt.Sprintf("%.1f s/block   %.1f txs/block ", p.interval.mean, p.count.mean)
	}
	hash := func(width int) string { return text.MiddleWith(b.Hash, width, th.Glyphs.Ellipsis) }
	return tile{
		id: tipID, title: "Tip", action: "open the block", open: s.visits(nav.BlockAtHeight(b.Height)),
		lines: func(width, _ int) []string {
			return []string{height + "   " + age, hash(max(12, width-14)) + "  " + state, belongs}
		},
		short: func(width int) []string {
			return []string{
				spread(height+"  "+age+"  "+state, pace, width),
				spread(th.Muted.Render(hash(max(16, min(66, width-41)))), belongs+" ", width),
			}
		},
	}
}

// spread puts two texts to the ends of a line, the right one where it has room.
func spread(left, right string, width int) string {
	if text.Width(left)+text.Width(right)+1 > width {
		return left
	}
	return text.Spread(left, right, width)
}

// paceTile returns the pace of the chain in words.
func (s *Screen) paceTile() tile {
	th, p, b := s.Theme, s.pace, s.chain.Newest()
	t := tile{id: "pace", title: "Pace", action: "open the blocks", open: s.visits(nav.Blocks())}
	t.short = func(int) []string {
		if p.interval.known == 0 {
			return []string{""}
		}
		return []string{th.Muted.Render(fmt.Sprintf("%.1f s/block, %.1f txs/block", p.interval.mean, p.count.mean))}
	}
	t.lines = func(int, int) []string {
		if p.interval.known == 0 && p.count.known == 0 {
			return nil
		}
		lines := []string{
			fmt.Sprintf("%.1f s between blocks", p.interval.mean) + th.Muted.Render(fmt.Sprintf("   max %.0f", p.interval.most)),
			fmt.Sprintf("%.1f txs per block", p.count.mean) + th.Muted.Render(fmt.Sprintf("   max %.0f", p.count.most)),
		}
		if b.BurnBlockTime > 0 {
			lines = append(lines, th.Muted.Render("burn block "+text.Count(b.BurnBlockHeight)+" came "+text.Age(s.env.ChainNow(), time.Unix(b.BurnBlockTime, 0))))
		}
		return lines
	}
	return t
}

// apiTile returns who answers, how fast, by which routes and within which limit.
func (s *Screen) apiTile(now time.Time) tile {
	th := s.Theme
	_, host, _ := strings.Cut(s.env.Client.BaseURL(), "://")
	who, rest := text.Line(host), s.budget(now)
	if routes := s.env.Client.InForce().String(); routes != "" {
		rest = strings.ReplaceAll(routes, " · ", ", ") + ", " + rest
	}
	if server := s.env.Client.About(); s.opt.Scenario != nil {
		who = "mock, " + who
	} else {
		who += ", " + networkWords(server)
		rest = lackWords(server) + rest
	}
	return tile{
		id: "api", title: "API", action: "list the requests", open: s.uses(&s.env.Keys.Global.Inspector),
		lines: func(width, _ int) []string { return []string{who, s.speed(width), th.Muted.Render(rest)} },
		short: func(int) []string { return []string{who + th.Muted.Render(", "+rest)} },
	}
}

// networkWords say which network a server is of; "~" marks a guess by the addresses it shows.
func networkWords(server apiclient.About) string {
	switch {
	case server.Guessed:
		return "~" + server.Network
	case server.Network == "":
		return "network unknown"
	}
	return server.Network
}

// lackWords name the services that a server lacks, "" for none.
func lackWords(server apiclient.About) (words string) {
	for _, s := range []apiclient.Service{apiclient.TokenMetadata, apiclient.NameRegistry, apiclient.NodeCalls} {
		if server.Lacks(s) {
			words += "no " + string(s) + ", "
		}
	}
	return words
}

// speed returns how fast the newest requests were answered and how many failed, as fully as
// the width allows. The failures come last to go.
func (s *Screen) speed(width int) string {
	th, t := s.Theme, s.server.durations
	if s.server.requests == 0 {
		return th.Muted.Render("no requests yet")
	}
	failures := ""
	if n := s.server.failed; n > 0 {
		failures = th.Warn.Render(fmt.Sprintf("%d of %d failed", n, s.server.requests))
	}
	if t.known == 0 {
		return failures
	}
	median := "median " + milliseconds(t.median)
	for _, words := range []string{fmt.Sprintf("%s, slowest %s of %d", median, milliseconds(t.most), t.known), median} {
		if failures != "" {
			words += "  " + failures
		}
		if text.Width(words) <= width {
			return words
		}
	}
	return cmp.Or(failures, median)
}

// budget returns how many requests are left.
func (s *Screen) budget(now time.Time) string {
	b := s.env.Client.Gate().Budget()
	if b.Limit == 0 {
		return "no rate limit"
	}
	words := fmt.Sprintf("%s of %s requests left", text.Count(b.Left), text.Count(b.Limit))
	if !b.Reported {
		words = "about " + words
	}
	if wait := b.Resets.Sub(now); wait > 0 {
		words += ", new in " + text.Duration(wait.Round(time.Second))
	}
	return words
}

// milliseconds writes a time; parts of one say nothing.
func milliseconds(ms float64) string {
	if ms < 1 {
		return "<1 ms"
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// walletTile returns the wallet in a few words.
func (s *Screen) walletTile() tile {
	th, st := s.Theme, s.wallet.state
	link := th.Muted.Render(th.Glyphs.Ring + " not connected")
	if st.Connected {
		link = th.OK.Render(th.Glyphs.Dot + " connected")
	}
	keys := "keys of your own"
	switch {
	case st.PublicTest:
		keys = "public test keys"
	case st.KeySource == service.WatchedOnly:
		keys = "watched, no keys"
	}
	address := text.MiddleWith(st.Address, 20, th.Glyphs.Ellipsis)
	if st.Locked {
		keys, address = "keystore", "locked"
	}
	where := text.Line(st.Network) + " addresses, nothing is sent"
	if s.opt.Scenario != nil {
		where = text.Line(st.Network) + " addresses, mock chain only"
	}
	link += th.Muted.Render("   " + keys)
	bridge := th.Muted.Render("bridge off")
	switch {
	case st.Waiting > 0:
		bridge = th.Warn.Render(text.Plural(st.Waiting, "request") + " waiting for you")
	case st.Bridge.Running:
		bridge = th.Muted.Render("bridge " + text.Line(st.Bridge.URL))
	}
	return tile{
		id: "wallet", title: "Wallet", foot: placeholder.HintOf(th, keymap.First(s.env.Keys.Global.Tab5), "open"),
		action: "open the wallet", open: s.visits(nav.Wallet()),
		lines: func(int, int) []string {
			return []string{link, fmt.Sprintf("account %d  %s", st.Account, text.Line(address)), th.Muted.Render(where), bridge}
		},
		short: func(int) []string { return []string{link + "   " + bridge} },
	}
}

// callsTile returns the newest calls of the wallet.
func (s *Screen) callsTile(now time.Time) tile {
	th, calls := s.Theme, s.wallet.calls
	t := tile{id: "calls", title: "Calls", action: "open the wallet", open: s.visits(nav.Wallet())}
	if s.size() >= wide {
		t.title = "Last calls"
	}
	if len(calls) == 0 {
		t.short = func(int) []string { return []string{th.Muted.Render("none yet")} }
		t.lines = func(width, _ int) []string {
			return th.Muted.RenderAll(text.Block("none yet: every call of this wallet, and of web pages, is listed here", width))
		}
		return t
	}
	t.action, t.open = "open the newest call", s.visits(nav.WalletCall(calls[0].Key()))
	t.short = func(width int) []string { return []string{s.callLine(calls[0], width-1, now)} }
	t.lines = func(width, height int) []string {
		var out []string
		for _, c := range calls[:min(height, len(calls))] {
			out = append(out, s.callLine(c, width, now))
		}
		return out
	}
	return t
}

// callLine draws a call: how it came out, what it was, its block and its age.
func (s *Screen) callLine(c service.Call, width int, now time.Time) string {
	th := s.Theme
	status := s.env.Wallet.StatusOf(c)
	mark := th.OK.Render(th.Glyphs.Check)
	switch {
	case status.Fate == service.Waits:
		mark = th.Warn.Render(th.Glyphs.Refresh)
	case status.Fate == service.Bad:
		mark = th.Bad.Render(th.Glyphs.Cross)
	}
	name := text.Line(c.Method)
	if name == "" {
		name = string(c.Kind)
	}
	age := s.env.Times.Short(now, c.Time)
	room := max(0, width-2-text.Width(name)-2-text.Width(age)-1)
	outcome := text.TruncateWith(text.Line(status.String()), room, th.Glyphs.Ellipsis)
	return mark + " " + name + "  " + text.Fill(th.Muted.Render(outcome), room) + " " + th.Muted.Render(age)
}

// mockTile names the scenario of the mock.
func (s *Screen) mockTile() tile {
	th, k := s.Theme, &s.env.Keys.Global.MockPanel
	words := th.Muted.Render("scenario unknown")
	if name, known := s.scenario.Get(); known && name == "healthy" {
		words = "scenario " + th.OK.Render(name)
	} else if known {
		words = "scenario " + th.Warn.Render(text.Line(name))
	}
	return tile{
		id: "mock", title: "Mock", foot: placeholder.Hint(th, *k, "control the mock"), action: "control the mock", open: s.uses(k),
		lines: func(int, int) []string {
			return []string{words, "", th.Muted.Render("break the API, mine a block,"), th.Muted.Render("go back: over any screen")}
		},
		short: func(int) []string {
			return []string{words + "   " + placeholder.Hint(th, *k, "break it, mine a block")}
		},
	}
}

// waiting is in place of blocks.
func (s *Screen) waiting(now time.Time, width, height int) []string {
	if s.tip.Err() != nil {
		words := placeholder.Short(s.tip.Err())
		if wait := s.Retrying(&s.tip).Sub(now); wait > 0 {
			words += ", again in " + placeholder.Countdown(wait)
		}
		return screen.Fit(s.Theme, []string{s.Theme.Bad.Render(text.TruncateWith(words, width, s.Theme.Glyphs.Ellipsis))}, width, height)
	}
	out := placeholder.Loading(s.Theme, s.env.Keys, "the newest blocks", now.Sub(s.tip.Since()), s.Attempt(&s.tip), width, height+1)
	if s.tip.Busy() && now.Sub(s.tip.Since()) >= placeholder.Quiet {
		return screen.Fit(s.Theme, out, width, height)
	}
	return screen.Fit(s.Theme, out[1:], width, height)
}
