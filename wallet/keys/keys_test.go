package keys

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"filippo.io/age/armor"
	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/txscript/v2"

	"chainscope/wallet/c32"
	"chainscope/wallet/internal/vectors"
)

type bitcoinVector struct {
	Path, Address, PublicKey, PrivateKey, InternalKeyXOnly string
}

type vector struct {
	Seed, Mnemonic, Passphrase, MasterFingerprint string
	AccountIndex                                  uint32
	STX                                           struct {
		Path, PrivateKey, PublicKey, Hash160, Mainnet, Testnet string
	}
	BTC  map[string]map[string]map[string]bitcoinVector
	Gaia struct{ AppsKeyPath, AppsKeyHex82 string }
}

func accounts(t testing.TB) []vector { return vectors.Cases[vector](t, "accounts.json") }

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s %s, want %s", what, got, want)
	}
}

func TestEveryAccountVectorHasTheKeysOfTheReferenceLibrary(t *testing.T) {
	count := 0
	for _, c := range accounts(t) {
		count++
		t.Run(fmt.Sprintf("%s account %d", c.Seed, c.AccountIndex), func(t *testing.T) {
			ring, err := NewRing(NewSecret(c.Mnemonic), NewSecret(c.Passphrase))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "fingerprint", ring.Fingerprint(), c.MasterFingerprint)
			key, err := ring.Stacks(c.AccountIndex)
			if err != nil {
				t.Fatal(err)
			}
			public, hash := key.PublicKey(), key.Hash160()
			equal(t, "path", StacksPath(c.AccountIndex), c.STX.Path)
			equal(t, "key", hex.EncodeToString(key.Secp256k1().Serialize()), c.STX.PrivateKey)
			equal(t, "public key", hex.EncodeToString(public[:]), c.STX.PublicKey)
			equal(t, "hash160", hex.EncodeToString(hash[:]), c.STX.Hash160)
			equal(t, "mainnet", c32.Address{Version: c32.MainnetP2PKH, Hash160: hash}.String(), c.STX.Mainnet)
			equal(t, "testnet", c32.Address{Version: c32.TestnetP2PKH, Hash160: hash}.String(), c.STX.Testnet)
			for coin, network := range []string{"mainnet", "testnet"} {
				params := []*chaincfg.Params{&chaincfg.MainNetParams, &chaincfg.TestNet3Params}[coin]
				for name, purpose := range map[string]Purpose{"p2wpkh": P2WPKH, "p2tr": P2TR} {
					want := c.BTC[network]["account"][name]
					key, err := ring.Bitcoin(purpose, uint32(coin), c.AccountIndex)
					if err != nil {
						t.Fatal(err)
					}
					public := key.PublicKey()
					equal(t, "path", BitcoinPath(purpose, uint32(coin), c.AccountIndex), want.Path)
					equal(t, "key", hex.EncodeToString(key.Secp256k1().Serialize()), want.PrivateKey)
					equal(t, "public key", hex.EncodeToString(public[:]), want.PublicKey)
					equal(t, "address", bitcoinAddress(t, key, purpose, params), want.Address)
					if purpose == P2TR {
						equal(t, "x-only key", hex.EncodeToString(public[1:]), want.InternalKeyXOnly)
					}
				}
			}
			gaia, err := ring.GaiaAppsKey(c.AccountIndex)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "gaia key", gaia.Reveal(), c.Gaia.AppsKeyHex82)
		})
	}
	t.Logf("%d account vectors", count)
	if count != 10 {
		t.Errorf("%d vectors, want 10", count)
	}
}

func bitcoinAddress(t *testing.T, key *PrivateKey, p Purpose, params *chaincfg.Params) string {
	t.Helper()
	var a address.Address
	var err error
	if public := key.PublicKey(); p == P2WPKH {
		a, err = address.NewAddressWitnessPubKeyHash(address.Hash160(public[:]), params)
	} else {
		output := txscript.ComputeTaprootKeyNoScript(key.Secp256k1().PubKey())
		a, err = address.NewAddressTaproot(schnorr.SerializePubKey(output), params)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a.EncodeAddress()
}

func TestAPassphraseGivesTheSeedsOfBIP39(t *testing.T) {
	// From the test vectors published with BIP39.
	for words, want := range map[string]string{
		TestMnemonic: "xprv9s21ZrQH143K3h3fDYiay8mocZ3afhfULfb5GX8kCBdno77K4HiA15Tg23wpbeF1pLfs1c5SPmYHrEpTuuRhxMwvKDwqdKiGJS9XFKzUsAF",
		"legal winner thank year wave sausage worth useful legal winner thank yellow": "xprv9s21ZrQH143K2gA81bYFHqU68xz1cX2APaSq5tt6MFSLeXnCKV1RVUJt9FWNTbrrryem4ZckN8k4Ls1H6nwdvDTvnV7zEXs2HgPezuVccsq",
	} {
		ring, err := NewRing(NewSecret(words), NewSecret("TREZOR"))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "master key", ring.master().String(), want)
		if ring.PublicTest() {
			t.Error("with a passphrase the keys are not the public ones")
		}
	}
	if !NewTestRing().PublicTest() {
		t.Error("the test mnemonic is not known as such")
	}
}

func TestMnemonicsAreReadInAnySpacingAndCase(t *testing.T) {
	ring, err := NewRing(NewSecret("\n  "+strings.ToUpper(strings.ReplaceAll(TestMnemonic, " ", "\t "))+" \r\n"), Secret{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "fingerprint", ring.Fingerprint(), NewTestRing().Fingerprint())
}

func TestBadMnemonicsAreRefusedWithoutBeingQuoted(t *testing.T) {
	for words, want := range map[string]string{
		"":                                     "has 0 words",
		"abandon abandon":                      "has 2 words",
		strings.Repeat("abandon ", 12):         "checksum",
		strings.Repeat("abandon ", 11) + "xyz": "word 12",
	} {
		_, err := NewRing(NewSecret(words), Secret{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", words, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "abandon") || strings.Contains(err.Error(), "xyz")) {
			t.Errorf("the error quotes the mnemonic: %v", err)
		}
	}
	if _, err := NewTestRing().Stacks(MaxAccount + 1); err == nil {
		t.Error("an account number over 31 bits is taken")
	}
}

func TestNoSecretIsEverPrinted(t *testing.T) {
	ring := NewTestRing()
	key, err := ring.Stacks(0)
	if err != nil {
		t.Fatal(err)
	}
	gaia, err := ring.GaiaAppsKey(0)
	if err != nil {
		t.Fatal(err)
	}
	contents := Contents{NewSecret(TestMnemonic), NewSecret("hunter2")}
	things := []any{ring, key, gaia, contents, &contents, []Secret{gaia}, map[string]Secret{"a": gaia}, struct{ S Secret }{gaia}}
	var out bytes.Buffer
	for _, thing := range things {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T %[1]v"} {
			fmt.Fprintf(&out, verb+"\n", thing)
		}
		if text, err := json.Marshal(thing); err == nil {
			out.Write(text)
		}
		slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "thing", thing)
		slog.New(slog.NewTextHandler(&out, nil)).Info("text", "thing", thing)
		fmt.Fprintln(&out, fmt.Errorf("wrapped: %v", thing))
	}
	private := hex.EncodeToString(key.Secp256k1().Serialize())
	for name, secret := range map[string]string{"word": "abandon", "passphrase": "hunter2", "key": private, "key in capitals": strings.ToUpper(private), "gaia key": gaia.Reveal(), "in hex": hex.EncodeToString([]byte("abandon"))} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("the %s is printed", name)
		}
	}
	if !strings.Contains(out.String(), redacted) {
		t.Error("nothing says that there is a secret")
	}
}

func testStore(t *testing.T) Keystore {
	return Keystore{Path: filepath.Join(t.TempDir(), "deep", "keys.age"), WorkFactor: 4}
}

func TestAKeystoreKeepsImportsAndChangesItsPassphrase(t *testing.T) {
	store := testStore(t)
	created, err := store.Create(NewSecret("one"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(created.Mnemonic.Reveal())); n != 24 {
		t.Errorf("%d words, want 24", n)
	}
	if err := store.Import(Contents{Mnemonic: NewSecret(TestMnemonic)}, NewSecret("two")); err == nil {
		t.Error("a keystore is overwritten")
	}
	opened, err := store.Open(NewSecret("one"))
	if err != nil || !opened.Mnemonic.Equal(created.Mnemonic) {
		t.Fatalf("another mnemonic is opened, %v", err)
	}
	if _, err := store.Open(NewSecret("two")); !errors.Is(err, ErrPassphrase) {
		t.Errorf("a wrong passphrase: %v, want %v", err, ErrPassphrase)
	}
	if err := store.ChangePassphrase(NewSecret("two"), NewSecret("three")); !errors.Is(err, ErrPassphrase) {
		t.Errorf("changed with a wrong passphrase: %v", err)
	}
	if err := store.ChangePassphrase(NewSecret("one"), NewSecret("two")); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(NewSecret("one")); !errors.Is(err, ErrPassphrase) {
		t.Errorf("the old passphrase: %v", err)
	}
	if opened, err = store.Open(NewSecret("two")); err != nil || !opened.Mnemonic.Equal(created.Mnemonic) {
		t.Fatalf("another mnemonic is opened, %v", err)
	}
	info, err := os.Stat(store.Path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	left, err := os.ReadDir(filepath.Dir(store.Path))
	if err != nil || len(left) != 1 {
		t.Errorf("%v is left in the folder, %v", left, err)
	}
	text, err := os.ReadFile(store.Path)
	if err != nil || !bytes.HasPrefix(text, []byte("-----BEGIN AGE ENCRYPTED FILE-----")) {
		t.Errorf("%q, %v", text, err)
	}
}

func TestAnImportedMnemonicKeepsItsPassphrase(t *testing.T) {
	store := testStore(t)
	if err := store.Import(Contents{NewSecret(" " + TestMnemonic), NewSecret("TREZOR")}, NewSecret("p")); err != nil {
		t.Fatal(err)
	}
	contents, err := store.Open(NewSecret("p"))
	if err != nil {
		t.Fatal(err)
	}
	ring, err := contents.Ring()
	if err != nil {
		t.Fatal(err)
	}
	want, err := NewRing(NewSecret(TestMnemonic), NewSecret("TREZOR"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "fingerprint", ring.Fingerprint(), want.Fingerprint())
}

func TestAFileThatNeedsTooMuchWorkIsRefusedAtOnce(t *testing.T) {
	store := testStore(t)
	if err := store.Import(Contents{Mnemonic: NewSecret(TestMnemonic)}, NewSecret("p")); err != nil {
		t.Fatal(err)
	}
	armored, err := os.ReadFile(store.Path)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(armor.NewReader(bytes.NewReader(armored)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(store.Path, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(NewSecret("p")); err != nil {
		t.Errorf("a file that is not armored: %v", err)
	}
	costly := bytes.Replace(plain, []byte(" 4\n"), []byte(" 29\n"), 1)
	if err := os.WriteFile(store.Path, costly, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(NewSecret("p")); err == nil || !strings.Contains(err.Error(), "work factor") {
		t.Errorf("%v, want an error about the work factor", err)
	}
}

func TestDamagedAndForeignKeystoresAreRefused(t *testing.T) {
	store := testStore(t)
	if _, err := store.Open(NewSecret("p")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := store.Import(Contents{Mnemonic: NewSecret(TestMnemonic)}, Secret{}); err == nil {
		t.Error("an empty passphrase is taken")
	}
	if err := store.Import(Contents{Mnemonic: NewSecret("abandon")}, NewSecret("p")); err == nil {
		t.Error("a bad mnemonic is taken")
	}
	if err := store.Import(Contents{Mnemonic: NewSecret(TestMnemonic)}, NewSecret("p")); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(store.Path)
	if err != nil {
		t.Fatal(err)
	}
	costly := store
	costly.Path, costly.WorkFactor = filepath.Join(t.TempDir(), "x"), MaxWorkFactor+1
	if err := costly.Import(Contents{Mnemonic: NewSecret(TestMnemonic)}, NewSecret("p")); err == nil {
		t.Error("a work factor over the bound is taken")
	}
	for name, text := range map[string][]byte{
		"empty": nil, "text": []byte("hello"), "cut": good[:len(good)/2], "huge": bytes.Repeat([]byte("x"), maxKeystoreBytes+1),
	} {
		if err := os.WriteFile(store.Path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Open(NewSecret("p")); err == nil {
			t.Errorf("%s: it opens", name)
		}
	}
}

func TestAMnemonicInPlaceOfAKeystoreIsNotQuoted(t *testing.T) {
	for name, text := range map[string]string{
		"a mnemonic":                 TestMnemonic,
		"a mnemonic under a header":  "age-encryption.org/v1\n-> " + TestMnemonic + "\n",
		"a mnemonic in armor":        armor.Header + "\n" + TestMnemonic + "\n",
		"a mnemonic behind an intro": "age-encryption.org/v1\n" + TestMnemonic,
	} {
		path := filepath.Join(t.TempDir(), "words")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Keystore{Path: path}.Open(NewSecret("x"))
		if err == nil || strings.Contains(err.Error(), "abandon") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
