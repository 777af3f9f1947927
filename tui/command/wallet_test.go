package command

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"chainscope/tui/command/cli"
	"chainscope/wallet/service"
)

const rentParams = `{"recipient":"ST3AB6B5T5C6JBWQNDQWR1QB9E3R75T2P01B157A","amount":"1500000","network":"testnet","memo":"rent"}`

// fetch asks a server and returns status and body.
func fetch(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// signed is the result of a method that signs a Stacks transaction.
type signed struct{ TxID, Transaction string }

func signedBy(t *testing.T, args ...string) (signed, string) {
	t.Helper()
	code, stdout, stderr := run(t, t.Context(), append([]string{"wallet", "request"}, args...)...)
	var s signed
	if err := json.Unmarshal([]byte(stdout), &s); err != nil || code != 0 || len(s.TxID) != 64 {
		t.Fatalf("exit %d, %v\n%s\n%s", code, err, stdout, stderr)
	}
	return s, stderr
}

func TestASignedTransferLandsInTheNextBlockOfARunningMock(t *testing.T) {
	mock := serveMock(t)
	var ids []string
	for i, nonce := range []string{`"nonce":"0"`, `"nonce":"1"`} {
		s, stderr := signedBy(t, "stx_transferStx", rentParams, "--approve", "always", "--api", mock.address)
		if !strings.Contains(stderr, "tx "+s.TxID+": sent") || strings.Contains(stderr, "warning") {
			t.Errorf("stderr of transfer %d: %s", i, stderr)
		}
		if _, explained, _ := run(t, t.Context(), "wallet", "decode", s.Transaction, "-o", "json"); !strings.Contains(explained, nonce) {
			t.Errorf("transfer %d lacks %s: %s", i, nonce, explained)
		}
		if _, status := fetch(t, "GET", mock.address+"/extended/v1/tx/0x"+s.TxID, ""); !strings.Contains(status, `"pending"`) {
			t.Errorf("before a block the API says %s", status)
		}
		ids = append(ids, s.TxID)
	}
	if status, body := fetch(t, "POST", mock.address+"/mock/v1/mine", `{"blocks":1}`); status != 200 {
		t.Fatalf("mining answers %d %s", status, body)
	}
	_, blocks, _ := run(t, t.Context(), "blocks", "--limit", "1", "-o", "json", "--api", mock.address)
	for _, id := range ids {
		if !strings.Contains(blocks, id) {
			t.Errorf("the newest block has no %s: %s", id, blocks)
		}
	}
}

func TestARefusedTransactionIsAWalletErrorWithTheTransaction(t *testing.T) {
	mock := serveMock(t)
	tooMuch := strings.Replace(rentParams, "1500000", "9000000000000000", 1)
	for provider, code := range map[string]float64{"chainscope": -32603, "leather": 4002} {
		exit, stdout, stderr := run(t, t.Context(), "wallet", "request", "stx_transferStx", tooMuch, "--approve", "always", "--api", mock.address, "--provider", provider, "-o", "json")
		var failure struct {
			Error struct {
				Kind string
				Code float64
				Data struct{ Reason, TxID, Transaction string }
			}
		}
		if err := json.Unmarshal([]byte(stderr), &failure); err != nil || exit != 7 || stdout != "" {
			t.Fatalf("%s: exit %d, %v, %q, %s", provider, exit, err, stdout, stderr)
		}
		e := failure.Error
		if e.Kind != "wallet" || e.Code != code || e.Data.Reason != "NotEnoughFunds" || len(e.Data.TxID) != 64 || e.Data.Transaction == "" {
			t.Errorf("%s: %+v", provider, e)
		}
	}
}

func TestAnEmptyAccountHasNothingToSendFromTheCommandLineToo(t *testing.T) {
	mock := serveMock(t)
	exit, _, stderr := run(t, t.Context(), "wallet", "request", "stx_transferStx", rentParams, "--approve", "always", "--api", mock.address, "--persona", "empty", "-o", "json")
	if exit != 7 || !strings.Contains(stderr, "NotEnoughFunds") {
		t.Errorf("exit %d: %s", exit, stderr)
	}
}

// The ledger of a mock outlives a persona: what it takes from an account would be gone.
func TestAPersonaChangesNoBalanceOfAnotherAccount(t *testing.T) {
	mock := serveMock(t)
	balance := func() string {
		exit, stdout, stderr := run(t, t.Context(), "account", "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J", "--api", mock.address, "--jq", ".stx.balance")
		if exit != 0 {
			t.Fatal(stderr)
		}
		return stdout
	}
	before := balance()
	for _, persona := range service.Personas() {
		run(t, t.Context(), "wallet", "request", "stx_signMessage", `{"message":"x"}`, "--approve", "always", "--api", mock.address, "--persona", string(persona))
		if now := balance(); now != before {
			t.Errorf("after the persona %s the account has %s, it had %s", persona, now, before)
		}
	}
}

// A method that this wallet refuses is not offered again.
func TestAMethodOfAnotherWalletIsNotProposedAsItself(t *testing.T) {
	_, _, stderr := run(t, t.Context(), "wallet", "request", "stx_getAccounts", "--approve", "always", "--provider", "LeatherProvider")
	has := "--provider ChainscopeProvider has it; --provider XverseProviders.BitcoinProvider has it"
	if strings.Contains(stderr, "did you mean") || !strings.Contains(stderr, has) {
		t.Error(stderr)
	}
	_, _, stderr = run(t, t.Context(), "wallet", "request", "stx_getNetworks", "--approve", "always", "--provider", "XverseProviders.BitcoinProvider")
	if want := `"stx_getNetworks" is not supported; --provider ChainscopeProvider has it (`; !strings.Contains(stderr, want) {
		t.Errorf("%s, want %s", stderr, want)
	}
}

// A flag that would do nothing is refused: without a mock the transaction goes nowhere.
func TestAWalletCommandRefusesFlagsOfAMockThatItDoesNotStart(t *testing.T) {
	for _, flag := range []string{"--mock-seed=3", "--mock-automine", "--mock-scenario=slow"} {
		exit, stdout, stderr := run(t, t.Context(), "wallet", "request", "stx_transferStx", rentParams, "--approve", "always", flag)
		if exit != 2 || stdout != "" || !strings.Contains(stderr, "--api URL") {
			t.Errorf("%s: exit %d, %q, %s", flag, exit, stdout, stderr)
		}
	}
}

// recorder is a server that is not a mock of ours and remembers what was
// posted to it.
type recorder struct {
	*httptest.Server
	mu    sync.Mutex
	posts []string
}

func record(t *testing.T, handle http.HandlerFunc) *recorder {
	r := &recorder{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method != http.MethodGet && q.Method != http.MethodHead {
			r.mu.Lock()
			r.posts = append(r.posts, q.Method+" "+q.URL.Path)
			r.mu.Unlock()
		}
		handle(w, q)
	}))
	t.Cleanup(r.Close)
	return r
}

func TestNothingIsPostedToAServerThatIsNoMock(t *testing.T) {
	live := record(t, func(w http.ResponseWriter, q *http.Request) {
		switch {
		case strings.HasPrefix(q.URL.Path, "/v2/accounts/"):
			jsonAnswer(w, 200, `{"balance":"0x0f4240","locked":"0x00","nonce":41}`)
		case q.URL.Path == "/v2/fees/transfer":
			jsonAnswer(w, 200, `3`)
		case q.URL.Path == "/v2/transactions":
			jsonAnswer(w, 200, `"`+strings.Repeat("ab", 32)+`"`)
		default:
			jsonAnswer(w, 404, `{"error":"Not Found"}`)
		}
	})
	forwarding := serveCommand(t, "mock API listening on ", "mock", "--addr", "127.0.0.1:0", "--upstream", live.URL, "--record", t.TempDir())
	elsewhere := record(t, func(w http.ResponseWriter, _ *http.Request) { jsonAnswer(w, 200, `"x"`) })
	redirecting := record(t, func(w http.ResponseWriter, q *http.Request) {
		http.Redirect(w, q, elsewhere.URL+q.URL.Path, http.StatusTemporaryRedirect)
	})
	for name, api := range map[string]string{
		"a live API": live.URL, "a mock that forwards to one": forwarding.address, "a server that redirects": redirecting.URL,
	} {
		t.Run(name, func(t *testing.T) {
			s, stderr := signedBy(t, "stx_transferStx", rentParams, "--approve", "always", "--api", api)
			if !strings.Contains(stderr, "not sent: ") || s.Transaction == "" {
				t.Errorf("stderr: %s", stderr)
			}
			if api == live.URL {
				if _, explained, _ := run(t, t.Context(), "wallet", "decode", s.Transaction, "-o", "json"); !strings.Contains(explained, `"nonce":"41"`) {
					t.Errorf("the nonce is not that of the API: %s", explained)
				}
			}
			code, _, stderr := run(t, t.Context(), "wallet", "request", "signPsbt", `{"psbt":"AA==","broadcast":true}`, "--approve", "always", "--api", api)
			if code != 7 {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
	}
	for _, r := range []*recorder{live, elsewhere, redirecting} {
		if len(r.posts) > 0 {
			t.Errorf("posted: %v", r.posts)
		}
	}
}

func TestAnUnreachableAPIStillSigns(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, stderr := signedBy(t, "stx_transferStx", rentParams, "--approve", "always", "--api", gone.URL)
	for _, want := range []string{"so the nonce was counted locally", "so the fee is the default", "not sent: "} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr lacks %q: %s", want, stderr)
		}
	}
}

func TestTheNearestSourceOfKeysWins(t *testing.T) {
	const mine = "legal winner thank year wave sausage worth useful legal winner thank yellow"
	words := write(t, "words", mine)
	for name, c := range map[string]struct {
		config string
		env    map[string]string
		args   []string
		keys   string // "" for a usage error
	}{
		"nothing":                         {"", nil, nil, "test"},
		"the environment":                 {"", map[string]string{"CHAINSCOPE_MNEMONIC": mine}, nil, "mnemonic"},
		"a file":                          {"", nil, []string{"--mnemonic-file", words}, "mnemonic"},
		"a keystore":                      {"", nil, []string{"--keystore", "k"}, "keystore"},
		"a flag over the environment":     {"", map[string]string{"CHAINSCOPE_MNEMONIC": mine}, []string{"--keystore", "k"}, "keystore"},
		"the environment over the config": {"[wallet]\nkeystore = \"k\"\n", map[string]string{"CHAINSCOPE_MNEMONIC": mine}, nil, "mnemonic"},
		"the config":                      {"[wallet]\nkeystore = \"k\"\n", nil, nil, "keystore"},
		"two flags":                       {"", nil, []string{"--mnemonic-file", words, "--keystore", "k"}, ""},
		"two variables":                   {"", map[string]string{"CHAINSCOPE_MNEMONIC": mine, "CHAINSCOPE_MNEMONIC_FILE": words}, nil, ""},
		"a variable of a keystore and of the mnemonic": {"", map[string]string{"CHAINSCOPE_MNEMONIC": mine, "CHAINSCOPE_KEYSTORE": "k"}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs strings.Builder
			env := stateIn(t.TempDir())
			streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) (string, bool) {
				if v, ok := c.env[name]; ok {
					return v, true
				}
				return env(name)
			}}
			args := append([]string{"wallet", "status", "-o", "json", "--config", write(t, "config.toml", c.config)}, c.args...)
			code := Run(t.Context(), args, streams)
			if c.keys == "" {
				if code != 2 || !strings.Contains(errs.String(), `"usage"`) {
					t.Errorf("exit %d: %s", code, errs.String())
				}
				return
			}
			if code != 0 || !strings.Contains(out.String(), `"keys":"`+c.keys+`"`) {
				t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
			}
		})
	}
}
