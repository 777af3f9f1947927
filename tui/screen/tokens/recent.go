package tokens

import (
	"slices"

	"chainscope/tui/nav"
	"chainscope/tui/state"
)

// recentDocument is the name of the document of tokens shown before.
const recentDocument = "tokens"

// maxRecent limits how many are kept.
const maxRecent = 50

// visit is a token that was shown. Its name is what it called itself then.
type visit struct {
	// Source names where it was shown from: the mock, or the API's base URL.
	Source    string `json:"source"`
	Principal string `json:"principal"`
	TokenID   string `json:"token_id,omitempty"`
	Name      string `json:"name,omitempty"`
}

func (v visit) place() nav.Place { return pickOf(v.Principal, v.TokenID).place() }

// same reports whether both are of one token.
func (v visit) same(other visit) bool {
	return v.Source == other.Source && v.Principal == other.Principal && v.TokenID == other.TokenID
}

// remember puts a visit first and bounds the list.
func remember(all []visit, v visit) []visit {
	const longest = 200
	if name := []rune(v.Name); len(name) > longest {
		v.Name = string(name[:longest])
	}
	return state.Recent(all, v, visit.same, maxRecent)
}

// readRecent reads the visits of one source. What is in the document but cannot
// be a token is left out.
func readRecent(s *state.Store, source string) ([]visit, error) {
	var all []visit
	if _, err := s.Get(recentDocument, &all); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(v visit) bool { return v.Source != source || !v.valid() }), nil
}

func (v visit) valid() bool {
	if nav.CheckPrincipal(v.Principal) != nil {
		return false
	}
	if v.TokenID == "" {
		return true
	}
	_, err := nav.ParseTokenID(v.TokenID)
	return err == nil
}

// writeRecent remembers a visit.
func writeRecent(s *state.Store, v visit) error {
	return state.Update(s, recentDocument, func(all *[]visit) error {
		*all = remember(*all, v)
		return nil
	})
}
