// Package keymap holds every key of the explorer in one struct, from which the help,
// the footer hints and the table in docs/configuration.md are generated, and which the
// config can rebind by name.
//
// It has keys and words only: it must not import a screen, a widget or the
// root model.
package keymap

import "github.com/charmbracelet/bubbles/key"

// Map is the key map. The config's name of a binding is the scope and the
// field in lower case, with dashes: "global.raw-json".
type Map struct {
	Global Global `scope:"global" title:"Everywhere"`
	List   List   `scope:"list" title:"Lists"`
	Detail Detail `scope:"detail" title:"Details"`
	Home   Home   `scope:"home" title:"Home"`
	Blocks Blocks `scope:"blocks" title:"Blocks"`
	Tokens Tokens `scope:"tokens" title:"Tokens"`
	Burn   Burn   `scope:"burn" title:"Burn blocks"`
	JSON   JSON   `scope:"json" title:"Raw JSON"`
	Names  Names  `scope:"names" title:"Names"`
	Wallet Wallet `scope:"wallet" title:"Wallet"`

	Transactions Transactions `scope:"transactions" title:"Transactions"`
	Accounts     Accounts     `scope:"accounts" title:"Accounts"`
	Contracts    Contracts    `scope:"contracts" title:"Contracts"`

	Form Form `scope:"form" title:"Forms"`

	// Mock reports whether there is a mock to control: a hint names only keys that work.
	Mock bool
}

// Global keys work on every screen unless a text is being typed.
type Global struct {
	Tab0, Tab1, Tab2, Tab3, Tab4, Tab5, Tab6    key.Binding
	Tab7, Tab8                                  key.Binding
	NextPane, PrevPane                          key.Binding
	Back, Up, Forward                           key.Binding
	Palette, GoTo                               key.Binding
	Refresh, Live                               key.Binding
	Copy, OpenWeb, RawJSON, Inspector, Export   key.Binding
	Bookmark, Bookmarks, Label                  key.Binding
	Time, Grow, Shrink, Context, Density, Theme key.Binding
	Sort, Count, Compare                        key.Binding
	Mine, MockPanel, Mouse, Help, Quit          key.Binding
}

// List keys move in a list.
type List struct {
	Up, Down, First, Last key.Binding
	HalfDown, HalfUp      key.Binding
	NextPage, PrevPage    key.Binding
	Open, Filter          key.Binding
}

// Detail keys work in a focused detail.
type Detail struct {
	Up, Down, First, Last key.Binding
	HalfDown, HalfUp      key.Binding
	Follow                key.Binding
}

// Home keys belong to the place where the explorer opens.
type Home struct {
	Up, Down, First, Last, Open, Hide key.Binding
	Demo, Sign                        key.Binding
}

// Blocks keys belong to the lists of blocks.
type Blocks struct {
	ShowNew, Transactions key.Binding
}

// Burn keys belong to burn blocks.
type Burn struct {
	Older, Newer key.Binding
}

// JSON keys work in the raw JSON view.
type JSON struct {
	Up, Down, First, Last    key.Binding
	HalfDown, HalfUp         key.Binding
	Fold, FoldAll            key.Binding
	Search, Next, Prev, Copy key.Binding
}

// Tokens keys belong to the tokens.
type Tokens struct {
	Type, Tests, Locale, Picture key.Binding
	NextID, PrevID               key.Binding
}

// Names keys belong to the names of a namespace.
type Names struct {
	Unanchored, All, Namespace key.Binding
}

// Wallet keys belong to the wallet pane.
type Wallet struct {
	Connect, Disconnect, New, Replay key.Binding
	Verify, Received, Edit           key.Binding
	Persona, Account                 key.Binding
	Raise, Cancel                    key.Binding
}

// Transactions keys belong to the transactions.
type Transactions struct {
	Mempool, Target, Trace, Raise, Cancel key.Binding
}

// Accounts keys belong to the accounts.
type Accounts struct {
	Type, Transactions, Waiting, Gap key.Binding
}

// Contracts keys belong to the contracts: the first to their list, the others to a source.
type Contracts struct {
	Type                            key.Binding
	Source, Calls, Prints           key.Binding
	Search, Next, Prev, Left, Right key.Binding
}

// Form keys belong to forms, where letters are text.
type Form struct {
	Example, AsJSON, Options, Add, Remove, Send, Foresee key.Binding
}

// bind makes a binding; the first key that help shows is the first given.
func bind(shown, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, what))
}

// Default returns the keys as they are without a config.
func Default() *Map {
	return &Map{
		Global: global(),
		List: List{
			Up: bind("k ↑", "up", "k", "up"), Down: bind("j ↓", "down", "j", "down"),
			First: bind("g home", "first", "g", "home"), Last: bind("G end", "last loaded", "G", "end"),
			HalfDown: bind("ctrl+d pgdn", "half a page down", "ctrl+d", "pgdown"),
			HalfUp:   bind("ctrl+u pgup", "half a page up", "ctrl+u", "pgup"),
			NextPage: bind("]", "next page", "]"), PrevPage: bind("[", "previous page", "["),
			Open: bind("enter l", "open", "enter", "l", "right"), Filter: bind("/", "filter", "/"),
		},
		Detail: Detail{
			Up: bind("k ↑", "up", "k", "up"), Down: bind("j ↓", "down", "j", "down"),
			First: bind("g home", "first", "g", "home"), Last: bind("G end", "last", "G", "end"),
			HalfDown: bind("ctrl+d pgdn", "half a page down", "ctrl+d", "pgdown"),
			HalfUp:   bind("ctrl+u pgup", "half a page up", "ctrl+u", "pgup"),
			Follow:   bind("enter l", "follow the link", "enter", "l", "right"),
		},
		Home:   home(),
		Blocks: Blocks{ShowNew: bind("n", "show new blocks", "n"), Transactions: bind("x", "transactions of the block", "x")},
		Burn: Burn{
			Older: bind("<", "burn block before", "<", ","), Newer: bind(">", "burn block after", ">", "."),
		},
		JSON: JSON{
			Up: bind("k ↑", "up", "k", "up"), Down: bind("j ↓", "down", "j", "down"),
			First: bind("g home", "first line", "g", "home"), Last: bind("G end", "last line", "G", "end"),
			HalfDown: bind("ctrl+d pgdn", "half a page down", "ctrl+d", "pgdown"),
			HalfUp:   bind("ctrl+u pgup", "half a page up", "ctrl+u", "pgup"),
			Fold:     bind("enter", "fold or unfold", "enter", " "), FoldAll: bind("f", "fold or unfold all", "f"),
			Search: bind("/", "search", "/"), Next: bind("n", "next match", "n"), Prev: bind("N", "previous match", "N"),
			Copy: bind("y", "copy all", "y"),
		},
		Tokens: Tokens{
			Type: bind("n", "type a token", "n"), Tests: bind("x", "test cases, or ordinary tokens", "x"), Locale: bind("L", "another locale", "L"),
			Picture: bind("p", "show or hide the picture", "p"),
			NextID:  bind("]", "next token id", "]"), PrevID: bind("[", "previous token id", "["),
		},
		Names: Names{
			Unanchored: bind("u", "with unanchored names or without", "u"),
			All:        bind("a", "all names or single pages", "a"), Namespace: bind("N", "another namespace", "N"),
		},
		Wallet: Wallet{
			Connect: bind("c", "connect", "c"), Disconnect: bind("x", "disconnect", "x"),
			New: bind("n", "new request", "n"), Replay: bind("p", "replay the call", "p"),
			Verify: bind("v", "verify the signature", "v"), Received: bind("d", "what each wallet would receive", "d"),
			Edit: bind("E", "edit the request and send it again", "E"), Persona: bind("u", "another persona, such as rich or empty", "u"),
			Account: bind("A", "another account", "A"), Raise: raise(), Cancel: cancel(),
		},
		Transactions: Transactions{
			Mempool: bind("a", "pending, or in blocks", "a"), Target: bind("x", "what it goes to", "x"),
			Trace: bind("c", "its calls", "c"), Raise: raise(), Cancel: cancel(),
		},
		Accounts:  accounts(),
		Contracts: contracts(),
		Form: Form{
			Example: bind("ctrl+x", "fill in an example", "ctrl+x"), AsJSON: bind("ctrl+t", "as fields or as JSON", "ctrl+t"),
			Options: bind("ctrl+o", "options of the request", "ctrl+o"), Add: bind("ctrl+n", "one more", "ctrl+n"),
			Remove: bind("ctrl+r", "remove this one", "ctrl+r"), Send: bind("ctrl+y", "send", "ctrl+y"),
			Foresee: bind("ctrl+f", "how a call would end, with post-conditions", "ctrl+f"),
		},
	}
}

func home() Home {
	return Home{
		Up: bind("k ↑", "previous tile", "k", "up"), Down: bind("j ↓", "next tile", "j", "down"),
		First: bind("g home", "first tile", "g", "home"), Last: bind("G end", "last tile", "G", "end"),
		Open: bind("enter l", "open the tile", "enter", "l", "right"), Hide: bind("x", "show or hide the things to try", "x"),
		Demo: bind("d", "watch a demo", "d"), Sign: bind("n", "send STX with the test wallet", "n"),
	}
}

func accounts() Accounts {
	return Accounts{
		Type: bind("a", "type an address", "a"), Transactions: bind("x", "its transactions", "x"),
		Waiting: bind("p", "its pending transactions", "p"), Gap: bind("f", "fill the lowest gap of its nonces", "f"),
	}
}

// raise and cancel are for a transaction of the wallet that waits, wherever it is shown.
func raise() key.Binding { return bind("f", "pay a higher fee", "f") }

func cancel() key.Binding { return bind("X", "cancel it", "X") }

func contracts() Contracts {
	return Contracts{
		Type: bind("a", "type a contract", "a"), Source: bind("x", "the source", "x"), Calls: bind("c", "its transactions", "c"),
		Prints: bind("p", "its prints", "p"),
		Search: bind("/", "search in the source", "/"), Next: bind("n", "next match", "n"), Prev: bind("N", "previous match", "N"),
		Left: bind("<", "the line to the left", "<", ","), Right: bind(">", "the line to the right", ">", "."),
	}
}

func global() Global {
	return Global{
		Tab0: bind("0", "home", "0"), Tab1: bind("1", "blocks", "1"), Tab2: bind("2", "burn blocks", "2"), Tab3: bind("3", "tokens", "3"),
		Tab4: bind("4", "names", "4"), Tab5: bind("5 w", "wallet", "5", "w"), Tab6: bind("6", "transactions", "6"), Tab7: bind("7", "accounts", "7"), Tab8: bind("8", "contracts", "8"),
		NextPane: bind("tab", "next pane", "tab"), PrevPane: bind("shift+tab", "previous pane", "shift+tab"),
		Back: bind("{ backspace", "back in history", "{", "backspace", "alt+left"),
		Up:   bind("esc h", "close, or back", "esc", "h", "left"), Forward: bind("}", "forward in history", "}", "alt+right"),
		Palette: bind(": ctrl+p", "command palette", ":", "ctrl+p"), GoTo: bind("ctrl+g", "go to anything", "ctrl+g"),
		Refresh: bind("r", "refresh", "r"), Live: bind("R", "live on or off", "R"),
		Copy: bind("y", "copy", "y"), OpenWeb: bind("o", "open in the web explorer", "o"),
		RawJSON: bind("J", "raw JSON", "J"), Inspector: bind("i", "requests, and back", "i"), Export: bind("e", "export", "e"),
		Bookmark: bind("b", "bookmark", "b"), Bookmarks: bind("B", "bookmarks", "B"), Label: bind("@", "label of the account or contract", "@"),
		Time: bind("t", "age, local time, UTC", "t"), Grow: bind("+", "more room for the detail", "+", "="),
		Shrink: bind("_", "less room for the detail", "_", "-"), Context: bind("z", "next context pane", "z"),
		Density: bind("s", "density", "s"), Theme: bind("T", "choose a theme", "T"),
		Sort: bind("S", "sort by a column", "S"), Count: bind("F", "how often each value of a column", "F"),
		Compare:   bind("C", "mark, then compare with another", "C"),
		Mine:      bind("!", "what became of your transaction", "!"),
		MockPanel: bind("M", "mock panel", "M"), Mouse: bind("m", "mouse on or off", "m"),
		Help: bind("?", "help", "?"), Quit: bind("q ctrl+c", "quit", "q", "ctrl+c"),
	}
}
