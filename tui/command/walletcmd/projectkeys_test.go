package walletcmd

import (
	"strings"
	"testing"

	"chainscope/wallet/c32"
)

// The mnemonics that Clarinet writes into every new project; they are public.
const (
	clarinetDeployer = "twice kind fence tip hidden tilt action fragile skin nothing glory cousin green tomorrow spring wrist shed math olympic multiply hip blue scout claw"
	clarinetWallet1  = "sell invite acquire kitten bamboo drastic jelly vivid peace spawn twice guilt pave pen trash pretty park cube fragile unaware remain midnight betray rebuild"
	clarinetWallet2  = "hold excess usual excess ring elephant install account glad dry fragile donkey gaze humble truck breeze nation gasp vacuum limb head keep delay hospital"
)

// The wallet has the accounts of a project: the deployer first, wallets by their numbers.
func TestTheAccountsOfAProjectAreThoseOfTheWallet(t *testing.T) {
	settings := "[accounts.wallet_10]\nmnemonic = \"" + clarinetWallet1 + "\"\nderivation = \"m/44'/5757'/0'/0/1\"\n" +
		"[accounts.wallet_2]\nmnemonic = \"" + clarinetWallet2 + "\"\nbalance = 1_000\n" +
		"[accounts.wallet_1]\nmnemonic = \"" + clarinetWallet1 + "\"\n" +
		"[accounts.bank]\nmnemonic = \"" + clarinetDeployer + "\"\n" +
		"[accounts.deployer]\nmnemonic = \"" + clarinetDeployer + "\"\n[devnet]\nepoch_3_3 = 108\n"
	ring, err := settingsRing([]byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM", "ST1SJ3DTE5DN7X54YDH5D64R3BCB6A2AG2ZQ8YPD5",
		"ST2CY5V39NHDPWSXMW9QDT3HC3GD6Q6XX4CFRK9AG", "", "ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM",
	} {
		key, err := ring.Stacks(uint32(i))
		if err != nil {
			t.Fatal(err)
		}
		got := c32.Address{Version: c32.TestnetP2PKH, Hash160: key.Hash160()}.String()
		if want == "" {
			of, account := ring.Of(uint32(i))
			if account != 1 || of.Fingerprint() == ring.Fingerprint() {
				t.Errorf("account %d is account %d of %s", i, account, of.Fingerprint())
			}
			continue
		}
		if got != want {
			t.Errorf("account %d is %s, want %s", i, got, want)
		}
	}
	if !ring.PublicTest() {
		t.Error("keys that every new project has are taken for one's own")
	}
	own, err := settingsRing([]byte(strings.Replace(settings, clarinetWallet2, "legal winner thank year wave sausage worth useful legal winner thank yellow", 1)))
	if err != nil || own.PublicTest() {
		t.Errorf("a project with one account of its own: public %v, %v", own.PublicTest(), err)
	}
	if _, err := ring.Stacks(5); err != nil {
		t.Errorf("an account that the project does not have: %v", err)
	}
}

func TestSettingsThatCannotBeReadAreNotQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"[accounts.deployer]\nmnemonic = \"" + clarinetDeployer:                       "line 2, column",
		"[network]\nname = \"devnet\"\n":                                              "it has no accounts",
		"[accounts.a]\nmnemonic = \"" + clarinetDeployer + " twice\"\n":               `the account "a": keys: the mnemonic has 25 words`,
		"[accounts.a]\nmnemonic = \"" + clarinetDeployer + "\"\nderivation = \"m/1\"": `the derivation "m/1" is not m/44'/5757'/0'/0/N`,
	} {
		_, err := settingsRing([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "fence") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
