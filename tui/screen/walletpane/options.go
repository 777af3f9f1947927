package walletpane

import (
	"cmp"
	"encoding/json"
	"strings"

	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/params"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// optionsForm has the options of the library as switches, and whether there is
// a library at all.
func (s *Screen) optionsForm() params.Form {
	ids := []string{""}
	for _, w := range s.state.Wallets {
		ids = append(ids, w.ID)
	}
	flag := func(name, about string) params.Field {
		return params.Field{Name: name, Label: name, Kind: signer.KindBool, Optional: true, About: about}
	}
	return params.Form{Title: "Options of connect and request", Fields: []params.Field{
		{Name: "provider", Label: "provider", Kind: signer.KindChoice, Optional: true, Choices: ids, About: "used instead of the remembered wallet"},
		flag("forceWalletSelect", "the selector opens even when a wallet is remembered; default false"),
		flag("persistWalletSelect", "the wallet that was picked is remembered; default true"),
		flag("enableOverrides", "method and params are changed to what the wallet takes; default true"),
		flag("enableLocalStorage", "the addresses that come are stored; default true"),
		{Name: "approvedProviderIds", Label: "approved ids", Kind: signer.KindJSON, Optional: true, About: `the only wallets in the selector: ["LeatherProvider"]; [] shows none`},
		{Name: "defaultProviders", Label: "default wallets", Kind: signer.KindJSON, Optional: true, About: `instead of the built-in ones: [{"id": "MyWallet", "name": "Mine"}]; [] for none`},
		{Name: "raw", Label: "requestRaw to", Kind: signer.KindChoice, Optional: true, Choices: ids, About: "requests go to this wallet without the library; the options do not count"},
	}}
}

// defaults are those of the library for its switches.
var defaults = map[string]string{"forceWalletSelect": "false", "persistWalletSelect": "true", "enableOverrides": "true", "enableLocalStorage": "true"}

// differs reports whether an option is another than its default.
func differs(options map[string]json.RawMessage) bool {
	for name, value := range options {
		if defaults[name] != string(value) {
			return true
		}
	}
	return false
}

// options are those of the library for requests; raw is the id of the wallet that they go to without the
// library, "" for none.
type options struct {
	of  map[string]json.RawMessage
	raw string
}

// request returns the request of a method with the options.
func (o *options) request(method string, params json.RawMessage) service.Request {
	r := service.Request{Method: method, Params: params, Options: o.of, Raw: o.raw}
	if o.raw != "" {
		r.Options = nil
	}
	return r
}

// openOptions edits options.
func (s *Screen) openOptions(o *options) {
	p := newFormPage(s, s.optionsForm(), "Use these options")
	d := p.of.Empty()
	for name, value := range o.of {
		if field, known := p.of.Field(name); known && field.Kind != signer.KindJSON {
			d.Texts[name] = strings.Trim(string(value), `"`)
		} else {
			d.Texts[name] = string(value)
		}
	}
	d.Texts["raw"] = o.raw
	if o == &s.options {
		p.draftName = p.of.Title
	}
	if !p.fillDraft() {
		p.fill(d)
	}
	p.fields.First()
	p.example = func() (params.Draft, error) {
		return params.Draft{Texts: map[string]string{
			"forceWalletSelect": "true", "approvedProviderIds": `["ChainscopeProvider", "LeatherProvider", "XverseProviders.BitcoinProvider"]`,
		}}, nil
	}
	p.submit = func(params json.RawMessage) tea.Cmd { return s.setOptions(o, p, params) }
	s.open(p)
}

func (s *Screen) setOptions(o *options, p *formPage, params json.RawMessage) tea.Cmd {
	given := map[string]json.RawMessage{}
	if len(params) > 0 {
		if err := json.Unmarshal(params, &given); err != nil {
			return p.refuse(err)
		}
	}
	delete(given, "raw")
	if _, err := s.wallet.LibraryOptions(given); err != nil {
		return p.refuse(err)
	}
	o.of, o.raw = given, p.draft.Texts["raw"]
	s.accepted(p)
	s.home.Fill()
	return screen.Notice("options: " + cmp.Or(s.inForce(o), "the library's defaults"))
}

// inForce names the options that are given, "" for none.
func (s *Screen) inForce(o *options) string {
	if o.raw != "" {
		return "requestRaw to " + o.raw
	}
	var parts []string
	for _, f := range s.optionsForm().Fields {
		if value, there := o.of[f.Name]; there {
			parts = append(parts, f.Name+"="+string(value))
		}
	}
	return strings.Join(parts, " ")
}
