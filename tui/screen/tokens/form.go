package tokens

import (
	"errors"
	"strings"
	"unicode/utf8"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/widget/line"
)

// The lines of the form.
const (
	principalLine = iota
	idLine
	localeLine
	formLines
)

// lineNames are the words before the lines of the form.
var lineNames = [formLines]string{"contract", "token id", "locale"}

// form is where a token is typed: a contract principal, a token id when it is
// non-fungible, and a locale for those who want one. It checks while one types.
type form struct {
	line [formLines]line.Line
	at   int
	// tried reports that the user tried to open it: from then on what is unfinished
	// is wrong.
	tried bool
}

func newForm() *form {
	f := &form{}
	for i := range f.line {
		f.line[i] = line.New()
	}
	return f
}

// verdict is what a check says of one line.
type verdict struct {
	// At is the character that is wrong, from 0, when Reason is not empty.
	At int
	// Unfinished reports that typing more can mend it.
	Unfinished bool
	Reason     string
	// Fix is what would be right for the whole line, if that can be told.
	Fix string
	// Note is a remark on a line that is right.
	Note string
}

func (v verdict) wrong() bool { return v.Reason != "" }

// check judges a line.
func (f *form) check(at int) verdict {
	s := f.line[at].Value()
	var err error
	var v verdict
	switch at {
	case principalLine:
		if s == "" && !f.tried {
			return verdict{Note: "an address, a dot and a name"}
		}
		err = nav.CheckPrincipal(s)
		if err != nil && s != "" {
			v.Fix, _ = mend(s)
		}
	case idLine:
		if s == "" {
			return verdict{Note: "none: a fungible token"}
		}
		var plain string
		plain, err = nav.ParseTokenID(s)
		if err == nil && exceedsDouble(plain) {
			v.Note = "the API counts ids in doubles: digits beyond 2^53 may be lost"
		}
	case localeLine:
		if s == "" {
			return verdict{Note: "none: the token's default"}
		}
		err = apiclient.CheckLocale(s)
	}
	if err == nil {
		return v
	}
	v.Reason, v.At = err.Error(), utf8.RuneCountInString(s)
	var wrong *nav.InputError
	if errors.As(err, &wrong) {
		v.At, v.Unfinished = wrong.At, wrong.Unfinished && !f.tried
	}
	return v
}

// exceedsDouble reports whether a double cannot hold an id: above 2^53.
func exceedsDouble(id string) bool {
	const limit = "9007199254740992"
	return len(id) > len(limit) || len(id) == len(limit) && id > limit
}

// mend finds the token that a wrong contract line was meant to be: one pasted
// with its id or asset, an address in lower case, a URL. It is sure when the
// whole line was understood.
func mend(s string) (fix string, sure bool) {
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

// takeFix writes what the contract line was meant to be into the lines, and
// reports whether there was anything to write.
func (f *form) takeFix() bool {
	fix, _ := mend(f.line[principalLine].Value())
	if fix == "" {
		return false
	}
	principal, id, _ := strings.Cut(fix, "::")
	f.line[principalLine].SetValue(principal)
	if id != "" {
		f.line[idLine].SetValue(id)
	}
	return true
}

// place is the token that was typed. When the lines are not right it goes to
// the first wrong one and reports false.
func (f *form) place() (nav.Place, bool) {
	f.tried = true
	if _, sure := mend(f.line[principalLine].Value()); sure {
		f.takeFix()
	}
	for i := range formLines {
		if f.check(i).wrong() {
			f.at = i
			return nav.Place{}, false
		}
	}
	principal, locale := f.line[principalLine].Value(), f.line[localeLine].Value()
	if f.line[idLine].Value() == "" {
		return nav.FT(principal, locale), true
	}
	id, err := nav.ParseTokenID(f.line[idLine].Value())
	if err != nil {
		return nav.Place{}, false
	}
	return nav.NFT(principal, id, locale), true
}

// fill writes a token into the lines, to be changed.
func (f *form) fill(p nav.Place) {
	f.line[principalLine].SetValue(p.Principal)
	f.line[idLine].SetValue(p.TokenID)
	f.line[localeLine].SetValue(p.Locale)
	f.at, f.tried = principalLine, false
	if p.Kind == nav.KindNFT {
		f.at = idLine
	}
}

// move goes to another line, around the ends.
func (f *form) move(by int) { f.at = (f.at + by + formLines) % formLines }
