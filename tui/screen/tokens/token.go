package tokens

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// answer is a token as it was answered.
type answer struct {
	place    nav.Place // what was requested, the locale too
	ft       *apiclient.FungibleToken
	nft      *apiclient.NonFungibleToken
	raw      json.RawMessage
	exchange uint64
	sections []section
	hidden   int
	suspects []string // labels of the fields with hidden characters
}

func (a answer) metadata() *apiclient.Metadata {
	switch {
	case a.ft != nil:
		return a.ft.Metadata
	case a.nft != nil:
		return a.nft.Metadata
	}
	return nil
}

// name returns what the token calls itself, "" when it does not.
func (a answer) name() string {
	if a.ft != nil && a.ft.Name != "" {
		return a.ft.Name
	}
	if m := a.metadata(); m != nil {
		return m.Name
	}
	return ""
}

// locales returns those that the token says it has.
func (a answer) locales() []string {
	if m := a.metadata(); m != nil && m.Localization != nil {
		return m.Localization.Locales
	}
	return nil
}

// pictures returns the addresses of its pictures, those that are quickest to show
// first.
func (a answer) pictures() []string {
	ft, m := cmp.Or(a.ft, &apiclient.FungibleToken{}), cmp.Or(a.metadata(), &apiclient.Metadata{})
	return slices.DeleteFunc(unique([]string{
		ft.ImageURI, m.CachedImage, ft.ImageThumbnailURI, m.CachedThumbnailImage, ft.ImageCanonicalURI, m.Image,
	}), func(address string) bool { return address == "" })
}

// unique returns the values without those that came before, in their order.
func unique(all []string) []string {
	var kept []string
	for _, one := range all {
		if !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}

// load requests the token of the place.
func (s *Screen) load() tea.Cmd { return screen.Fetch(s.env, &s.token, s.reading()) }

// reading returns what reads the token of the place.
func (s *Screen) reading() func(context.Context) (answer, error) {
	client, place := s.env.Client, s.place
	return func(ctx context.Context) (answer, error) {
		a := answer{place: place}
		if place.Kind == nav.KindFT {
			got, err := client.FungibleToken(ctx, place.Principal, place.Locale)
			if err != nil {
				return a, notAToken(ctx, client, place, err)
			}
			a.ft, a.raw, a.exchange = &got.Value, got.Raw, got.ExchangeID
		} else {
			got, err := client.NonFungibleToken(ctx, place.Principal, place.TokenID, place.Locale)
			if err != nil {
				return a, notAToken(ctx, client, place, err)
			}
			a.nft, a.raw, a.exchange = &got.Value, got.Raw, got.ExchangeID
		}
		a.sections = sectionsOf(resource.Token{Principal: place.Principal, TokenID: place.TokenID, Locale: place.Locale, FT: a.ft, NFT: a.nft})
		a.hidden, a.suspects = hiddenIn(a.sections)
		return a, nil
	}
}

// contractNotFound holds what the service of token metadata says, also of a contract that is
// on the chain: it knows tokens only.
const contractNotFound = "Contract not found"

// deployed is the failure of a token whose contract is on the chain.
type deployed struct {
	error
	contract apiclient.Contract
}

func (d *deployed) Unwrap() error { return d.error }

// notAToken finds out whether a contract that the metadata service does not know is on
// the chain.
func notAToken(ctx context.Context, client *apiclient.Client, place nav.Place, err error) error {
	var failed *apiclient.Error
	if !errors.As(err, &failed) || failed.Detail() != contractNotFound {
		return err
	}
	found, other := client.Contract(ctx, place.Principal)
	if other != nil {
		return err
	}
	return &deployed{err, found.Value}
}

// settled is called when the token's answer came.
func (s *Screen) settled(at time.Time) tea.Cmd {
	if err := s.token.Err(); err != nil {
		return s.planRetry(err, at)
	}
	s.RetryLater(&s.token, nil, at, s.load)
	s.tries = 0
	a, _ := s.token.Get()
	if s.picture.State() != remote.Idle && !slices.Equal(s.wanted, a.pictures()) {
		s.hidePicture()
	}
	return tea.Batch(s.remember(a), s.requestOwner())
}

// remember writes the token to the history and reads that again.
func (s *Screen) remember(a answer) tea.Cmd {
	if s.opts.Store == nil {
		return nil
	}
	store := s.opts.Store
	v := visit{Source: s.opts.Source, Principal: a.place.Principal, TokenID: a.place.TokenID, Name: a.name()}
	return screen.Fetch(s.env, &s.recent, func(context.Context) ([]visit, error) {
		if err := writeRecent(store, v); err != nil {
			return nil, err
		}
		return readRecent(store, v.Source)
	})
}

// maxTries bounds the requests for a token in progress that nobody looks at.
const maxTries = 20

// progressWaits are the waits while a token's metadata is being fetched; the
// last one continues.
var progressWaits = [...]time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second}

// planRetry plans to request again where waiting helps: while the server fetches
// the metadata, and when it requested a pause.
func (s *Screen) planRetry(err error, failed time.Time) tea.Cmd {
	if apiclient.KindOf(err) != apiclient.InProgress {
		return s.RetryLater(&s.token, err, failed, s.load)
	}
	if s.tries >= maxTries {
		return nil
	}
	pause := progressWaits[min(s.tries, len(progressWaits)-1)]
	s.tries++
	return s.RetryAt(&s.token, failed.Add(pause), s.load)
}
