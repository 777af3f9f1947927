package walletcmd

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/command/cli"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
)

// explained holds what `wallet methods METHOD -o json` prints.
type explained struct {
	Name, Title, Command string
	Params, Also         []struct{ Name, Type, About string }
	Example              json.RawMessage
}

func TestEveryMethodIsExplainedWithARequestThatTheWalletTakes(t *testing.T) {
	for _, m := range signer.Methods() {
		for _, network := range []string{"mainnet", "testnet"} {
			code, stdout, stderr := run(t, t.Context(), "wallet", "methods", m.Name, "--network", network, "--account", "2", "-o", "json")
			var e explained
			if err := json.Unmarshal([]byte(stdout), &e); err != nil || code != 0 {
				t.Fatalf("%s: exit %d, %v\n%s", m.Name, code, err, stderr)
			}
			line := "chainscope wallet request " + m.Name
			flags := " --account 2"
			if network != "mainnet" {
				flags += " --network " + network
			}
			typed, is := strings.CutPrefix(e.Command, line)
			if !is || !strings.HasSuffix(typed, flags) {
				t.Fatalf("%s: the request is %s", m.Name, e.Command)
			}
			typed = strings.TrimSuffix(typed, flags)
			if typed = strings.Trim(typed, " '"); strings.Contains(typed, "'") {
				t.Fatalf("%s: quotes inside of %s", m.Name, typed)
			}
			needs := slices.ContainsFunc(m.Params, func(p signer.Param) bool { return !p.Optional })
			if needs && typed == "" || e.Title == "" || (typed == "") != (string(e.Example) == "null") {
				t.Errorf("%s (%s): the request %q for the example %s", m.Name, e.Title, typed, e.Example)
			}
			pasted, err := readParams(t.Context(), &cli.App{}, m.Name, "{}")
			if typed != "" {
				pasted, err = readParams(t.Context(), &cli.App{}, m.Name, typed)
			}
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			for _, params := range []json.RawMessage{pasted, e.Example} {
				if m.Entry == "" || typed != "" {
					if _, err := signer.Parse(m.Name, params, signer.Env{Keys: keys.NewTestRing(), Account: 2, Network: network}); err != nil {
						t.Errorf("%s %s: %v", m.Name, params, err)
					}
				}
			}
		}
	}
}

func TestAMethodIsExplainedInWords(t *testing.T) {
	_, stdout, _ := run(t, t.Context(), "wallet", "methods", "stx_callContract")
	for _, want := range []string{
		"stx_callContract: call a public function\n",
		"\nfunctionArgs?               array          Clarity values; also called arguments\n",
		"\nfunctionArgs[]              Clarity value  a Clarity literal: u1,",
		"\npostConditions[].assetId    Clarity value  of the token, such as u42; of nft-postcondition\n",
		"\nread too", "\nbroadcast?        boolean  true when not given\n", `"functionArgs":["u2500000",`,
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
	if code, _, stderr := run(t, t.Context(), "wallet", "methods", "stx_tranferStx"); code != 2 || !strings.Contains(stderr, "did you mean stx_transferStx?") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
