//go:build clarity

package mockserver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/history"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Requirements are deployed under the addresses that the devnet plan names, or by the deployer,
// and all that names them names them there; accounts have the sBTC of the settings.
func TestTheVirtualMachineRunsRequirementsUnderOtherAddresses(t *testing.T) {
	cfg := realEngine()
	cfg.Project = "testdata/remapped"
	var reported []string
	cfg.Report = func(line string) { reported = append(reported, line) }
	before := listed(t, cfg.Project)
	d := newTroupe(t, cfg)
	const keeper, first = "ST2CY5V39NHDPWSXMW9QDT3HC3GD6Q6XX4CFRK9AG", "ST1SJ3DTE5DN7X54YDH5D64R3BCB6A2AG2ZQ8YPD5"
	deployer := history.Accounts(false)[0]
	of := func(name string) clarity.Principal { return idOf(t, deployer.String()+"."+name) }
	scale, token := idOf(t, first+".scale"), of("sbtc-token")
	d.wants(d.readsOf(scale, "issuer"), "'"+first)
	d.wants(d.readsOf(scale, "keeper"), "'"+keeper)
	asset := stxtx.Asset{Contract: token, Name: "sbtc-token"}
	has := func(who clarity.Principal, n string) {
		t.Helper()
		d.wants(d.readsOf(token, "get-balance", who), "(ok u"+n+")")
		d.wants(d.s.world.State().Ledger(who).Balance(who, asset).String(), n)
	}
	has(deployer, "700")
	has(idOf(t, first), "40")
	d.wants(d.readsOf(token, "get-total-supply"), "(ok u740)")
	source := get(d.s, "/v2/contracts/source/"+deployer.String()+"/quay?proof=0").Body.String()
	for _, id := range []clarity.Principal{scale, token} {
		if !strings.Contains(source, "'"+id.String()+" ") {
			t.Errorf("the source does not name %s: %s", id, source)
		}
	}
	// Somebody who is no account of the project gets and pays sBTC.
	d.control("accounts", `{"address":"`+d.who(0).String()+`","tokens":{"`+asset.String()+`":"90"}}`)
	land := func(n uint64) string {
		return d.send(0, stxtx.ContractCall{Contract: of("quay"), Function: "land", Args: []clarity.Value{clarity.NewUInt(n)}})
	}
	d.does(land(30), "(ok u60)")
	has(d.who(0), "60")
	has(idOf(t, keeper), "30")
	for n, want := range map[uint64]string{100: "(err u21)", 70: "(err u1)"} {
		id := land(n)
		mine(t, d.s, 1)
		d.wants(d.ended(id).Result.Repr, want)
	}
	d.does(d.send(0, stxtx.ContractCall{Contract: token, Function: "transfer", Args: []clarity.Value{clarity.NewUInt(7), d.who(0), d.who(1), clarity.None{}}}), "(ok true)")
	has(d.who(1), "7")
	d.control("reset", "{}")
	has(d.who(1), "0")
	has(deployer, "700")
	if all := strings.Join(reported, "\n"); !strings.Contains(all, "the requirement SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.scale is "+scale.String()) {
		t.Errorf("it is reported as %s", all)
	}
	if after := listed(t, cfg.Project); after != before {
		t.Errorf("the project has %s, and had %s", after, before)
	}
}

// What is deployed already, sBTC and the standard traits need no cache, on either network; a requirement
// that has the name of another contract gets its issuer's address on testnet.
func TestTheVirtualMachineRunsAProjectWithoutACache(t *testing.T) {
	const issuer = "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-trait-ft-standard"
	dir := t.TempDir()
	manifest := "[project]\nname = \"x\"\n"
	for _, id := range []string{"ST1NXBK3K5YYMD6FD41MVNP3JS1GABZ8TRVX023PT.nft-trait", issuer, "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token", "ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT.sbtc-token"} {
		manifest += "[[project.requirements]]\ncontract_id = \"" + id + "\"\n"
	}
	for name, text := range map[string]string{
		"sip-010-trait-ft-standard": "(define-read-only (own) true)",
		"c":                         "(use-trait n 'ST1NXBK3K5YYMD6FD41MVNP3JS1GABZ8TRVX023PT.nft-trait.nft-trait)\n(use-trait f '" + issuer + ".sip-010-trait)\n(define-read-only (both) (+ (unwrap-panic (contract-call? 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token get-decimals)) (unwrap-panic (contract-call? 'ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT.sbtc-token get-decimals))))",
	} {
		manifest += "[contracts." + name + "]\npath = \"" + name + ".clar\"\nclarity_version = 6\nepoch = \"latest\"\n"
		writeFile(t, filepath.Join(dir, name+".clar"), text)
	}
	writeFile(t, filepath.Join(dir, "Clarinet.toml"), manifest)
	settings, err := os.ReadFile("testdata/project/settings/Devnet.toml")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "settings", "Devnet.toml"), string(settings))
	cfg := realEngine()
	cfg.Project = dir
	var reported []string
	cfg.Report = func(line string) { reported = append(reported, line) }
	d := newTroupe(t, cfg)
	if all := strings.Join(reported, "\n"); !strings.Contains(all, issuer+" is ST3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8") {
		t.Errorf("the trait of the other issuer: %s", all)
	}
	for _, line := range reported {
		if all, ok := strings.CutPrefix(line, "the project has deployed "); ok {
			last := all[strings.LastIndex(all, " ")+1:]
			address, _, _ := strings.Cut(last, ".")
			d.wants(d.readsOf(idOf(t, address+".c"), "both"), "u16")
		}
	}
}

// projectWith returns a project of one contract.
func projectWith(t *testing.T, manifest, source string) string {
	t.Helper()
	settings, err := os.ReadFile("testdata/project/settings/Devnet.toml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "settings", "Devnet.toml"), string(settings))
	writeFile(t, filepath.Join(dir, "Clarinet.toml"), "[project]\nname = \"x\"\n[contracts.c]\npath = \"c.clar\"\n"+manifest)
	writeFile(t, filepath.Join(dir, "c.clar"), source)
	return dir
}

// What the virtual machine refuses, wherever it does, is said with its file, line and contract.
func TestTheVirtualMachineSaysWhereAProjectFails(t *testing.T) {
	for source, want := range map[string]string{
		"\n(define-read-only (f) (at-block 0x00 u1))":                                                 "c.clar:2:24: the contract c: (at-block ...) is not available in this epoch; at-block ended with epoch 3.3: a mock with --epoch 3.3 has it",
		"\n(define-constant slice? u1)":                                                               "c.clar:2:18: the contract c: defining 'slice?' conflicts with previous value",
		"(define-constant a u0)\n (define-constant b (/ u1 a))":                                       "c.clar:2:2: the contract c: DivisionByZero outside of any function, something was divided by zero",
		"(define-private (a) (b))\n(define-private (b) (a))":                                          "c.clar:1:18: the contract c: the functions a, b call each other, which no function may",
		"\n" + strings.Repeat("(+ ", 80) + "1" + strings.Repeat(" 1)", 80):                            "c.clar:2:",
		"(define-read-only (f)\n (contract-call? 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.gone g))": "c.clar:2:3: the contract c: use of unresolved contract 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.gone'; make it one of [[project.requirements]] in Clarinet.toml",
	} {
		cfg := realEngine()
		cfg.Project = projectWith(t, "clarity_version = 2\nepoch = \"3.0\"\n", source)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), ": "+want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A contract without a path is left out, one whose last expression is an error is deployed, and burn blocks of few
// blocks have room for what is deployed anyway.
func TestTheVirtualMachineStartsWhatClarinetStarts(t *testing.T) {
	cfg := realEngine()
	cfg.BlockInterval, cfg.BurnInterval = 3*time.Minute, 10*time.Minute
	cfg.Project = projectWith(t, "[contracts.d]\nepoch = \"latest\"\n", "(define-read-only (f) u7)\n(if true (err u1) (ok u1))")
	var reported []string
	cfg.Report = func(line string) { reported = append(reported, line) }
	d := newTroupe(t, cfg)
	if want := "Clarinet.toml:5: the contract d has no path and is left out"; !slices.Contains(reported, want) {
		t.Errorf("%q, want %s", reported, want)
	}
	c := idOf(t, history.Accounts(false)[0].String()+".c")
	d.wants(d.readsOf(c, "f"), "u7")
	id := read[struct {
		TxID string `json:"tx_id"`
	}](t, get(d.s, "/extended/v1/contract/"+c.String())).TxID
	d.wants(d.ended(strings.TrimPrefix(id, "0x")).Result.Repr, "(ok true)")
}

// The network's own contracts answer what they answer to a contract that calls them.
func TestTheNetworksOwnContractsCanBeRead(t *testing.T) {
	d := newTroupe(t, realEngine())
	pox := idOf(t, "ST000000000000000000002AMW42H.pox-4")
	if got := d.readsOf(pox, "get-pox-info"); !strings.HasPrefix(got, "(ok ") || !strings.Contains(got, "reward-cycle-length: u1050") {
		t.Error(got)
	}
	if w := get(d.s, "/v2/contracts/interface/ST000000000000000000002AMW42H/pox-4"); !strings.Contains(w.Body.String(), `"get-pox-info"`) {
		t.Errorf("%d", w.Code)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
