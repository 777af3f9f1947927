package tokens

import (
	"math/big"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/picker"
	"chainscope/tui/widget/picture"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Update takes the answers to what was asked for.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Fetched[Catalogue]:
		if s.catalogue.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			s.relist()
		}
	case screen.Fetched[[]visit]:
		if s.recent.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			s.relist()
			if msg.Err != nil {
				return screen.Notice("The tokens shown before cannot be read: " + msg.Err.Error())
			}
		}
	case screen.Fetched[answer]:
		if s.token.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			return s.settled(msg.At)
		}
	case screen.Fetched[*picture.Picture]:
		if s.picture.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			s.showRows(false)
		}
	case screen.Fetched[tick]:
		if s.wait.Settle(msg.Key, msg.Value, msg.Err, msg.At) && msg.Err == nil {
			return s.ticked()
		}
	}
	return nil
}

// Key takes a key.
func (s *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case s.form != nil:
		return s.formKey(msg)
	case s.locales != nil:
		return s.localesKey(msg)
	case s.filtering:
		return s.filterKey(msg)
	}
	k := s.env.Keys
	switch {
	case key.Matches(msg, k.Tokens.Type):
		s.form = &form{}
		if s.onDetail {
			s.form.fill(s.place)
		}
		return nil, true
	case key.Matches(msg, k.Tokens.Locale):
		return s.chooseLocale()
	case key.Matches(msg, k.Tokens.Picture) && s.shown():
		return s.togglePicture(), true
	case key.Matches(msg, k.Tokens.NextID) && s.place.Kind == nav.KindNFT:
		return s.stepID(1)
	case key.Matches(msg, k.Tokens.PrevID) && s.place.Kind == nav.KindNFT:
		return s.stepID(-1)
	case key.Matches(msg, k.Global.NextPane, k.Global.PrevPane) && isToken(s.place):
		s.onDetail = !s.onDetail
		s.focus()
		return nil, true
	case key.Matches(msg, k.Global.Up):
		return s.up()
	case key.Matches(msg, k.Global.Grow):
		s.grow(1)
		return nil, true
	case key.Matches(msg, k.Global.Shrink):
		s.grow(-1)
		return nil, true
	case key.Matches(msg, k.Global.Context) && s.width >= contextWidth:
		s.context = (s.context + 1) % contextPanes
		s.resize()
		return nil, true
	case s.onDetail:
		return s.detailKey(msg)
	}
	return s.listKey(msg)
}

// shown reports whether a token's data is on screen.
func (s *Screen) shown() bool {
	_, ok := s.token.Get()
	return ok && isToken(s.place)
}

// up gives up what is under way, then leads from the detail to the list, then
// forgets the filter; false leaves the key to the frame.
func (s *Screen) up() (tea.Cmd, bool) {
	switch {
	case s.onDetail && s.token.Busy():
		s.token.Cancel()
		s.stopWaiting()
	case s.onDetail && s.picture.Busy():
		s.hidePicture()
		s.showRows(false)
	case s.onDetail:
		s.onDetail = false
		if s.sizing == sizeDetail {
			s.sizing = sizeAuto
		}
		s.focus()
	case s.filter.String() != "":
		s.filter.set("")
		s.filterList()
	default:
		return nil, false
	}
	return nil, true
}

func (s *Screen) listKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := s.env.Keys.List
	switch {
	case key.Matches(msg, k.Filter):
		s.filtering = true
		return nil, true
	case key.Matches(msg, k.Open):
		i, ok := s.list.Cursor()
		if !ok {
			return nil, true
		}
		return screen.Go(s.source.all[i].place()), true
	}
	took := s.list.Key(msg)
	s.moved = s.moved || took
	return nil, took
}

func (s *Screen) filterKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "enter":
		s.filtering = false
		return nil, true
	case "esc":
		s.filtering = false
		s.filter.set("")
	case "up", "down", "pgup", "pgdown":
		return nil, s.list.Key(msg)
	default:
		if !typed(&s.filter, msg) {
			return nil, false
		}
	}
	s.filterList()
	return nil, true
}

// typed lets an editor take a key; false when it is none of an editor's.
func typed(e *editor, msg tea.KeyMsg) bool {
	if (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt {
		e.insert(msg.Runes)
		return true
	}
	return e.edit(msg.String())
}

func (s *Screen) formKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	f := s.form
	switch msg.String() {
	case "esc":
		s.form = nil
	case "enter":
		place, ok := f.place()
		if !ok {
			return nil, true
		}
		s.form = nil
		return screen.Go(place), true
	case "tab":
		if f.at == principalLine && f.check(principalLine).Fix != "" && f.takeFix() {
			return nil, true
		}
		f.move(1)
	case "down":
		f.move(1)
	case "shift+tab", "up":
		f.move(-1)
	default:
		return nil, typed(&f.line[f.at], msg)
	}
	return nil, true
}

// chooseLocale opens the choice of a locale.
func (s *Screen) chooseLocale() (tea.Cmd, bool) {
	if !isToken(s.place) {
		return nil, false
	}
	s.locales = picker.New(s.theme, s.localeItems(""), true)
	return nil, true
}

// The IDs of the picker's items: a locale has its code behind a colon.
const (
	defaultLocale = "default"
	localePrefix  = ":"
)

// localeItems are the locales that the token says it has, and what was typed.
func (s *Screen) localeItems(query string) []picker.Item {
	a, _ := s.token.Get()
	note := "as the token's document is"
	if m := a.metadata(); m != nil && m.Localization != nil && m.Localization.Default != "" {
		note = m.Localization.Default + ", says the token"
	}
	items := []picker.Item{{ID: defaultLocale, Label: "default", Note: note}}
	known := query == ""
	for _, code := range unique(a.locales()) {
		item := picker.Item{ID: localePrefix + code, Label: code}
		if code == s.place.Locale {
			item.Note = "shown"
		}
		known = known || code == query
		items = append(items, item)
	}
	if !known {
		items = append(items, picker.Item{ID: localePrefix + query, Label: query, Note: "as typed"})
	}
	return items
}

func (s *Screen) localesKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch s.locales.Key(msg) {
	case picker.Closed:
		s.locales = nil
	case picker.Chosen:
		item, _ := s.locales.Current()
		s.locales = nil
		to := withoutLocale(s.place)
		if item.ID != defaultLocale {
			to.Locale = item.ID[len(localePrefix):]
		}
		return screen.Go(to), true
	default:
		s.locales.SetItems(s.localeItems(s.locales.Query()))
	}
	return nil, true
}

// stepID goes to the token with the next or previous id.
func (s *Screen) stepID(by int64) (tea.Cmd, bool) {
	id, ok := new(big.Int).SetString(s.place.TokenID, 10)
	if !ok {
		return nil, false
	}
	id.Add(id, big.NewInt(by))
	if _, err := nav.ParseTokenID(id.String()); err != nil {
		return screen.Notice("There is no token id beyond " + s.place.TokenID + "."), true
	}
	return screen.Go(nav.NFT(s.place.Principal, id.String(), "")), true
}

// current is what the row under the detail's cursor stands for.
func (s *Screen) current() (rowRef, bool) {
	at := s.detail.Place().Cursor
	if !s.onDetail || at < 0 || at >= len(s.rows) {
		return rowRef{}, false
	}
	return s.rows[at], true
}

func (s *Screen) detailKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if !s.shown() {
		return nil, key.Matches(msg, s.env.Keys.Detail.Follow)
	}
	if !key.Matches(msg, s.env.Keys.Detail.Follow) {
		return nil, s.detail.Key(msg)
	}
	ref, ok := s.current()
	switch {
	case !ok:
		return nil, true
	case ref.field.To.Kind != "":
		return screen.Go(ref.field.To), true
	case ref.field.Look == address:
		to, reason := openable(ref.field.Value)
		if to == "" {
			return screen.Notice("Not opened: " + reason + "."), true
		}
		return term.Open(to), true
	case s.web(ref.field) != "":
		return term.Open(s.web(ref.field)), true
	case ref.long || ref.field.Short:
		s.open[ref.number] = !s.open[ref.number]
		s.showRows(false)
	}
	return nil, true
}

// showRows makes the rows of the detail anew; another thing is shown from its
// begin.
func (s *Screen) showRows(another bool) {
	a, ok := s.token.Get()
	var rows []detail.Row
	s.rows = nil
	if ok && isToken(s.place) {
		if p, there := s.pictureRow(a.name()); there && !s.pictureAside() {
			rows, s.rows = append(rows, p), append(s.rows, rowRef{number: -1})
		}
		of, refs := rowsOf(a.sections, s.arrange().detailWidth, s.open, s.web)
		rows, s.rows = append(rows, of...), append(s.rows, refs...)
	}
	switch {
	case another, len(s.detail.Rows()) == 0 && s.back == nil:
		s.detail.SetRows(rows)
		return
	case s.back != nil && len(rows) > 0:
		s.detail.SetRows(rows)
		s.detail.Restore(*s.back)
		s.back = nil
		return
	}
	before := s.detail.Place()
	had := len(s.detail.Rows())
	s.detail.Update(rows)
	// A picture that came or went above moves the cursor with its row.
	if shift := len(rows) - had; had > 0 && (shift == 1 || shift == -1) && before.Cursor >= 0 {
		s.detail.Restore(detail.Place{Cursor: before.Cursor + shift, Top: before.Top})
	}
}
