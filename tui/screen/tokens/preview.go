package tokens

import (
	"context"
	"image/color"
	"strings"

	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/picture"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
)

// Cells of the picture beside the list at most.
const (
	previewCells = 32
	previewLines = 14
)

// pictured is the picture of a token that is not open.
type pictured struct {
	address string
	picture *picture.Picture
}

// preview draws what is known of the token under the cursor; the token itself is only
// requested when it is opened.
func (s *Screen) preview(width, height int) []string {
	th := s.Theme
	i, ok := s.List.Cursor()
	if !ok {
		return nil
	}
	p := s.picks[i]
	cut := func(line string) string { return text.TruncateWith(line, width, th.Glyphs.Ellipsis) }
	out := []string{
		th.Strong.Render(cut(p.shownAs())),
		th.Muted.Render(text.MiddleWith(p.Principal, width, th.Glyphs.Ellipsis)), "",
	}
	kind := "fungible token"
	if p.TokenID != "" {
		kind = "non-fungible token " + p.TokenID
	}
	out = append(out, th.Text.Render(cut(kind)))
	for _, c := range s.Kind.Columns {
		if words := c.Words(p.Token, max(8, width-10), th); words != "" && (c.Name == "decimals" || c.Name == "supply") {
			out = append(out, th.Muted.Render(text.Pad(c.Name, 10))+th.Number.Render(words))
		}
	}
	if len(p.Locales) > 0 {
		out = append(out, th.Muted.Render(cut("locales   "+strings.Join(p.Locales, ", "))))
	}
	if about, there := fieldMeanings[p.What]; there {
		out = append(append(out, ""), th.Muted.RenderAll(text.Block(about, width))...)
	}
	out = append(out, "", placeholder.Hint(th, s.env.Keys.List.Open, "open it")+"   "+placeholder.Hint(th, s.env.Keys.Tokens.Type, "type another"), "")
	return append(out, s.previewPicture(p, width, height-len(out))...)
}

// previewPicture draws the picture of the token under the cursor, if it is there.
func (s *Screen) previewPicture(p pick, width, height int) []string {
	if err := s.peek.Err(); err != nil && s.peekOf == p.picture {
		return []string{s.Theme.Muted.Render(text.TruncateWith(pictureTrouble(err), width, s.Theme.Glyphs.Ellipsis))}
	}
	shown, ok := s.peek.Get()
	if !ok || shown.picture == nil || shown.address != p.picture || height < 4 {
		return nil
	}
	return s.cellsOf(shown.picture, min(width, previewCells), min(height, previewLines))
}

// cellsOf draws a picture within a number of cells.
func (s *Screen) cellsOf(p *picture.Picture, width, height int) []string {
	th := s.Theme
	backdrop := color.Color(color.White)
	if th.Dark {
		backdrop = color.Black
	}
	colors := s.opts.Colors
	if th.Name == "mono" || th.Text.Plain() && th.Strong.Plain() {
		colors = colorprofile.NoTTY
	}
	return picture.Draw(p.Image(), width, height, colors, backdrop)
}

// peekAt fetches the picture of the token under the cursor, where the detail beside the
// list has room for it. By itself it fetches only those of the mock.
func (s *Screen) peekAt(wanted bool) tea.Cmd {
	i, ok := s.List.Cursor()
	if !ok || s.opts.Picture == nil || !s.Both() || isToken(s.place) {
		return nil
	}
	address := s.picks[i].picture
	if address == "" || address == s.peekOf || !wanted && (s.opts.Own == nil || !s.opts.Own(address)) {
		return nil
	}
	s.peekOf = address
	load := s.opts.Picture
	return screen.Fetch(s.env, &s.peek, func(ctx context.Context) (pictured, error) {
		ctx, cancel := context.WithTimeout(ctx, pictureTime)
		defer cancel()
		p, err := load(ctx, address)
		return pictured{address, p}, err
	})
}

// peekAgain fetches the picture of the token under the cursor once more.
func (s *Screen) peekAgain() tea.Cmd {
	s.peekOf = ""
	s.peek.Reset()
	return s.peekAt(false)
}

// fieldMeanings explains the words of the mock's catalogue.
var fieldMeanings = map[string]string{
	"full":      "Every field of the API has a value.",
	"minimal":   "Only the fields that every token has.",
	"localized": "Has its metadata in several locales.",
	"pending":   "Its metadata is fetched when it is first requested: wait and see it come.",
	"error":     "The service tried to read its metadata and gave up.",
	"no_token":  "The contract is known, but it has no such token.",
	"hostile":   "Its texts and addresses try to deceive the reader.",
	"plain":     "A token like many.",
}
