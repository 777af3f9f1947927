package nav

import (
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

// Lengths of the parts of a contract principal, from the API's pattern.
const (
	minAddress      = 28
	maxAddress      = 41
	maxContractName = 40
)

// addressAlphabet is c32: no I, L, O, U.
const addressAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// InputError describes what is wrong with something typed and where.
type InputError struct {
	// At is the character that is wrong, counted from 0; what is missing at the
	// end is after the last one.
	At int
	// Unfinished reports that typing on can mend it.
	Unfinished bool
	// Reason describes what is wrong and what would be right. It quotes at most one
	// character, in Go's escapes.
	Reason string
}

func (e *InputError) Error() string { return e.Reason }

func wrongAt(at int, format string, args ...any) *InputError {
	return &InputError{At: at, Reason: fmt.Sprintf(format, args...)}
}

func unfinishedAt(at int, format string, args ...any) *InputError {
	return &InputError{At: at, Unfinished: true, Reason: fmt.Sprintf(format, args...)}
}

// CheckPrincipal returns what keeps s from being a contract principal,
// ADDRESS.contract-name, or nil. It takes exactly what the API's pattern
// takes. Every error is an *InputError.
func CheckPrincipal(s string) error {
	address, name, dot := strings.Cut(s, ".")
	if err := inAddress(address, !dot); err != nil {
		return err
	}
	length := utf8.RuneCountInString(address)
	if !dot {
		return unfinishedAt(length, "an address alone; a contract principal continues with a dot and the contract's name")
	}
	if err := inContractName(name); err != nil {
		err.At += length + 1
		return err
	}
	return nil
}

func checkAddress(s string) error {
	if err := inAddress(s, true); err != nil {
		return err
	}
	return nil
}

// inAddress finds what is wrong with an address; open says that its end may
// still be typed.
func inAddress(s string, open bool) *InputError {
	at := -1
	for _, r := range s {
		at++
		if strings.ContainsRune(addressAlphabet, r) {
			continue
		}
		switch {
		case strings.ContainsRune(addressAlphabet, toUpper(r)):
			return wrongAt(at, "address part has the lower-case letter %q at position %d; addresses are upper case", r, at+1)
		case strings.ContainsRune("ILOUilou", r):
			return wrongAt(at, "address part has the letter %q at position %d; I, L, O and U do not occur in addresses", r, at+1)
		default:
			return wrongAt(at, "address part has the character %q at position %d; addresses have digits and capital letters only", r, at+1)
		}
	}
	switch {
	case len(s) > maxAddress:
		return wrongAt(maxAddress, "address part has %d characters, needs %d to %d", len(s), minAddress, maxAddress)
	case len(s) < minAddress:
		e := wrongAt(len(s), "address part has %d characters, needs %d to %d", len(s), minAddress, maxAddress)
		e.Unfinished = open
		return e
	}
	return nil
}

func checkContractName(s string) error {
	if err := inContractName(s); err != nil {
		return err
	}
	return nil
}

func inContractName(s string) *InputError {
	if s == "" {
		return unfinishedAt(0, "contract name is empty")
	}
	at := -1
	for _, r := range s {
		at++
		switch {
		case isLetter(r):
		case at == 0:
			return wrongAt(at, "contract name starts with %q, needs a letter", r)
		case '0' <= r && r <= '9' || r == '-' || r == '_':
		default:
			return wrongAt(at, "contract name has the character %q at position %d; letters, digits, - and _ are allowed", r, at+1)
		}
	}
	if len(s) > maxContractName {
		return wrongAt(maxContractName, "contract name has %d characters, at most %d are allowed", len(s), maxContractName)
	}
	return nil
}

// LooksLikeAddress reports whether a text was meant as a Stacks address, right or
// wrong, and not as a name: it starts as addresses do and is longer than a word.
func LooksLikeAddress(s string) bool {
	if len(s) < 16 {
		return false
	}
	switch strings.ToUpper(s[:2]) {
	case "SP", "SM", "ST", "SN":
		return true
	}
	_, err := ParseHash(s)
	return err != nil && s == strings.ToUpper(s) && len(s) >= 20
}

// ParseTokenID reads a token id: a whole number from 0 to 2^128-1, digits
// grouped with commas or underscores or not. It returns plain digits. Every
// error is an *InputError.
func ParseTokenID(s string) (string, error) {
	digits := ungroup(s)
	if digits == "" {
		return "", unfinishedAt(utf8.RuneCountInString(s), "token id %q is not a whole number", s)
	}
	at := -1
	for _, r := range s {
		at++
		if (r < '0' || r > '9') && !strings.ContainsRune(grouping, r) {
			return "", wrongAt(at, "invalid digit %q in the token id", r)
		}
	}
	if len(digits) > 60 {
		return "", wrongAt(at, "token id has %d digits; the greatest is 2^128-1", len(digits))
	}
	n, _ := new(big.Int).SetString(digits, 10)
	if n.BitLen() > 128 {
		return "", wrongAt(at, "token id is above 2^128-1")
	}
	return n.String(), nil
}

// grouping holds what people write between groups of digits.
const grouping = ",_'"

func ungroup(s string) string {
	return strings.NewReplacer(",", "", "_", "", "'", "").Replace(s) // the characters of grouping
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func toUpper(r rune) rune {
	if 'a' <= r && r <= 'z' {
		return r - 'a' + 'A'
	}
	return r
}
