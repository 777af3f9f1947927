package tokens

import "math/big"

// Contract holds what a contract of the catalogue is to those who call it.
type Contract struct {
	Principal string
	Asset     string // its name in the source
	Fungible  bool
	// Name, Symbol and URI are those of a fungible token, Name of a non-fungible one that of
	// the contract; "" where there is none.
	Name, Symbol, URI string
	Decimals          int
	Supply            *big.Int // in the smallest unit, 0 where it is not known
	IDs               []uint64 // of non-fungible tokens
}

func (of *contract) toCall() Contract {
	c := Contract{Principal: of.principal, Asset: of.asset, Fungible: of.standard == sip010, Supply: new(big.Int)}
	for _, t := range of.tokens {
		if !c.Fungible {
			c.IDs = append(c.IDs, t.id)
			continue
		}
		c.Name, c.Symbol, c.URI = t.name, t.symbol, t.uri
		if t.decimals != nil {
			c.Decimals = *t.decimals
		}
		if n, ok := new(big.Int).SetString(t.supply, 10); ok && n.Sign() > 0 && n.BitLen() <= 128 {
			c.Supply = n
		}
	}
	return c
}
