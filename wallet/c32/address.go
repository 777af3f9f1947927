package c32

import "fmt"

// Versions of addresses (SIP-005).
const (
	MainnetP2PKH byte = 22 // SP
	MainnetP2SH  byte = 20 // SM
	TestnetP2PKH byte = 26 // ST
	TestnetP2SH  byte = 21 // SN
)

// Address is a Stacks address: a version and the hash160 of a key or script.
type Address struct {
	Version byte // 0 to 31
	Hash160 [20]byte
}

// ParseAddress reads an address such as SP000000000000000000002Q6VF78. The
// first letter is a capital S; the rest is read as [decode] reads it.
func ParseAddress(text string) (Address, error) {
	if len(text) < 2 || text[0] != 'S' {
		return Address{}, fmt.Errorf("address %s: it must begin with S and a version character, as in SP… or ST…", quote(text))
	}
	version, data, err := checkDecode(text[1:])
	if err != nil {
		return Address{}, fmt.Errorf("address %s: %w", quote(text), err)
	}
	if len(data) != 20 {
		return Address{}, fmt.Errorf("address %s: it holds %d bytes, it must hold 20", quote(text), len(data))
	}
	return Address{version, [20]byte(data)}, nil
}

// quote shortens a text for an error.
func quote(text string) string {
	if len(text) > 64 {
		return fmt.Sprintf("%.64q…", text)
	}
	return fmt.Sprintf("%q", text)
}

// String writes the address, capital letters throughout. A version above 31
// has no text and gives "".
func (a Address) String() string {
	text, err := checkEncode(a.Version, a.Hash160[:])
	if err != nil {
		return ""
	}
	return "S" + text
}

// Mainnet reports whether the version is one of the main network.
func (a Address) Mainnet() bool { return a.Version == MainnetP2PKH || a.Version == MainnetP2SH }

// Testnet reports whether the version is one of the test networks.
func (a Address) Testnet() bool { return a.Version == TestnetP2PKH || a.Version == TestnetP2SH }
