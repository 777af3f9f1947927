package contracts

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"chainscope/tui/approval/words"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"

	tea "github.com/charmbracelet/bubbletea"
)

// callMethod is the method of the wallet that calls a public function.
const callMethod = "stx_callContract"

// errNoMock reports why there is no forecast.
var errNoMock = errors.New("only a mock can forecast a call, and this API is not one")

// foretold is a forecast of a call by a mock.
type foretold struct {
	of       string // the request, without what is proposed
	rows     []words.Row
	proposed *signer.PostConditions // nil for none
	taken    bool                   // they go into the request
}

// request returns the params of the call that is filled in, with post-conditions unless nil.
func (p *callPage) request(conditions *signer.PostConditions) (json.RawMessage, error) {
	args, _, err := p.values()
	if err != nil {
		return nil, err
	}
	params := struct {
		Contract   string                `json:"contract"`
		Function   string                `json:"functionName"`
		Args       []string              `json:"functionArgs"`
		Mode       string                `json:"postConditionMode,omitempty"`
		Conditions []stxtx.PostCondition `json:"postConditions,omitempty"`
	}{Contract: p.target.contract, Function: p.target.name, Args: make([]string, len(args))}
	for i, v := range args {
		if params.Args[i], err = clarity.EncodeHex(v); err != nil {
			return nil, err
		}
	}
	if conditions != nil {
		params.Mode, params.Conditions = conditions.Mode.String(), conditions.List
	}
	return json.Marshal(params)
}

// foresee requests how the call would end. If that is known already, it adds the proposed
// post-conditions to the request, or removes them again.
func (p *callPage) foresee() tea.Cmd {
	if f := p.foretold; f != nil && f.proposed != nil {
		f.taken = !f.taken
		return nil
	}
	return p.requestForecast()
}

func (p *callPage) requestForecast() tea.Cmd {
	params, err := p.request(nil)
	if err != nil {
		return p.refuse(err)
	}
	wallet, now := p.env.Wallet, p.env.Now
	return screen.Fetch(p.env, &p.foreseen, func(ctx context.Context) (foretold, error) {
		told := foretold{of: string(params)}
		if wallet == nil {
			return told, errNoMock
		}
		f, err := wallet.Foresee(ctx, callMethod, params)
		if errors.Is(err, service.ErrNoChain) {
			err = errNoMock
		}
		if err != nil {
			return told, err
		}
		told.proposed = f.Proposed
		for _, s := range words.Foretold(words.Describe(f.Description, now()), f.Forecast, "") {
			if s.Title == words.ForecastTitle {
				told.rows = s.Rows
			}
		}
		return told, nil
	})
}

// forecastLoaded stores the answer of what foresee began.
func (p *callPage) forecastLoaded(got screen.Fetched[foretold]) {
	if p.foreseen.Settle(got.Key, got.Value, got.Err, got.At) && got.Err == nil {
		p.foretold, p.scroll = &got.Value, 0
		p.forget()
	}
}

// forget drops a forecast that was made for other arguments.
func (p *callPage) forget() {
	if p.foretold == nil {
		return
	}
	if params, err := p.request(nil); err != nil || string(params) != p.foretold.of {
		p.foretold = nil
	}
}

// conditions returns the post-conditions that go into the request, nil for none.
func (p *callPage) conditions() *signer.PostConditions {
	if p.foretold == nil || !p.foretold.taken {
		return nil
	}
	return p.foretold.proposed
}

// hasResult reports whether there is a result to go to.
func (p *callPage) hasResult() bool { return p.last != nil || p.foretold != nil }

// withConditions returns what of a forecast goes into the request.
func (p *callPage) withConditions() string {
	if c := p.conditions(); c != nil {
		return ", with " + conditionCount(c)
	}
	return ""
}

func conditionCount(c *signer.PostConditions) string {
	if len(c.List) == 0 {
		return "mode deny"
	}
	return text.Plural(len(c.List), "post-condition")
}

// forecastLabel returns what the key of the forecast does now.
func (p *callPage) forecastLabel() string {
	switch f := p.foretold; {
	case f == nil || f.proposed == nil:
		return "how it would end"
	case f.taken:
		return "without " + conditionCount(f.proposed)
	default:
		return "with " + conditionCount(f.proposed)
	}
}

// forecast draws how the call would end, and the post-conditions that would let it through
// and nothing else.
func (p *callPage) forecast(now time.Time) []string {
	th := p.theme
	out := p.waits(&p.foreseen, now)
	if p.foretold == nil {
		return out
	}
	title := " " + th.Strong.Render(words.ForecastTitle)
	if f := p.foretold; f.proposed != nil && !f.taken {
		title += th.Muted.Render("  proposed: ") + th.Key.Render(p.env.Keys.Form.Foresee.Help().Key) + th.Muted.Render(" takes them into the request")
	} else if f.taken {
		title += th.OK.Render("  " + th.Glyphs.Check + " in the request")
	}
	out = append(out, text.Cut(title, p.width, th.Glyphs.Ellipsis))
	const label = 12
	for _, row := range p.foretold.rows {
		style, value := th.Text, row.Value
		if row.Note != "" {
			value += "  (" + row.Note + ")"
		}
		if row.Warn {
			style = th.Warn
		}
		for i, l := range text.Block(value, max(8, p.width-label-6)) {
			name := row.Label
			if i > 0 {
				name = ""
			}
			out = append(out, "   "+th.Muted.Render(text.Pad(text.TruncateWith(name, label, th.Glyphs.Ellipsis), label))+" "+style.Render(l))
		}
	}
	return append(out, "")
}
