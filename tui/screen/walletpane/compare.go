package walletpane

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// compare shows what each wallet would receive of a call, with the overrides of
// the library and without. No wallet receives a request for it.
type compare struct {
	call  service.Call
	which int // the personality
	on    bool
	was   detail.Place // where the page was
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
	r.received = &compare{
		call: r.call, which: max(0, slices.Index(provider.Personalities(), r.call.Wallet)), on: true, was: r.detail.Place(),
	}
	r.show()
	r.detail.Restore(detail.Place{})
	return nil
}

// key changes the wallet or the overrides; the other keys scroll.
func (c *compare) key(r *resultPage, msg tea.KeyMsg) bool {
	all := len(provider.Personalities())
	switch {
	case key.Matches(msg, r.screen.env.Keys.Wallet.Received), msg.String() == "esc":
		r.received = nil
		r.show()
		r.detail.Restore(c.was)
		return true
	case msg.String() == "right", msg.String() == "tab":
		c.which = (c.which + 1) % all
	case msg.String() == "left", msg.String() == "shift+tab":
		c.which = (c.which + all - 1) % all
	case msg.String() == " ", msg.String() == "enter":
		c.on = !c.on
	default:
		return r.detail.Key(msg)
	}
	r.show()
	r.detail.Restore(detail.Place{})
	return true
}

// head names the wallets.
func (c *compare) head(th *theme.Theme) []string {
	line := " "
	for i, p := range provider.Personalities() {
		if i == c.which {
			line += th.Strong.Render("["+string(p)+"]") + " "
		} else {
			line += th.Muted.Render(" "+string(p)+" ") + " "
		}
	}
	if c.on {
		return []string{line + "  " + th.OK.Render("overrides on"), ""}
	}
	return []string{line + "  " + th.Warn.Render("overrides off"), ""}
}

// sides draws the call as the app made it beside what the wallet would receive.
func (c *compare) sides(th *theme.Theme, width int) []string {
	p := provider.Personalities()[c.which]
	call, title := c.call, "Request sent to "+string(p)
	var err error
	if call.Received, err = receivedBy(p, c.call, c.on); err != nil {
		title = "nothing reaches " + string(p) + ": " + err.Error()
	}
	a, b := sideOf(call), received(call, title)
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

// receivedBy returns what a wallet would get of a call. The error says what the
// library throws before anything reaches a wallet.
func receivedBy(p provider.Personality, c service.Call, overrides bool) (*service.Received, error) {
	e := &recordingWallet{traits: p.Model().Traits}
	var params any
	if len(c.Params) > 0 {
		params = c.Params
	}
	_, err := wallet.New(wallet.Config{}).Request(context.Background(), wallet.Options{Provider: e, EnableOverrides: &overrides}, c.Method, params)
	switch {
	case e.got != nil:
		return e.got, nil
	case err == nil:
		err = errors.New("the library did not call it")
	}
	return nil, err
}
