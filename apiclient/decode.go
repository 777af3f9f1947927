package apiclient

import (
	"encoding/json"
	"math/big"
	"strings"

	"chainscope/apiclient/internal/jsoncursor"
)

// decoder reads one answer's body, which is given as text that the decoded
// strings may share.
type decoder[T any] func(body string) (T, error)

// whole makes a decoder of a whole body out of one of a value.
func whole[T any](value func(*jsoncursor.Cursor, *T)) decoder[T] {
	return func(body string) (T, error) {
		var v T
		c := jsoncursor.New(body)
		value(c, &v)
		return v, c.End()
	}
}

// record is whole for a body that has to be an object.
func record[T any](value func(*jsoncursor.Cursor, *T)) decoder[T] {
	return whole(func(c *jsoncursor.Cursor, v *T) {
		if !c.Here('{') {
			c.Want("an object")
			return
		}
		value(c, v)
	})
}

// keep puts a field nobody asked for into an Extra map.
func keep(c *jsoncursor.Cursor, extra *map[string]json.RawMessage, key string) {
	raw := c.Skip()
	if c.Err() != nil {
		return
	}
	if *extra == nil {
		*extra = make(map[string]json.RawMessage)
	}
	(*extra)[strings.Clone(key)] = json.RawMessage(raw)
}

func number(c *jsoncursor.Cursor) int64 {
	n, _ := c.Int()
	return n
}

func optionalInt(c *jsoncursor.Cursor) *int {
	at := c.Offset()
	n, known := c.Int()
	if !known {
		return nil
	}
	small := int(int32(n))
	if int64(small) != n {
		c.Fail(at, "the number is out of range")
		return nil
	}
	return &small
}

func texts(c *jsoncursor.Cursor) []string {
	out := []string{}
	if !c.Array() {
		return out
	}
	for c.Item() {
		if cap(out) == 0 {
			out = make([]string, 0, 16)
		}
		out = append(out, c.String())
	}
	return out
}

// tenure reads a tenure height; -1 is the server's word for not known.
func tenure(c *jsoncursor.Cursor) *int64 {
	n, known := c.Int()
	if !known || n < 0 {
		return nil
	}
	return &n
}

// supply reads a decimal string. What a contract claims that is no such number,
// or one of more digits than are worth reading, comes back as text: one absurd
// value must not hide a token.
func supply(c *jsoncursor.Cursor) (n *big.Int, text string) {
	const most = 1000
	s := c.Digits()
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > most || strings.Trim(digits, "0123456789") != "" {
		return nil, s
	}
	n, _ = new(big.Int).SetString(s, 10)
	return n, ""
}

// cost reads the field key into e when it is one of its dimensions.
func (e *ExecutionCost) decode(c *jsoncursor.Cursor, key string) bool {
	switch key {
	case "execution_cost_read_count":
		e.ReadCount = number(c)
	case "execution_cost_read_length":
		e.ReadLength = number(c)
	case "execution_cost_runtime":
		e.Runtime = number(c)
	case "execution_cost_write_count":
		e.WriteCount = number(c)
	case "execution_cost_write_length":
		e.WriteLength = number(c)
	default:
		return false
	}
	return true
}

func decodeBlock(c *jsoncursor.Cursor, b *Block) {
	b.ParentMicroblockSequence = -1
	if !c.Object() {
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			return
		}
		switch key {
		case "canonical":
			b.Canonical = c.Bool()
		case "height":
			b.Height = number(c)
		case "hash":
			b.Hash = c.String()
		case "block_time":
			b.BlockTime = number(c)
		case "block_time_iso":
			b.BlockTimeISO = c.String()
		case "tenure_height":
			b.TenureHeight = tenure(c)
		case "index_block_hash":
			b.IndexBlockHash = c.String()
		case "parent_block_hash":
			b.ParentBlockHash = c.String()
		case "burn_block_time":
			b.BurnBlockTime = number(c)
		case "burn_block_time_iso":
			b.BurnBlockTimeISO = c.String()
		case "burn_block_hash":
			b.BurnBlockHash = c.String()
		case "burn_block_height":
			b.BurnBlockHeight = number(c)
		case "miner_txid":
			b.MinerTxID = c.String()
		case "txs":
			b.Txs = texts(c)
		case "parent_microblock_hash":
			b.ParentMicroblockHash = c.String()
		case "parent_microblock_sequence":
			if n, known := c.Int(); known {
				b.ParentMicroblockSequence = n
			}
		case "microblocks_accepted":
			b.MicroblocksAccepted = texts(c)
		case "microblocks_streamed":
			b.MicroblocksStreamed = texts(c)
		case "microblock_tx_count":
			b.MicroblockTxCount = counts(c)
		default:
			if !b.ExecutionCost.decode(c, key) {
				keep(c, &b.Extra, key)
			}
		}
	}
}

func counts(c *jsoncursor.Cursor) map[string]int64 {
	out := map[string]int64{}
	if !c.Object() {
		return out
	}
	for {
		key, ok := c.Key()
		if !ok {
			return out
		}
		out[key] = number(c)
	}
}

func decodeListedBlock(c *jsoncursor.Cursor, b *ListedBlock) {
	if !c.Object() {
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			return
		}
		switch key {
		case "canonical":
			b.Canonical = c.Bool()
		case "height":
			b.Height = number(c)
		case "hash":
			b.Hash = c.String()
		case "block_time":
			b.BlockTime = number(c)
		case "block_time_iso":
			b.BlockTimeISO = c.String()
		case "tenure_height":
			b.TenureHeight = tenure(c)
		case "index_block_hash":
			b.IndexBlockHash = c.String()
		case "parent_block_hash":
			b.ParentBlockHash = c.String()
		case "parent_index_block_hash":
			b.ParentIndexBlockHash = c.String()
		case "burn_block_time":
			b.BurnBlockTime = number(c)
		case "burn_block_time_iso":
			b.BurnBlockTimeISO = c.String()
		case "burn_block_hash":
			b.BurnBlockHash = c.String()
		case "burn_block_height":
			b.BurnBlockHeight = number(c)
		case "miner_txid":
			b.MinerTxID = c.String()
		case "tx_count":
			b.TxCount = number(c)
		default:
			if !b.ExecutionCost.decode(c, key) {
				keep(c, &b.Extra, key)
			}
		}
	}
}

// envelope makes a decoder of the envelope out of one of its rows.
func envelope[T any](row func(*jsoncursor.Cursor, *T)) func(*jsoncursor.Cursor, *BlockList[T]) {
	return func(c *jsoncursor.Cursor, l *BlockList[T]) {
		if !c.Object() {
			return
		}
		for {
			key, ok := c.Key()
			if !ok {
				break
			}
			switch key {
			case "limit":
				l.Limit = number(c)
			case "offset":
				l.Offset = number(c)
			case "total":
				l.Total = number(c)
			case "results":
				l.Results = make([]T, 0, MaxLimit)
				if !c.Array() {
					continue
				}
				for c.Item() {
					if !c.Here('{') {
						c.Want("an object")
						break
					}
					var v T
					row(c, &v)
					l.Results = append(l.Results, v)
				}
			default:
				keep(c, &l.Extra, key)
			}
		}
		if l.Results == nil && c.Err() == nil {
			c.Fail(c.Offset(), "the list has no field results")
		}
	}
}

var (
	blockDecoder      = record(decodeBlock)
	blocksDecoder     = record(envelope(decodeBlock))
	burnBlocksDecoder = record(envelope(decodeListedBlock))
)
