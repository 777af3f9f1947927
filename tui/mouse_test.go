package tui

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest"
)

func clickAt(x, y int) tea.MouseMsg {
	return tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}
}

// find returns the cell at which a text begins on screen, below the tabs.
func (p *program) find(words string) (x, y int) {
	p.t.Helper()
	y = -1
	for i, line := range strings.Split(p.frame(), "\n") {
		if before, _, found := strings.Cut(line, words); found && i >= headLines && y < 0 {
			x, y = text.Width(before), i
		}
	}
	if y < 0 {
		p.t.Fatalf("%q is not on screen:\n%s", words, p.frame())
	}
	return x, y
}

// click clicks on a text.
func (p *program) click(words string) {
	p.t.Helper()
	x, y := p.find(words)
	p.send(clickAt(x, y))
}

func TestAClickChoosesARowAndOpensIt(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		p := start(t, theme.Options{Plain: true}, "mono", size[0], size[1])
		p.run(p.m.visit(nav.Blocks()))
		p.press(letter('j'))
		p.click("1,004,317  0x")
		if got := p.m.Place(); got.Ref.Height != 1004317 && !strings.Contains(p.frame(), "▸  1,004,317") {
			t.Fatalf("at %v:\n%s", got, p.frame())
		}
		p.click("1,004,317  0x") // again: it is opened
		if scopes := p.m.currentScreen().Scopes(); scopes[0] != "detail" {
			t.Errorf("%v: a second click leaves the keys at %q", size, scopes)
		}
		p.click("parent  ") // a link, which is followed at once
		if !strings.Contains(p.frame(), "Block 1,004,316") {
			t.Errorf("%v: the link was not followed:\n%s", size, p.frame())
		}
	}
}

func TestAClickOpensTilesTabsAndWhatTheFooterNames(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 12}, {200, 60}} {
		p := start(t, theme.Options{Plain: true}, "mono", size[0], size[1])
		p.run(p.m.visit(nav.Home()))
		p.click("Tip")
		if got := p.m.Place(); got != nav.BlockAtHeight(1004320) {
			t.Errorf("%v: the tip leads to %v", size, got)
		}
		p.run(p.m.visit(nav.Home()))
		if size[0] == 40 {
			p.click("Burn ")
		} else {
			p.click("930,471  3m")
		}
		if got := p.m.Place(); got != nav.BurnBlockAtHeight(930471) {
			t.Errorf("%v: the burn block leads to %v:\n%s", size, got, p.frame())
		}
		p.run(p.m.visit(nav.Home()))
		p.click("API")
		if p.m.Place().Kind != nav.KindRequests {
			t.Errorf("%v: the API leads nowhere:\n%s", size, p.frame())
		}
		p.send(clickAt(p.m.header().startOf(3), 0))
		if got := p.m.Place(); got != nav.Tokens() {
			t.Errorf("%v: the fourth tab leads to %v", size, got)
		}
		p.click("? help")
		if !strings.Contains(p.frame(), "type to search") {
			t.Errorf("%v: help is not opened:\n%s", size, p.frame())
		}
		p.press(escape)
		p.click("/ filter")
		if !p.m.currentScreen().Typing() {
			t.Errorf("%v: no filter is typed:\n%s", size, p.frame())
		}
	}
}

func TestAClickChoosesInABox(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Blocks()))
	p.press(letter('S'))
	p.click("txs  descending")
	if p.m.overlays.open() || !strings.Contains(p.frame(), "clears") {
		t.Errorf("nothing is sorted:\n%s", p.frame())
	}
	p.press(letter(':'))
	p.typed("the requests")
	p.click("The requests behind the screens")
	if !strings.Contains(p.frame(), "Requests") {
		t.Errorf("the command does not run:\n%s", p.frame())
	}
	p.press(letter(':'))
	p.send(clickAt(0, 0)) // beside the box
	if p.m.Place().Kind != nav.KindRequests || !p.m.overlays.open() {
		t.Error("a click beside a box goes through it")
	}
}

// What waits for approval is answered by keys alone.
func TestAClickApprovesNothing(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	out := s.transfer()
	hear[service.ApprovalNeeded](s)
	s.wait(2 * time.Second)
	for y := range 40 {
		for x := 0; x < 120; x += 3 {
			s.m.Update(clickAt(x, y))
		}
	}
	select {
	case answered := <-out:
		t.Fatalf("answered: %+v", answered)
	default:
	}
	s.key("esc")
	<-out
}

// The mouse works on the running program as on the model.
func TestTheMouseOfTheRunningProgram(t *testing.T) {
	p := startOn(t, theme.Options{Plain: true}, "mono", 120, 40, mockserver.Config{Seed: 1, Now: func() time.Time { return noon }})
	tokens := clickAt(p.m.header().startOf(3), 0) // before the program has the model
	tm := teatest.NewTestModel(t, p.m, teatest.WithInitialTermSize(120, 40))
	sees := func(words string) {
		t.Helper()
		var seen bytes.Buffer
		teatest.WaitFor(t, tm.Output(), func(out []byte) bool {
			seen.Write(out)
			return strings.Contains(ansi.Strip(seen.String()), words)
		}, teatest.WithDuration(10*time.Second), teatest.WithCheckInterval(10*time.Millisecond))
	}
	tm.Send(tokens)
	sees("Harbor Dollar")
	tm.Send(clickAt(10, 8)) // the third row of the list
	sees("locales   en, es-MX")
	tm.Send(clickAt(10, 8))
	sees("A dollar for every harbor.")
	tm.Type("q")
	tm.WaitFinished(t, teatest.WithFinalTimeout(10*time.Second))
}

// startOf returns a column of a tab.
func (h header) startOf(tab int) int {
	_, starts, _ := h.fit()
	return starts[tab]
}
