package decoded

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"chainscope/tui/approval/words"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/c32"
)

// Address is an address with its twins: those of the same key or script on the other networks.
type Address struct {
	Address string `json:"address"`
	Chain   string `json:"chain"`   // stacks or bitcoin
	Network string `json:"network"` // mainnet, testnet or regtest
	Of      string `json:"of"`      // what it pays to: a key, or a script of keys
	Hash160 string `json:"hash160,omitempty"`
	// Twins are the addresses of the same hash, by network.
	Twins []Twin `json:"twins"`
}

// Twin is an address of the same key or script.
type Twin struct {
	Chain   string `json:"chain"`
	Network string `json:"network"`
	Address string `json:"address"`
}

const (
	ofKey    = "a key"
	ofScript = "a script, such as that of several keys"
)

func address(input []byte, _ Options) (Reading, error) {
	a, err := ParseAddress(string(input))
	if err != nil {
		return Reading{}, err
	}
	rows := []words.Row{{Label: "address", Value: a.Address}, {Label: "chain", Value: a.Chain + " " + a.Network}, {Label: "of", Value: a.Of}}
	if a.Hash160 != "" {
		rows = append(rows, words.Row{Label: "hash160", Value: "0x" + a.Hash160})
	}
	sections := []words.Section{{Title: strings.ToUpper(a.Chain[:1]) + a.Chain[1:] + " address", Rows: rows}}
	twins := words.Section{Title: "The same on other networks"}
	for _, t := range a.Twins {
		twins.Rows = append(twins.Rows, words.Row{Label: t.Chain + " " + t.Network, Value: t.Address})
	}
	if len(twins.Rows) > 0 {
		sections = append(sections, twins)
	}
	return Reading{Value: a, Sections: sections}, nil
}

// ParseAddress reads an address of Stacks (SIP-005) or of Bitcoin, with its twins.
func ParseAddress(input string) (Address, error) {
	stacks, err := c32.ParseAddress(input)
	if err == nil {
		return stacksAddress(input, stacks)
	}
	for _, n := range []bitcoin.Network{bitcoin.Mainnet, bitcoin.Testnet, bitcoin.Regtest} {
		if script, wrong := n.ScriptOf(input); wrong == nil {
			return bitcoinAddress(input, n, script), nil
		}
	}
	if !strings.HasPrefix(input, "S") {
		err = errors.New("it is neither an address of Stacks, as in SP… or ST…, nor one of Bitcoin")
	}
	return Address{}, err
}

func stacksAddress(input string, of c32.Address) (Address, error) {
	a := Address{Address: of.String(), Chain: "stacks", Network: "testnet", Of: ofKey}
	if !of.Mainnet() && !of.Testnet() {
		return a, errors.New("its version is of no network: an address begins with SP, SM, ST or SN")
	}
	if of.Mainnet() {
		a.Network = "mainnet"
	}
	key := of.Version == c32.MainnetP2PKH || of.Version == c32.TestnetP2PKH
	if !key {
		a.Of = ofScript
	}
	a.twinsOf(of.Hash160, key)
	return a, nil
}

func bitcoinAddress(input string, n bitcoin.Network, script []byte) Address {
	a := Address{Address: input, Chain: "bitcoin", Network: n.Name}
	switch bitcoin.TypeOf(script) {
	case bitcoin.P2PKH:
		a.Of = ofKey
		a.twinsOf([20]byte(script[3:23]), true)
	case bitcoin.P2SH:
		a.Of = ofScript
		a.twinsOf([20]byte(script[2:22]), false)
	case bitcoin.P2WPKH:
		a.Of = ofKey + ", in a witness (P2WPKH)"
		a.twinsOf([20]byte(script[2:22]), true)
	case bitcoin.P2WSH:
		a.Of = "a script, in a witness (P2WSH)"
	case bitcoin.P2TR:
		a.Of = "a key or scripts (P2TR)"
	}
	if a.Twins == nil {
		a.Twins = []Twin{}
	}
	return a
}

// twinsOf names the addresses of a hash, but the one that was given.
func (a *Address) twinsOf(hash [20]byte, key bool) {
	a.Hash160 = hex.EncodeToString(hash[:])
	script, versions := slices.Concat([]byte{0xa9, 0x14}, hash[:], []byte{0x87}), []byte{c32.MainnetP2SH, c32.TestnetP2SH}
	if key {
		script, versions = slices.Concat([]byte{0x76, 0xa9, 0x14}, hash[:], []byte{0x88, 0xac}), []byte{c32.MainnetP2PKH, c32.TestnetP2PKH}
	}
	all := []Twin{
		{"stacks", "mainnet", c32.Address{Version: versions[0], Hash160: hash}.String()},
		{"stacks", "testnet", c32.Address{Version: versions[1], Hash160: hash}.String()},
		{"bitcoin", "mainnet", bitcoin.Mainnet.AddressOf(script)},
		{"bitcoin", "testnet", bitcoin.Testnet.AddressOf(script)},
	}
	a.Twins = slices.DeleteFunc(all, func(t Twin) bool { return t.Address == a.Address })
}
