package command

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chainscope/tui/command/cli"
)

// shows runs a command and reads the JSON that it prints.
func shows(t *testing.T, into any, args ...string) {
	t.Helper()
	code, stdout, stderr := run(t, t.Context(), append(args, "-o", "json")...)
	if err := json.Unmarshal([]byte(stdout), into); code != 0 || err != nil {
		t.Fatalf("%v: exit %d, %v: %s", args, code, err, stderr)
	}
}

func TestEveryKindOfTransactionIsInTheNextBlockWhereverItIsShown(t *testing.T) {
	mock := serveMock(t)
	var want []string // the last first
	for _, c := range []struct{ method, params string }{
		{"stx_transferStx", rentParams},
		{"stx_deployContract", `{"name":"c","clarityCode":"(define-public (f (n uint)) (ok n))"}`},
		{"stx_callContract", `{"contract":"SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token","functionName":"transfer","postConditionMode":"allow",
			"functionArgs":["u1","'SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J","'SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","none"]}`},
	} {
		s, _ := signedBy(t, c.method, c.params, "--approve", "always", "--api", mock.address)
		want = append([]string{"0x" + s.TxID}, want...)
	}
	if status, body := fetch(t, "POST", mock.address+"/mock/v1/mine", `{"blocks":1}`); status != 200 {
		t.Fatalf("mining answers %d %s", status, body)
	}
	for i, id := range want {
		_, tx := fetch(t, "GET", mock.address+"/extended/v1/tx/"+id, "")
		// The transfer goes to a testnet address: testnet has nonces of its own.
		if nonce := `"nonce":` + strconv.Itoa([]int{1, 0, 0}[i]) + `,`; !strings.Contains(tx, `"tx_status":"success"`) || !strings.Contains(tx, nonce) {
			t.Errorf("%s: %s", id, tx)
		}
	}
	type block struct {
		BurnHeight int64  `json:"burn_block_height"`
		BurnHash   string `json:"burn_block_hash"`
		Txs        []string
		TxCount    int `json:"tx_count"`
	}
	var newest, listed struct{ Results []block }
	shows(t, &newest, "blocks", "--limit", "1", "--api", mock.address)
	burn := strconv.FormatInt(newest.Results[0].BurnHeight, 10)
	blocks := map[string]block{"in the list": newest.Results[0]}
	for _, by := range []string{burn, newest.Results[0].BurnHash} {
		var one block
		shows(t, &one, "block", by, "--api", mock.address)
		blocks["by "+by] = one
	}
	// A block takes the dearest first and lists its last one first: call and deployment, which
	// must come before it, pay more than the transfer.
	want = []string{want[2], want[0], want[1]}
	for where, b := range blocks {
		if len(b.Txs) < len(want) || !slices.Equal(b.Txs[:len(want)], want) {
			t.Errorf("%s: %v, want %v first", where, b.Txs, want)
		}
	}
	shows(t, &listed, "burn-blocks", burn, "--api", mock.address)
	if got := listed.Results[0].TxCount; got != len(newest.Results[0].Txs) {
		t.Errorf("the burn block's list counts %d transactions, the others %d", got, len(newest.Results[0].Txs))
	}
}

func TestARefusalNamesTheNodesReason(t *testing.T) {
	mock := serveMock(t)
	for reason, param := range map[string]string{"FeeTooLow": `"fee":1`, "TooMuchChaining": `"nonce":900`} {
		params := strings.TrimSuffix(rentParams, "}") + "," + param + "}"
		code, _, stderr := run(t, t.Context(), "wallet", "request", "stx_transferStx", params, "--approve", "always", "--api", mock.address, "-o", "json")
		if code != 7 || !strings.Contains(stderr, `"reason":"`+reason+`"`) {
			t.Errorf("%s: exit %d, %s", reason, code, stderr)
		}
	}
}

func TestASponsoredTransactionIsNotSent(t *testing.T) {
	mock := serveMock(t)
	params := strings.TrimSuffix(rentParams, "}") + `,"sponsored":true}`
	code, stdout, stderr := run(t, t.Context(), "wallet", "request", "stx_transferStx", params, "--approve", "always", "--api", mock.address)
	if code != 0 || !strings.Contains(stdout, `"txid":""`) || !strings.Contains(stderr, "not sent: a sponsor") {
		t.Errorf("exit %d\n%s\n%s", code, stdout, stderr)
	}
	if _, nonces := fetch(t, "GET", mock.address+"/extended/v1/address/STC5KHM41H6WHAST7MWWDD807YSPRQKJ68T330BQ/nonces", ""); !strings.Contains(nonces, `"possible_next_nonce":0`) {
		t.Errorf("the mock knows of it: %s", nonces)
	}
}

func TestAMockThatIsNoneGetsNothing(t *testing.T) {
	const catalogue = `{"seed":"7","tip":{"height":1,"burn_height":1},"ft":[],"nft":[],"namespaces":[],"heights":[]`
	faking := func(seed, more string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if seed != "" {
				w.Header().Set("X-Mock-Seed", seed)
			}
			jsonAnswer(w, 200, catalogue+more+"}")
		}
	}
	for name, handle := range map[string]http.HandlerFunc{
		"a catalogue without the header":      faking("", ""),
		"a catalogue with another seed":       faking("8", ""),
		"a catalogue that names an upstream":  faking("7", `,"upstream":"https://live.example"`),
		"a catalogue that names a recording":  faking("7", `,"replay":"tape"`),
		"a server that has an empty object":   func(w http.ResponseWriter, _ *http.Request) { jsonAnswer(w, 200, `{}`) },
		"a server that refuses its catalogue": func(w http.ResponseWriter, _ *http.Request) { jsonAnswer(w, 403, `{"error":"Forbidden"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			server := record(t, handle)
			for method, params := range map[string]string{"stx_transferStx": rentParams, "stx_deployContract": `{"name":"c","clarityCode":"1"}`} {
				if _, stderr := signedBy(t, method, params, "--approve", "always", "--api", server.URL); !strings.Contains(stderr, "not sent: ") {
					t.Errorf("%s: %s", method, stderr)
				}
			}
			if len(server.posts) != 0 {
				t.Errorf("posted: %v", server.posts)
			}
		})
	}
	t.Run("and the same server with the right catalogue gets it", func(t *testing.T) {
		server := record(t, faking("7", ""))
		run(t, t.Context(), "wallet", "request", "stx_transferStx", rentParams, "--approve", "always", "--api", server.URL)
		if !slices.Contains(server.posts, "POST /v2/transactions") {
			t.Errorf("posted: %v", server.posts)
		}
	})
}

func TestAOneShotCommandSendsNothingToItsEmbeddedMock(t *testing.T) {
	if s, stderr := signedBy(t, "stx_transferStx", rentParams, "--approve", "always"); !strings.Contains(stderr, "not sent: ") || s.Transaction == "" {
		t.Errorf("%s", stderr)
	}
}

func BenchmarkConnectionCommands(b *testing.B) {
	for _, command := range []string{"status", "connect", "storage", "disconnect"} {
		b.Run(command, func(b *testing.B) {
			dir := b.TempDir()
			for b.Loop() {
				code := Run(b.Context(), []string{"wallet", command, "--state-dir", dir, "-o", "json"}, cli.Streams{
					In: strings.NewReader(""), Out: io.Discard, Err: io.Discard,
					Env: func(string) (string, bool) { return "", false },
				})
				if code != 0 {
					b.Fatalf("exit %d", code)
				}
			}
		})
	}
}

// A contract that nobody described is not there, and the user at the mock reads how to
// describe it.
func TestTheDialogSaysHowAnUnknownContractCanBeCalled(t *testing.T) {
	request := []string{"wallet", "request", "stx_callContract", `{"contract":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.none","functionName":"go"}`, "--approve", "always", "--api"}
	mock := serveMock(t)
	if code, _, stderr := run(t, t.Context(), append(request, mock.address)...); code != 7 || !strings.Contains(stderr, "NoSuchContract") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	const want = "NoSuchContract: the mock refuses to call go of SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.none; describe the contract with --contracts, or take any call with --any-contract"
	if said := mock.errs.String(); !strings.Contains(said, want) {
		t.Errorf("the mock says %q, want %q", said, want)
	}
	if code, stdout, stderr := run(t, t.Context(), append(request, serveMock(t, "--any-contract").address)...); code != 0 || !strings.Contains(stdout, `"txid"`) {
		t.Errorf("any contract: exit %d: %s", code, stderr)
	}
}

// Why a transaction failed is told in a sentence, with what the contract calls its answer.
func TestWhyATransactionFailedIsSaid(t *testing.T) {
	mock := serveMock(t, "--automine")
	send := func(params string) string {
		s, _ := signedBy(t, "stx_callContract", params, "--approve", "always", "--api", mock.address)
		return s.TxID
	}
	transfer := func(amount, mode string) string {
		return `{"contract":"SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token","functionName":"transfer","postConditionMode":"` + mode + `",
			"functionArgs":["` + amount + `","SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J","SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","none"]}`
	}
	for _, tt := range []struct {
		params string
		code   int
		want   string
		mock   string // what the mock says, where it knows more than its answers tell
	}{
		{transfer("u5", "allow"), 0, `{"status":"success","sentence":"It succeeded.","certainty":"fact"}`, ""},
		{
			transfer("u5", "deny"), 1, `{"status":"abort_by_post_condition","sentence":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J sent usda, which no post-condition covers; what is not covered is refused.","certainty":"fact","fix":"add a condition on SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda of SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J, or take the mode allow"}`,
			`{"status":"abort_by_post_condition","sentence":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J sent 0.000005 USDA, which no post-condition covers; what is not covered is refused.","certainty":"fact","fix":"add the condition that SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J sends exactly 0.000005 USDA, or take the mode allow"}`,
		},
		{transfer("u9000000000000", "allow"), 1, `{"status":"abort_by_response","sentence":"transfer answered (err u1): the sender does not have it.","certainty":"likely"}`, ""},
	} {
		id := send(tt.params)
		code, stdout, stderr := run(t, t.Context(), "tx", id, "--why", "-o", "json", "--api", mock.address)
		if strings.TrimSpace(stdout) != tt.want || code != tt.code {
			t.Errorf("exit %d, %s\nwant %s\n%s", code, stdout, tt.want, stderr)
		}
		if _, why := fetch(t, "GET", mock.address+"/mock/v1/tx/"+id+"/why", ""); strings.TrimSpace(why) != cmp.Or(tt.mock, tt.want) {
			t.Errorf("the mock says %s, want %s", why, cmp.Or(tt.mock, tt.want))
		}
		if _, stdout, _ := run(t, t.Context(), "tx", id, "--api", mock.address); (tt.code == 1) != strings.Contains(stdout, "\nwhy ") {
			t.Errorf("it is shown as\n%s", stdout)
		}
	}
}

// A transaction that waits says for which nonce.
func TestATransactionThatWaitsSaysForWhichNonce(t *testing.T) {
	const sender = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	id := "0x" + strings.Repeat("ab", 32)
	server := record(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/nonces"):
			jsonAnswer(w, 200, `{"last_mempool_tx_nonce":6,"last_executed_tx_nonce":2,"possible_next_nonce":7,"detected_missing_nonces":[5,3],"detected_mempool_nonces":[4]}`)
		case strings.Contains(r.URL.Path, "/tx"):
			jsonAnswer(w, 200, `{"tx_id":"`+id+`","nonce":6,"fee_rate":"180","sender_address":"`+sender+`","sponsored":false,"post_condition_mode":"deny","post_conditions":[],"anchor_mode":"any","tx_status":"pending","receipt_time":1700000000,"receipt_time_iso":"2023-11-14T22:13:20.000Z","tx_type":"token_transfer","token_transfer":{"recipient_address":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":"1","memo":"0x"}}`)
		default:
			jsonAnswer(w, 404, `{"error":"Not Found"}`)
		}
	})
	code, stdout, stderr := run(t, t.Context(), "tx", id, "--why", "-o", "json", "--api", server.URL)
	want := `{"status":"pending","sentence":"It waits for nonce 3 of ` + sender + `, which no transaction has; its own is 6.","certainty":"fact","fix":"send a transaction with nonce 3"}`
	if code != 0 || strings.TrimSpace(stdout) != want {
		t.Errorf("exit %d: %s\nwant %s\n%s", code, stdout, want, stderr)
	}
}
