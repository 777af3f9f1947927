package mockserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// projectOf writes a project for the program of package enginetest.
func projectOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	harborAddress = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX"
	sbtcAddress   = "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4"
)

func publish(sender, name, path string) string {
	return fmt.Sprintf("    - {transaction-type: emulated-contract-publish, contract-name: %s, emulated-sender: %s, path: %s}\n", name, sender, path)
}

func TestRequirementsAreDeployedUnderOtherAddresses(t *testing.T) {
	alice, bob := someone("alice").address(false), someone("bob").address(false)
	plan := "genesis:\n  wallets:\n  - {name: deployer, address: " + alice + ", balance: '77000000', sbtc-balance: '5'}\nplan:\n  batches:\n  - transactions:\n"
	cfg := fakeEngine()
	cfg.Project = projectOf(t, map[string]string{
		"Clarinet.toml": "", "r.clar": "'" + harborAddress + ".r '" + harborAddress + ".r-two '" + harborAddress, "c.clar": "'" + harborAddress + ".r '" + harborAddress + ".r-two '" + harborAddress + " '" + sbtcAddress + ".sbtc-token",
		"plan.yaml": plan + publish(harborAddress, "r", "r.clar") + publish(alice, "c", "c.clar") +
			fmt.Sprintf("    - {transaction-type: emulated-contract-call, contract-id: %s.r, emulated-sender: %s, method: pay, parameters: [u9, \"'%s.r\"]}\n", harborAddress, alice, harborAddress),
		"deployments/default.devnet-plan.yaml": fmt.Sprintf("plan: {batches: [{transactions: [{requirement-publish: {contract-id: %s.r, remap-sender: %s, remap-principals: {%s: %s}}}]}]}", harborAddress, bob, harborAddress, bob),
	})
	d := newTroupe(t, cfg)
	for id, want := range map[string]string{
		bob + "/r":   fmt.Sprintf("'%s.r '%s.r-two '%s", bob, bob, bob),
		alice + "/c": fmt.Sprintf("'%s.r '%s.r-two '%s '%s.sbtc-token", bob, harborAddress, harborAddress, alice),
	} {
		d.wants(read[struct{ Source string }](t, get(d.s, "/v2/contracts/source/"+id+"?proof=0")).Source, want)
	}
	r := clarity.Principal{Address: d.who(1).Address, Contract: "r"}
	d.wants(d.balance(r), "u9")
	token := d.contract("sbtc-token")
	d.wants(d.reads("c", "holds", token, d.who(0)), "u5")
	d.wants(d.s.world.State().Ledger(token).Balance(d.who(0), stxtx.Asset{Contract: token, Name: "sbtc-token"}).String(), "5")

	var bad *ConfigError
	for name, more := range map[string]string{
		fmt.Sprintf("%s.r and %s.r would both be deployed as %s.r; give one of them another address in deployments/default.devnet-plan.yaml", bob, harborAddress, bob): publish(bob, "r", "c.clar"),
		"contracts run on testnet addresses alone": publish("SP3MDNVYN9Z9M623G9DZYRZH51NMDF18MST31V4KK", "x", "c.clar"),
	} {
		if strings.HasPrefix(name, "contracts") {
			plan = strings.Replace(plan, "{name: deployer, address: "+alice, "{name: deployer, address: SP3MDNVYN9Z9M623G9DZYRZH51NMDF18MST31V4KK", 1)
		}
		if err := os.WriteFile(filepath.Join(cfg.Project, "plan.yaml"), []byte(plan+publish(harborAddress, "r", "r.clar")+more), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := New(cfg); !errors.As(err, &bad) || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

// A requirement of mainnet whose names are all taken, that of its issuer on testnet too, gets the address of an account.
func TestARequirementWithoutAFreeNameGetsTheAddressOfAnAccount(t *testing.T) {
	alice, bob := someone("alice").address(false), someone("bob").address(false)
	issuer, err := clarity.ParsePrincipal(harborAddress)
	if err != nil {
		t.Fatal(err)
	}
	issuer.Address.Version = c32.TestnetP2PKH
	cfg := fakeEngine()
	var reported []string
	cfg.Report = func(line string) { reported = append(reported, line) }
	cfg.Project = projectOf(t, map[string]string{
		"Clarinet.toml": "", "c.clar": "(ok u1)", "r.clar": "(ok u2)",
		"plan.yaml": "genesis:\n  wallets:\n  - {name: deployer, address: " + alice + ", balance: '7'}\n  - {name: wallet_1, address: " + bob + ", balance: '7'}\nplan:\n  batches:\n  - transactions:\n" +
			publish(issuer.String(), "r", "c.clar") + publish(harborAddress, "r", "r.clar") + publish(alice, "r", "c.clar"),
	})
	newTroupe(t, cfg)
	if want := "the requirement " + harborAddress + ".r is " + bob + ".r"; !slices.Contains(reported, want) {
		t.Errorf("%q, want %s", reported, want)
	}
}

// A plan that cannot be read is said with its line, in words, and so is a call that answers an error.
func TestWhatIsWrongWithAPlanIsSaidWithItsPlace(t *testing.T) {
	alice := someone("alice").address(false)
	for plan, want := range map[string]string{
		"plan: 5\n":               "deployments/default.devnet-plan.yaml:1: a plan has batches of transactions here, and this is something else",
		"plan:\n  batches: [1,\n": "deployments/default.devnet-plan.yaml:2: ",
		"":                        "the call of no answers (err u7)",
	} {
		cfg := fakeEngine()
		cfg.Project = projectOf(t, map[string]string{
			"Clarinet.toml": "", "c.clar": "(ok u1)", "deployments/default.devnet-plan.yaml": plan,
			"plan.yaml": "genesis:\n  wallets:\n  - {name: deployer, address: " + alice + ", balance: '7'}\nplan:\n  batches:\n  - transactions:\n" + publish(alice, "c", "c.clar") +
				fmt.Sprintf("    - {transaction-type: emulated-contract-call, contract-id: %s.c, emulated-sender: %s, method: no, parameters: []}\n", alice, alice),
		})
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), ": "+want) || strings.Contains(err.Error(), "struct") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
