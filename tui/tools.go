package tui

import (
	"bytes"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/overlay/bookmarks"
	"chainscope/tui/overlay/columns"
	"chainscope/tui/overlay/compare"
	"chainscope/tui/overlay/copymenu"
	"chainscope/tui/overlay/export"
	"chainscope/tui/overlay/help"
	"chainscope/tui/overlay/inspector"
	"chainscope/tui/overlay/mockpanel"
	"chainscope/tui/overlay/palette"
	"chainscope/tui/overlay/rawjson"
	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// tools make the boxes and commands that work on what is under the cursor, or on
// the place that one is at.
type tools struct {
	options *Options
	theme   *theme.Theme
	screen  screen.Screen
	landing nav.Place // of the tab
}

// result is what a tool made: a box, a command or both, or why neither.
type result struct {
	box     overlay.Overlay
	cmd     tea.Cmd
	refusal string
}

func (t tools) help() result {
	return result{box: help.New(t.theme, t.options.Keys, t.screen.Scopes()...)}
}

// rawJSON shows what the server sent, also when it could not be decoded.
func (t tools) rawJSON() result {
	s := t.screen.Subject()
	raw := s.Raw
	if e := t.exchange(); raw == nil && e != nil {
		raw = []byte(e.ResponseBody)
	}
	if len(raw) == 0 {
		return result{refusal: "there is no JSON here"}
	}
	return result{box: rawjson.New(t.theme, t.options.Keys, s.Title, raw)}
}

// exchange returns the request behind what is under the cursor, or else behind
// the screen; nil when it is not known.
func (t tools) exchange() *apiclient.Exchange {
	id := t.screen.Subject().ExchangeID
	if id == 0 {
		id = t.screen.Status().ExchangeID
	}
	if e, ok := t.options.Client.Log().Get(id); ok {
		return &e
	}
	return nil
}

func (t tools) inspector() result {
	var id uint64
	if e := t.exchange(); e != nil {
		id = e.ID
	}
	return result{box: inspector.New(t.theme, t.options.Keys, t.options.Client.Log().Snapshot, id)}
}

func (t tools) copyMenu() result {
	menu := copymenu.New(t.theme, copymenu.Source{Subject: t.screen.Subject(), Exchange: t.exchange(), Place: t.screen.Place()})
	if menu == nil {
		return result{refusal: "there is nothing to copy here"}
	}
	return result{box: menu}
}

func (t tools) export() result {
	table := t.screen.Subject().Export
	if table == nil {
		return result{refusal: "there is no list to export here"}
	}
	return result{box: export.New(t.theme, table(), t.options.Exports, t.options.Now)}
}

// tabular is the list that can be sorted and counted, nil when there is none.
func (t tools) tabular() screen.Tabular {
	list, ok := t.screen.(screen.Tabular)
	if !ok {
		return nil
	}
	if _, there := list.Table(); !there {
		return nil
	}
	return list
}

const noList = "there is no list here"

func (t tools) sort() result {
	if list := t.tabular(); list != nil {
		return result{box: columns.Sort(t.theme, list)}
	}
	return result{refusal: noList}
}

func (t tools) count() result {
	if list := t.tabular(); list != nil {
		return result{box: columns.Count(t.theme, list)}
	}
	return result{refusal: noList}
}

// mark is a thing that is to be compared with another.
type mark struct {
	side compare.Side
	kind nav.Kind
}

// compare marks what is under the cursor, or compares it with what is marked.
// What is marked afterwards is set by the result.
func (t tools) compare(marked *mark) (result, *mark) {
	s := t.screen.Subject()
	if len(s.Raw) == 0 || t.landing.Kind == nav.KindNames {
		return result{refusal: "there is nothing to compare here: open a block, a token or a call"}, marked
	}
	here := &mark{compare.Side{Title: s.Title, Raw: s.Raw}, t.landing.Kind}
	switch {
	case marked == nil || marked.kind != here.kind:
		return result{}, here
	case marked.side.Title == here.side.Title && bytes.Equal(marked.side.Raw, here.side.Raw):
		return result{}, nil
	}
	return result{box: compare.New(t.theme, marked.side, here.side)}, marked
}

func (t tools) openWeb() result {
	switch url := t.screen.Subject().Web; {
	case url != "":
		return result{cmd: term.Open(url)}
	case t.options.Mock != nil:
		return result{refusal: "mock data is invented: no web explorer has it"}
	}
	return result{refusal: "the web explorer has no page for this"}
}

const nothingSaved = "nothing is saved in this session"

// bookmark keeps the place that one is at, or forgets it.
func (t tools) bookmark() result {
	if t.options.Store == nil {
		return result{refusal: nothingSaved}
	}
	place, title := t.screen.Place(), ""
	if place != t.landing {
		title = t.screen.Subject().Title
	}
	return result{cmd: bookmarks.Toggle(t.options.Store, place, title, t.options.Now())}
}

func (t tools) bookmarks() result {
	if t.options.Store == nil {
		return result{refusal: nothingSaved}
	}
	box, read := bookmarks.New(t.theme, t.options.Store)
	return result{box: box, cmd: read}
}

func (t tools) mockPanel() result {
	if t.options.Mock == nil {
		return result{refusal: "this API is not the bundled mock: start with --api mock"}
	}
	panel, read := mockpanel.New(t.options.Context, t.theme, t.options.Mock, t.options.follower())
	return result{box: panel, cmd: read}
}

// palette is the box to find things by name or address.
func (t tools) palette(tabs tabs, places, commands []screen.Named) result {
	box, read := palette.New(palette.Options{
		Theme: t.theme, Store: t.options.Store, Places: places, Commands: commands, Find: tabs.named, Search: tabs.search,
		Examples:  t.examples(tabs),
		Bookmarks: func() ([]screen.Named, error) { return bookmarks.Named(t.options.Store) },
		Context: func() nav.RecogniseContext {
			ctx := nav.RecogniseContext{Here: t.screen.Place(), Loaded: tabs.loaded}
			ctx.Tip, ctx.BurnTip = tabs.tips()
			return ctx
		},
	}, "")
	return result{box: box, cmd: tea.Batch(read, tabs.learn())}
}

// examples are things to type that lead somewhere here.
func (t tools) examples(tabs tabs) []palette.Example {
	all := []palette.Example{{Text: "latest", About: "the newest burn block"}}
	if _, burn := tabs.tips(); burn > 1 {
		all = append(all, palette.Example{Text: strconv.FormatInt(burn-1, 10), About: "a height, or a hash"})
	}
	if t.options.Mock != nil {
		all = append(all, palette.Example{Text: "usda", About: "a token, by a part of its name"})
	}
	return append(all, palette.Example{Text: "muneeb.btc", About: "a name"})
}

// commands is the box of commands.
func (t tools) commands(commands []screen.Named) result {
	return result{box: palette.NewCommands(palette.Options{Theme: t.theme, Commands: commands})}
}
