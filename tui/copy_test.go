package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/term"
	"chainscope/tui/theme"
)

// copied presses keys in the copy menu and returns what is copied.
func (p *program) copied(keys ...string) term.CopyRequest {
	p.t.Helper()
	p.press(letter('y'))
	var last term.CopyRequest
	for _, k := range keys {
		_, cmd := p.m.Update(keyNamed(p.t, k))
		if cmd != nil {
			if r, ok := cmd().(term.CopyRequest); ok {
				last = r
			}
		}
	}
	return last
}

// What is copied of a block first is its hash, wherever the cursor stands, and its address
// and its command are its own, not those of a list.
func TestWhatIsCopiedOfABlockIsOfThatBlock(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	for name, open := range map[string]func(){
		"home":               func() { p.run(p.m.visit(nav.Home())) },
		"the list":           func() { p.run(p.m.visit(nav.Blocks())) },
		"the detail":         func() { p.run(p.m.visit(nav.Blocks())); p.press(enter) },
		"a field":            func() { p.run(p.m.visit(nav.Blocks())); p.press(enter, letter('j'), letter('j')) },
		"of a burn block":    func() { p.run(p.m.visit(nav.LatestBurnBlock())) },
		"its detail":         func() { p.run(p.m.visit(nav.LatestBurnBlock())); p.press(enter) },
		"a block by address": func() { p.run(p.m.visit(nav.BlockAtHeight(1004310))) },
	} {
		open()
		index := p.m.currentScreen().Subject().At.Ref.Hash
		hash := p.m.currentScreen().Subject().Copies[0].Text
		if got := p.copied("enter"); got.Text != hash || !strings.Contains(got.What, "hash 0x") || len(hash) != 66 {
			t.Errorf("%s: enter copies %+v, want %s", name, got, hash)
		}
		url := p.copied("u").Text
		if !strings.HasSuffix(url, "/extended/v2/blocks/"+index) {
			t.Errorf("%s: the URL is %s", name, url)
		}
		if got := p.copied("c").Text; got != "curl '"+url+"'" && !strings.HasPrefix(got, "curl '"+url+"' -H") {
			t.Errorf("%s: curl is %s", name, got)
		}
		if got := p.copied("l").Text; got != "chainscope block "+index {
			t.Errorf("%s: the command is %s", name, got)
		}
	}
	p.run(p.m.visit(nav.BurnBlocks()))
	if got := p.copied("l").Text; got != "chainscope burn-blocks 930471" {
		t.Errorf("a burn block: the command is %s", got)
	}
}

// The address that is copied of a transaction and of a contract in a list is its own.
func TestTheAddressOfATransactionAndOfAContractIsItsOwn(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	for route, open := range map[string]nav.Place{"/extended/v1/tx/": nav.Transactions(), "/extended/v1/contract/": nav.Contracts()} {
		p.run(p.m.visit(open))
		at := p.m.currentScreen().Subject().At
		own := route + at.TxID + at.Principal
		if got := p.copied("u").Text; own == route || !strings.HasSuffix(got, own) {
			t.Errorf("%s: the URL is %s, want %s", open, got, own)
		}
		if got := p.copied("c").Text; !strings.Contains(got, own+"'") {
			t.Errorf("%s: curl is %s", open, got)
		}
	}
}

func TestANoticeSaysWhatWasCopied(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Blocks()))
	for key, want := range map[string]string{"enter": "copied hash 0x7a2b", "n": "copied height 1004320", "j": "copied JSON "} {
		asked := p.copied(key)
		p.send(term.CopiedMsg{What: asked.What, Terminal: true})
		if key == "enter" {
			want = "copied hash " + asked.Text[:6]
		}
		if !strings.Contains(p.frame(), want) {
			t.Errorf("%s: no %q in\n%s", key, want, p.frame())
		}
	}
}

// On a mock there is no web explorer: what is said names keys that do something.
func TestTheKeyOfTheWebExplorerSaysOnAMockWhatDoesWork(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Blocks()))
	p.press(letter('o'))
	if want := "mock data are in no web explorer: J shows the JSON, y copies it"; !strings.Contains(p.frame(), want) {
		t.Errorf("no %q in\n%s", want, p.frame())
	}
}
