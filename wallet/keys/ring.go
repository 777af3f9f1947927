package keys

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/btcsuite/btcd/address/v2/base58"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/cosmos/go-bip39"
	"golang.org/x/text/unicode/norm"

	"chainscope/wallet/stxtx"
)

// MaxAccount is the greatest account number: a derivation step has 31 bits.
const MaxAccount = hdkeychain.HardenedKeyStart - 1

// Next returns the account after one, the first after the last.
func Next(account uint32) uint32 { return (account + 1) % (MaxAccount + 1) }

// maxCached bounds how many derived keys a ring remembers.
const maxCached = 4096

// Ring derives the keys of all accounts of one mnemonic. It is safe for
// concurrent use and prints as "[secret]".
type Ring struct {
	hidden
	master func() *hdkeychain.ExtendedKey
	public bool // its mnemonic is
	joined []Member

	mu    sync.Mutex
	cache map[derivation]*PrivateKey
	made  map[any]any // see Once
}

// derivation is the path of a key, as its steps.
type derivation [5]uint32

// NewRing makes a ring from an English BIP39 mnemonic and a passphrase, which
// may be empty. White space and case of the mnemonic do not matter. The error
// does not quote the mnemonic.
func NewRing(mnemonic, passphrase Secret) (*Ring, error) {
	words, err := CleanMnemonic(mnemonic)
	if err != nil {
		return nil, err
	}
	master, err := masterKey(words, passphrase)
	if err != nil {
		return nil, err
	}
	return newRing(func() *hdkeychain.ExtendedKey { return master }, isPublic(words, passphrase)), nil
}

func newRing(master func() *hdkeychain.ExtendedKey, public bool) *Ring {
	return &Ring{master: master, public: public, cache: map[derivation]*PrivateKey{}, made: map[any]any{}}
}

// Member is an account of a ring.
type Member struct {
	Ring    *Ring
	Account uint32
}

// Join returns a ring whose accounts are members, in this order, each of a mnemonic of its
// own. Beyond them it has the accounts of the first one's mnemonic. There must be a member.
func Join(members []Member) *Ring {
	r := newRing(members[0].Ring.master, false)
	r.joined = members
	return r
}

// Of returns the ring that has an account, and the number of the account there: of a ring that
// was joined, a member.
func (r *Ring) Of(account uint32) (*Ring, uint32) {
	if int64(account) < int64(len(r.joined)) {
		m := r.joined[account]
		return m.Ring, m.Account
	}
	return r, account
}

// masterKey stretches a mnemonic by 2,048 rounds (BIP39), some milliseconds.
func masterKey(words, passphrase Secret) (*hdkeychain.ExtendedKey, error) {
	seed := bip39.NewSeed(words.Reveal(), norm.NFKD.String(passphrase.Reveal()))
	master, err := hdkeychain.NewMaster(seed, &chaincfg.MainNetParams)
	if err != nil {
		return nil, errors.New("keys: this mnemonic gives no usable key, use another one")
	}
	return master, nil
}

// NewTestRing returns the ring of [TestMnemonic]. It takes no time: its master key is
// made when a key is requested first, so that who requests none does not wait.
func NewTestRing() *Ring {
	return newRing(sync.OnceValue(func() *hdkeychain.ExtendedKey {
		master, err := masterKey(NewSecret(TestMnemonic), Secret{})
		if err != nil {
			panic("keys: the test mnemonic is broken") // cannot happen: it is constant
		}
		return master
	}), true)
}

// newMnemonic makes a mnemonic of 24 words from the system's randomness.
func newMnemonic() (Secret, error) {
	entropy, err := bip39.NewEntropy(256)
	if err != nil {
		return Secret{}, errors.New("keys: the system gives no randomness")
	}
	words, err := bip39.NewMnemonic(entropy)
	if err != nil {
		return Secret{}, errors.New("keys: no mnemonic could be made")
	}
	return NewSecret(words), nil
}

// KnownWord reports whether a word, in small letters, is of the list of which mnemonics are
// made.
func KnownWord(word string) bool {
	_, known := bip39.ReverseWordMap[word]
	return known
}

// CleanMnemonic converts a mnemonic to its one form (small letters, single
// spaces) and checks words and checksum. The error says which word is wrong by
// its number.
func CleanMnemonic(mnemonic Secret) (Secret, error) {
	words := strings.Fields(strings.ToLower(norm.NFKD.String(mnemonic.Reveal())))
	switch len(words) {
	case 12, 15, 18, 21, 24:
	default:
		return Secret{}, fmt.Errorf("keys: the mnemonic has %d words, it must have 12, 15, 18, 21 or 24", len(words))
	}
	for i, word := range words {
		if !KnownWord(word) {
			return Secret{}, fmt.Errorf("keys: word %d of the mnemonic is not of the English BIP39 list", i+1)
		}
	}
	text := strings.Join(words, " ")
	if _, err := bip39.MnemonicToByteArray(text); err != nil {
		return Secret{}, errors.New("keys: the checksum of the mnemonic does not fit: a word is wrong or misplaced")
	}
	return NewSecret(text), nil
}

// Fingerprint names the master key: the first four bytes of the hash160 of its
// public key, in hexadecimal digits.
func (r *Ring) Fingerprint() string {
	public, err := r.master().ECPubKey()
	if err != nil {
		return ""
	}
	hash := stxtx.Hash160(public.SerializeCompressed())
	return hex.EncodeToString(hash[:4])
}

// hardened marks a step of a path.
const hardened = hdkeychain.HardenedKeyStart

// path writes steps as m/44'/0.
func path(steps ...uint32) string {
	var text strings.Builder
	text.WriteByte('m')
	for _, step := range steps {
		fmt.Fprintf(&text, "/%d", step&^hardened)
		if step >= hardened {
			text.WriteByte('\'')
		}
	}
	return text.String()
}

func (r *Ring) extended(steps []uint32) (*hdkeychain.ExtendedKey, error) {
	key := r.master()
	for _, step := range steps {
		child, err := key.Derive(step)
		if err != nil {
			return nil, fmt.Errorf("keys: %s has no key", path(steps...))
		}
		key = child
	}
	return key, nil
}

func (r *Ring) derive(steps derivation) (*PrivateKey, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if key, there := r.cache[steps]; there {
		return key, nil
	}
	extended, err := r.extended(steps[:])
	if err != nil {
		return nil, err
	}
	private, err := extended.ECPrivKey()
	if err != nil {
		return nil, fmt.Errorf("keys: %s has no key", path(steps[:]...))
	}
	if len(r.cache) >= maxCached {
		clear(r.cache)
	}
	key := newPrivateKey(private)
	r.cache[steps] = key
	return key, nil
}

// Once returns what was made of the ring's keys when the name was requested
// first: addresses, which take longer to make than a signature. What is made
// must never change and lives as long as the ring. The name is of a type of the
// caller's own, as the keys of a context are.
func Once[T any](r *Ring, name any, produce func() (T, error)) (T, error) {
	r.mu.Lock()
	known, there := r.made[name].(T)
	r.mu.Unlock()
	if there {
		return known, nil
	}
	// Made without the lock, as produce asks the ring for keys: two callers at
	// once may both make it.
	made, err := produce()
	if err != nil {
		return made, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.made) >= maxCached {
		clear(r.made)
	}
	r.made[name] = made
	return made, nil
}

func checkAccount(account uint32) error {
	if account > MaxAccount {
		return fmt.Errorf("keys: account %d, it must be 0 to %d", account, uint32(MaxAccount))
	}
	return nil
}

func stacksSteps(account uint32) derivation {
	return derivation{hardened + 44, hardened + 5757, hardened, 0, account}
}

// StacksPath returns the path of an account's Stacks key, m/44'/5757'/0'/0/account.
func StacksPath(account uint32) string {
	steps := stacksSteps(account)
	return path(steps[:]...)
}

// Stacks returns the Stacks key of an account, which counts from 0.
func (r *Ring) Stacks(account uint32) (*PrivateKey, error) {
	if err := checkAccount(account); err != nil {
		return nil, err
	}
	r, account = r.Of(account)
	return r.derive(stacksSteps(account))
}

// Purpose is the first step of a Bitcoin path.
type Purpose uint32

// The purposes.
const (
	P2WPKH Purpose = 84 // BIP84
	P2TR   Purpose = 86 // BIP86
)

func bitcoinSteps(p Purpose, coin, account uint32) derivation {
	return derivation{hardened + uint32(p), hardened + coin, hardened + account, 0, 0}
}

// BitcoinPath returns m/purpose'/coin'/account'/0/0; the coin is 0 on the main
// network, 1 on any other.
func BitcoinPath(p Purpose, coin, account uint32) string {
	steps := bitcoinSteps(p, coin, account)
	return path(steps[:]...)
}

// Bitcoin returns a Bitcoin key of an account.
func (r *Ring) Bitcoin(p Purpose, coin, account uint32) (*PrivateKey, error) {
	if err := checkAccount(account); err != nil {
		return nil, err
	}
	if coin > 1 {
		return nil, fmt.Errorf("keys: coin type %d, it must be 0 or 1", coin)
	}
	r, account = r.Of(account)
	return r.derive(bitcoinSteps(p, coin, account))
}

func gaiaSteps(account uint32) []uint32 {
	return []uint32{hardened + 888, hardened, hardened + account, hardened}
}

// GaiaAppsKey returns what wallets answer as gaiaAppKey: the extended private
// key of m/888'/0'/account'/0', base58 decoded (78 bytes and a checksum of 4), in hexadecimal
// digits.
func (r *Ring) GaiaAppsKey(account uint32) (Secret, error) {
	if err := checkAccount(account); err != nil {
		return Secret{}, err
	}
	r, account = r.Of(account)
	key, err := r.extended(gaiaSteps(account))
	if err != nil {
		return Secret{}, err
	}
	return NewSecret(hex.EncodeToString(base58.Decode(key.String()))), nil
}
