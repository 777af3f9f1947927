package blocks

import (
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/chain"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/screen"
)

// TestEveryFieldOfABlockIsUnderItsLabel gives each field a value of its own.
func TestEveryFieldOfABlockIsUnderItsLabel(t *testing.T) {
	s := begin(t, 120, 40, "mono").screen
	s.env.Times.Mode = screen.UTCTime
	tenure := int64(202)
	r := &chain.Block{Whole: true, Block: apiclient.Block{
		Canonical: true, Height: 101, Hash: "0xhash", BlockTime: 1767225600, BlockTimeISO: "the time", TenureHeight: &tenure,
		IndexBlockHash: "0xindex", ParentBlockHash: "0xparent", BurnBlockTime: 1767139200, BurnBlockTimeISO: "the burn time",
		BurnBlockHash: "0xburn", BurnBlockHeight: 303, MinerTxID: "0xminer",
		ExecutionCost: apiclient.ExecutionCost{ReadCount: 11, ReadLength: 12, Runtime: 13, WriteCount: 14, WriteLength: 15},
		Txs:           []string{"0xtx"}, ParentMicroblockHash: "0xmicroparent", ParentMicroblockSequence: 16,
		MicroblocksAccepted: []string{"0xaccepted"}, MicroblocksStreamed: []string{"0xstreamed"},
		MicroblockTxCount: map[string]int64{"0xaccepted": 17, "0xother": 18},
	}}
	fields := uitest.RowsByLabel(s.fields(r), noon)
	for label, wants := range map[string][]string{
		"state": {"canonical"}, "height": {"101"}, "hash": {"0xhash"}, "index hash": {"0xindex"}, "parent": {"0xparent", "0xmicroparent", "sequence 16"},
		"time": {"the time", "2026-01-01"}, "tenure": {"202"}, "burn block": {"303"}, "burn hash": {"0xburn"},
		"burn time": {"the burn time", "2025-12-31"}, "miner tx": {"0xminer"}, "1": {"0xtx"},
		"read count": {"11"}, "read length": {"12"}, "runtime": {"13"}, "write count": {"14"}, "write length": {"15"},
		"accepted": {"0xaccepted 17 txs"}, "streamed": {"0xstreamed"}, "counted": {"0xother 18 txs"},
	} {
		for _, want := range wants {
			if got := fields[label]; !strings.Contains(" "+got+" ", " "+want+" ") {
				t.Errorf("%s shows %q, want %q in it", label, got, want)
			}
		}
	}
	r.Canonical = false
	if got := uitest.RowsByLabel(s.fields(r), noon)["state"]; !strings.Contains(got, "orphaned") {
		t.Errorf("the state of an orphaned block is %q", got)
	}
}
