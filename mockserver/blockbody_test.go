package mockserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// blockHead, blockBurn and blockCost are the parts that the two forms of a block share.
type blockHead struct {
	Canonical       bool   `json:"canonical"`
	Height          int64  `json:"height"`
	Hash            string `json:"hash"`
	BlockTime       int64  `json:"block_time"`
	BlockTimeISO    string `json:"block_time_iso"`
	TenureHeight    int64  `json:"tenure_height"`
	IndexBlockHash  string `json:"index_block_hash"`
	ParentBlockHash string `json:"parent_block_hash"`
}

type blockBurn struct {
	BurnBlockTime    int64  `json:"burn_block_time"`
	BurnBlockTimeISO string `json:"burn_block_time_iso"`
	BurnBlockHash    string `json:"burn_block_hash"`
	BurnBlockHeight  int64  `json:"burn_block_height"`
	MinerTxid        string `json:"miner_txid"`
}

type blockCost struct {
	ReadCount   int64 `json:"execution_cost_read_count"`
	ReadLength  int64 `json:"execution_cost_read_length"`
	Runtime     int64 `json:"execution_cost_runtime"`
	WriteCount  int64 `json:"execution_cost_write_count"`
	WriteLength int64 `json:"execution_cost_write_length"`
}

// blockRecord and blockInList have the fields of the two forms in their order.
type blockRecord struct {
	blockHead
	blockBurn
	blockCost
	Txs               []string       `json:"txs"`
	ParentMicroHash   string         `json:"parent_microblock_hash"`
	ParentMicroSeq    int            `json:"parent_microblock_sequence"`
	MicrosAccepted    []string       `json:"microblocks_accepted"`
	MicrosStreamed    []string       `json:"microblocks_streamed"`
	MicroblockTxCount map[string]int `json:"microblock_tx_count"`
}

type blockInList struct {
	blockHead
	ParentIndexHash string `json:"parent_index_block_hash"`
	blockBurn
	TxCount int `json:"tx_count"`
	blockCost
}

// inList drops what endpoint 3 does not give.
func (r *blockRecord) inList(parentIndex string) blockInList {
	return blockInList{r.blockHead, parentIndex, r.blockBurn, len(r.Txs), r.blockCost}
}

// blockPage is a page of the older lists.
type blockPage[T any] struct {
	Limit   int64 `json:"limit"`
	Offset  int64 `json:"offset"`
	Total   int64 `json:"total"`
	Results []T   `json:"results"`
}

// exactly reads an answer that has just the fields of T, in their order.
func exactly[T any](t testing.TB, s *Server, target string) (v T) {
	t.Helper()
	body := get(s, target).Body.Bytes()
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%s: %v in %s", target, err, body)
	}
	if again, err := json.Marshal(v); err != nil || !bytes.Equal(again, body) {
		t.Fatalf("%s is not what encoding/json writes:\n%s\n%s", target, body, again)
	}
	return v
}

// The hash pins the chain of this version and the form of its blocks: a changed constant or draw
// changes every hash and every page that anybody keeps.
func TestTheChainOfASeedIsPinned(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s, _ := newServer(t, Config{Freeze: &at, Seed: 1})
	sum := sha256.New()
	for _, offset := range []int64{0, 1_000, 859_990, 999_980} {
		sum.Write(get(s, fmt.Sprintf("/extended/v1/block?limit=30&offset=%d", offset)).Body.Bytes())
	}
	const want = "2f7270d51e83e7c7128e473073a9661d252e49f336be91bd21c8f130ea1b2cae"
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("the chain changed: pages hash to %s, want %s", got, want)
	}
}

func TestEveryRouteSaysTheSameOfABlock(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s, _ := newServer(t, Config{Freeze: &at, Seed: 1})
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		offset := r.IntN(999_000)
		if i%3 == 0 {
			offset = 860_000 + r.IntN(139_000) // in the older era, which has microblocks
		}
		p := exactly[blockPage[blockRecord]](t, s, fmt.Sprintf("/extended/v1/block?limit=2&offset=%d", offset))
		b, parent := &p.Results[0], &p.Results[1]
		for seconds, iso := range map[int64]string{b.BlockTime: b.BlockTimeISO, b.BurnBlockTime: b.BurnBlockTimeISO} {
			if want := time.Unix(seconds, 0).UTC().Format("2006-01-02T15:04:05.000Z"); iso != want {
				t.Errorf("%d is written %s, want %s", seconds, iso, want)
			}
		}
		if b.Height != p.Total-int64(offset) || b.ParentBlockHash != parent.Hash || b.ParentMicroSeq != len(b.MicrosAccepted)-1 ||
			fmt.Sprint(b.MicrosAccepted) != fmt.Sprint(parent.MicrosStreamed) || len(b.MicroblockTxCount) != len(b.MicrosAccepted) ||
			(b.ParentMicroHash == "") != (len(b.MicrosAccepted) == 0) || len(b.MicrosAccepted) > 0 && b.MicrosAccepted[0] != b.ParentMicroHash {
			t.Errorf("%+v does not follow %+v", b, parent)
		}
		if one := exactly[blockRecord](t, s, fmt.Sprintf("/extended/v1/block/by_height/%d", b.Height)); fmt.Sprint(one) != fmt.Sprint(*b) {
			t.Errorf("by height %+v, in the list %+v", one, b)
		}
		want := b.inList(parent.IndexBlockHash)
		if one := exactly[blockInList](t, s, fmt.Sprintf("/extended/v2/blocks/%d", b.Height)); one != want {
			t.Errorf("version 2 has %+v, version 1 %+v", one, want)
		}
		list := exactly[blockPage[blockInList]](t, s, fmt.Sprintf("/extended/v2/burn-blocks/%d/blocks?limit=30", b.BurnBlockHeight))
		for list.Total > 0 && list.Results[len(list.Results)-1].Height > b.Height {
			list = exactly[blockPage[blockInList]](t, s, fmt.Sprintf("/extended/v2/burn-blocks/%d/blocks?limit=30&offset=%d", b.BurnBlockHeight, list.Offset+30))
		}
		var of []blockInList
		for _, one := range list.Results {
			if one.Height == b.Height {
				of = append(of, one)
			}
		}
		if len(of) != 1 || of[0] != want {
			t.Errorf("the burn block lists %+v, the chain %+v", of, want)
		}
	}
}
