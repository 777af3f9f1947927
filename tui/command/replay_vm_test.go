//go:build clarity

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"chainscope/mockserver/engine"
	"chainscope/mockserver/fork/forktest"
	"chainscope/tui/command/cli"
)

const program = "node ../../mockserver/engine/chainscope-clarity/chainscope-clarity.js"

// sends lets a node have a call in the block after the one of the fork, signed by the public mnemonic.
func sends(t *testing.T, n *forktest.Node, contract, function, arg string, nonce, index int, status, result, events string) (id, row string) {
	t.Helper()
	code, stdout, stderr := run(t, t.Context(), "wallet", "request", "stx_callContract",
		fmt.Sprintf(`{"contract":%q,"functionName":%q,"functionArgs":[%q],"fee":"3000","nonce":"%d","network":"mainnet"}`, contract, function, arg, nonce), "--approve", "always")
	var sent struct{ TxID, Transaction string }
	if json.Unmarshal([]byte(stdout), &sent) != nil || sent.TxID == "" {
		t.Fatalf("exit %d, %s %s", code, stdout, stderr)
	}
	id = "0x" + sent.TxID
	row = fmt.Sprintf(`{"tx_id":%q,"nonce":%d,"fee_rate":"3000","sender_address":%q,"sponsored":false,"post_condition_mode":"deny","post_conditions":[],"anchor_mode":"any","is_unanchored":false,
"block_hash":"0x%064d","block_height":8700001,"block_time":1766000010,"burn_block_time":1765999000,"burn_block_height":961000,"canonical":true,"tx_index":%d,"tx_status":%q,"tx_result":{"hex":%q,"repr":"-"},"event_count":1,
"events":%s,"tx_type":"contract_call","contract_call":{"contract_id":%q,"function_name":%q,"function_signature":"-","function_args":[]}}`, id, nonce, replaySender, 1, index, status, result, events, contract, function)
	n.Set("/extended/v1/tx/"+id+"/raw", http.StatusOK, fmt.Sprintf(`{"raw_tx":"0x%s"}`, sent.Transaction))
	return id, row
}

const replaySender = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"

// A call of a live chain is run again on the block before it, after the one that called the same contract;
// the second time without a network. Where the chain says otherwise, that is reported.
func TestACallOfALiveChainIsRunAgainInTheVirtualMachine(t *testing.T) {
	e := engine.New(engine.Options{Command: strings.Fields(program), Genesis: 1_700_000_000, Epoch: "4.0"})
	defer e.Close()
	costs, s := map[string]string{}, e.NewSession(nil, nil)
	for _, name := range []string{"cost-voting", "costs-4", "costs-5"} {
		text, err := s.Builtin("SP000000000000000000002Q6VF78." + name)
		if err != nil {
			t.Fatal(err)
		}
		costs[name] = text
	}
	n, dir := forktest.New(t), t.TempDir()
	n.SetCosts(costs)
	n.Set("/v2/accounts/"+replaySender+"?proof=0&tip="+forktest.IndexHash[2:], http.StatusOK, `{"balance":"0x5f5e100","locked":"0x0","unlock_height":0,"nonce":4}`)
	tally, desk := forktest.Deployer+".tally", forktest.Deployer+".desk"
	_, first := sends(t, n, tally, "add", "0x0100000000000000000000000000000005", 4, 1, "success", "0x070100000000000000000000000000000011", "[]")
	printed := "0x0c00000002026279051618" + "59c6840c4dc8ab3a3d39c6b5003fb36c5e7232" + "01650d00000003616464"
	events := fmt.Sprintf(`[{"event_index":0,"event_type":"smart_contract_log","tx_id":"-","contract_log":{"contract_id":%q,"topic":"print","value":{"hex":%q,"repr":"-"}}}]`, tally, printed)
	id, row := sends(t, n, desk, "bump", "0x010000000000000000000000000000000a", 5, 2, "success", "0x070100000000000000000000000000000016", events)
	n.Set("/extended/v1/tx/"+id+"?event_limit=100", http.StatusOK, row)
	list := fmt.Sprintf(`{"limit":50,"offset":0,"total":2,"results":[%s,%s]}`, first, row)
	for _, path := range []string{"/extended/v2/blocks/8700001/transactions?limit=50", "/extended/v2/blocks/8700001/transactions?limit=50&offset=0"} {
		n.Set(path, http.StatusOK, list)
	}
	args := []string{"tx", id, "--trace", "--api", n.URL, "--fork-cache", dir, "--mock-clarity-engine", program, "--timeout", "60s"}
	code, stdout, stderr := run(t, t.Context(), args...)
	want := "desk.bump(u10) → (ok u22)\n├─ desk.half(u10) → u5   desk:2:59\n└─ tally.add(u5) → (ok u22)   desk:2:32\n   · print { by: 'SPC5…H54J, e: \"add\" }\n"
	if code != 0 || stdout != want {
		t.Errorf("exit %d, %s\n%s\nwant\n%s", code, stderr, stdout, want)
	}
	for _, says := range []string{"a hundred values for a swap", "result and events are those of the chain"} {
		if !strings.Contains(stderr, says) {
			t.Errorf("it does not say %q: %s", says, stderr)
		}
	}
	before := len(n.Requests())
	inTheExplorer(t, n, id, dir)
	if len(n.Requests()) != before {
		t.Errorf("in the explorer %q was read again", n.Requests()[before:])
	}
	code, stdout, stderr = run(t, t.Context(), append(args, "--fork-offline", "-o", "json")...)
	var again struct {
		Replayed, Same bool
		Why            string
		Trace          []json.RawMessage
	}
	if json.Unmarshal([]byte(stdout), &again) != nil || code != 0 || !again.Replayed || !again.Same || again.Why != "" || len(again.Trace) != 1 || len(n.Requests()) != before {
		t.Errorf("offline: exit %d, %s\n%s\n%d requests", code, stderr, stdout, len(n.Requests())-before)
	}
	file := filepath.Join(dir, "transactions", id[2:]+".json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "0x070100000000000000000000000000000016", "0x070100000000000000000000000000000017", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stdout, _ = run(t, t.Context(), append(args, "--fork-offline", "-o", "json")...)
	if json.Unmarshal([]byte(stdout), &again) != nil || again.Same || !strings.Contains(again.Why, "it answers (ok u22)") {
		t.Errorf("another result on the chain: %s", stdout)
	}
}

// inTheExplorer runs it as the explorer does, on what is kept already.
func inTheExplorer(t *testing.T, n *forktest.Node, id, dir string) {
	t.Helper()
	app := &cli.App{}
	app.Settings.Timeout = time.Minute
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	app.Settings.Mock.Register(fs, cli.MockPrefix)
	if err := fs.Parse([]string{"--mock-fork-cache", dir, "--mock-clarity-engine", program}); err != nil {
		t.Fatal(err)
	}
	app.Streams.Env = func(string) (string, bool) { return "", false }
	app.Streams.Err = t.Output()
	e := &explorer{}
	defer e.close()
	on := e.onFork(t.Context(), app, n.Client(t))
	for of, want := range map[string]string{id: "on the state of block 8,700,000: it was run before, and all that it read is kept in " + dir, "0x01": "a hundred values for a swap. At 50 requests a minute, as without an API key, a swap takes some 2 minutes; "} {
		if words, err := on.Costs(of, 8_700_001); err != nil || !strings.Contains(words, want) {
			t.Errorf("the cost is %q, %v, without %q", words, err, want)
		}
	}
	far := make(chan string, 1000)
	answer, err := on.Trace(t.Context(), id, func(words string) { far <- words })
	if a := answer.Value; err != nil || !a.Replayed || !a.Same || len(a.Root) != 1 || a.Root[0].Function != "bump" || len(a.Root[0].Calls) != 2 {
		t.Errorf("%+v, %v", a, err)
	}
	for last := false; !last; {
		select {
		case words := <-far:
			last = strings.Contains(words, "from the folder")
		default:
			t.Fatal("how far it is was not reported")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := on.Trace(ctx, id, func(string) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended by the user: %v", err)
	}
}
