package nav

import (
	"fmt"
	"math/big"
	"strings"
)

// Lengths of the parts of a contract principal, from the API's pattern.
const (
	minAddress      = 28
	maxAddress      = 41
	maxContractName = 40
)

// addressAlphabet is c32: no I, L, O, U.
const addressAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// CheckPrincipal says what keeps s from being a contract principal,
// ADDRESS.contract-name, or nil. It takes exactly what the API's pattern
// takes.
func CheckPrincipal(s string) error {
	address, name, dot := strings.Cut(s, ".")
	if err := checkAddress(address); err != nil {
		return err
	}
	if !dot {
		return fmt.Errorf("an address alone; a contract principal goes on with a dot and the contract's name")
	}
	return checkContractName(name)
}

func checkAddress(s string) error {
	for i, r := range s {
		if strings.ContainsRune(addressAlphabet, r) {
			continue
		}
		switch {
		case strings.ContainsRune(addressAlphabet, toUpper(r)):
			return fmt.Errorf("address part has the lower-case letter %q at position %d; addresses are upper case", r, i+1)
		case strings.ContainsRune("ILOUilou", r):
			return fmt.Errorf("address part has the letter %q at position %d; I, L, O and U do not occur in addresses", r, i+1)
		default:
			return fmt.Errorf("address part has the character %q at position %d; addresses have digits and capital letters only", r, i+1)
		}
	}
	if len(s) < minAddress || len(s) > maxAddress {
		return fmt.Errorf("address part has %d characters, needs %d to %d", len(s), minAddress, maxAddress)
	}
	return nil
}

func checkContractName(s string) error {
	if s == "" {
		return fmt.Errorf("contract name is empty")
	}
	for i, r := range s {
		switch {
		case isLetter(r):
		case i == 0:
			return fmt.Errorf("contract name starts with %q, needs a letter", r)
		case '0' <= r && r <= '9' || r == '-' || r == '_':
		default:
			return fmt.Errorf("contract name has the character %q at position %d; letters, digits, - and _ are allowed", r, i+1)
		}
	}
	if len(s) > maxContractName {
		return fmt.Errorf("contract name has %d characters, at most %d are allowed", len(s), maxContractName)
	}
	return nil
}

// looksLikeAddress tells a Stacks address someone meant, right or wrong, from
// a name: it begins as Stacks addresses do and is far longer than a word.
func looksLikeAddress(s string) bool {
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
// grouped with commas or underscores or not. It returns plain digits.
func ParseTokenID(s string) (string, error) {
	digits := ungroup(s)
	if digits == "" {
		return "", fmt.Errorf("token id %q is no whole number", s)
	}
	for _, r := range digits {
		if r < '0' || r > '9' {
			return "", fmt.Errorf("token id has the character %q, which is no digit", r)
		}
	}
	if len(digits) > 60 {
		return "", fmt.Errorf("token id has %d digits; the greatest is 2^128-1", len(digits))
	}
	n, _ := new(big.Int).SetString(digits, 10)
	if n.BitLen() > 128 {
		return "", fmt.Errorf("token id is above 2^128-1")
	}
	return n.String(), nil
}

func ungroup(s string) string {
	return strings.NewReplacer(",", "", "_", "", "'", "").Replace(s)
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func toUpper(r rune) rune {
	if 'a' <= r && r <= 'z' {
		return r - 'a' + 'A'
	}
	return r
}
