package tui

import (
	"bytes"
	"strconv"

	"chainscope/apiclient/wire"
	"chainscope/tui/decoded"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/overlay/mockpanel"
	"chainscope/tui/overlay/palette"
	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/theme"
	"chainscope/tui/usercommand"

	tea "github.com/charmbracelet/bubbletea"
)

// tools makes the overlays and commands that work on what is under the cursor, or on the
// current place.
type tools struct {
	options *Options
	theme   *theme.Theme
	called  *called
	screen  screen.Screen
	landing nav.Place // of the tab
	env     *screen.Env
}

// result holds what a tool made: an overlay, a command or both, or why it made neither.
type result struct {
	box     overlay.Overlay
	cmd     tea.Cmd
	refusal string
}

func (t tools) help() result {
	return result{box: overlay.NewHelp(t.theme, t.options.Keys, t.screen.Scopes()...)}
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
	return result{box: overlay.NewRawJSON(t.theme, t.options.Keys, s.Title, raw)}
}

// exchange returns the request behind what is under the cursor, or else behind
// the screen; nil when it is not known.
func (t tools) exchange() *wire.Exchange {
	id := t.screen.Subject().ExchangeID
	if id == 0 {
		id = t.screen.Status().ExchangeID
	}
	if e, ok := t.options.Client.Log().Get(id); ok {
		return &e
	}
	return nil
}

// subject returns what is under the cursor, as a command gets it: the address in the web
// explorer, or else of the request; the hash, or else what is copied first.
func (t tools) subject() usercommand.Subject {
	s := t.screen.Subject()
	out := usercommand.Subject{URL: s.Web, JSON: string(s.Raw), Place: t.screen.Place().String()}
	if e := t.exchange(); e != nil && out.URL == "" {
		out.URL = e.URL
	}
	for i, c := range s.Copies {
		if i == 0 || c.Label == "hash" {
			out.Hash = c.Text
		}
	}
	return out
}

func (t tools) copyMenu() result {
	menu := overlay.NewCopyMenu(t.theme, overlay.CopySource{
		Subject: t.screen.Subject(), Exchange: t.exchange(), URL: t.addressOf(t.screen.Subject().At), Place: t.screen.Place(),
	})
	if menu == nil {
		return result{refusal: "there is nothing to copy here"}
	}
	return result{box: menu}
}

// addressOf returns the URL of the API that answers with the thing of a place, "" where
// that is not known.
func (t tools) addressOf(at nav.Place) string {
	switch {
	case at.Kind == nav.KindBlock && at.Ref.Hash != "":
		return t.options.Client.BlockURL(at.Ref.Hash)
	case at.Kind == nav.KindBurnBlocks && at.Ref.By == nav.ByBurnHeight:
		return t.options.Client.BurnBlockURL(at.Ref.Height)
	case at.Kind == nav.KindTransaction:
		return t.options.Client.TransactionURL(at.TxID)
	case at.Kind == nav.KindContract:
		return t.options.Client.ContractURL(at.Principal)
	}
	return ""
}

func (t tools) export() result {
	table := t.screen.Subject().Export
	if table == nil {
		return result{refusal: "there is no list to export here"}
	}
	return result{box: overlay.Export(t.theme, table(), t.options.Exports, t.options.Now)}
}

// tabular returns the list that can be sorted and counted, nil when there is none.
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
		return result{box: overlay.Sort(t.theme, list)}
	}
	return result{refusal: noList}
}

func (t tools) count() result {
	if list := t.tabular(); list != nil {
		return result{box: overlay.Count(t.theme, list)}
	}
	return result{refusal: noList}
}

// mark holds what will be compared with something else.
type mark struct {
	side overlay.Side
	kind nav.Kind
}

// compare marks what is under the cursor, or compares it with what is marked.
// What is marked afterwards is set by the result.
func (t tools) compare(marked *mark) (result, *mark) {
	s := t.screen.Subject()
	if len(s.Raw) == 0 || t.screen.Place().Kind == nav.KindNames {
		return result{refusal: "there is nothing to compare here: open a block, a token or a call"}, marked
	}
	here := &mark{overlay.Side{Title: s.Title, Raw: s.Raw}, t.landing.Kind}
	switch {
	case marked == nil || marked.kind != here.kind:
		return result{}, here
	case marked.side.Title == here.side.Title && bytes.Equal(marked.side.Raw, here.side.Raw):
		return result{}, nil
	}
	return result{box: overlay.NewCompare(t.theme, marked.side, here.side)}, marked
}

func (t tools) openWeb() result {
	switch url := t.screen.Subject().Web; {
	case url != "":
		return result{cmd: term.Open(url)}
	case t.options.Mock != nil:
		return result{refusal: t.notOnTheWeb()}
	}
	return result{refusal: "the web explorer has no page for this"}
}

// notOnTheWeb returns why mock data have no web page, and which keys show them here.
func (t tools) notOnTheWeb() string {
	k, words := &t.options.Keys.Global, "mock data are in no web explorer"
	if len(t.screen.Subject().Raw) > 0 {
		words += ": " + keymap.First(k.RawJSON) + " shows the JSON, " + keymap.First(k.Copy) + " copies it"
	}
	return words
}

const nothingSaved = "nothing is saved in this session"

// bookmark adds or removes the bookmark of the current place.
func (t tools) bookmark() result {
	if t.options.Store == nil {
		return result{refusal: nothingSaved}
	}
	place, title := t.screen.Place(), ""
	if place != t.landing {
		title = t.screen.Subject().Title
	}
	return result{cmd: overlay.ToggleBookmark(t.options.Store, t.options.Network, place, title, t.options.Now())}
}

func (t tools) bookmarks() result {
	if t.options.Store == nil {
		return result{refusal: nothingSaved}
	}
	box, read := overlay.NewBookmarks(t.theme, t.env, t.options.Store, t.options.Network)
	return result{box: box, cmd: read}
}

func (t tools) mockPanel() result {
	if t.options.Mock == nil {
		return result{refusal: "this API is not the bundled mock: start with --api mock"}
	}
	panel, read := mockpanel.New(t.options.Context, t.theme, t.options.Mock, t.options.follower())
	return result{box: panel, cmd: read}
}

// goTo opens the box to find things, with a text typed.
func (m *Model) goTo(typed string) tea.Cmd {
	arrived := m.env.Last
	again := typed == "" && len(arrived.Otherwise) > 0 && failed(m.currentScreen())
	if again {
		typed = arrived.Typed
	}
	return m.use(m.tools().palette(m.tabs, m.tabs.places(&m.options.Keys.Global), m.commands(), typed, again))
}

// failed reports whether the place has nothing to show but why not.
func failed(s screen.Screen) bool {
	return s.Status().Err != nil || len(s.Subject().Copies) == 0
}

// palette returns the box to find things by name or address, with a text typed.
func (t tools) palette(tabs tabs, places, commands []screen.Named, typed string, selected bool) result {
	box, read := palette.New(palette.Options{
		Theme: t.theme, Store: t.options.Store, Network: t.options.Network, Places: places, Typed: typedAPI(t.options), Commands: commands, Find: func(query string) []screen.Named { return append(tabs.named(query), t.called.named(query)...) }, Search: tabs.search,
		Examples:  t.examples(tabs),
		Selected:  selected,
		Env:       t.env,
		Bookmarks: func() ([]screen.Named, error) { return overlay.NamedBookmarks(t.options.Store, t.options.Network) },
		Context: func() nav.RecogniseContext {
			ctx := nav.RecogniseContext{Here: t.screen.Place(), Loaded: tabs.loaded, Decoded: decoded.Recognise}
			ctx.Tip, ctx.BurnTip = tabs.tips()
			return ctx
		},
	}, typed)
	return result{box: box, cmd: tea.Batch(read, tabs.learn())}
}

// examples returns inputs that lead somewhere on this chain.
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

// commands returns the box of commands, with a text typed.
func (t tools) commands(commands []screen.Named, typed string) result {
	return result{box: palette.NewCommands(palette.Options{Theme: t.theme, Commands: commands, Typed: typedAPI(t.options), Env: t.env}, typed)}
}
