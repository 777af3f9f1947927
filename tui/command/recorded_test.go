package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chainscope/apiclient/apitest"
	"chainscope/tui/command/cli"
)

// TestEveryCommandReadsTheRecordingsOfEveryVersion asks what the real versions of the API
// answered. What is looked for is in the recordings.
func TestEveryCommandReadsTheRecordingsOfEveryVersion(t *testing.T) {
	const burn = "0x2fc249ce06878417ea55e6eaf04460ec73e22d045dfb4ac6847f2335f0d24bdc" // 134
	chain := apitest.Blocks()
	ofBurnBlock := func(height int64) []apitest.Block {
		return slices.DeleteFunc(apitest.Blocks(), func(b apitest.Block) bool { return b.BurnBlockHeight != height })
	}
	for version, gone := range map[string]bool{apitest.Version8: false, apitest.Version9: false, apitest.Sunset: true} {
		t.Run(version, func(t *testing.T) {
			server := httptest.NewServer(apitest.New(version))
			t.Cleanup(server.Close)
			r := reader{t, server.URL, gone}
			r.blocks("blocks", chain[:20])
			r.blocks("blocks --limit 2 --offset 40", chain[40:42])
			r.blocks("blocks --limit 30 --offset 30", chain[30:])
			r.blocks("block 131", ofBurnBlock(131)[:1])
			r.blocks("block "+burn, ofBurnBlock(134)[:1])
			r.blocks("burn-blocks latest", ofBurnBlock(136))
			r.blocks("burn-blocks 133", ofBurnBlock(133))
			r.blocks("burn-blocks "+burn, ofBurnBlock(134))
			r.blocks("burn-blocks 133 --limit 2 --offset 1", ofBurnBlock(133)[1:3])
			r.prints("ft "+apitest.Contract, "HELLO", "http://test.com/uri.json", "strength")
			r.prints("nft "+apitest.Contract+" 1", "hello-world", "prop4")
			r.prints("names id", "id.blockstack", "zumrai.id", "zumminer_crux.id")
			r.prints("names id --page 1", "id.blockstack", "zumrai.id")
			r.prints("names id --all", "id.blockstack", "zumrai.id")
			r.checks()
			r.follows(chain[:2])
		})
	}
}

// reader asks a recorded version of the API by commands.
type reader struct {
	t    *testing.T
	url  string
	gone bool // the routes of v1
}

// asks returns what a command prints.
func (r reader) asks(args string) string {
	r.t.Helper()
	code, stdout, stderr := run(r.t, r.t.Context(), append(strings.Fields(args), "--api", r.url)...)
	if code != 0 || strings.Contains(stderr, "error") {
		r.t.Errorf("%s: exit %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout
}

func (r reader) prints(args string, wants ...string) {
	r.t.Helper()
	stdout := r.asks(args)
	for _, want := range wants {
		if !strings.Contains(stdout, want) {
			r.t.Errorf("%s does not print %s:\n%s", args, want, stdout)
		}
	}
}

// blocks checks that a command prints these blocks, for people and as rows.
func (r reader) blocks(args string, want []apitest.Block) {
	r.t.Helper()
	printText := strings.Join(strings.Fields(r.asks(args)), " ")
	var got []apitest.Block
	for line := range strings.Lines(r.asks(args + " -o ndjson")) {
		var b apitest.Block
		if err := json.Unmarshal([]byte(line), &b); err != nil {
			r.t.Fatalf("%s: %v: %s", args, err, line)
		}
		if b.Txs == nil && len(got) < len(want) && !strings.HasPrefix(args, "block ") {
			b.Txs = want[len(got)].Txs // the lists of v2 do not say them
		}
		got = append(got, b)
	}
	if d := cmp.Diff(want, got); d != "" {
		r.t.Errorf("%s: %s", args, d)
	}
	rows := [][]string{{"height", "hash", "burn_block_height", "index_block_hash"}}
	for _, b := range want {
		rows = append(rows, []string{fmt.Sprint(b.Height), b.Hash, fmt.Sprint(b.BurnBlockHeight), b.IndexBlockHash})
		txs := len(b.Txs)
		if b.Height == 1 && r.gone {
			txs = 5 // v2 counts other ones of the first block
		}
		lines := []string{fmt.Sprintf("%d %s %d %d ", b.Height, b.Hash, b.BurnBlockHeight, txs)}
		if strings.HasPrefix(args, "block ") {
			lines = []string{"hash " + b.Hash + " index hash " + b.IndexBlockHash + " parent " + b.ParentBlockHash, fmt.Sprintf("transactions %d ", txs)}
		}
		for _, line := range lines {
			if !strings.Contains(printText, line) {
				r.t.Errorf("%s does not print %q:\n%s", args, line, printText)
			}
		}
	}
	table, err := csv.NewReader(strings.NewReader(r.asks(args + " -o csv --fields " + strings.Join(rows[0], ",")))).ReadAll()
	if d := cmp.Diff(rows, table); d != "" || err != nil {
		r.t.Errorf("%s: %v %s", args, err, d)
	}
	if told := strings.Contains(r.asks(args+" -o json"), `"txs":`); told == r.gone && !strings.HasPrefix(args, "burn-blocks") {
		r.t.Errorf("%s: transaction ids are told: %v", args, told)
	}
}

// checks checks that the routes of v1 are deprecated, or gone, and that nothing differs.
func (r reader) checks() {
	r.t.Helper()
	want, wantCode := "deprecated", 0
	if r.gone {
		want, wantCode = "gone", 1
	}
	code, stdout, stderr := run(r.t, r.t.Context(), "check", "--api", r.url)
	states := strings.Fields(stdout)
	if code != wantCode || !slices.Contains(states, want) || !slices.Contains(states, "served") || slices.Contains(states, "different") {
		r.t.Errorf("check: exit %d\n%s%s", code, stdout, stderr)
	}
}

// follows checks that the newest blocks are printed, the oldest first, until the command
// is interrupted.
func (r reader) follows(newest []apitest.Block) {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.t.Context())
	defer cancel()
	var out, errs bytes.Buffer
	code := Run(ctx, []string{"blocks", "--follow", "--limit", fmt.Sprint(len(newest)), "--api", r.url}, cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: stateIn(r.t.TempDir()),
		Sleep: func(ctx context.Context, _ time.Duration) error {
			cancel()
			return ctx.Err()
		},
	})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if code != 130 || len(lines) != 1+len(newest) {
		r.t.Fatalf("blocks --follow: exit %d\n%s%s", code, &out, &errs)
	}
	for i, b := range newest {
		if line := lines[len(newest)-i]; !strings.Contains(line, b.Hash) {
			r.t.Errorf("blocks --follow: %q is not of block %d", line, b.Height)
		}
	}
}

// The versions of the mock are one chain: what a command prints is the same on each, but
// for the fields that a version does not have.
func TestEveryCommandPrintsTheSameOnEveryVersionOfTheMock(t *testing.T) {
	const fields = " --fields height,hash,index_block_hash,block_time,tenure_height,burn_block_height,burn_block_hash,burn_block_time"
	first := map[string]string{}
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		mock := serveMock(t, "--api-version", version, "--names", "250")
		for _, args := range []string{
			"blocks --limit 2 -o csv" + fields,
			"blocks --limit 2 --offset 200 -o ndjson" + fields,
			"block 930067 -o csv" + fields,
			"block 930067 -o ndjson" + fields + ",txs,parent_block_hash,execution_cost_runtime",
			"burn-blocks latest -o ndjson" + fields + ",tx_count",
			"burn-blocks 839999 --limit 3 --offset 2 -o csv" + fields,
			"burn-blocks 839999 --limit 3" + fields,
			"ft SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full",
			"nft SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.nft 1",
			"names btc --all",
			"names btc --page 2",
		} {
			code, stdout, stderr := run(t, t.Context(), append(strings.Fields(args), "--api", mock.address)...)
			if code != 0 || stdout == "" || strings.Contains(stderr, "error") {
				t.Errorf("%s: %s: exit %d\n%s%s", version, args, code, stdout, stderr)
			}
			stdout = strings.ReplaceAll(stdout, mock.address, "") // in the addresses of pictures
			if first[args] == "" {
				first[args] = stdout
			} else if stdout != first[args] {
				t.Errorf("%s: %s prints\n%swant\n%s", version, args, stdout, first[args])
			}
		}
	}
}

// A program that reads the columns by their names or their places reads them so on every
// version: what a version does not say has an empty cell, and what it has beyond the
// contract stands after the others.
func TestTheColumnsAreThoseOfTheContractOnEveryVersion(t *testing.T) {
	single := "canonical,height,hash,block_time,block_time_iso,tenure_height,index_block_hash,parent_block_hash,burn_block_time,burn_block_time_iso," +
		"burn_block_hash,burn_block_height,miner_txid,execution_cost_read_count,execution_cost_read_length,execution_cost_runtime,execution_cost_write_count," +
		"execution_cost_write_length,txs,parent_microblock_hash,parent_microblock_sequence,microblocks_accepted,microblocks_streamed,microblock_tx_count"
	listed := "canonical,height,hash,block_time,block_time_iso,tenure_height,index_block_hash,parent_block_hash,parent_index_block_hash,burn_block_time," +
		"burn_block_time_iso,burn_block_hash,burn_block_height,miner_txid,tx_count,execution_cost_read_count,execution_cost_read_length,execution_cost_runtime," +
		"execution_cost_write_count,execution_cost_write_length"
	for version, beyond := range map[string]string{"8": "", "9": "", "sunset": ",parent_index_block_hash,tx_count", "v3": ",tx_count"} {
		mock := serveMock(t, "--api-version", version, "--names", "250")
		whole := beyond // where only v3 is served, one block reports more than the list
		if version == "v3" {
			whole = ",parent_index_block_hash,tx_count,size"
		}
		for args, want := range map[string]string{"blocks --limit 2": single + beyond, "block 930067": single + whole, "burn-blocks latest --limit 3": listed} {
			code, stdout, stderr := run(t, t.Context(), append(strings.Fields(args), "-o", "csv", "--api", mock.address)...)
			rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
			if code != 0 || err != nil || len(rows) < 2 || strings.Join(rows[0], ",") != want {
				t.Errorf("%s: %s: exit %d, %v\n%s%s", version, args, code, err, stdout, stderr)
				continue
			}
			unknown := version == "v3" && args != "block 930067"
			if cell := rows[1][slices.Index(rows[0], "execution_cost_runtime")]; (cell == "") != unknown {
				t.Errorf("%s: %s: the cost is %q", version, args, cell)
			}
		}
		code, stdout, _ := run(t, t.Context(), "block", "930067", "--api", mock.address)
		if lines := strings.Join(strings.Fields(stdout), " "); code != 0 || strings.Contains(lines, "miner tx unknown Execution cost") != (version == "v3") ||
			!strings.Contains(lines, "transactions 10 0xbebafbf5f8f26c85ae47f693f7e11dcbff6a9003ff658fa88ca88a0921c35644") {
			t.Errorf("%s: exit %d\n%s", version, code, stdout)
		}
	}
}
