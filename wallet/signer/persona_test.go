package signer_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// answered signs a request without asking anybody.
func answered(t *testing.T, env signer.Env, method, params string) (string, error) {
	t.Helper()
	call, err := signer.Parse(method, json.RawMessage(params), env)
	if err != nil {
		return "", err
	}
	if call, err = call.Prepare(t.Context()); err != nil {
		return "", err
	}
	result, err := call.Sign(t.Context())
	return string(result), err
}

func TestAPersonaChangesWhatAPageGets(t *testing.T) {
	ring := keys.NewTestRing()
	env := func(p signer.Persona) signer.Env { return signer.Env{Keys: ring, Account: 2, Persona: p} }
	const pay = `{"recipients":[{"address":"bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu","amount":"5000"}]}`
	for name, c := range map[string]struct {
		persona        signer.Persona
		method, params string
		has, hasNot    string // of the result, or of the error
	}{
		"coins":                     {signer.Persona{}, "getBalance", `null`, `"total":"11166111000"`, ""},
		"no coins":                  {signer.Persona{NoCoins: true}, "getBalance", `null`, `"total":"0"`, ""},
		"no coins to send":          {signer.Persona{NoCoins: true}, "sendTransfer", pay, "recipients: exceed the mock coins", ""},
		"no bitcoin balance":        {signer.Persona{NoBitcoin: true}, "getBalance", `null`, "no Bitcoin account: getBalance is not supported", ""},
		"no bitcoin addresses":      {signer.Persona{NoBitcoin: true}, "getAddresses", `null`, `"symbol":"STX"`, "bc1"},
		"no bitcoin to connect by":  {signer.Persona{NoBitcoin: true}, "wallet_connect", `{"addresses":["payment","stacks"]}`, `"purpose":"stacks"`, "payment"},
		"stacks signs nevertheless": {signer.Persona{NoBitcoin: true}, "stx_signMessage", `{"message":"x"}`, `"signature"`, ""},
	} {
		result, err := answered(t, env(c.persona), c.method, c.params)
		if err != nil {
			result = err.Error()
		}
		if !strings.Contains(result, c.has) || c.hasNot != "" && strings.Contains(result, c.hasNot) {
			t.Errorf("%s: %s", name, result)
		}
	}
	call, err := signer.Parse("wallet_connect", json.RawMessage(`{"addresses":["payment","stacks","ordinals"]}`), env(signer.Persona{NoBitcoin: true}))
	if err != nil || !slices.Equal(call.Describe().Disclosed.Missing, []string{"payment", "ordinals"}) {
		t.Errorf("%v; what there is not: %+v", err, call)
	}
}

func TestManyAccountsAreGivenOutTheActiveOneFirst(t *testing.T) {
	env := signer.Env{Keys: keys.NewTestRing(), Account: 2, Persona: signer.Persona{Accounts: 4}}
	for method, most := range map[string]int{"stx_getAccounts": 4, "getAddresses": 12} {
		result, err := answered(t, env, method, `null`)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Addresses []struct{ Address, GaiaAppKey string }
		}
		if err := json.Unmarshal([]byte(result), &got); err != nil || len(got.Addresses) != most {
			t.Fatalf("%s: %v, %s", method, err, result)
		}
		seen := map[string]bool{}
		for _, a := range got.Addresses {
			seen[a.Address+a.GaiaAppKey] = true
		}
		active, err := signer.Addresses(env.Keys, 2, mainnet(t))
		if err != nil {
			t.Fatal(err)
		}
		first := active[0].Address
		if method == "stx_getAccounts" {
			first = active[2].Address
		}
		if len(seen) != most || got.Addresses[0].Address != first {
			t.Errorf("%s: %d different ones, the first is %s", method, len(seen), got.Addresses[0].Address)
		}
	}
}

func mainnet(t *testing.T) signer.Network {
	t.Helper()
	n, known := signer.NetworkNamed("mainnet")
	if !known {
		t.Fatal("there is no mainnet")
	}
	return n
}

func TestAWatchedAddressConnectsAndSignsNothing(t *testing.T) {
	watched, err := c32.ParseAddress("SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS")
	if err != nil {
		t.Fatal(err)
	}
	env := signer.Env{Persona: signer.Persona{Watched: &watched}}
	for _, method := range []string{"getAddresses", "stx_getAddresses", "wallet_connect", "wallet_getAccount"} {
		result, err := answered(t, env, method, `null`)
		if err != nil || !strings.Contains(result, `"address":"`+watched.String()+`"`) || strings.Contains(result, "bc1") {
			t.Errorf("%s: %s, %v", method, result, err)
		}
	}
	if result, err := answered(t, env, "getAddresses", `{"network":"testnet"}`); err != nil || !strings.Contains(result, `"ST1P72Z37`) {
		t.Errorf("on testnet: %s, %v", result, err)
	}
	for _, m := range signer.Methods() {
		params := `{}`
		if made := ofWatched(watched.String())[m.Name]; made != "" {
			params = made
		}
		_, err := answered(t, env, m.Name, params)
		if err != nil && strings.Contains(err.Error(), "only watches") {
			continue
		}
		if !slices.Contains([]string{"getAddresses", "stx_getAddresses", "stx_getNetworks", "wallet_connect", "getAccounts", "wallet_getAccount", "wallet_getNetwork", "wallet_changeNetwork"}, m.Name) {
			t.Errorf("%s of a watched address: %v", m.Name, err)
		}
	}
}

// ofWatched holds params of the methods that make a transaction, for a sender.
func ofWatched(sender string) map[string]string {
	const to, contract = "SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9", "SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.token"
	draft := stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet, Auth: stxtx.Auth{Type: stxtx.AuthStandard},
		AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny, Payload: stxtx.ContractCall{Contract: principal(contract), Function: "f"},
	}
	draft.Auth.Origin = stxtx.SpendingCondition{Signer: principal(sender).Address.Hash160, Fee: 300, Nonce: 4}
	whole, err := draft.Hex()
	if err != nil {
		panic(err)
	}
	return map[string]string{
		"stx_transferStx":      `{"recipient":"` + to + `","amount":5}`,
		"stx_callContract":     `{"contract":"` + contract + `","functionName":"f"}`,
		"stx_deployContract":   `{"name":"c","clarityCode":"(ok 1)"}`,
		"stx_transferSip10Ft":  `{"recipient":"` + to + `","asset":"` + contract + `::gold","amount":5}`,
		"stx_transferSip9Nft":  `{"recipient":"` + to + `","asset":"` + contract + `::punk","assetId":{"type":"uint","value":"5"}}`,
		"stx_signTransaction":  `{"transaction":"` + whole + `"}`,
		"stx_signTransactions": `{"transactions":["` + whole + `"]}`,
	}
}

func principal(text string) clarity.Principal {
	p, err := clarity.ParsePrincipal(text)
	if err != nil {
		panic(err)
	}
	return p
}

// impersonating is a mock that impersonates some addresses.
type impersonating []string

func (i impersonating) Impersonates(_ context.Context, address string) (bool, error) {
	return slices.Contains(i, address), nil
}
func (impersonating) NextNonce(context.Context, string) (uint64, error)       { return 7, nil }
func (impersonating) Fee(context.Context, *stxtx.Transaction) (uint64, error) { return 400, nil }
func (impersonating) Epoch(context.Context, bool) (string, error)             { return "Epoch40", nil }

func TestAWatchedAddressSendsWithoutASignatureWhereItIsImpersonated(t *testing.T) {
	for _, sender := range []string{"SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS", "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4"} {
		watched := principal(sender).Address
		for method, params := range ofWatched(sender) {
			if watched.Version == c32.MainnetP2SH && strings.HasPrefix(method, "stx_signTransaction") {
				continue // the draft has one key
			}
			env := signer.Env{Persona: signer.Persona{Watched: &watched}, Source: impersonating{sender}}
			result, err := answered(t, env, method, params)
			if err != nil {
				t.Errorf("%s of %s: %v", method, sender, err)
				continue
			}
			digits := regexp.MustCompile(`[0-9a-f]{200,}`).FindString(result)
			raw, err := hex.DecodeString(digits)
			if err != nil {
				t.Fatal(err)
			}
			tx, err := stxtx.Decode(raw)
			if err != nil {
				t.Fatal(err)
			}
			if got := tx.Auth.Origin.Address(true).String(); got != sender || tx.Auth.Origin.Signatures() != 0 {
				t.Errorf("%s: from %s with %d signatures", method, got, tx.Auth.Origin.Signatures())
			}
			if call, err := signer.Parse(method, json.RawMessage(params), env); err != nil {
				t.Error(err)
			} else if result, err := call.Sign(t.Context()); err == nil {
				t.Errorf("%s before the mock was read: %s", method, result)
			}
			for name, source := range map[string]signer.Source{"no mock": nil, "a mock of others": impersonating{"SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9"}} {
				env.Source = source
				if _, err := answered(t, env, method, params); err == nil || !strings.Contains(err.Error(), "only a mock that impersonates the address takes its transactions") {
					t.Errorf("%s with %s: %v", method, name, err)
				}
			}
		}
	}
}
