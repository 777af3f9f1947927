package apiclient

import (
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"chainscope/apiclient/wire"
)

// principalPattern is the API's pattern of a contract principal.
var principalPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$`)
})

// maxLimit is the most rows that a page of blocks may have.
const maxLimit = 30

// CheckPrincipal returns why s is no contract principal, nil if it is one.
func CheckPrincipal(s string) error {
	if principalPattern().MatchString(s) {
		return nil
	}
	const want = "(want ADDRESS.contract-name, such as SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-token)"
	address, name, dot := strings.Cut(s, ".")
	switch {
	case s == "":
		return errors.New("principal is empty " + want)
	case strings.Contains(s, "::"):
		return fmt.Errorf("principal %q: leave out the asset name after \"::\"", wire.Short(s))
	case !dot:
		return fmt.Errorf("principal %q has no contract name %s", wire.Short(s), want)
	case len(address) < 28 || len(address) > 41:
		return fmt.Errorf("principal %q: the address has %d characters, not 28-41 %s", wire.Short(s), len(address), want)
	case len(name) == 0 || len(name) > 40:
		return fmt.Errorf("principal %q: the contract name has %d characters, not 1-40", wire.Short(s), len(name))
	case strings.ToUpper(address) != address:
		return fmt.Errorf("principal %q: the address must be in upper case", wire.Short(s))
	}
	return fmt.Errorf("principal %q has an invalid character %s", wire.Short(s), want)
}

// accountPattern is the API's pattern of a principal: an account or a contract.
var accountPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}(\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39})?$`)
})

// CheckAccount returns why s is the address of neither an account nor a contract, nil if
// it is one. The server checks the address itself.
func CheckAccount(s string) error {
	if accountPattern().MatchString(s) {
		return nil
	}
	if strings.Contains(s, ".") {
		return CheckPrincipal(s)
	}
	return fmt.Errorf("%q is no address (want one such as SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE, or ADDRESS.contract-name)", wire.Short(s))
}

// namePattern is that of the names of functions, variables and maps.
var namePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9_!?+<>=/*-]{0,127}|[-+=/*<>]|<=|>=)$`)
})

// CheckName returns why s is no name of a function, a variable or a map, nil if it is one.
func CheckName(s string) error {
	if namePattern().MatchString(s) {
		return nil
	}
	return fmt.Errorf("%q is no name of Clarity (want a letter, then letters, digits and -_!?+<>=/*, at most 128)", wire.Short(s))
}

// validHex returns why s is no value in hex with 0x, nil if it is one.
func validHex(s string) error {
	digits, marked := strings.CutPrefix(s, "0x")
	if !marked || len(digits)%2 != 0 || strings.Trim(digits, "0123456789abcdef") != "" {
		return fmt.Errorf("%q is no value in hex (want 0x and pairs of digits)", wire.Short(s))
	}
	return nil
}

// CheckHash returns why s is no hash, with or without 0x, nil if it is one.
func CheckHash(s string) error {
	_, err := normalHash(s)
	return err
}

// normalHash returns a hash with 0x and lower-case digits.
func normalHash(s string) (string, error) {
	digits, at := s, 1
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		digits, at = s[2:], 3
	}
	for i, r := range digits {
		if !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return "", fmt.Errorf("hash %q: invalid hex digit %q at position %d", wire.Short(s), r, at+i)
		}
	}
	if len(digits) != hashDigits {
		return "", fmt.Errorf("hash %q has %d hex digits, not 64", wire.Short(s), len(digits))
	}
	return "0x" + strings.ToLower(digits), nil
}

// validHeight returns why h is no block height, nil if it is one.
func validHeight(h int64) error {
	if h < 0 {
		return errors.New("height must be 0 or more")
	}
	return nil
}

// validPage returns why p cannot be sent, nil if it can.
func validPage(p Page) error {
	if p.Limit < NoRows || p.Limit > maxLimit {
		return fmt.Errorf("limit must be 0-%d", maxLimit)
	}
	if p.Offset < 0 {
		return errors.New("offset must be 0 or more")
	}
	return nil
}

// validTokenID returns why s is no token id, nil if it is one: a whole number in
// decimal digits, up to 2^128-1.
func validTokenID(s string) error {
	if s == "" {
		return errors.New("token id is empty (want a whole number)")
	}
	if strings.Trim(s, "0123456789") != "" {
		return fmt.Errorf("token id %q is not a whole number", wire.Short(s))
	}
	if n, _ := new(big.Int).SetString(s[:min(len(s), 64)], 10); len(s) > 64 || n.BitLen() > 128 {
		return fmt.Errorf("token id %q is above 2^128-1", wire.Short(s))
	}
	return nil
}

// CheckNamespace returns why s is no namespace, nil if it may be one: any text
// but an empty one, broken UTF-8 or one with control characters.
func CheckNamespace(s string) error { return validText("namespace", s) }

// CheckLocale returns why s is no locale, nil if it may be one; "" means none.
func CheckLocale(s string) error {
	if s == "" {
		return nil
	}
	return validText("locale", s)
}

func validText(what, s string) error {
	const most = 1024
	if s == "" {
		return fmt.Errorf("%s is empty", what)
	}
	if len(s) > most {
		return fmt.Errorf("%s has %d bytes, more than %d", what, len(s), most)
	}
	if !utf8.ValidString(s) {
		return fmt.Errorf("%s %q is not valid UTF-8", what, wire.Short(s))
	}
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return fmt.Errorf("%s %q has the control character %U", what, wire.Short(s), r)
		}
	}
	return nil
}

// heightOrHash returns the path parameter of the burn-block listing: latest, a
// height or a hash. 64 digits are a hash even when all of them are decimal.
func heightOrHash(s string) (string, error) {
	if s == "latest" {
		return s, nil
	}
	digits := s != "" && strings.Trim(s, "0123456789") == ""
	if digits && len(s) < hashDigits {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return "", fmt.Errorf("height %q is too large", wire.Short(s))
		}
		return strconv.FormatInt(n, 10), nil
	}
	if strings.HasPrefix(s, "-") {
		return "", errors.New("height must be 0 or more")
	}
	h, err := normalHash(s)
	if err != nil {
		return "", fmt.Errorf("%q is not \"latest\", a height or a hash (0x and 64 hex digits)", wire.Short(s))
	}
	return h, nil
}

// escapeSegment returns s as one segment of a path. The dots of "." and ".." would
// otherwise be resolved away.
func escapeSegment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}
