package tui

import (
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/term"

	tea "github.com/charmbracelet/bubbletea"
)

// navigator is the places of the explorer, which one is shown, and the way back.
type navigator struct {
	window
	env     *screen.Env
	tabs    tabs
	current int // index into tabs
	history nav.History[any]
	live    liveTail
	tip     tipWatch
	server  remote.Value[apiclient.About]
	// followed is the network of the server, as it last said it.
	followed string
	notice   notice
	sought   remote.Value[nav.Place] // what has the hash that was gone to
}

// currentScreen returns the screen that is shown.
func (n *navigator) currentScreen() screen.Screen { return n.tabs[n.current].screen }

// Place returns the current place.
func (n *navigator) Place() nav.Place { return n.currentScreen().Place() }

// showNotice shows a sentence in the status line. It returns nil, so that an action can end with
// it.
func (n *navigator) showNotice(text string, bad bool) tea.Cmd {
	n.notice.show(text, bad, n.env.Now())
	return nil
}

// opened returns what became of a page that another program was to open.
func (n *navigator) opened(msg term.OpenedMsg) tea.Cmd {
	if msg.Err != nil {
		return n.showNotice(msg.Err.Error(), true)
	}
	return n.showNotice("opened "+msg.URL, false)
}

// visit goes to a place and puts it into the history.
func (n *navigator) visit(p nav.Place) tea.Cmd {
	if p.Kind == nav.KindHash {
		return n.seek(p.TxID)
	}
	at, ok := n.tabs.find(p)
	if !ok {
		return n.showNotice("there is no such place here: "+p.String(), true)
	}
	n.leave()
	n.history.Visit(p)
	return n.arrive(at, p, nil)
}

// leave saves the state of the current place in the history.
func (n *navigator) leave() {
	n.sought.Cancel()
	n.env.Last = screen.GoMsg{}
	n.history.Save(n.currentScreen().State())
	n.currentScreen().Leave()
	n.history.Replace(n.Place())
}

// arrive shows a place with the state that it was left in.
func (n *navigator) arrive(at int, p nav.Place, state any) tea.Cmd {
	n.current = at
	n.live.rest(n.env.Now())
	n.currentScreen().SetSize(n.body())
	opened := n.currentScreen().Open(p, state)
	return tea.Batch(opened, n.currentScreen().Resume())
}

// openTab goes to the list of a tab, as it was left; from the tab itself to its landing place.
// One thing, and a list that belongs to one, are gone back to by the history.
func (n *navigator) openTab(at int) tea.Cmd {
	t := n.tabs[at]
	p := t.screen.Place()
	if at == n.current || p.Kind == "" || p.OfOne() {
		return n.visit(t.place())
	}
	n.leave()
	n.history.Visit(p)
	return n.arrive(at, p, t.screen.State())
}

// up goes from one thing to the list of its place, and stops there: the history has the rest.
func (n *navigator) up() tea.Cmd {
	landing := n.tabs[n.current].place()
	switch p := n.Place(); {
	case p.Part == nav.PartSource && n.fromCalls():
		return n.back()
	case p.Part != "":
		return n.visit(p.Whole())
	case p != landing:
		return n.visit(landing)
	}
	return n.showNotice("this is the list; "+keymap.First(n.env.Keys.Global.Back)+" goes back", false)
}

// fromCalls reports whether a call of a transaction led here.
func (n *navigator) fromCalls() bool {
	trail, at := n.history.Trail()
	return at > 0 && trail[at-1].Place.Part == nav.PartTrace
}

func (n *navigator) back() tea.Cmd {
	if !n.history.CanBack() {
		return n.showNotice("this is where the history begins", false)
	}
	return n.step(n.history.Back)
}

func (n *navigator) forward() tea.Cmd {
	if !n.history.CanForward() {
		return n.showNotice("this is where the history ends", false)
	}
	return n.step(n.history.Forward)
}

// step goes to another entry of the history.
func (n *navigator) step(move func() (nav.Entry[any], bool)) tea.Cmd {
	n.leave()
	e, ok := move()
	if !ok {
		return nil
	}
	at, ok := n.tabs.find(e.Place)
	if !ok {
		return nil
	}
	return n.arrive(at, e.Place, e.View)
}

// lasting returns the current place in a form that can be opened later: a block by its
// height, since a hash only finds loaded blocks.
func (n *navigator) lasting() nav.Place {
	place := n.Place()
	if place.Ref.By != nav.ByIndexHash {
		return place
	}
	for _, c := range n.currentScreen().Subject().Copies {
		if height, err := strconv.ParseInt(c.Text, 10, 64); err == nil && c.Label == "height" {
			return nav.BlockAtHeight(height)
		}
	}
	return nav.Blocks()
}

// cycleTimes writes times in another way.
func (n *navigator) cycleTimes() tea.Cmd {
	n.env.Times.Next()
	n.tabs.redraw()
	return n.showNotice("times are shown as "+n.env.Times.Name(), false)
}
