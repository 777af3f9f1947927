package home

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/wallet/service"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// tile is something that can have the keys, and where it leads.
type tile struct {
	id   string
	does string // what enter does
	open func() tea.Cmd
}

// The tiles besides the burn blocks, by their ids.
const (
	tipTile     = "tip"
	paceTile    = "pace"
	apiTile     = "api"
	intervals   = "intervals"
	perBlock    = "transactions"
	costTile    = "cost"
	latencyTile = "latency"
	walletTile  = "wallet"
	callsTile   = "calls"
	mockTile    = "mock"
	tryTile     = "try"
)

// tiles lists all tiles in the order in which they are read. There is always one. The
// status line asks for them several times a second: where they lead is made when one is
// opened.
func (s *Screen) tiles() []tile {
	k := &s.env.Keys.Global
	to := func(place func() nav.Place) func() tea.Cmd { return func() tea.Cmd { return screen.Go(place()) } }
	use := func(b *key.Binding) func() tea.Cmd { return func() tea.Cmd { return screen.Use(b) } }
	all := make([]tile, 0, 32)
	if len(s.chain.blocks) == 0 {
		all = append(all, tile{tipTile, "open the blocks", to(nav.Blocks)})
	} else {
		all = append(all, tile{tipTile, "open the block", to(func() nav.Place { return nav.BlockAtHeight(s.chain.newest.Height) })})
	}
	if s.size() == wide {
		all = append(all, tile{paceTile, "open the blocks", to(nav.Blocks)}, tile{apiTile, "inspect the requests", use(&k.Inspector)})
	}
	all = append(all, s.burnTiles()...)
	if s.size() != narrow {
		for _, id := range []string{intervals, perBlock, costTile} {
			all = append(all, tile{id, "open the blocks", to(nav.Blocks)})
		}
	}
	if s.size() == wide {
		all = append(all, tile{latencyTile, "inspect the requests", use(&k.Inspector)})
	} else {
		all = append(all, tile{apiTile, "inspect the requests", use(&k.Inspector)})
	}
	if s.env.Wallet != nil {
		all = append(all, tile{walletTile, "open the wallet", to(nav.Wallet)})
		calls := tile{callsTile, "open the wallet", to(nav.Wallet)}
		if len(s.purse.calls) > 0 {
			calls = tile{callsTile, "open the newest call", to(func() nav.Place { return nav.WalletCall(s.purse.calls[0].Key()) })}
		}
		all = append(all, calls)
	}
	if s.opt.Scenario != nil && s.size() != narrow {
		all = append(all, tile{mockTile, "control the mock", use(&k.MockPanel)})
	}
	if s.greets && s.size() != narrow {
		all = append(all, tile{tryTile, "go to anything", use(&k.GoTo)})
	}
	return all
}

// current is the tile that has the keys: the first when that which had them is gone.
func (s *Screen) current() tile {
	all := s.tiles()
	return all[s.position(all)]
}

// position is the number of the current tile.
func (s *Screen) position(all []tile) int {
	return max(0, slices.IndexFunc(all, func(t tile) bool { return t.id == s.at }))
}

// has reports whether what is drawn is the tile that has the keys; lines that are none
// have no id.
func (s *Screen) has(id string) bool {
	if id == tipTile {
		return s.at == "" || s.current().id == tipTile
	}
	return id != "" && id == s.at
}

// newest are the newest block, what it belongs to, and its age.
func (s *Screen) newest(now time.Time) (height, age, hash, state, belongs string) {
	b, th := &s.chain.newest, s.Theme
	height = th.Strong.Render(text.Count(b.Height))
	if b.BlockTime > 0 {
		age = th.Muted.Render(s.env.Times.Short(now, time.Unix(b.BlockTime, 0)))
	}
	state = th.OK.Render(th.Glyphs.Check + " canonical")
	switch {
	case b.Lacks["canonical"]:
		state = ""
	case !b.Canonical:
		state = th.Bad.Render(th.Glyphs.Cross + " orphaned")
	}
	belongs = "burn " + text.Count(b.BurnBlockHeight)
	if b.TenureHeight != nil {
		belongs = "tenure " + text.Count(*b.TenureHeight) + "   " + belongs
	}
	return height, age, b.Hash, state, th.Muted.Render(belongs)
}

// paceLines are the pace of the chain in words.
func (s *Screen) paceLines(now time.Time) []string {
	th, p := s.Theme, s.pace
	if p.interval.known == 0 && p.count.known == 0 {
		return nil
	}
	lines := []string{
		fmt.Sprintf("%.1f s between blocks", p.interval.mean) + th.Muted.Render(fmt.Sprintf("   max %.0f", p.interval.most)),
		fmt.Sprintf("%.1f txs per block", p.count.mean) + th.Muted.Render(fmt.Sprintf("   max %.0f", p.count.most)),
	}
	if b := &s.chain.newest; b.BurnBlockTime > 0 {
		lines = append(lines, th.Muted.Render("burn block "+text.Count(b.BurnBlockHeight)+" came "+text.Age(now, time.Unix(b.BurnBlockTime, 0))))
	}
	return lines
}

// apiLines say who answers, how fast, by which routes and within which limit.
func (s *Screen) apiLines(now time.Time) []string {
	th := s.Theme
	_, host, _ := strings.Cut(s.env.Client.BaseURL(), "://")
	who := text.Line(host)
	if s.opt.Scenario != nil {
		who = "mock, " + who
	}
	speed := th.Muted.Render("nothing was asked yet")
	if t := s.server.took; t.known > 0 {
		speed = fmt.Sprintf("median %s, slowest %s of %d", milliseconds(t.median), milliseconds(t.most), t.known)
	}
	if n := s.server.failed; n > 0 {
		speed += "  " + th.Warn.Render(text.Count(n)+" failed")
	}
	rest := s.budget(now)
	if routes := s.env.Client.InForce().String(); routes != "" {
		rest = strings.ReplaceAll(routes, " · ", ", ") + ", " + rest
	}
	return []string{who, speed, th.Muted.Render(rest)}
}

// budget says how many requests are left.
func (s *Screen) budget(now time.Time) string {
	b := s.env.Client.Gate().Budget()
	if b.Limit == 0 {
		return "no rate limit"
	}
	words := fmt.Sprintf("%s of %s requests left", text.Count(b.Left), text.Count(b.Limit))
	if !b.Told {
		words = fmt.Sprintf("about %s of %s requests left", text.Count(b.Left), text.Count(b.Limit))
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

// walletLines are the wallet in a few words.
func (s *Screen) walletLines() []string {
	th, st := s.Theme, s.purse.state
	link := th.Muted.Render(th.Glyphs.Ring + " not connected")
	if st.Connected {
		link = th.OK.Render(th.Glyphs.Dot + " connected")
	}
	keys := "keys of your own"
	if st.PublicTest {
		keys = "public test keys"
	}
	address := text.MiddleWith(st.Address, 20, th.Glyphs.Ellipsis)
	if st.Locked {
		keys, address = "keystore", "locked"
	}
	where := text.Line(st.Network) + " addresses"
	if s.opt.Scenario != nil {
		where += ", mock chain only"
	} else {
		where += ", nothing is sent"
	}
	bridge := "bridge off"
	if st.Bridge.Running {
		bridge = "bridge " + text.Line(st.Bridge.URL)
	}
	lines := []string{link + th.Muted.Render("   "+keys), fmt.Sprintf("account %d  %s", st.Account, text.Line(address)), th.Muted.Render(where), th.Muted.Render(bridge)}
	if st.Waiting > 0 {
		lines[3] = th.Warn.Render(text.Plural(st.Waiting, "request") + " waiting for you")
	}
	return lines
}

// callLine draws a call: how it came out, what it was, its block and its age.
func (s *Screen) callLine(c service.Call, width int, now time.Time) string {
	th := s.Theme
	mark := th.OK.Render(th.Glyphs.Check)
	switch {
	case !c.Done:
		mark = th.Warn.Render(th.Glyphs.Refresh)
	case c.Error != nil || c.Exception != "" || c.Decision == service.RejectedByPerson:
		mark = th.Bad.Render(th.Glyphs.Cross)
	}
	name, outcome := text.Line(c.Method), text.Line(c.Outcome())
	if name == "" {
		name = string(c.Kind)
	}
	if tx, _ := s.env.Wallet.LastKnown(c.TxID); c.TxID != "" && tx.BlockHeight > 0 {
		outcome = "in block " + text.Count(tx.BlockHeight)
	}
	age := s.env.Times.Short(now, c.Time)
	room := max(0, width-2-text.Width(name)-2-text.Width(age)-1)
	outcome = text.TruncateWith(outcome, room, th.Glyphs.Ellipsis)
	return mark + " " + name + "  " + text.Fill(th.Muted.Render(outcome), room) + " " + th.Muted.Render(age)
}

// callLines are the newest calls.
func (s *Screen) callLines(width, most int, now time.Time) []string {
	if len(s.purse.calls) == 0 {
		lines := text.Block("none yet: every call of this wallet, and of web pages, is listed here", width)
		for i, line := range lines {
			lines[i] = s.Theme.Muted.Render(line)
		}
		return lines[:min(most, len(lines))]
	}
	var out []string
	for _, c := range s.purse.calls[:min(most, len(s.purse.calls))] {
		out = append(out, s.callLine(c, width, now))
	}
	return out
}

// scenarioWords name the scenario of the mock.
func (s *Screen) scenarioWords() string {
	th := s.Theme
	name, known := s.scenario.Get()
	switch {
	case !known:
		return th.Muted.Render("scenario unknown")
	case name == "healthy":
		return "scenario " + th.OK.Render(name)
	}
	return "scenario " + th.Warn.Render(text.Line(name))
}
