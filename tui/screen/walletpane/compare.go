package walletpane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// compare shows what each wallet would receive of a call, with the overrides of
// the library and without. Nothing is asked of any wallet for it.
type compare struct {
	call  service.Call
	which int // the personality
	on    bool
	top   int
}

// comparable reports whether the call went through the library, which may change
// what a wallet receives.
func (r *resultPage) comparable() bool {
	return r.call.Kind == service.KindRequest || r.call.Kind == service.KindConnect
}

func (r *resultPage) compare() tea.Cmd {
	if !r.comparable() {
		return screen.Notice("The library changes only what goes through it: this call did not.")
	}
	r.received = &compare{call: r.call, which: max(0, slices.Index(provider.Personalities(), r.call.Wallet)), on: true}
	return nil
}

func (c *compare) key(r *resultPage, msg tea.KeyMsg) (tea.Cmd, bool) {
	k := r.screen.env.Keys
	all := provider.Personalities()
	switch {
	case key.Matches(msg, k.Wallet.Received), msg.String() == "esc":
		r.received = nil
	case msg.String() == "right", msg.String() == "tab":
		c.which, c.top = (c.which+1)%len(all), 0
	case msg.String() == "left", msg.String() == "shift+tab":
		c.which, c.top = (c.which+len(all)-1)%len(all), 0
	case msg.String() == " ", msg.String() == "enter":
		c.on, c.top = !c.on, 0
	case key.Matches(msg, k.Detail.Down):
		c.scroll(r, 1)
	case key.Matches(msg, k.Detail.Up):
		c.scroll(r, -1)
	case key.Matches(msg, k.Detail.HalfDown):
		c.scroll(r, 8)
	case key.Matches(msg, k.Detail.HalfUp):
		c.scroll(r, -8)
	default:
		return nil, false
	}
	return nil, true
}

// compareHead is how many lines stand above the two sides.
const compareHead = 2

// scroll moves the first line in sight, within what there is.
func (c *compare) scroll(r *resultPage, by int) {
	last := len(c.sides(r.screen.theme, r.width)) - max(0, r.room()-compareHead)
	c.top = max(0, min(c.top+by, last))
}

func (c *compare) view(s *Screen, width, height int) []string {
	th := s.theme
	line := " "
	for i, p := range provider.Personalities() {
		name := string(p)
		if i == c.which {
			line += th.Strong.Render("["+name+"]") + " "
		} else {
			line += th.Muted.Render(" "+name+" ") + " "
		}
	}
	word := th.OK.Render("overrides on")
	if !c.on {
		word = th.Warn.Render("overrides off")
	}
	out := []string{line + "  " + word, ""}
	lines := c.sides(th, width)
	room := max(0, height-compareHead)
	top := max(0, min(c.top, len(lines)-room))
	for _, l := range lines[top:min(len(lines), top+room)] {
		out = append(out, text.Cut(l, width, th.Glyphs.Ellipsis))
	}
	return out
}

// sides draws the call as the app made it beside what the wallet would receive.
func (c *compare) sides(th *theme.Theme, width int) []string {
	p := provider.Personalities()[c.which]
	got, err := received(p, c.call, c.on)
	b := side{"Request sent to " + string(p), got.Method, got.Params}
	switch {
	case err != nil:
		b = side{title: "nothing reaches " + string(p) + ": " + err.Error()}
	case (service.Call{Method: c.call.Method, Params: c.call.Params, Received: &got}).Changed():
		b.title += " (changed)"
	default:
		b.title += " (unchanged)"
	}
	a := side{"Request from app", c.call.Method, c.call.Params}
	if width < besideFrom+2 { // one below the other: what differs comes first
		a, b = b, a
	}
	return sides(th, width, a, b)
}

func (c *compare) hint(s *Screen) string {
	th := s.theme
	return th.Key.Render("← →") + " " + th.Muted.Render("wallet") + "  " + th.Key.Render("space") + " " + th.Muted.Render("overrides") + "  " +
		placeholder.Hint(th, s.env.Keys.Wallet.Received, "back")
}

// errReceived ends a call as soon as it is known what was received.
var errReceived = errors.New("received")

// recordingWallet notes what it receives and answers nothing.
type recordingWallet struct {
	traits provider.Traits
	got    *service.Received
}

func (e *recordingWallet) Traits() provider.Traits { return e.traits }

func (e *recordingWallet) Request(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	e.got = &service.Received{Method: method, Params: params}
	return nil, errReceived
}

// received is what a wallet would get of a call. The error says what the
// library throws before anything reaches a wallet.
func received(p provider.Personality, c service.Call, overrides bool) (service.Received, error) {
	e := &recordingWallet{traits: provider.NewMock(p, nil).Traits()}
	var params any
	if len(c.Params) > 0 {
		params = c.Params
	}
	_, err := wallet.New(wallet.Config{}).Request(context.Background(), wallet.Options{Provider: e, EnableOverrides: &overrides}, c.Method, params)
	if e.got != nil {
		return *e.got, nil
	}
	if err == nil {
		err = fmt.Errorf("the library did not call it")
	}
	return service.Received{}, err
}
