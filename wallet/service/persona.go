package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chainscope/wallet/c32"
	"chainscope/wallet/keys"
	"chainscope/wallet/node"
	"chainscope/wallet/signer"
)

// Persona is the simulated user of the wallet.
type Persona string

// The personas.
const (
	Rich         Persona = "rich"          // plenty of STX and bitcoin, as every account of a mock
	Empty        Persona = "empty"         // no STX and no bitcoin
	NoBitcoin    Persona = "no-bitcoin"    // no Bitcoin addresses at all
	ManyAccounts Persona = "many-accounts" // gives out the addresses of several accounts
	LockedWallet Persona = "locked"        // answers that it is locked
)

// manyAccounts is the number of accounts that [ManyAccounts] gives out.
const manyAccounts = 10

// Personas returns all of them, in the order in which they are offered.
func Personas() []Persona { return []Persona{Rich, Empty, NoBitcoin, ManyAccounts, LockedWallet} }

// About says in words what a persona is.
func (p Persona) About() string {
	return map[Persona]string{
		Rich: "plenty of STX and bitcoin", Empty: "no STX and no bitcoin", NoBitcoin: "no Bitcoin addresses",
		ManyAccounts: fmt.Sprintf("gives out %d accounts", manyAccounts), LockedWallet: "answers that it is locked",
	}[p]
}

// ParsePersona reads a name; "" is [Rich].
func ParsePersona(name string) (Persona, error) {
	var names []string
	for _, p := range Personas() {
		if name == string(p) {
			return p, nil
		}
		names = append(names, string(p))
	}
	if name == "" {
		return Rich, nil
	}
	return "", fmt.Errorf("unknown persona %.40q: must be one of %s", name, strings.Join(names, ", "))
}

// Next returns the persona after p, the first after the last.
func (p Persona) Next() Persona {
	all := Personas()
	return all[(slices.Index(all, p)+1)%len(all)]
}

// emptyAccounts is the first account of [Empty]. A balance in the ledger of a mock outlives
// the persona, and others may use the same accounts: it has its own, one for each account.
const emptyAccounts = 1_000_000

// active returns the account that signs. It is called with s.mu held.
func (s *Service) active() uint32 {
	if s.persona == Empty && s.account <= keys.MaxAccount-emptyAccounts {
		return emptyAccounts + s.account
	}
	return s.account
}

// Chosen returns the account that a user has chosen where the persona signs as another.
func (p Persona) Chosen(signs uint32) uint32 {
	if p == Empty && signs >= emptyAccounts {
		return signs - emptyAccounts
	}
	return signs
}

// SetPersona changes the simulated user. [Empty] has accounts of its own, without STX on a
// mock. Pages that listen get an event: the account is another.
func (s *Service) SetPersona(ctx context.Context, p Persona) error {
	if _, err := ParsePersona(string(p)); err != nil || p == "" {
		return fmt.Errorf("unknown persona %.40q", p)
	}
	s.change(func() bool { s.persona = p; return true })
	s.announceAccount()
	return s.Fund(ctx)
}

// Fund leaves the account of [Empty] without STX on a mock, on all networks; it changes no
// other account. Where there is no mock, nobody has a balance, and nothing is wrong.
func (s *Service) Fund(ctx context.Context) error {
	env := s.env()
	if s.State().Persona != Empty || s.options.Node == nil || env.Keys == nil {
		return nil
	}
	for _, network := range []string{"mainnet", "testnet"} {
		n, _ := signer.NetworkNamed(network)
		address, err := env.StacksAddress(n)
		if err != nil {
			return err
		}
		err = s.options.Node.SetBalance(ctx, address, 0)
		if _, is := errors.AsType[*node.NotSentError](err); is {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// PersonaOf returns what the signer makes of a persona and of a watched address.
func (k Keys) PersonaOf(p Persona) signer.Persona {
	out := signer.Persona{NoCoins: p == Empty, NoBitcoin: p == NoBitcoin}
	if p == ManyAccounts {
		out.Accounts = manyAccounts
	}
	if k.Ring == nil && k.Watched != "" {
		if a, err := c32.ParseAddress(k.Watched); err == nil {
			out.Watched = &a
		}
	}
	return out
}
