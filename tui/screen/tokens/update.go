package tokens

import (
	"errors"
	"math/big"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/widget/picker"
	"chainscope/tui/widget/picture"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Update takes the answers to requests.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Fetched[Catalogue]:
		if s.catalogue.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			s.relist()
			return tea.Batch(s.Changed(), s.RetryLater(&s.catalogue, msg.Err, msg.At, s.requestCatalogue))
		}
	case screen.Fetched[[]apiclient.ListedToken]:
		if s.listed.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			s.relist()
			return tea.Batch(s.Changed(), s.RetryLater(&s.listed, msg.Err, msg.At, s.requestListed))
		}
	case screen.Fetched[[]visit]:
		if s.recent.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			s.relist()
			if msg.Err != nil {
				return screen.Notice("The tokens shown before cannot be read: " + msg.Err.Error())
			}
			return s.Changed()
		}
	case screen.ChainChanged:
		s.token.Expire()
		s.listed.Expire()
	case screen.Fetched[apiclient.FoundTokens]:
		return s.searched(msg)
	case screen.Fetched[answer]:
		if s.token.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			cmd := s.settled(msg.At)
			return tea.Batch(cmd, s.Changed())
		}
	case screen.Fetched[owner]:
		if s.owner.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			return tea.Batch(s.Changed(), s.RetryLater(&s.owner, msg.Err, msg.At, s.requestOwner))
		}
	case screen.Fetched[pictured]:
		if s.peek.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			return s.RetryLater(&s.peek, s.finalError(msg.Err, s.peekOf), msg.At, s.peekAgain)
		}
	case screen.Fetched[*picture.Picture]:
		if s.picture.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			return tea.Batch(s.Changed(), s.RetryLater(&s.picture, s.finalError(msg.Err, s.wanted...), msg.At, s.requestPicture))
		}
	}
	return nil
}

// Key takes a key.
func (s *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case s.typing:
		return s.entryKey(msg)
	case s.locales != nil:
		return s.localesKey(msg)
	}
	return s.Frame.Key(msg)
}

// OwnKey handles the keys of the place.
func (s *Screen) OwnKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := s.env.Keys
	switch {
	case key.Matches(msg, k.List.Open) && s.lacks():
		return s.env.Visit(nav.Contract(s.place.Principal)), true
	case key.Matches(msg, k.Tokens.Type) && s.without():
		return screen.Notice("This API has no token metadata. " + plainAPI), true
	case key.Matches(msg, k.Tokens.Type):
		if s.InDetail {
			s.typeToken(&s.place)
		} else {
			s.typeToken(nil)
		}
	case key.Matches(msg, k.Tokens.Tests):
		return s.toggleTests(), true
	case key.Matches(msg, k.Tokens.Locale):
		return s.chooseLocale()
	case key.Matches(msg, k.Tokens.Picture) && s.shown():
		return s.togglePicture(), true
	case key.Matches(msg, k.Tokens.Picture) && !isToken(s.place):
		return s.peekAt(true), true
	case key.Matches(msg, k.Tokens.NextID) && s.place.Kind == nav.KindNFT:
		return s.stepID(1)
	case key.Matches(msg, k.Tokens.PrevID) && s.place.Kind == nav.KindNFT:
		return s.stepID(-1)
	case key.Matches(msg, k.Global.NextPane, k.Global.PrevPane):
		if !isToken(s.place) {
			return screen.Notice("No token is open: enter opens the one under the cursor."), true
		}
		s.InDetail = !s.InDetail && isToken(s.place)
		s.Layout()
	default:
		return nil, false
	}
	return nil, true
}

// lacks reports whether the server has no token here, but there may be a contract.
func (s *Screen) lacks() bool {
	err := s.token.Err()
	var failed *apiclient.Error
	if d := new(deployed); errors.As(err, &failed) && failed.Detail() == contractNotFound && !errors.As(err, &d) {
		return false
	}
	return err != nil && s.InDetail && isToken(s.place) && !s.shown() && apiclient.CheckPrincipal(s.place.Principal) == nil
}

// shown reports whether a token's data is on screen.
func (s *Screen) shown() bool {
	_, ok := s.token.Get()
	return ok && isToken(s.place)
}

// Cancel cancels what is under way.
func (s *Screen) Cancel() bool {
	switch {
	case s.InDetail && s.token.Busy():
		s.token.Cancel()
		s.StopRetries()
	case s.InDetail && s.picture.Busy():
		s.hidePicture()
		s.Fill()
	default:
		return false
	}
	return true
}

// OpenRow goes to the token under the cursor.
func (s *Screen) OpenRow() tea.Cmd {
	i, ok := s.List.Cursor()
	if !ok {
		return nil
	}
	return s.env.Visit(s.picks[i].place())
}

// entryKey handles a key while a token is typed. What was typed over the list is there again
// later; over a token it is that token.
func (s *Screen) entryKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if msg.String() == "esc" {
		if s.typing = false; s.InDetail {
			s.entry = nil
		}
		return nil, true
	}
	return s.entry.Key(msg)
}

// openTyped goes to the token that was typed.
func (s *Screen) openTyped(place nav.Place) tea.Cmd {
	s.typing, s.entry = false, nil
	return s.env.Visit(place)
}

// typeToken opens the entry, with a token to be changed unless nil.
func (s *Screen) typeToken(place *nav.Place) {
	if s.typing = true; s.entry == nil || place != nil {
		s.entry = newEntry(s.env.Keys, s.openTyped)
	}
	if place != nil {
		s.entry.fill(*place)
	}
}

// chooseLocale opens the choice of a locale.
func (s *Screen) chooseLocale() (tea.Cmd, bool) {
	if !isToken(s.place) {
		return nil, false
	}
	s.locales = picker.New(s.Theme, s.localeItems(""), true)
	return nil, true
}

// The IDs of the picker's items: a locale has its code after a colon.
const (
	defaultLocale = "default"
	localePrefix  = ":"
)

// localeItems returns the locales that the token says it has, and what was typed.
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
		return s.env.Visit(to), true
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
	return s.env.Visit(nav.NFT(s.place.Principal, id.String(), "")), true
}
