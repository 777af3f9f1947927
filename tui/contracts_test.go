package tui

import (
	"slices"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
)

const usdaToken = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token"

// keysOf presses keys by their names.
func keysOf(p *program, names ...string) {
	for _, name := range names {
		p.press(uitest.Key(name))
	}
}

// From the list to a contract, to its source, to where a name is defined, and back.
func TestAContractLeadsToItsSource(t *testing.T) {
	p := start(t, theme.Options{Dark: true}, "dark", 120, 40)
	keysOf(p, "8")
	p.sees("8 Contracts]", "usda-token", "fungible token")
	keysOf(p, "enter")
	if at := p.m.Place(); at != nav.Contract(usdaToken) {
		t.Fatalf("enter goes to %s", at)
	}
	p.sees("get-balance", "who principal", "returns (response uint none)", "Read-only functions")
	keysOf(p, "x")
	p.sees("source  of "+usdaToken, "define-fungible-token", "line 1 of 22")
	keysOf(p, "/", "E", "R", "R", "enter", "n")
	p.sees("line 10 of 22", "enter goes to ERR-NOT-SENDER in line 4")
	keysOf(p, "enter")
	p.sees("line 4 of 22")
	keysOf(p, "{")
	p.sees("line 10 of 22")
	keysOf(p, "{")
	if at := p.m.Place(); at != nav.Contract(usdaToken) {
		t.Errorf("back from the source is %s", at)
	}
}

// A contract costs one request, and its source none after that.
func TestAContractCostsOneRequest(t *testing.T) {
	p := start(t, theme.Options{Dark: true}, "dark", 120, 40)
	before := p.m.options.Client.Log().Len()
	p.run(p.m.visit(nav.Contract(usdaToken)))
	p.run(p.m.visit(nav.Source(usdaToken)))
	if requested := p.m.options.Client.Log().Len() - before; requested != 1 {
		t.Errorf("it took %d requests", requested)
	}
	p.sees("define-fungible-token")
}

func TestAContractThatIsNotThere(t *testing.T) {
	p := start(t, theme.Options{Dark: true}, "dark", 120, 40)
	for _, at := range []nav.Place{nav.Contract(usdaToken + "x"), nav.Source(usdaToken + "x")} {
		p.run(p.m.visit(at))
		p.sees("cannot find contract by ID")
	}
}

// From a token to its contract, to a function of it, to the wallet, and back.
func TestATokenLeadsToTheFunctionsOfItsContract(t *testing.T) {
	p := startWallet(t, "mainnet", 120, 40)
	p.run(p.m.visit(nav.FT(usdaToken, "")))
	for range 20 {
		if slices.ContainsFunc(p.m.currentScreen().Subject().Copies, func(c screen.Copy) bool { return c.Label == "this field: contract" }) {
			break
		}
		keysOf(p.program, "j")
	}
	keysOf(p.program, "enter")
	if at := p.m.Place(); at != nav.Contract(usdaToken) {
		t.Fatalf("the contract of a token is %s", at)
	}
	p.run(p.m.visit(nav.Function(usdaToken, "get-balance")))
	keysOf(p.program, "ctrl+x", "ctrl+y")
	p.sees("Result", "(ok u")
	p.run(p.m.visit(nav.Function(usdaToken, "transfer")))
	keysOf(p.program, "ctrl+x", "ctrl+y")
	p.sees("stx_callContract", usdaToken, "transfer", "argument 4", "[ Send request ]")
	keysOf(p.program, "esc", "{")
	p.sees("Make a request of the wallet")
}

// get-balance of a token: eight keys and the address.
func TestABalanceTakesFewKeys(t *testing.T) {
	p := start(t, theme.Options{Dark: true}, "dark", 120, 40)
	keys := 0
	press := func(names ...string) {
		keys += len(names)
		keysOf(p, names...)
	}
	press("8", "enter", "j", "j", "enter")
	if got := p.m.Place(); got != nav.Function(usdaToken, "get-balance") {
		t.Fatalf("%s is not the function", got)
	}
	p.write("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")
	press("ctrl+y")
	p.sees("(ok u2500000000)")
	if keys > 8 {
		t.Errorf("%d keys and the address", keys)
	}
}

// In the form of a public function the mock reports how the call would end, and the
// post-conditions that let it through: shown first, then put into the request by the same key.
func TestThePostConditionsOfACallAreProposedInItsForm(t *testing.T) {
	p := startWallet(t, "mainnet", 120, 40)
	p.run(p.m.visit(nav.Function(usdaToken, "transfer")))
	p.write("7")
	keysOf(p.program, "ctrl+f")
	p.sees("sender: missing")
	keysOf(p.program, "ctrl+x", "ctrl+f")
	p.sees("Post-conditions and forecast  proposed: ctrl+f takes them", "mode", "deny", "exactly 7 units of", "would hold", "forecast", "[ Make a request of the wallet ]")
	keysOf(p.program, "ctrl+f")
	p.sees("✓ in the request", "[ Make a request of the wallet, with 1 post-condition ]", "ctrl+f without 1 post-condition")
	keysOf(p.program, "ctrl+f")
	p.sees("[ Make a request of the wallet ]", "proposed")
	keysOf(p.program, "ctrl+f", "ctrl+y")
	p.sees("stx_callContract", "transfer", "post-condition", "usda-token::usda", "amount")
	keysOf(p.program, "esc", "{")
	p.sees("in the request")
	keysOf(p.program, "tab", "tab", "0")
	if frame := p.frame(); strings.Contains(frame, "in the request") || strings.Contains(frame, "with 1 post-condition") {
		t.Errorf("the post-conditions of another amount are kept:\n%s", frame)
	}
}

// A live API cannot tell how a call would end.
func TestOnlyAMockReportsHowACallWouldEnd(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40) // without a wallet
	p.run(p.m.visit(nav.Function(usdaToken, "transfer")))
	keysOf(p, "ctrl+x", "ctrl+f")
	p.sees("only a mock can forecast a call")
}
