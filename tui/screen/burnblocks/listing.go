package burnblocks

import (
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"time"

	"chainscope/apiclient"
)

// pageSize is the most blocks that the API lists at once.
const pageSize = 30

// block is a Stacks block with the exact JSON it came as.
type block struct {
	apiclient.ListedBlock
	raw      json.RawMessage
	exchange uint64
}

// id tells blocks apart; heights do not, since a block can be replaced.
func (b *block) id() string {
	if b.IndexBlockHash == "" {
		return strconv.FormatInt(b.Height, 10) + " " + b.Hash
	}
	return b.IndexBlockHash
}

// answer is a page of a listing as the client gives it.
type answer = apiclient.Answer[apiclient.BlockList[apiclient.ListedBlock]]

// rowsOf gives each block of a page the JSON it came as. Blocks outlive the page:
// a burn block gets new ones page by page.
func rowsOf(a answer) []block {
	var page struct {
		Results []json.RawMessage `json:"results"`
	}
	// The client has read this text already; where it cannot be read again,
	// blocks go without it.
	_ = json.Unmarshal(a.Raw, &page)
	out := make([]block, len(a.Value.Results))
	for i := range out {
		out[i] = block{ListedBlock: a.Value.Results[i].Detach(), exchange: a.ExchangeID}
		if i < len(page.Results) {
			out[i].raw = slices.Clone(page.Results[i])
		}
	}
	return out
}

// listing is what is known of the Stacks blocks of one burn block.
type listing struct {
	height int64
	hash   string
	time   time.Time       // when the burn block was mined
	total  int64           // all its Stacks blocks, loaded or not
	blocks []block         // the highest first
	ended  bool            // a page past the end was seen
	empty  bool            // it is known to have no Stacks block
	raw    json.RawMessage // the page that came last
	id     uint64          // its exchange
	// counted reports that only the numbers of its blocks and, in txs, of their
	// transactions are known.
	counted bool
	txs     int64
	counts  *counts // what came with the newest burn block
}

// with adds a page that was asked for at an offset. A page past the end says
// that there are no blocks at all, so that the total before it stays. The
// listing before is not changed.
func (l listing) with(a answer, offset int) listing {
	page := a.Value
	l.raw, l.id = a.Raw, a.ExchangeID
	if len(page.Results) == 0 {
		if offset == 0 {
			l.blocks, l.total = nil, page.Total
		}
		l.ended = true
		return l
	}
	if first := page.Results[0]; first.BurnBlockHash != l.hash {
		l.height, l.hash, l.time, l.blocks = first.BurnBlockHeight, first.BurnBlockHash, unix(first.BurnBlockTime), nil
	}
	l.total = page.Total
	l.blocks = join(l.blocks, rowsOf(a))
	l.ended = false
	return l
}

// more reports whether there are blocks that are not loaded.
func (l listing) more() bool { return !l.counted && !l.ended && int64(len(l.blocks)) < l.total }

// transactions is the number of transactions of the loaded blocks, or of all where
// they are only counted.
func (l listing) transactions() int64 {
	if l.counted {
		return l.txs
	}
	var sum int64
	for _, b := range l.blocks {
		sum += max(0, b.TxCount)
	}
	return sum
}

// weights are the transaction counts of the blocks, in their order.
func (l listing) weights() []float64 {
	out := make([]float64, len(l.blocks))
	for i, b := range l.blocks {
		out[i] = float64(b.TxCount)
	}
	return out
}

// tenures are the known tenure heights of the loaded blocks, the highest first.
func (l listing) tenures() []int64 {
	var out []int64
	for _, b := range l.blocks {
		if b.TenureHeight != nil && !slices.Contains(out, *b.TenureHeight) {
			out = append(out, *b.TenureHeight)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i] > out[j] })
	return out
}

// join adds a page to the blocks loaded before, the highest first. A block is
// the same when its index block hash is, and the page is the newer word on it;
// one of another hash at the same height is replaced on the chain.
func join(loaded, page []block) []block {
	heights := make(map[int64]bool, len(page))
	hashes := make(map[string]bool, len(page))
	out := make([]block, 0, len(loaded)+len(page))
	for _, b := range page {
		if !hashes[b.id()] {
			out = append(out, b)
		}
		hashes[b.id()], heights[b.Height] = true, true
	}
	for _, b := range loaded {
		if !hashes[b.id()] && !heights[b.Height] {
			out = append(out, b)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Height > out[j].Height })
	return out
}

// unix is the time of a count of seconds, the zero time for 0.
func unix(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0)
}
