package bitcoin

import (
	"fmt"

	"github.com/btcsuite/btcd/chaincfg/v2"
)

// Network is one of the Bitcoin networks.
type Network struct {
	Name   string // mainnet, testnet, testnet4, signet or regtest
	params *chaincfg.Params
}

// The networks.
var (
	Mainnet = Network{"mainnet", &chaincfg.MainNetParams}
	Testnet = Network{"testnet", &chaincfg.TestNet3Params}
	Regtest = Network{"regtest", &chaincfg.RegressionNetParams}
	// Testnet4 and Signet have the addresses of Testnet.
	Testnet4 = Network{"testnet4", &chaincfg.TestNet3Params}
	Signet   = Network{"signet", &chaincfg.SigNetParams}
)

// NetworkNamed returns the Bitcoin network beneath a Stacks network: mainnet,
// testnet, regtest, testnet4, signet; devnet and mocknet use testnet's
// addresses, as their Stacks addresses do, the two of sBTC on regtest.
func NetworkNamed(name string) (Network, error) {
	switch name {
	case "mainnet":
		return Mainnet, nil
	case "testnet", "devnet", "mocknet":
		return Testnet, nil
	case "regtest", "sbtcTestnet", "sbtcDevenv":
		return Regtest, nil
	case "testnet4":
		return Testnet4, nil
	case "signet":
		return Signet, nil
	}
	return Network{}, fmt.Errorf("unknown network %q: must be mainnet, testnet, testnet4, signet, devnet, mocknet or regtest", name)
}

// CoinType returns the coin type of the network's derivation paths (BIP44): 0 for
// mainnet, 1 for every other.
func (n Network) CoinType() uint32 {
	if n.Name == "mainnet" {
		return 0
	}
	return 1
}
