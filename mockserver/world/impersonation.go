package world

import (
	"fmt"
	"slices"

	"chainscope/wallet/c32"
)

// Everyone in place of an address lets every sender be impersonated.
const Everyone = "all"

// maxImpersonated bounds how many addresses a world impersonates one by one.
const maxImpersonated = 10_000

// impersonated holds whose signatures are not checked. It never changes.
type impersonated struct {
	everyone  bool
	addresses []string // sorted
}

// has reports whether a transaction of an address needs no signature of its own.
func (i impersonated) has(a c32.Address) bool {
	if i.everyone {
		return true
	}
	_, found := slices.BinarySearch(i.addresses, a.String())
	return found
}

// Impersonated returns the addresses whose signatures are not checked, in order; only Everyone
// where none is.
func (s State) Impersonated() []string {
	if s.impersonated.everyone {
		return []string{Everyone}
	}
	return append([]string{}, s.impersonated.addresses...)
}

// CheckImpersonated returns what is wrong with an address that is to be impersonated.
func CheckImpersonated(address string) error {
	a, err := c32.ParseAddress(address)
	switch {
	case address == Everyone:
		return nil
	case err != nil:
		return fmt.Errorf("%.80q is no address: %w; give one such as SP000000000000000000002Q6VF78, or %q", address, err, Everyone)
	case !a.Mainnet() && !a.Testnet():
		return fmt.Errorf("%s is an address of neither mainnet nor testnet", a)
	}
	return nil
}

// with returns the addresses with others.
func (i impersonated) with(addresses []string) impersonated {
	out := impersonated{i.everyone || slices.Contains(addresses, Everyone), append(slices.Clone(i.addresses), addresses...)}
	out.addresses = slices.DeleteFunc(out.addresses, func(a string) bool { return a == Everyone })
	slices.Sort(out.addresses)
	out.addresses = slices.Compact(out.addresses)
	return out
}

// without returns the addresses without some.
func (i impersonated) without(addresses []string) impersonated {
	gone := func(a string) bool { return slices.Contains(addresses, a) }
	return impersonated{i.everyone && !gone(Everyone), slices.DeleteFunc(slices.Clone(i.addresses), gone)}
}

// impersonationBody is the body of a command. Without addresses, End means all of them.
type impersonationBody struct {
	Addresses []string `json:"addresses"`
	End       bool     `json:"end,omitempty"` // in a state file
}

func (w *World) doImpersonate(b impersonationBody, again bool) (d Done, err error) {
	switch {
	case b.End && again:
		d.State, err = w.EndImpersonations(b.Addresses)
	case b.End:
		err = &BodyError{"end", "belongs to a state file; DELETE ends an impersonation"}
	case len(b.Addresses) == 0:
		err = &BodyError{"addresses", `must be a list of addresses, such as ["SP000000000000000000002Q6VF78"], or ["all"]`}
	default:
		d.State, err = w.Impersonate(b.Addresses)
	}
	return d, err
}

// Impersonate takes transactions of some addresses from now on whoever signed them.
func (w *World) Impersonate(addresses []string) (State, error) {
	return w.impersonate(impersonationBody{Addresses: addresses}, impersonated.with)
}

// EndImpersonations requires the signatures of some addresses again, of all if none is named.
func (w *World) EndImpersonations(addresses []string) (State, error) {
	return w.impersonate(impersonationBody{addresses, true}, func(i impersonated, gone []string) impersonated {
		if len(gone) == 0 {
			return impersonated{}
		}
		return i.without(gone)
	})
}

func (w *World) impersonate(b impersonationBody, to func(impersonated, []string) impersonated) (State, error) {
	for i, a := range b.Addresses {
		if err := CheckImpersonated(a); err != nil {
			return State{}, &BodyError{fmt.Sprintf("addresses/%d", i), err.Error()}
		}
	}
	return w.change(Impersonations, b, func(c *content, _ moment) error {
		next := to(c.impersonated, b.Addresses)
		if len(next.addresses) > maxImpersonated {
			return &BodyError{"addresses", fmt.Sprintf("would be %d in all, at most %d are; %q means every sender", len(next.addresses), maxImpersonated, Everyone)}
		}
		c.impersonated = next
		return nil
	})
}
