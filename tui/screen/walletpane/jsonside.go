package walletpane

import (
	"encoding/json"
	"strings"

	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/params"
	"chainscope/tui/text"
	"chainscope/tui/widget/edit"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// turn shows the fields as JSON, or the JSON in the fields.
func (p *formPage) turn() tea.Cmd {
	if p.asJSON {
		d, err := p.load()
		if err != nil {
			p.problem = "the fields cannot show this: " + err.Error()
			return nil
		}
		p.asJSON, p.onButton, p.problem = false, false, ""
		p.fill(d)
		return nil
	}
	params, err := p.of.Params(p.draft)
	if err != nil {
		return p.refuse(err)
	}
	p.showJSON(params)
	return nil
}

// showJSON edits params as JSON.
func (p *formPage) showJSON(params json.RawMessage) {
	whole := "{\n  \n}"
	if len(params) > 0 {
		whole = text.IndentJSON(params)
	}
	p.showText(whole)
}

// showText edits a text that is JSON or is to become some.
func (p *formPage) showText(text string) {
	p.asJSON, p.onButton = true, false
	p.ed = edit.New(true)
	p.ed.SetValue(text)
	p.checkWithWallet()
}

// load returns the JSON as the fields have it.
func (p *formPage) load() (params.Draft, error) {
	given, err := p.params()
	if err != nil {
		return params.Draft{}, err
	}
	return p.of.Load(given)
}

// pasted makes whole params that were pasted before or behind those that are there the params: beside each
// other they are no JSON.
func (p *formPage) pasted(msg tea.KeyMsg) {
	given, now := strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(msg.Runes))), strings.TrimSpace(p.ed.Value())
	whole := strings.HasPrefix(given, "{") || strings.HasPrefix(given, "[")
	if now != given && whole && json.Valid([]byte(given)) && (strings.HasPrefix(now, given) || strings.HasSuffix(now, given)) {
		p.ed.SetValue("")
		p.ed.Key(msg)
	}
}

func (p *formPage) jsonKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "tab", "shift+tab":
		p.onButton = !p.onButton
		return nil, true
	case "ctrl+p", "ctrl+g":
		return nil, false
	}
	if key.Matches(msg, p.screen.env.Keys.Form.Send) {
		return p.Send(), true
	}
	if p.onButton && !msg.Paste {
		switch msg.String() {
		case "enter":
			return p.Send(), true
		case "up":
			p.onButton = false
			return nil, true
		}
		return nil, false
	}
	p.onButton = false
	if p.ed.Key(msg) {
		if msg.Paste {
			p.pasted(msg)
		}
		if p.ed.Full() {
			return screen.Notice("the text is too long: the rest was not taken"), true
		}
		return nil, true
	}
	if msg.String() == "down" {
		p.onButton = true
		return nil, true
	}
	return nil, false
}
