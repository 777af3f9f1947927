package apiclient

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// principalPattern is REST's pattern of a contract principal.
var principalPattern = regexp.MustCompile(`^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$`)

// MaxLimit is the most rows a page of blocks may have.
const MaxLimit = 30

// ValidPrincipal says what keeps s from being a contract principal, or nil.
func ValidPrincipal(s string) error {
	if principalPattern.MatchString(s) {
		return nil
	}
	const right = "a contract principal is ADDRESS.contract-name, such as SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-token"
	address, name, dot := strings.Cut(s, ".")
	switch {
	case s == "":
		return errors.New("principal is empty; " + right)
	case strings.Contains(s, "::"):
		return fmt.Errorf("principal %q carries an asset name after \"::\"; leave it out", short(s))
	case !dot:
		return fmt.Errorf("principal %q has no contract name; %s", short(s), right)
	case len(address) < 28 || len(address) > 41:
		return fmt.Errorf("principal %q has an address of %d characters, not 28 to 41; %s", short(s), len(address), right)
	case len(name) == 0 || len(name) > 40:
		return fmt.Errorf("principal %q has a contract name of %d characters, not 1 to 40", short(s), len(name))
	case strings.ToUpper(address) != address:
		return fmt.Errorf("principal %q has lower-case letters in its address; addresses are upper case", short(s))
	}
	return fmt.Errorf("principal %q has a character that is not allowed; %s", short(s), right)
}

// ValidHash says what keeps s from being a hash, with 0x before it or not.
func ValidHash(s string) error {
	_, err := NormalHash(s)
	return err
}

// NormalHash gives a hash its 0x and lower-case digits.
func NormalHash(s string) (string, error) {
	digits := s
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		digits = s[2:]
	}
	for i := range len(digits) {
		if !isHex(digits[i]) {
			return "", fmt.Errorf("hash %q has a character that is no hex digit; a hash is 0x and 64 hex digits", short(s))
		}
	}
	if len(digits) != 64 {
		return "", fmt.Errorf("hash %q has %d hex digits, not 64", short(s), len(digits))
	}
	return "0x" + strings.ToLower(digits), nil
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// ValidHeight says what keeps h from being a block height.
func ValidHeight(h int64) error {
	if h < 0 {
		return fmt.Errorf("height %d is negative; heights count from 0", h)
	}
	return nil
}

// ValidPage says what keeps p from being sent.
func ValidPage(p Page) error {
	if p.Limit != nil && (*p.Limit < 0 || *p.Limit > MaxLimit) {
		return fmt.Errorf("limit %d is out of range; it is 0 to %d", *p.Limit, MaxLimit)
	}
	if p.Offset < 0 {
		return fmt.Errorf("offset %d is negative; it is 0 or more", p.Offset)
	}
	return nil
}

// ValidTokenID says what keeps s from being a token's id: a whole number in
// decimal digits, up to an unsigned 128-bit integer.
func ValidTokenID(s string) error {
	if s == "" {
		return errors.New("token id is empty; it is a whole number")
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return fmt.Errorf("token id %q is not a whole number in decimal digits", short(s))
		}
	}
	n, ok := new(big.Int), len(s) <= 64
	if ok {
		n, ok = n.SetString(s, 10)
	}
	if !ok || n.BitLen() > 128 {
		return fmt.Errorf("token id %q is above 2^128-1", short(s))
	}
	return nil
}

// ValidNamespace says what keeps s from being asked for: it may be any text
// but empty, broken UTF-8 or one with control characters.
func ValidNamespace(s string) error { return validText("namespace", s) }

// ValidLocale says what keeps s from being a locale; "" stands for none.
func ValidLocale(s string) error {
	if s == "" {
		return nil
	}
	return validText("locale", s)
}

func validText(what, s string) error {
	if s == "" {
		return fmt.Errorf("%s is empty", what)
	}
	if len(s) > 1024 {
		return fmt.Errorf("%s has %d bytes; more than 1024 are not sent", what, len(s))
	}
	if !utf8.ValidString(s) {
		return fmt.Errorf("%s %q is not UTF-8", what, short(s))
	}
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return fmt.Errorf("%s %q has the control character %U", what, short(s), r)
		}
	}
	return nil
}

// heightOrHash reads the path parameter of the burn-block listing: latest, a
// height or a hash. 64 digits are a hash even when all of them are decimal.
func heightOrHash(s string) (string, error) {
	if s == "latest" {
		return s, nil
	}
	digits := s != "" && strings.Trim(s, "0123456789") == ""
	if digits && len(s) < 64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return "", fmt.Errorf("height %q is too large", short(s))
		}
		return strconv.FormatInt(n, 10), nil
	}
	if strings.HasPrefix(s, "-") {
		return "", fmt.Errorf("height %q is negative; heights count from 0", short(s))
	}
	h, err := NormalHash(s)
	if err != nil {
		return "", fmt.Errorf("%q is neither latest nor a burn block's height nor its hash (0x and 64 hex digits)", short(s))
	}
	return h, nil
}

// short bounds an input that is quoted in an error.
func short(s string) string {
	const most = 96
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// escapeSegment makes s one segment of a path: everything but unreserved
// characters is escaped, and so are the dots of "." and "..", which would
// otherwise be resolved away.
func escapeSegment(s string) string {
	const hex = "0123456789ABCDEF"
	dots := s == "." || s == ".."
	out := make([]byte, 0, len(s)+8)
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '.' && !dots, c == '-', c == '_', c == '~',
			c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			out = append(out, c)
		default:
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(out)
}
