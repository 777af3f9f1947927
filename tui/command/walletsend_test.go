package command

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
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
	var want []string // newest first, as blocks list them
	for _, c := range []struct{ method, params string }{
		{"stx_transferStx", rentParams},
		{"stx_deployContract", `{"name":"c","clarityCode":"(define-public (f (n uint)) (ok n))"}`},
		{"stx_callContract", `{"contract":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.c","functionName":"f","functionArgs":[{"type":"uint","value":"1"}]}`},
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
				code := Run(b.Context(), []string{"wallet", command, "--state-dir", dir, "-o", "json"}, Streams{
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
