package walletpane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"chainscope/tui/screen"
	"chainscope/tui/text"
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

func (r *resultPage) compare() tea.Cmd {
	switch r.call.Kind {
	case service.KindRequest, service.KindConnect:
		at := 0
		for i, p := range provider.Personalities() {
			if p == r.call.Wallet {
				at = i
			}
		}
		r.received = &compare{call: r.call, which: at, on: true}
		return nil
	}
	return screen.Notice("the library changes only what goes through it: this call did not")
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
		c.top++
	case key.Matches(msg, k.Detail.Up):
		c.top = max(0, c.top-1)
	case key.Matches(msg, k.Detail.HalfDown):
		c.top += 8
	case key.Matches(msg, k.Detail.HalfUp):
		c.top = max(0, c.top-8)
	default:
		return nil, false
	}
	return nil, true
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
	p := provider.Personalities()[c.which]
	got, err := received(p, c.call, c.on)
	b := side{"as " + string(p) + " receives it", got.Method, got.Params}
	switch {
	case err != nil:
		b = side{title: "nothing reaches " + string(p) + ": " + err.Error()}
	case (service.Call{Method: c.call.Method, Params: c.call.Params, Received: &got}).Changed():
		b.title += ": changed"
	default:
		b.title += ": unchanged"
	}
	a := side{"as the app made it", c.call.Method, c.call.Params}
	if width < besideFrom+2 { // one below the other: what differs comes first
		a, b = b, a
	}
	lines := sides(th, width, a, b)
	room := max(0, height-len(out))
	c.top = max(0, min(c.top, len(lines)-room))
	for _, l := range lines[c.top:min(len(lines), c.top+room)] {
		out = append(out, text.Clip(l, width))
	}
	return out
}

func (c *compare) hint(s *Screen) string {
	th := s.theme
	return th.Key.Render("← →") + " " + th.Muted.Render("wallet") + "  " + th.Key.Render("space") + " " + th.Muted.Render("overrides") + "  " +
		placeholder.Hint(th, s.env.Keys.Wallet.Received, "back")
}

// errReceived ends a call as soon as it is known what was received.
var errReceived = errors.New("received")

// ear is a wallet that only listens.
type ear struct {
	traits provider.Traits
	got    *service.Received
}

func (e *ear) Traits() provider.Traits { return e.traits }

func (e *ear) Request(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	e.got = &service.Received{Method: method, Params: params}
	return nil, errReceived
}

// received is what a wallet would get of a call. The error says what the
// library throws before anything reaches a wallet.
func received(p provider.Personality, c service.Call, overrides bool) (service.Received, error) {
	e := &ear{traits: provider.NewMock(p, nil).Traits()}
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
