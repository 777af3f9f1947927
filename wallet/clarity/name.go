package clarity

import (
	"fmt"
	"strings"

	"chainscope/wallet/c32"
)

// CheckContractName refuses what is no contract name: a letter, then letters,
// digits, hyphens and underscores, at most [MaxContractName] in all.
func CheckContractName(name string) error {
	if name == "" || len(name) > MaxContractName {
		return fmt.Errorf("contract name %.60q has %d characters, it must have 1 to %d", name, len(name), MaxContractName)
	}
	for i := range len(name) {
		if c := name[i]; !letter(c) && (i == 0 || !digit(c) && c != '-' && c != '_') {
			return fmt.Errorf("contract name %.60q: character %d, it must be a letter, then letters, digits, - and _", name, i+1)
		}
	}
	return nil
}

// CheckName refuses what is no Clarity name (of a function, an asset, a tuple
// key): a letter, then letters, digits and -_!?+<>=/*, or one of the operators
// - + = / * < > <= >=; at most [MaxName] bytes.
func CheckName(name string) error {
	if name == "" || len(name) > MaxName {
		return fmt.Errorf("name %.60q has %d characters, it must have 1 to %d", name, len(name), MaxName)
	}
	switch name {
	case "-", "+", "=", "/", "*", "<", ">", "<=", ">=":
		return nil
	}
	for i := range len(name) {
		if c := name[i]; !letter(c) && (i == 0 || !nameByte(c)) {
			return fmt.Errorf("name %.60q: character %d, it must be a letter, then letters, digits and -_!?+<>=/*", name, i+1)
		}
	}
	return nil
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

func nameByte(c byte) bool {
	return letter(c) || digit(c) || strings.IndexByte("-_!?+<>=/*", c) >= 0
}

// keyOrder holds the characters of names in the order of the Unicode collation
// algorithm (CLDR root), letters without their case.
const keyOrder = "_-!?*/+<=>0123456789abcdefghijklmnopqrstuvwxyz"

// keyWeights maps a character of a name to its place in that order.
var keyWeights = func() (table [256]byte) {
	for i := range len(keyOrder) {
		c := keyOrder[i]
		table[c] = byte(i + 1)
		if letter(c) {
			table[c-0x20] = table[c]
		}
	}
	return table
}()

// compareKeys orders tuple keys as the reference library does, which compares
// them as words of a language (JavaScript's localeCompare): without regard to
// case first, then small letters before capitals.
func compareKeys(a, b string) int {
	for i := range min(len(a), len(b)) {
		if c := int(keyWeights[a[i]]) - int(keyWeights[b[i]]); c != 0 {
			return c
		}
	}
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(b, a) // capitals have the smaller bytes
}

// ParsePrincipal reads an address (SP…) or a contract (SP….name).
func ParsePrincipal(text string) (Principal, error) {
	address, name, isContract := strings.Cut(text, ".")
	a, err := c32.ParseAddress(address)
	if err != nil {
		return Principal{}, err
	}
	if isContract {
		if err := CheckContractName(name); err != nil {
			return Principal{}, err
		}
	}
	return Principal{a, name}, nil
}

// ParseContract is [ParsePrincipal] that takes only contracts.
func ParseContract(text string) (Principal, error) {
	p, err := ParsePrincipal(text)
	if err == nil && p.Contract == "" {
		return Principal{}, fmt.Errorf("%q is an address, it must be a contract: ADDRESS.NAME", text)
	}
	return p, err
}

// String writes the principal without the quote of the literal.
func (v Principal) String() string {
	if v.Contract == "" {
		return v.Address.String()
	}
	return v.Address.String() + "." + v.Contract
}
