package tokens

import (
	"context"
	"slices"

	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// owner holds the owner of a non-fungible token, "" for nobody.
type owner struct{ principal string }

// requestOwner requests who has the token of the place, which its metadata does not say.
func (s *Screen) requestOwner() tea.Cmd {
	if s.opts.Owner == nil || s.place.Kind != nav.KindNFT || s.place.TokenID == "" {
		return nil
	}
	read, of := s.opts.Owner, s.place
	return screen.Fetch(s.env, &s.owner, func(ctx context.Context) (owner, error) {
		principal, err := read(ctx, of.Principal, of.TokenID)
		return owner{principal}, err
	})
}

// withOwner returns the sections of a token with its owner after its id. The row is there before
// the answer too, so that none moves when it comes.
func (s *Screen) withOwner(a answer) []section {
	if a.nft == nil || s.opts.Owner == nil || len(a.sections) == 0 {
		return a.sections
	}
	f := resource.Field{Label: "owner", Type: resource.Principal}
	who, known := s.owner.Get()
	switch err := s.owner.Err(); {
	case err != nil:
		f.Note = placeholder.Short(err)
	case known && who.principal == "":
		f.Value = resource.TextOf("nobody")
	case known:
		f.Value, f.To = resource.TextOf(who.principal), resource.LinkTo(who.principal).Link()
	}
	all := slices.Clone(a.sections)
	at := min(2, len(all[0].Fields)) // after the contract and the id
	all[0].Fields = slices.Insert(slices.Clone(all[0].Fields), at, drawn(f))
	return all
}
