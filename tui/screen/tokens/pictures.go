package tokens

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/picture"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// Cells of a picture at most, and the time for all of its addresses.
const (
	pictureCells = 48
	pictureLines = 18
	pictureTime  = 15 * time.Second
)

// togglePicture shows the picture that the cursor is on, else the token's; or
// hides the one that is shown.
func (s *Screen) togglePicture() tea.Cmd {
	a, ok := s.token.Get()
	if !ok || s.opts.Picture == nil {
		return nil
	}
	wanted := a.pictures()
	if row, ok := s.Detail.Cursor(); ok && s.InDetail && row.ID == pictureRow {
		wanted = []string{row.Copy}
	}
	if s.picture.State() != remote.Idle && slices.Equal(wanted, s.wanted) {
		s.hidePicture()
		return s.Changed()
	}
	if len(wanted) == 0 {
		return screen.Notice("This token names no picture.")
	}
	s.hidePicture()
	s.wanted = wanted
	cmd := s.requestPicture()
	s.Fill()
	s.Detail.Restore(detail.Place{Cursor: s.Detail.Place().Cursor})
	return tea.Batch(cmd, s.Changed())
}

// requestPicture fetches the picture from the first of its addresses that has one.
func (s *Screen) requestPicture() tea.Cmd {
	load, wanted := s.opts.Picture, s.wanted
	return screen.Fetch(s.env, &s.picture, func(ctx context.Context) (*picture.Picture, error) {
		ctx, cancel := context.WithTimeout(ctx, pictureTime)
		defer cancel()
		return firstPicture(ctx, load, wanted)
	})
}

// finalError returns the error of a picture if the mock, whose own it is, may give it
// later. A host that somebody's metadata names gets one request.
func (s *Screen) finalError(err error, addresses ...string) error {
	var refused *picture.RefusedError
	var unreadable *picture.UnreadableError
	if s.opts.Own == nil || !slices.ContainsFunc(addresses, s.opts.Own) || errors.As(err, &refused) || errors.As(err, &unreadable) {
		return nil
	}
	return err
}

// firstPicture loads the first of the addresses that has a picture. The error
// is of the address that got furthest: the failure of a fetch says more than a
// refusal.
func firstPicture(ctx context.Context, load func(context.Context, string) (*picture.Picture, error), addresses []string) (*picture.Picture, error) {
	var refused, failed error
	for _, address := range addresses {
		p, err := load(ctx, address)
		if err == nil {
			return p, nil
		}
		var r *picture.RefusedError
		switch {
		case errors.As(err, &r) && refused == nil:
			refused = err
		case !errors.As(err, &r) && failed == nil:
			failed = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	if failed != nil {
		return nil, failed
	}
	return nil, refused
}

func (s *Screen) hidePicture() {
	s.picture.Reset()
	s.wanted = nil
}

// pictureRow is the ID of a field that is the address of a picture.
const pictureRow = "picture"

// hasPicture reports whether a picture was requested.
func (s *Screen) hasPicture() bool { return s.picture.State() != remote.Idle && s.shown() }

// pictureThird is the number of the picture among what the third column shows.
const pictureThird = 0

// pictureAbove draws the picture above the fields, unless it is in the third
// column or none was requested.
func (s *Screen) pictureAbove(name string, width int) []string {
	if !s.hasPicture() || s.ShowsThird(pictureThird) {
		return []string{}
	}
	return s.drawPicture(name, width)
}

// thirdPicture draws the picture in the third column.
func (s *Screen) thirdPicture(width, _ int) []string {
	a, _ := s.token.Get()
	return s.drawPicture(a.name(), width)
}

func (s *Screen) drawPicture(name string, width int) []string {
	th := s.Theme
	if p, ok := s.picture.Get(); ok {
		out := []string{""}
		for _, line := range s.cellsOf(p, min(width-4, pictureCells), min(s.Height/2, pictureLines)) {
			out = append(out, "  "+line)
		}
		caption := fmt.Sprintf("picture of %s, %d x %d, %s, %s", orThis(name), p.Width, p.Height, p.Format, text.Bytes(int64(p.Bytes)))
		return append(out, "  "+th.Muted.Render(text.TruncateWith(caption, max(1, width-2), th.Glyphs.Ellipsis)), "")
	}
	if err := s.picture.Err(); err != nil {
		out := []string{""}
		for _, line := range text.Block(pictureTrouble(err), max(1, width-4)) {
			out = append(out, "  "+th.Bad.Render(line))
		}
		return append(out, "")
	}
	return []string{"", "  " + th.Muted.Render("fetching the picture"+th.Glyphs.Ellipsis), ""}
}

func orThis(name string) string {
	if name == "" {
		return "this token"
	}
	return name
}

// pictureTrouble returns why there is no picture.
func pictureTrouble(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "the picture did not come in time"
	case err == nil:
		return ""
	}
	var refused *picture.RefusedError
	var unreadable *picture.UnreadableError
	if errors.As(err, &refused) || errors.As(err, &unreadable) {
		return err.Error()
	}
	return "the picture cannot be fetched: " + placeholder.Short(err)
}
