package burnblocks

import (
	"net/http"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/screen"
)

// TestEveryFieldOfAListedBlockIsUnderItsLabel gives each field a value of its own.
func TestEveryFieldOfAListedBlockIsUnderItsLabel(t *testing.T) {
	d := drive(t, http.NotFoundHandler(), "mono")
	d.Env.Times.Mode = screen.UTCTime
	tenure := int64(202)
	b := block{Block: apiclient.ListedBlock{
		Canonical: true, Height: 101, Hash: "0xhash", BlockTime: 1767225600, BlockTimeISO: "the time", TenureHeight: &tenure,
		IndexBlockHash: "0xindex", ParentBlockHash: "0xparent", ParentIndexBlockHash: "0xabove",
		BurnBlockTime: 1767139200, BurnBlockTimeISO: "the burn time", BurnBlockHash: "0xburn", BurnBlockHeight: 303,
		MinerTxID: "0xminer", TxCount: 404,
		ExecutionCost: apiclient.ExecutionCost{ReadCount: 11, ReadLength: 12, Runtime: 13, WriteCount: 14, WriteLength: 15},
	}.Block()}
	fields := uitest.RowsByLabel(d.screen.fields(&b), uitest.Noon)
	for label, wants := range map[string][]string{
		"state": {"canonical"}, "height": {"101"}, "hash": {"0xhash"}, "index hash": {"0xindex"}, "parent": {"0xparent"},
		"parent index": {"0xabove"}, "time": {"the time", "2026-01-01"}, "tenure": {"202"}, "transactions": {"404"},
		"burn block": {"303"}, "burn hash": {"0xburn"}, "burn time": {"the burn time", "2025-12-31"}, "miner tx": {"0xminer"},
		"read count": {"11"}, "read length": {"12"}, "runtime": {"13"}, "write count": {"14"}, "write length": {"15"},
	} {
		for _, want := range wants {
			if got := fields[label]; !strings.Contains(" "+got+" ", " "+want+" ") {
				t.Errorf("%s shows %q, want %q in it", label, got, want)
			}
		}
	}
	b.Canonical = false
	if got := uitest.RowsByLabel(d.screen.fields(&b), uitest.Noon)["state"]; !strings.Contains(got, "orphaned") {
		t.Errorf("the state of an orphaned block is %q", got)
	}
}
