package nav

import (
	"fmt"
	"strings"
)

// hashDigits is the length of a block or transaction hash in hex digits.
const hashDigits = 64

// ParseHash reads a block hash: 64 hex digits of either case, with or without
// 0x. It returns the form that the API uses: "0x" and lower-case digits.
func ParseHash(s string) (string, error) {
	digits := s
	if len(s) >= 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		digits = s[2:]
	}
	for i, r := range digits {
		if !isHex(r) {
			return "", fmt.Errorf("invalid hex digit %q at position %d", r, len(s)-len(digits)+i+1)
		}
	}
	if len(digits) != hashDigits {
		return "", fmt.Errorf("hash has %d hex digits, needs %d", len(digits), hashDigits)
	}
	if strings.HasPrefix(s, "0x") && strings.ToLower(s) == s {
		return s, nil // as most are
	}
	return "0x" + strings.ToLower(digits), nil
}

func isHex(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
}
