package tokens

import (
	"errors"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/widget/form"

	tea "github.com/charmbracelet/bubbletea"
)

// line is a line of the entry.
type line int

// The lines of the entry.
const (
	principalLine line = iota
	idLine
	localeLine
	entryLines
)

// lineNames are the labels of the lines.
var lineNames = [entryLines]string{"contract", "token id", "locale"}

// entry is the form in which a token is typed: a contract principal, a token id when it is
// non-fungible, and a locale for those who want one. It checks while one types.
type entry struct {
	*form.Form
	texts [entryLines]string
	open  func(nav.Place) tea.Cmd
	// tried reports that the user tried to open it: from then on what is unfinished
	// is wrong.
	tried bool
}

// underLine is the number of lines that the words below a line have, so that the box keeps its height.
const underLine = 4

func newEntry(keys *keymap.Map, open func(nav.Place) tea.Cmd) *entry {
	e := &entry{open: open}
	e.Form = form.New(e, keys, 9, "")
	e.Under = underLine
	return e
}

// Slots returns the lines.
func (e *entry) Slots() []form.Slot {
	out := make([]form.Slot, entryLines)
	for i := range out {
		out[i] = form.Slot{Key: line(i), Label: lineNames[i], Text: e.texts[i]}
	}
	out[idLine].Empty, out[localeLine].Empty = "none: a fungible token", "none: the token's default"
	return out
}

// Check judges a line.
func (e *entry) Check(at any) form.Verdict {
	s := e.texts[at.(line)]
	v := form.Right("good")
	var err error
	switch at {
	case principalLine:
		if s == "" && !e.tried {
			return form.Verdict{Problem: "an address, a dot and a name", Missing: true, Offset: -1}
		}
		if err = nav.CheckPrincipal(s); err != nil && s != "" {
			v.Fix, _ = correct(s)
		}
	case idLine:
		if s == "" {
			return form.Right("none: a fungible token")
		}
		var plain string
		plain, err = nav.ParseTokenID(s)
		if err == nil && exceedsDouble(plain) {
			v.Note = "the API counts ids in doubles: digits beyond 2^53 may be lost"
		}
	case localeLine:
		if s == "" {
			return form.Right("none: the token's default")
		}
		err = apiclient.CheckLocale(s)
	}
	if err == nil {
		return v
	}
	v.Problem, v.Note, v.Offset = err.Error(), "", len(s)
	if wrong, is := errors.AsType[*nav.InputError](err); is {
		v.Offset, v.Missing = len(string([]rune(s)[:wrong.At])), wrong.Unfinished && !e.tried
	}
	return v
}

// exceedsDouble reports whether a double cannot hold an id: above 2^53.
func exceedsDouble(id string) bool {
	const limit = "9007199254740992"
	return len(id) > len(limit) || len(id) == len(limit) && id > limit
}

// correct finds the token that a wrong contract line was meant to be: one pasted
// with its id or asset, an address in lower case, a URL. It is sure when the
// whole line was understood.
func correct(s string) (fix string, sure bool) {
	for i, r := range nav.Recognise(s, nav.RecogniseContext{}) {
		switch {
		case r.OK() && (r.Place.Kind == nav.KindFT || r.Place.Kind == nav.KindNFT):
			fix = r.Place.Principal
			if r.Place.TokenID != "" {
				return fix + "::" + r.Place.TokenID, i == 0
			}
		case !r.OK() && nav.CheckPrincipal(r.Fix) == nil:
			fix = r.Fix
		}
		if fix != "" && fix != s {
			return fix, i == 0 && r.OK()
		}
	}
	return "", false
}

// Enter takes a text. What the contract line was meant to be may have the id with it.
func (e *entry) Enter(at any, text string) {
	if fix, _ := correct(e.texts[principalLine]); at == principalLine && fix != "" && fix == text {
		principal, id, _ := strings.Cut(fix, "::")
		if text = principal; id != "" {
			e.texts[idLine] = id
		}
	}
	e.texts[at.(line)] = text
}

// Send opens the token, or goes to the first line that is wrong.
func (e *entry) Send() tea.Cmd {
	place, ok := e.place()
	if !ok {
		e.GoToProblem()
		return nil
	}
	return e.open(place)
}

// place returns the token that was typed; false when the lines are not right.
func (e *entry) place() (nav.Place, bool) {
	e.tried = true
	if fix, sure := correct(e.texts[principalLine]); sure {
		e.Enter(principalLine, fix)
		e.Refresh()
	}
	if e.Incomplete() {
		return nav.Place{}, false
	}
	principal, locale := e.texts[principalLine], e.texts[localeLine]
	if e.texts[idLine] == "" {
		return nav.FT(principal, locale), true
	}
	id, err := nav.ParseTokenID(e.texts[idLine])
	if err != nil {
		return nav.Place{}, false
	}
	return nav.NFT(principal, id, locale), true
}

// fill writes a token into the lines, to be changed.
func (e *entry) fill(p nav.Place) {
	e.texts, e.tried = [entryLines]string{p.Principal, p.TokenID, p.Locale}, false
	e.Refresh()
	e.GoTo(principalLine)
	if p.Kind == nav.KindNFT {
		e.GoTo(idLine)
	}
}

// hint names the keys.
func (e *entry) hint() string {
	if e.Current() == principalLine && e.Check(principalLine).Fix != "" {
		return "enter open  tab take what is suggested  esc close"
	}
	return "enter open  tab next line  esc close"
}
