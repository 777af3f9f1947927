package words_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"chainscope/tui/approval/words"
	"chainscope/tui/internal/uitest"
	"chainscope/wallet/keys"
	"chainscope/wallet/node"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

const (
	elsewhere = "ST3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMEXRWMFR"
	somebody  = "STC5KHM41H6WHAST7MWWDD807YSPRQKJ68T330BQ"
	psbt      = "cHNidP8BAHECAAAAARHiNXVr5HtppZeNJA5S+RXYdrbTEw7Nvr6nvU4zQwwJAAAAAAD/////AiBOAAAAAAAAFgAUUsQ960d4y6ya7deLcW6rzuesBXcPdAAAAAAAABYAFMDOvNbD08qMddxexi6+VTMO+RDiAAAAAAABAR9bwwAAAAAAABYAFMDOvNbD08qMddxexi6+VTMO+RDiAAAA"
)

// requests are one of each kind; hostile marks what a page could write into it.
var requests = []struct{ name, method, params string }{
	{"a transfer", "stx_transferStx", `{"recipient":"` + somebody + `","amount":"1500000","memo":"rent\u202e","network":"testnet","fee":2000000}`},
	{"a contract call", "stx_callContract", `{"contract":"` + somebody + `.market","functionName":"buy","functionArgs":["0x0100000000000000000000000000000001",{"type":"utf8","value":"h\u001b[31mi"}],"network":"testnet","postConditionMode":"allow","postConditions":[{"type":"stx-postcondition","address":"` + somebody + `","condition":"lte","amount":"5000000"}]}`},
	{"a call without arguments", "stx_callContract", `{"contract":"` + somebody + `.market","functionName":"close","network":"testnet","sponsored":true}`},
	{"a deployment", "stx_deployContract", `{"name":"hello","clarityCode":"(define-public (hi)\n\t(ok u1)) ;; \u001b]0;owned\u0007","network":"testnet"}`},
	{"a message", "stx_signMessage", `{"message":"line one\nline two \u202e back","network":"testnet"}`},
	{"an empty message", "stx_signMessage", `{"message":"","network":"testnet"}`},
	{"a structured message", "stx_signStructuredMessage", `{"message":{"type":"uint","value":"7"},"domain":{"type":"tuple","value":{"name":{"type":"ascii","value":"app"},"version":{"type":"ascii","value":"1"},"chain-id":{"type":"uint","value":"2147483648"}}},"network":"testnet"}`},
	{"a token transfer", "stx_transferSip10Ft", `{"recipient":"` + somebody + `","asset":"` + somebody + `.coin::coin","amount":"12000","network":"testnet"}`},
	{"a non-fungible token transfer", "stx_transferSip9Nft", `{"recipient":"` + somebody + `","asset":"` + somebody + `.cards::card","assetId":{"type":"uint","value":"9"},"network":"testnet"}`},
	{"addresses", "getAddresses", `{"network":"testnet"}`},
	{"accounts", "stx_getAccounts", `{"network":"mainnet"}`},
	{"a bitcoin transfer", "sendTransfer", `{"recipients":[{"address":"tb1qj5qhcl3snekxmmfggfawyetpfzhlkuz5wydl6q","amount":1000}],"network":"testnet"}`},
	{"a psbt", "signPsbt", `{"psbt":"` + psbt + `"}`},
}

var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func describe(t *testing.T, method, params string) signer.Description {
	t.Helper()
	call, err := signer.Parse(method, json.RawMessage(params), signer.Env{Keys: keys.NewTestRing(), Local: &signer.LocalNonces{}})
	if err != nil {
		t.Fatal(err)
	}
	if call, err = call.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return call.Describe()
}

// repairs describes what is made of a transfer of account 0 that waits with nonce 0 and a fee of 400.
func repairs(t *testing.T) (names []string, all []signer.Description) {
	t.Helper()
	env := signer.Env{Keys: keys.NewTestRing(), Network: "testnet", Local: &signer.LocalNonces{}}
	payer := env
	payer.Account = 2
	signed := func(sponsored bool) *stxtx.Transaction {
		params := fmt.Sprintf(`{"recipient":"%s","amount":"1500000","fee":400,"nonce":4,"sponsored":%v,"network":"testnet","address":"%s"}`, elsewhere, sponsored, somebody)
		call, err := signer.Parse("stx_transferStx", json.RawMessage(params), env)
		if err != nil {
			t.Fatal(err)
		}
		return transactionOf(t, call, nil)
	}
	whole := func() *stxtx.Transaction {
		call, err := payer.Sponsor(signed(true), 3000)
		return transactionOf(t, call, err)
	}
	for _, r := range []struct {
		name string
		make func() (signer.Call, error)
	}{
		{"a replacement", func() (signer.Call, error) { return env.Replace(signed(false), 900) }},
		{"a cancellation", func() (signer.Call, error) { return env.Cancel(signed(false), 0) }},
		{"a gap", func() (signer.Call, error) { return env.Fill(3, 300) }},
		{"a sponsor", func() (signer.Call, error) { return payer.Sponsor(signed(true), 3000) }},
		{"a sponsor again", func() (signer.Call, error) { return payer.Replace(whole(), 0) }},
	} {
		call, err := r.make()
		if err == nil {
			call, err = call.Prepare(t.Context())
		}
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		names, all = append(names, r.name), append(all, call.Describe())
	}
	return names, all
}

// transactionOf signs a call.
func transactionOf(t *testing.T, call signer.Call, err error) *stxtx.Transaction {
	t.Helper()
	if err == nil {
		call, err = call.Prepare(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	result, err := call.Sign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Transaction string }
	if err := json.Unmarshal(result, &out); err != nil {
		t.Fatal(err)
	}
	tx, err := stxtx.DecodeHex(out.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

func TestEveryKindOfRequestIsSaidInWords(t *testing.T) {
	var b strings.Builder
	names, all := repairs(t)
	for i, r := range requests {
		names = slices.Insert(names, i, r.name)
		all = slices.Insert(all, i, describe(t, r.method, r.params))
	}
	for i, name := range names {
		fmt.Fprintf(&b, "=== %s\n", name)
		for _, s := range words.Describe(all[i], now) {
			fmt.Fprintf(&b, "%s%s\n", s.Title, map[bool]string{true: " (raw)"}[s.Raw])
			for _, row := range s.Rows {
				fmt.Fprintf(&b, "  %s%s: %s [%s]\n", map[bool]string{true: "! "}[row.Warn], row.Label, row.Value, row.Note)
			}
			for _, line := range s.Lines {
				fmt.Fprintf(&b, "  | %s\n", line)
			}
		}
	}
	uitest.GoldenText(t, "words", b.String())
}

func TestNothingThatAPageWroteReachesATerminalUnseen(t *testing.T) {
	for _, r := range requests {
		t.Run(r.name, func(t *testing.T) {
			for _, s := range words.Describe(describe(t, r.method, r.params), now) {
				all := append([]string{s.Title}, s.Lines...)
				for _, row := range s.Rows {
					all = append(all, row.Label, row.Value, row.Note)
				}
				for _, line := range all {
					if strings.ContainsFunc(line, func(c rune) bool { return c != ' ' && !unicode.IsPrint(c) }) {
						t.Errorf("%s holds %q", s.Title, line)
					}
				}
			}
		})
	}
}

func TestTheWholeOfWhatIsSignedIsShown(t *testing.T) {
	message := strings.Repeat("all of it. ", 20_000) + "the end"
	params, _ := json.Marshal(map[string]string{"message": message})
	sections := words.Describe(describe(t, "stx_signMessage", string(params)), now)
	if got := strings.Join(sections[0].Lines, "\n"); got != message {
		t.Errorf("a message of %d bytes is shown in %d", len(message), len(got))
	}
}

func TestWarningsComeRightAfterWhatIsDone(t *testing.T) {
	sections := words.Describe(describe(t, requests[1].method, requests[1].params), now)
	if sections[1].Title != "Warnings" || !sections[1].Rows[0].Warn {
		t.Errorf("the second section is %+v", sections[1])
	}
	if first := words.Describe(signer.Description{Method: "stx_unheardOf"}, now)[0].Title; !strings.Contains(first, "stx_unheardOf") {
		t.Errorf("an unknown request is called %q", first)
	}
}

// Post-conditions have no meaning for a transfer of STX: only its forecast is shown.
func TestAForecastIsShownWithThePostConditions(t *testing.T) {
	for name, want := range map[string]string{"a transfer": words.TransferTitle, "a contract call": words.ForecastTitle} {
		for _, r := range requests {
			if r.name != name {
				continue
			}
			told := words.Foretold(words.Describe(describe(t, r.method, r.params), now), &node.Forecast{Status: "success", Sentence: "It would succeed."}, "")
			at := slices.IndexFunc(told, func(s words.Section) bool { return strings.Contains(strings.ToLower(s.Title), "forecast") })
			if at < 0 || told[at].Title != want || told[at-1].Title != "Transaction" || !slices.ContainsFunc(told[at].Rows, func(row words.Row) bool { return row.Value == "It would succeed." }) {
				t.Errorf("%s: %+v", name, told)
			}
		}
	}
}

func TestAStakeAndAWithdrawalAreSaidInWordsAboveTheirArguments(t *testing.T) {
	const pool = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.pool"
	for _, c := range []struct{ contract, function, args, want string }{
		{
			"SP000000000000000000002Q6VF78.pox-5", "stake",
			`{"type":"contract","value":"` + pool + `"},{"type":"uint","value":"100000000000"},{"type":"uint","value":"12"},{"type":"uint","value":"977000"},{"type":"none"}`,
			"stake 100000 STX for 12 reward cycles with the signer " + pool,
		},
		{
			"SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-withdrawal", "initiate-withdrawal-request",
			`{"type":"uint","value":"100000"},{"type":"tuple","value":{"version":{"type":"buffer","value":"04"},"hashbytes":{"type":"buffer","value":"751e76e8199196d454941c45d1b3a323f1433bd6"}}},{"type":"uint","value":"300"}`,
			"withdraw 0.001 BTC to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4, for a fee of at most 0.000003 BTC",
		},
	} {
		got := ""
		for _, s := range words.Describe(describe(t, "stx_callContract", `{"contract":"`+c.contract+`","functionName":"`+c.function+`","functionArgs":[`+c.args+`]}`), now) {
			for _, row := range s.Rows {
				if row.Label == "in words" {
					got = row.Value
				}
			}
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
