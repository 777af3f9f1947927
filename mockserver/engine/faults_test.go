package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	goodManifest = "[project]\nname = \"x\"\n\n[contracts.c]\npath = \"contracts/c.clar\"\nclarity_version = 3\nepoch = \"3.0\"\n"
	goodSettings = "[network]\nname = \"devnet\"\n[accounts.deployer]\nmnemonic = \"a b c\"\n"
)

// project writes a project; a text of "-" makes a folder of the name, "" nothing.
func project(t *testing.T, manifest, settings, contract string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"Clarinet.toml": manifest, "settings/Devnet.toml": settings, "contracts/c.clar": contract} {
		path := filepath.Join(dir, name)
		under := filepath.Dir(path)
		if text == "-" {
			under = path
		}
		if err := os.MkdirAll(under, 0o700); err != nil {
			t.Fatal(err)
		}
		if text == "" || text == "-" {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What is wrong with a project is a sentence with the file and the line.
func TestWhatIsWrongWithAProjectHasItsPlace(t *testing.T) {
	change := func(from, to string) string { return strings.Replace(goodManifest, from, to, 1) }
	for want, p := range map[string][3]string{
		"": {goodManifest, goodSettings, "(ok)"},
		"Clarinet.toml:4:13: expected ']' to close table name":                                               {change("[contracts.c]", "[contracts.c"), goodSettings, "(ok)"},
		"Clarinet.toml:5: the contract c: contracts/c.clar: no such file or directory":                       {goodManifest, goodSettings, ""},
		"Clarinet.toml:5: the contract c: contracts/c.clar: \"":                                              {goodManifest, goodSettings, "-"},
		"Clarinet.toml:5:8: a TOML integer where a string belongs":                                           {change(`"contracts/c.clar"`, "5"), goodSettings, "(ok)"},
		"Clarinet.toml:6:19: a TOML string where an integer belongs":                                         {change("= 3\n", "= \"three\"\n"), goodSettings, "(ok)"},
		"Clarinet.toml:4: the contract c d: the name is not that of a contract":                              {change("[contracts.c]", "[contracts.\"c d\"]"), goodSettings, "(ok)"},
		"Clarinet.toml:6: the contract c: clarity_version = 4 is newer than epoch = 2.4, which takes 1 to 2": {strings.Replace(change("3\n", "4\n"), `"3.0"`, "2.4", 1), goodSettings, "(ok)"},
		"Clarinet.toml:6: the contract c: clarity_version = 7 is none of 1 to 6":                             {change("3\n", "7\n"), goodSettings, "(ok)"},
		"Clarinet.toml:6: the contract c: clarity_version = 0 is none of 1 to 6":                             {change("3\n", "0\n"), goodSettings, "(ok)"},
		"Clarinet.toml:7: the contract c: epoch 9.9 is none that the network has had; the newest is 4.0":     {change("3.0", "9.9"), goodSettings, "(ok)"},
		"settings/Devnet.toml: no such file or directory":                                                    {goodManifest, "", "(ok)"},
		"settings/Devnet.toml:1:9: expected ']' to close table name":                                         {goodManifest, goodSettings[:8] + goodSettings[9:], "(ok)"},
		"settings/Devnet.toml: there is no [network]":                                                        {goodManifest, goodSettings[strings.Index(goodSettings, "[acc"):], "(ok)"},
		"settings/Devnet.toml: the derivation \"m/x\" of [accounts.deployer] is no path such as m/44'":       {goodManifest, goodSettings + "derivation = \"m/x\"\n", "(ok)"},
		"settings/Devnet.toml: there is no [accounts.deployer], which deploys the contracts":                 {goodManifest, "[network]\n", "(ok)"},
	} {
		_, err := checkProject(project(t, p[0], p[1], p[2]))
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	pathless, err := checkProject(project(t, change("path", "# path")+"[contracts.d]\npath = \"contracts/c.clar\"\n", goodSettings, "(ok)"))
	if err != nil || len(pathless.left) != 1 || pathless.left[0] != "Clarinet.toml:4: the contract c has no path and is left out" {
		t.Errorf("%+v, %v", pathless, err)
	}
	for epoch, version := range map[string]string{`"latest"`: "6", "4.0": "6", "3.4": "5", `"3.4"`: "5", "3": "3"} {
		text := strings.Replace(change("= 3\n", "= "+version+"\n"), `"3.0"`, epoch, 1)
		if _, err := checkProject(project(t, text, goodSettings, "(ok)")); err != nil {
			t.Errorf("Clarity %s in epoch %s: %v", version, epoch, err)
		}
	}
}

// What the virtual machine says of a project is a sentence with its place too.
func TestWhatTheMachineSaysOfAProjectIsExplained(t *testing.T) {
	settings := goodSettings + "[accounts.wallet_1]\nmnemonic = \"a b\"\n"
	manifest := goodManifest + "[[project.requirements]]\ncontract_id = \"nonsense\"\n"
	m, err := checkProject(project(t, manifest, settings, "(define-read-only (x) u1\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, epoch := range map[string]string{"old": "Epoch2_05", "new": "Epoch99"} {
		for ending, text := range map[string]string{".clar": "(ok)", ".json": `{"epoch":"` + epoch + `"}`} {
			path := filepath.Join(m.folder, ".cache", "requirements", "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX."+name+ending)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	source := filepath.Join(m.folder, "contracts/c.clar")
	for said, want := range map[string]string{
		source + ":2:5: AST has too deep of an expression nesting": "contracts/c.clar:2:5: the contract c: AST has too deep of an expression nesting",
		source + ": detected interdependent functions (x, y)":      "contracts/c.clar:1:20: the contract c: the functions x, y call each other",
		`CircularReference(["c", "a"])`:                            "Clarinet.toml:4: the contracts c, a need each other in a circle",
		"mnemonic (located in ./settings/Simnet.toml) for deploying address is invalid: mnemonic contains an unknown word (word 0)":                   "settings/Devnet.toml: the mnemonic of one of [accounts] is not valid: mnemonic contains an unknown word (word 0)",
		"mnemonic (located in ./settings/Simnet.toml) for deploying address is invalid: mnemonic has an invalid word count: 2. Word count must be 12": "settings/Devnet.toml: the mnemonic of [accounts.wallet_1] is not valid: mnemonic has an invalid word count: 2.",
		`CircularReference(["c"])`: "Clarinet.toml:4: the contract c needs itself",
		"unable to read file plan: invalid type: sequence, expected struct TransactionPlanSpecificationFile at line 1 column 7": "deployments/default.simnet-plan.yaml:1:7: plan: invalid type: sequence, expected a table",
		"Unable to parse metadata file: unknown variant `Epoch99` at line 1 column 11":                                          ".cache/requirements/SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.new.json:1:11: unknown variant `Epoch99`",
		"malformatted contract_id: nonsense":                      `Clarinet.toml:9: the requirement "nonsense" is no contract such as SP000000000000000000002Q6VF78.bns`,
		"error: expected closing ')'":                             "contracts/c.clar:",
		"unable to read file id: expected u32 at line 1 column 5": "deployments/default.simnet-plan.yaml:1:5: id: expected u32",
	} {
		if got := m.explain(&RefusedError{Kind: "request", Message: said}).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	undated, err := checkProject(project(t, strings.Replace(goodManifest, "epoch", "# epoch", 1), goodSettings, "(ok)"))
	if err != nil {
		t.Fatal(err)
	}
	if got := undated.explain(&RefusedError{Kind: "request", Message: "Clarity 3 can not be used with 2.05"}).Error(); !strings.HasPrefix(got, "Clarinet.toml:6: the contract c: Clarity 3 can not be used with 2.05, which") {
		t.Error(got)
	}
	windows, err := checkProject(project(t, goodManifest, goodSettings, "(define-read-only (x)\n u1)\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := windows.explain(&RefusedError{Kind: "request", Message: "unsupported line-ending '\r'"}).Error(); !strings.HasPrefix(got, "contracts/c.clar:2: a line ends with a carriage return") {
		t.Error(got)
	}
	if other := errors.New("no engine"); !errors.Is(m.explain(other), other) {
		t.Error("another error is changed")
	}
}

// All that are missing are named at once, each with where it is needed: what the manifest requires
// and what those call that the cache has; with the flag that reads them.
func TestAllMissingRequirementsAreNamed(t *testing.T) {
	const (
		kept, cached = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.kept", "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.cached"
		gone, called = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.gone", "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.called"
		form         = "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.form"
	)
	manifest := strings.Replace(goodManifest, "\n\n", "\ncache_dir = './kept'\nrequirements = [{contract_id = '"+kept+"'},\n  {contract_id = \""+gone+"\"}]\n\n", 1)
	dir := project(t, manifest, goodSettings, "(ok)")
	for id, text := range map[string]string{
		kept:   "(use-trait f '" + form + ".t) ;; (contract-call? 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.remark f)\n(define-public (x) (contract-call?\n '" + cached + " f))",
		cached: "(impl-trait '" + form + ".t)(define-public (f) (contract-call? '" + called + " g 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.argument '" + kept + "))",
	} {
		path := filepath.Join(dir, "kept", "requirements", id+".clar")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := checkProject(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(Options{}).sourcesOf(t.Context(), m, Sources{})
	want := "3 requirements are not in the project's cache: " + gone + " (Clarinet.toml:5), " + form + " (called by " + kept + "), " + called + " (called by " + cached + "); read them from an API with --fetch-requirements"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// What a project says of the live chain on whose state its contracts run in Clarinet.
func TestAProjectNamesTheLiveChainOfItsContracts(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "none",
		"enabled = false\napi_url = 7\n":        "none",
		"enabled = \"no\"\n":                    "none",
		"enabled = true\n":                      "https://api.hiro.so 0",
		"enabled = true\ninitial_height = 99\n": "https://api.hiro.so 99",
		"api_url = \"http://x\"\nenabled = true\n": "http://x 0",
		"enabled = true\napi_url = \"mainnet\"\n":  `Clarinet.toml: [repl.remote_data]: api_url "mainnet" is no URL such as "https://api.hiro.so"`,
		"enabled = true\ninitial_height = 0\n":     `Clarinet.toml: [repl.remote_data]: initial_height "0" is no height such as 8700000`,
		"enabled = true\ninitial_height = 2.5\n":   `Clarinet.toml: [repl.remote_data]: initial_height "2.5" is no height such as 8700000`,
	} {
		got := "none"
		switch on, err := ReadRemoteData(project(t, goodManifest+"[repl.remote_data]\n"+text, goodSettings, "(ok)")); {
		case err != nil:
			got = err.Error()
		case on != nil:
			got = fmt.Sprint(on.API, " ", on.Height)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
