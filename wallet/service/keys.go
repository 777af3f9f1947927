package service

import (
	"cmp"
	"errors"
	"fmt"

	"chainscope/wallet/c32"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
)

// KeySource describes where the keys come from.
type KeySource string

// The sources.
const (
	TestMnemonic KeySource = "public test mnemonic"
	MnemonicFile KeySource = "mnemonic file"
	Environment  KeySource = "environment"
	ProjectFile  KeySource = "Clarinet project"
	FromKeystore KeySource = "keystore"
	WatchedOnly  KeySource = "watched address"
)

// Keys are the keys of the wallet and where they come from.
type Keys struct {
	Source KeySource
	Path   string // of the file, "" for none
	// PassphrasePath is the file of the passphrase of a mnemonic (BIP-39), "" for none.
	PassphrasePath string
	Ring           *keys.Ring // nil while a keystore is locked
	// Watched is an address in place of keys; "" for none.
	Watched string
	// Keystore holds what Unlock opens; nil for keys that cannot be locked.
	Keystore *keys.Keystore
}

// TestKeys returns those of the public test mnemonic.
func TestKeys() Keys { return Keys{Source: TestMnemonic, Ring: keys.NewTestRing()} }

// KeystoreKeys returns those of a keystore that is still locked.
func KeystoreKeys(path string) Keys {
	return Keys{Source: FromKeystore, Path: path, Keystore: &keys.Keystore{Path: path}}
}

// WatchedKeys returns no keys but an address: a page connects with it, and nothing
// can be signed. The error says what is wrong with the address.
func WatchedKeys(address string) (Keys, error) {
	a, err := c32.ParseAddress(address)
	if err != nil {
		return Keys{}, fmt.Errorf("%w; must be a Stacks address such as SP000000000000000000002Q6VF78", err)
	}
	return Keys{Source: WatchedOnly, Watched: a.String()}, nil
}

// KeyName names keys in public: where they come from, and whose they are.
type KeyName struct {
	Source         KeySource `json:"source,omitempty"`
	Path           string    `json:"path,omitempty"`
	PassphrasePath string    `json:"passphrasePath,omitempty"`
	// Fingerprint is that of the master key in hexadecimal digits, or the address that is watched; "" while
	// the keys are locked.
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Name returns the name of the keys. A ring takes some milliseconds at the first call.
func (k Keys) Name() KeyName {
	n := KeyName{k.Source, k.Path, k.PassphrasePath, k.Watched}
	if k.Ring != nil {
		n.Fingerprint = k.Ring.Fingerprint()
	}
	return n
}

// String writes the name in words.
func (n KeyName) String() string {
	words := cmp.Or(string(n.Source), "keys")
	if n.Path != "" {
		words += " " + n.Path
	}
	return words + " (" + n.Fingerprint + ")"
}

// Others reports whether the wallet has other keys now than a call had. Keys that are not known, as those
// of a locked keystore, are not others.
func (s *Service) Others(c Call) (now KeyName, others bool) {
	now = s.Keys().Name()
	return now, c.Keys.Fingerprint != "" && now.Fingerprint != "" && c.Keys.Fingerprint != now.Fingerprint
}

// locked reports whether there is neither a key nor an address.
func (k Keys) locked() bool { return k.Ring == nil && k.Watched == "" }

// ErrNoKeystore says that there is nothing to unlock.
var ErrNoKeystore = errors.New("these keys are not in a keystore")

// SetKeys changes the keys. What is being decided keeps the keys that it was
// described with.
func (s *Service) SetKeys(k Keys) {
	s.change(func() bool { s.keys = k; return true })
	s.announceAccount()
}

// Keys returns the keys and where they come from.
func (s *Service) Keys() Keys {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys
}

// Unlock opens the keystore. It takes about a second of work. With a wrong
// passphrase the error is [keys.ErrPassphrase] and nothing changes.
func (s *Service) Unlock(passphrase keys.Secret) error { return s.Open(s.Keys(), passphrase) }

// Open returns Unlock of keys that are then those of the wallet. Until they were read it keeps the
// keys that it has.
func (s *Service) Open(k Keys, passphrase keys.Secret) error {
	if k.Keystore == nil {
		return ErrNoKeystore
	}
	contents, err := k.Keystore.Open(passphrase)
	if err != nil {
		return err
	}
	if k.Ring, err = contents.Ring(); err != nil {
		return err
	}
	s.SetKeys(k)
	return nil
}

// Lock forgets the keys of a keystore until it is unlocked again.
func (s *Service) Lock() error {
	k := s.Keys()
	if k.Keystore == nil {
		return ErrNoKeystore
	}
	k.Ring = nil
	s.SetKeys(k)
	return nil
}

// Addresses returns all addresses of an account on a network; it derives keys,
// which takes some milliseconds. The error reports locked keys and unknown
// networks.
func (s *Service) Addresses(account uint32, network string) ([]signer.AddressEntry, error) {
	env := s.env()
	if env.Keys == nil && env.Persona.Watched == nil {
		return nil, errLocked
	}
	n, ok := signer.NetworkNamed(network)
	if !ok {
		return nil, checkNetwork(network)
	}
	env.Account = account
	return env.Own(n)
}

var errLocked = errors.New("the keystore is locked")

func checkNetwork(name string) error {
	if _, ok := signer.NetworkNamed(name); !ok {
		return fmt.Errorf("unknown network %q: want mainnet, testnet, devnet, mocknet or regtest", name)
	}
	return nil
}

// Networks returns the names of the networks, in the order in which they are
// offered.
func Networks() []string { return []string{"mainnet", "testnet", "devnet", "mocknet", "regtest"} }
