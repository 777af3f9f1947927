package chain

import (
	"encoding/binary"
	"slices"
	"strconv"
)

// The bodies are appended, never marshalled: a page costs no allocation and
// is byte for byte what encoding/json writes for the same values.

// hexPairs holds the two digits of every byte, the first in the low byte.
var hexPairs = func() (t [256]uint16) {
	const digits = "0123456789abcdef"
	for i := range t {
		t[i] = uint16(digits[i>>4]) | uint16(digits[i&15])<<8
	}
	return t
}()

func appendHash(dst []byte, h Hash) []byte {
	n := len(dst)
	dst = append(dst, "0x0000000000000000000000000000000000000000000000000000000000000000"...)
	for i, w := range h {
		p := dst[n+2+16*i : n+18+16*i]
		binary.LittleEndian.PutUint64(p, hexWord(uint32(w>>32)))
		binary.LittleEndian.PutUint64(p[8:], hexWord(uint32(w)))
	}
	return dst
}

// hexWord is the eight digits of a word, the first in the low byte.
func hexWord(w uint32) uint64 {
	return uint64(hexPairs[w>>24]) | uint64(hexPairs[w>>16&255])<<16 |
		uint64(hexPairs[w>>8&255])<<32 | uint64(hexPairs[w&255])<<48
}

// appendISO writes an instant as YYYY-MM-DDTHH:mm:ss.000Z.
func appendISO(dst []byte, seconds int64) []byte {
	days := floorDiv(seconds, 86_400)
	clock := seconds - days*86_400
	// Civil date of a day number, by eras of 400 years that begin in March.
	days += 719_468
	era := floorDiv(days, 146_097)
	day := days - era*146_097
	year := (day - day/1_460 + day/36_524 - day/146_096) / 365
	day -= 365*year + year/4 - year/100
	month := (5*day + 2) / 153
	day -= (153*month+2)/5 - 1
	year += era * 400
	if month += 3; month > 12 {
		month -= 12
		year++
	}
	dst = append(dst, "0000-00-00T00:00:00.000Z"...)
	p := dst[len(dst)-24:]
	put2(p[0:], year/100)
	put2(p[2:], year%100)
	put2(p[5:], month)
	put2(p[8:], day)
	put2(p[11:], clock/3600)
	put2(p[14:], clock/60%60)
	put2(p[17:], clock%60)
	return dst
}

func put2(p []byte, n int64) {
	p[0], p[1] = byte('0'+n/10), byte('0'+n%10)
}

// AppendRecord writes a block as endpoints 4, 5 and 6 give it.
func (v *View) AppendRecord(dst []byte, b *Block) []byte {
	dst = appendHead(dst, b)
	dst = appendSetting(dst, b)
	return v.appendTail(dst, b)
}

// appendHead writes up to the digits of the parent's hash.
func appendHead(dst []byte, b *Block) []byte {
	if b.Canonical {
		dst = append(dst, `{"canonical":true,"height":`...)
	} else {
		dst = append(dst, `{"canonical":false,"height":`...)
	}
	dst = strconv.AppendInt(dst, b.Height, 10)
	dst = append(dst, `,"hash":"`...)
	dst = appendHash(dst, b.Hash)
	seconds := floorDiv(b.TimeMS, 1000)
	dst = append(dst, `","block_time":`...)
	dst = strconv.AppendInt(dst, seconds, 10)
	dst = append(dst, `,"block_time_iso":"`...)
	dst = appendISO(dst, seconds)
	dst = append(dst, `","tenure_height":`...)
	dst = strconv.AppendInt(dst, b.Tenure, 10)
	dst = append(dst, `,"index_block_hash":"`...)
	dst = appendHash(dst, b.Index)
	dst = append(dst, `","parent_block_hash":"`...)
	return appendHash(dst, b.Parent)
}

// appendSetting writes what the blocks of one burn block share.
func appendSetting(dst []byte, b *Block) []byte {
	dst = appendBurnBlock(append(dst, `",`...), b)
	dst = append(dst, `,"miner_txid":"`...)
	dst = appendHash(dst, b.Miner)
	return append(dst, '"')
}

// appendBurnBlock writes the fields of the burn block of a block.
func appendBurnBlock(dst []byte, b *Block) []byte {
	seconds := floorDiv(b.BurnTimeMS, 1000)
	dst = append(dst, `"burn_block_time":`...)
	dst = strconv.AppendInt(dst, seconds, 10)
	dst = append(dst, `,"burn_block_time_iso":"`...)
	dst = appendISO(dst, seconds)
	dst = append(dst, `","burn_block_hash":"`...)
	dst = appendHash(dst, b.BurnHash)
	dst = append(dst, `","burn_block_height":`...)
	return strconv.AppendInt(dst, b.BurnHeight, 10)
}

func appendCost(dst []byte, c *Cost) []byte {
	dst = append(dst, `,"execution_cost_read_count":`...)
	dst = strconv.AppendInt(dst, c.ReadCount, 10)
	dst = append(dst, `,"execution_cost_read_length":`...)
	dst = strconv.AppendInt(dst, c.ReadLength, 10)
	dst = append(dst, `,"execution_cost_runtime":`...)
	dst = strconv.AppendInt(dst, c.Runtime, 10)
	dst = append(dst, `,"execution_cost_write_count":`...)
	dst = strconv.AppendInt(dst, c.WriteCount, 10)
	dst = append(dst, `,"execution_cost_write_length":`...)
	return strconv.AppendInt(dst, c.WriteLength, 10)
}

// appendCount ends a block that is listed.
func appendCount(dst []byte, b *Block) []byte {
	dst = append(dst, `,"tx_count":`...)
	dst = strconv.AppendInt(dst, int64(b.TxCount), 10)
	return append(appendCost(dst, &b.Cost), '}')
}

// appendTail ends a block that is recorded.
func (v *View) appendTail(dst []byte, b *Block) []byte {
	dst = appendCost(dst, &b.Cost)
	dst = append(dst, `,"txs":[`...)
	dst = v.appendTxs(dst, b)
	if b.accepted == 0 && b.streamed == 0 {
		return append(dst, `],"parent_microblock_hash":"","parent_microblock_sequence":-1,"microblocks_accepted":[],"microblocks_streamed":[],"microblock_tx_count":{}}`...)
	}
	dst = append(dst, `],"parent_microblock_hash":"`...)
	if b.accepted > 0 {
		dst = appendHash(dst, v.c.microblock(b.Height-1, b.accepted-1))
	}
	dst = append(dst, `","parent_microblock_sequence":`...)
	dst = strconv.AppendInt(dst, int64(b.accepted-1), 10)
	dst = append(dst, `,"microblocks_accepted":[`...)
	dst = v.appendMicroblocks(dst, b.Height-1, b.accepted)
	dst = append(dst, `],"microblocks_streamed":[`...)
	dst = v.appendMicroblocks(dst, b.Height, b.streamed)
	dst = append(dst, `],"microblock_tx_count":{`...)
	dst = v.appendMicroCounts(dst, b)
	return append(dst, "}}"...)
}

// appendTxs writes the transactions, newest first.
func (v *View) appendTxs(dst []byte, b *Block) []byte {
	for i := range b.TxCount {
		dst = appendItem(dst, v.TxID(b, i))
	}
	return dst
}

// TxID returns the id of a transaction of a block, the newest for 0: what was sent to the
// chain, the anchored block's own, then those of the accepted microblocks. There are
// b.TxCount of them.
func (v *View) TxID(b *Block, i int) Hash {
	if i < len(b.sent) {
		return b.sent[len(b.sent)-1-i]
	}
	if i -= len(b.sent); i < b.own {
		r := at(kindTx, b.Height, b.Fork&ForkOrphan, b.burn)
		r.sub = uint16(b.own - 1 - i)
		return v.c.hashRef(r)
	}
	i -= b.own
	for seq := b.accepted - 1; seq >= 0; seq-- {
		n := v.c.streamTxs(b.Height-1, seq)
		if i < n {
			return v.c.hashRef(ref{kind: kindMicroTx, sub: uint16(seq<<8 | (n - 1 - i)), n: b.Height - 1})
		}
		i -= n
	}
	panic("chain: a block has no such transaction")
}

// appendItem adds a hash to an array of strings.
func appendItem(dst []byte, h Hash) []byte {
	if dst[len(dst)-1] == '[' {
		dst = append(dst, '"')
	} else {
		dst = append(dst, `,"`...)
	}
	return append(appendHash(dst, h), '"')
}

// appendMicroblocks writes the stream of a height, newest first.
func (v *View) appendMicroblocks(dst []byte, h int64, n int) []byte {
	for seq := n - 1; seq >= 0; seq-- {
		dst = appendItem(dst, v.c.microblock(h, seq))
	}
	return dst
}

// microblock is a microblock with the number of its transactions.
type microblock struct {
	hash Hash
	txs  int
}

// appendMicroCounts writes the members of a map, sorted by key as
// encoding/json sorts them.
func (v *View) appendMicroCounts(dst []byte, b *Block) []byte {
	var room [maxStream]microblock
	all := room[:0]
	for seq := range b.accepted {
		all = append(all, microblock{v.c.microblock(b.Height-1, seq), v.c.streamTxs(b.Height-1, seq)})
	}
	slices.SortFunc(all, func(a, b microblock) int { return slices.Compare(a.hash[:], b.hash[:]) })
	for i, m := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = appendHash(dst, m.hash)
		dst = append(dst, `":`...)
		dst = strconv.AppendInt(dst, int64(m.txs), 10)
	}
	return dst
}

// AppendBlocks writes the answer of endpoint 6: the canonical blocks from
// offset on, newest first.
func (v *View) AppendBlocks(dst []byte, limit, offset int64) []byte {
	dst = append(appendEnvelope(dst, limit, offset, v.tip), results...)
	high, low := span(1, v.tip, limit, offset)
	return append(v.appendCanonical(dst, high, low, asRecorded), "]}"...)
}

// AppendBurnBlocks writes the answer of endpoint 3: the canonical blocks of a
// burn block from offset on, newest first. Past the end, and for a limit of 0,
// total is 0.
func (v *View) AppendBurnBlocks(dst []byte, burn *Burn, limit, offset int64) []byte {
	high, low := span(burn.First, burn.Last, limit, offset)
	total := burn.Total()
	if low > high {
		total = 0
	}
	dst = append(appendEnvelope(dst, limit, offset, total), results...)
	return append(v.appendCanonical(dst, high, low, asListed), "]}"...)
}

// form is how a block is written in a list.
type form int

const (
	asRecorded form = iota // as endpoints 4, 5 and 6 give it
	asListed               // as endpoint 3 gives it
	forms
)

// cached reports whether the encoded block at a height may be shared by all
// views of the chain.
func (v *View) cached(h int64) bool {
	return h < v.history.first && h < v.history.floorAt && h > v.c.older && h > v.tip-cachedBlocks && v.fork(h) == 0
}

// appendCanonical writes the canonical blocks from high down to low, with
// commas between them.
func (v *View) appendCanonical(dst []byte, high, low int64, as form) []byte {
	var b Block
	var s setting
	var written Hash // burn hash of the part that shared points at
	var shared [2]int
	for h := high; h >= low; h-- {
		if h < high {
			dst = append(dst, ',')
		}
		kept := v.cached(h)
		if kept {
			if body := v.c.cached[as].get(h); body != nil {
				dst = append(dst, body...)
				continue
			}
		}
		v.canonical(&b, h, &s)
		start := len(dst)
		dst = appendHead(dst, &b)
		if as == asListed {
			dst = append(dst, `","parent_index_block_hash":"`...)
			dst = appendHash(dst, b.ParentIndex)
		}
		if b.BurnHash == written {
			dst = append(dst, dst[shared[0]:shared[1]]...)
		} else {
			written, shared[0] = b.BurnHash, len(dst)
			dst = appendSetting(dst, &b)
			shared[1] = len(dst)
		}
		if as == asListed {
			dst = appendCount(dst, &b)
		} else {
			dst = v.appendTail(dst, &b)
		}
		if kept {
			v.c.cached[as].put(h, dst[start:])
		}
	}
	return dst
}

// results begins the rows of a list.
const results = `,"results":[`

// appendEnvelope writes up to the total of a list.
func appendEnvelope(dst []byte, limit, offset, total int64) []byte {
	dst = append(dst, `{"limit":`...)
	dst = strconv.AppendInt(dst, limit, 10)
	dst = append(dst, `,"offset":`...)
	dst = strconv.AppendInt(dst, offset, 10)
	dst = append(dst, `,"total":`...)
	return strconv.AppendInt(dst, total, 10)
}

// span cuts a page out of the heights first to last, counted from the last.
func span(first, last, limit, offset int64) (high, low int64) {
	if offset > last-first {
		return first - 1, first
	}
	high = last - offset
	return high, max(first, high-limit+1)
}

// AppendTipTag writes the index block hash of the tip between quotes, as an
// entity tag.
func (v *View) AppendTipTag(dst []byte) []byte {
	return append(appendHash(append(dst, '"'), v.TipIndex()), '"')
}
