package tokens

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"chainscope/tui/keymap"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// View draws the place, and over it what is typed or chosen.
func (s *Screen) View(now time.Time) []string {
	return screen.Fit(s.Theme, s.overlaid(s.Frame.View(now)), s.Width, s.Height)
}

// Heading returns how many tokens there are to pick from.
func (s *Screen) Heading(time.Time) string {
	th := s.Theme
	number := th.Number.Render(text.Count(len(s.picks)))
	search := s.searchLine()
	if search != "" {
		search = th.Muted.Render(" "+th.Glyphs.Middle+" ") + search
	}
	if s.tests {
		return " " + th.Strong.Render("Test cases") + "  " + number + th.Muted.Render(" for clients: errors, slow metadata, deceptive text") + search
	}
	return " " + th.Strong.Render("Tokens") + "  " + number + th.Muted.Render(" to pick from") + search
}

// Chart names the keys of the place.
func (s *Screen) Chart(width int, _ time.Time) string {
	th, k := s.Theme, s.env.Keys
	var hints, tests []string
	if !s.without() {
		hints = append(hints, placeholder.Hint(th, k.Tokens.Type, "type a token"))
	}
	if n := s.testCases(); s.tests {
		tests = append(tests, placeholder.Hint(th, k.Tokens.Tests, "ordinary tokens"))
	} else if n > 0 {
		tests = append(tests, placeholder.Hint(th, k.Tokens.Tests, text.Plural(n, "test case")))
	}
	nft := s.shown() && s.place.Kind == nav.KindNFT // whose own keys come first, where not all have room
	if !nft {
		hints, tests = append(hints, tests...), nil
	}
	if s.shown() {
		hints = append(hints, placeholder.Hint(th, k.Tokens.Picture, "picture"), placeholder.Hint(th, k.Tokens.Locale, "locale"))
		if nft {
			hints = append(hints, placeholder.Hint(th, k.Tokens.NextID, "next id"), placeholder.Hint(th, k.Tokens.PrevID, "previous id"))
		}
	}
	return " " + placeholder.Fit(append(hints, tests...), "   ", width-1)
}

// Failed returns the value whose failure is shown above older data.
func (s *Screen) Failed() browser.Remote {
	if !isToken(s.place) {
		if err := s.listed.Err(); err != nil && !apiclient.RouteGone(err) {
			return &s.listed
		}
		return &s.catalogue
	}
	if a, ok := s.token.Get(); ok && a.place.Locale == s.place.Locale {
		return &s.token
	}
	return nil
}

// overlaid lays what is typed or chosen over the lines.
func (s *Screen) overlaid(lines []string) []string {
	switch {
	case s.typing:
		return s.over(lines, "Open a token", s.entry.hint(), func(width int) []string {
			return s.entry.View(s.Theme, width, int(entryLines)+underLine)
		})
	case s.locales != nil:
		return s.over(lines, "Locale", "enter show it  esc close  type one that is not listed", func(width int) []string {
			return s.locales.View(width, min(12, max(1, s.Height-2)))
		})
	}
	return lines
}

// over lays a box over the lines.
func (s *Screen) over(lines []string, title, hint string, draw func(width int) []string) []string {
	width := s.boxWidth()
	inside := draw(width - boxSides)
	framed := box.Draw(s.Theme, title, hint, inside, width, min(s.Height, len(inside)+2))
	x, y := box.Centre(width, len(framed), s.Width, s.Height)
	return box.Over(lines, framed, x, y, s.Width)
}

// boxSides is the number of cells that the sides of a box take.
const boxSides = 4

func (s *Screen) boxWidth() int { return max(boxSides+1, min(s.Width, 92)) }

// clickEntry puts the cursor of the entry where the mouse is.
func (s *Screen) clickEntry(y int) tea.Cmd {
	room := int(entryLines) + underLine
	_, top := box.Centre(s.boxWidth(), min(s.Height, room+2), s.Width, s.Height)
	if y -= top + 1; y < 0 || y >= room {
		return nil
	}
	cmd, _ := s.entry.Click(s.Theme, y, s.boxWidth()-boxSides, room)
	return cmd
}

// NoRows is drawn where there is no token to pick.
func (s *Screen) NoRows(now time.Time, width, height int) []string {
	th := s.Theme
	switch {
	case s.Query() != "":
		lines := []string{placeholder.HintOf(th, "esc", "clears the filter")}
		if n := s.testCases(); n > 0 && !s.tests {
			lines = append(lines, placeholder.Hint(th, s.env.Keys.Tokens.Tests, "looks among "+text.Plural(n, "test case")))
		}
		if search := s.searchLine(); search != "" {
			lines = append([]string{search, ""}, lines...)
		}
		return placeholder.Empty(th, "No token matches the filter", lines, width, height)
	case s.catalogue.State() == remote.Loading, s.catalogue.Err() != nil:
		return s.Waiting(&s.catalogue, "the tokens", now, width, height)
	case s.listed.State() == remote.Loading, apiclient.MayPass(s.listed.Err()):
		return s.Waiting(&s.listed, "the tokens", now, width, height)
	}
	if s.without() {
		lines := append(s.muted(plainAPI, width), "", placeholder.Hint(th, s.env.Keys.Global.GoTo, "go to the contract of one"))
		return placeholder.Empty(th, "This API has no token metadata", lines, width, height)
	}
	return placeholder.Empty(th, "No tokens yet", []string{
		th.Muted.Render("Those you open are kept here."), "",
		placeholder.Hint(th, s.env.Keys.List.Filter, "find one by its name or symbol"),
		placeholder.Hint(th, s.env.Keys.Tokens.Type, "type a contract principal"),
		placeholder.Hint(th, s.env.Keys.Global.GoTo, "go to anything"),
	}, width, height)
}

// without reports whether the server is known to have no token metadata.
func (s *Screen) without() bool { return s.env.Client.About().Lacks(apiclient.TokenMetadata) }

// plainAPI describes where token metadata is.
const plainAPI = "A Stacks API by itself has none; Hiro's API has it (--api mainnet), and so has the mock."

// muted breaks words into lines of a width.
func (s *Screen) muted(words string, width int) []string {
	return s.Theme.Muted.RenderAll(text.Block(words, max(10, width-4)))
}

// NoDetail draws why there is no token to see, or what is known of the one under
// the cursor.
func (s *Screen) NoDetail(now time.Time, width, height int) []string {
	if !isToken(s.place) {
		return s.preview(width, height)
	}
	if _, ok := s.token.Get(); ok {
		return nil
	}
	return s.withoutData(now, width, height)
}

// tokenHead draws the name of the token and its contract.
func (s *Screen) tokenHead(a answer, width int) []string {
	th := s.Theme
	name := a.name()
	if name == "" {
		_, name, _ = strings.Cut(s.place.Principal, ".")
	}
	badge := "locale default"
	if a.place.Locale != "" {
		badge = "locale " + text.TruncateWith(a.place.Locale, 16, th.Glyphs.Ellipsis)
	}
	symbol := ""
	if a.ft != nil && a.ft.Symbol != "" {
		symbol = "  " + text.TruncateWith(a.ft.Symbol, 12, th.Glyphs.Ellipsis)
	}
	if s.place.TokenID != "" {
		symbol = "  #" + text.TruncateWith(s.place.TokenID, 40, th.Glyphs.Ellipsis)
	}
	room := max(1, width-text.Width(badge)-text.Width(symbol)-2)
	title := text.TruncateWith(name, room, th.Glyphs.Ellipsis)
	gap := strings.Repeat(" ", max(0, room-text.Width(title)+1))
	return []string{
		th.Strong.Render(title) + th.Accent.Render(symbol) + gap + th.Muted.Render(badge),
		th.Muted.Render(text.MiddleWith(s.place.Principal, width, th.Glyphs.Ellipsis)),
	}
}

// Notice says the one thing that matters most about what is shown: that it is
// not what was requested, or that it is not what it seems.
func (s *Screen) Notice(time.Time) string {
	th := s.Theme
	a, ok := s.token.Get()
	if !ok || !isToken(s.place) {
		return ""
	}
	line := ""
	if err := s.token.Err(); err != nil && a.place.Locale != s.place.Locale {
		shown := a.place.Locale
		if shown == "" {
			shown = "the default"
		}
		line = fmt.Sprintf(" %s no data in locale %s (%s); shown is %s", th.Glyphs.Warning,
			text.TruncateWith(s.place.Locale, 20, th.Glyphs.Ellipsis), placeholder.Short(err), shown)
	} else if a.hidden > 0 {
		line = " " + th.Glyphs.Warning + " " + text.Plural(a.hidden, "hidden character") + ", shown as escapes, in " + strings.Join(a.suspects, ", ")
	}
	return th.Warn.Render(text.TruncateWith(line, max(1, s.Width), th.Glyphs.Ellipsis))
}

// withoutData draws why there is no token to see yet.
func (s *Screen) withoutData(now time.Time, width, height int) []string {
	err := s.token.Err()
	requested := s.place.String()
	if err == nil || s.token.Busy() {
		return s.Waiting(&s.token, "token", now, width, height)
	}
	if apiclient.KindOf(err) == apiclient.NotFound || apiclient.RouteGone(err) {
		return s.unknown(err, width, height)
	}
	lines := s.Waiting(&s.token, requested, now, width, max(0, height-1))
	switch apiclient.KindOf(err) {
	case apiclient.InvalidInput, apiclient.ServerFault, apiclient.TokenError:
	default:
		return lines
	}
	at := len(lines)
	for at > 0 && lines[at-1] == "" {
		at--
	}
	return append(lines[:at:at], "  "+s.changeHints())
}

// changeHints name the keys that lead to another token or locale.
func (s *Screen) changeHints() string {
	hint := placeholder.Hint(s.Theme, s.env.Keys.Tokens.Type, "change what was typed")
	if s.place.Locale != "" {
		hint += "   " + placeholder.Hint(s.Theme, s.env.Keys.Tokens.Locale, "another locale")
	}
	return hint
}

// unknown returns what of contract, token and locale the server does not have.
func (s *Screen) unknown(err error, width, height int) []string {
	th := s.Theme
	var failed *apiclient.Error
	title, status := "Not found", 0
	if errors.As(err, &failed) && failed.Detail() != "" {
		title, status = failed.Detail(), failed.Status
	}
	means := "The server does not know what was requested."
	switch title {
	case contractNotFound:
		means = "The server knows no such contract. Names are case-sensitive. Is this the right network?"
	case "Token not found":
		means = "The contract is known, but it has no such token."
	case "Locale not found":
		means = "The token has no data in this locale. Capital letters count, and - and _ are not the same."
	}
	hints := []string{s.changeHints()}
	if apiclient.RouteGone(err) {
		title, means, hints = "This API has no token metadata", plainAPI, nil
	}
	if d := new(deployed); errors.As(err, &d) {
		title = "Not a token"
		means = "The contract is on the chain, since block " + text.Count(d.contract.BlockHeight) + ". The server has no token metadata of it: it is no token, or its metadata has not been read yet."
	}
	if s.lacks() {
		hints = append([]string{placeholder.HintOf(th, keymap.First(s.env.Keys.List.Open), "the contract")}, hints...)
	}
	lines := []string{th.Muted.Render("Requested: ") + text.MiddleWith(s.place.String(), max(10, width-16), th.Glyphs.Ellipsis)}
	lines = append(lines, s.muted(means, width)...)
	if status > 0 {
		lines = append(lines, th.Muted.Render(fmt.Sprintf("status %d", status)))
	}
	lines = append(append(lines, ""), append(hints,
		placeholder.Hint(th, s.env.Keys.Global.Refresh, "try again")+"   "+placeholder.Hint(th, s.env.Keys.Global.Inspector, "the request"))...)
	lines = append(lines, placeholder.Otherwise(th, s.env.Keys, s.env.Last.Otherwise)...)
	return placeholder.Empty(th, title, lines, width, height)
}

// crumb returns where one is inside the place.
func (s *Screen) crumb() string {
	if !isToken(s.place) {
		return ""
	}
	p := pickOf(s.place.Principal, s.place.TokenID)
	crumb := p.Kind() + " " + p.Label()
	if s.place.Locale != "" {
		crumb += " in " + s.place.Locale
	}
	return crumb
}
