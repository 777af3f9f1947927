package burnblocks

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// decimal writes a mean with one digit after the point.
func decimal(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// trimCrumb names a burn block in the line of crumbs.
func trimCrumb(asked string, hash bool) string {
	crumb := strings.TrimPrefix(asked, "burn block ")
	if hash {
		return text.Middle(crumb, 18)
	}
	return crumb
}

// Subject is the block under the cursor, or the burn block.
func (s *Screen) Subject() screen.Subject {
	if !s.listing() {
		if l, ok := s.over.cursor(); ok {
			return s.WithField(s.burnSubject(l, s.exportBurns))
		}
		return s.failedRow()
	}
	l, ok := s.one.value.Get()
	if !ok {
		return browser.FailedSubject(s.asked(), s.one.value.Err())
	}
	b := s.one.cursor()
	if b == nil {
		return s.burnSubject(l, nil)
	}
	sub := screen.Subject{Title: "block " + text.Count(b.Height), Raw: b.raw, ExchangeID: b.exchange, Export: s.exportBlocks}
	for _, c := range []screen.Copy{
		{Key: "h", Label: "block hash", Text: b.Hash},
		{Key: "i", Label: "index block hash", Text: b.IndexBlockHash},
		{Key: "n", Label: "height", Text: fmt.Sprint(b.Height)},
		{Key: "p", Label: "parent hash", Text: b.ParentBlockHash},
		{Key: "b", Label: "burn block hash", Text: b.BurnBlockHash},
		{Key: "m", Label: "miner transaction", Text: b.MinerTxID},
	} {
		if c.Text != "" {
			sub.Copies = append(sub.Copies, c)
		}
	}
	if s.env.Web != "" && b.Hash != "" {
		sub.Web = s.env.Web + "/block/" + b.Hash + s.env.WebQuery
	}
	return s.WithField(sub)
}

// failedRow is the burn block under the cursor that is not read, or what came
// in its place.
func (s *Screen) failedRow() screen.Subject {
	i, ok := s.List.Cursor()
	if _, known := s.over.newest(); !ok || !known {
		return browser.FailedSubject("burn blocks", s.over.tip.Err())
	}
	height := s.over.height(i)
	var err error
	if v := s.over.known[height]; v != nil {
		err = v.Err()
	}
	return browser.FailedSubject("burn block "+text.Count(height), err)
}

func (s *Screen) burnSubject(l listing, export func() screen.Table) screen.Subject {
	sub := screen.Subject{
		Title: "burn block " + text.Count(l.height), Raw: l.raw, ExchangeID: l.id, Export: export,
		Copies: []screen.Copy{{Key: "n", Label: "burn height", Text: fmt.Sprint(l.height)}},
	}
	if l.hash != "" {
		sub.Copies = append(sub.Copies, screen.Copy{Key: "h", Label: "burn block hash", Text: l.hash})
		if s.env.Web != "" {
			sub.Web = s.env.Web + "/btcblock/" + l.hash + s.env.WebQuery
		}
	}
	return sub
}

// exportBlocks makes a table of the blocks that the list shows.
func (s *Screen) exportBlocks() screen.Table {
	l, _ := s.one.value.Get()
	t := screen.Table{
		Name: fmt.Sprintf("burn-block-%d", l.height),
		Columns: []string{
			"height", "hash", "index_block_hash", "parent_block_hash", "parent_index_block_hash", "block_time_iso", "tenure_height",
			"burn_block_height", "burn_block_hash", "miner_txid", "tx_count", "runtime", "read_count", "read_length", "write_count", "write_length",
		},
	}
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	for i := range s.one.shown {
		b := s.one.block(i)
		tenure := ""
		if b.TenureHeight != nil {
			tenure = n(*b.TenureHeight)
		}
		t.Rows = append(t.Rows, []string{
			n(b.Height), b.Hash, b.IndexBlockHash, b.ParentBlockHash, b.ParentIndexBlockHash, b.BlockTimeISO, tenure,
			n(b.BurnBlockHeight), b.BurnBlockHash, b.MinerTxID, n(b.TxCount), n(b.Runtime), n(b.ReadCount), n(b.ReadLength), n(b.WriteCount), n(b.WriteLength),
		})
		t.JSON = append(t.JSON, b.raw)
	}
	return t
}

// exportBurns makes a table of the burn blocks that the list shows and that are read.
func (s *Screen) exportBurns() screen.Table {
	t := screen.Table{Name: "burn-blocks", Columns: []string{"burn_block_height", "burn_block_hash", "burn_block_time", "blocks", "transactions_loaded"}}
	for _, i := range s.over.list.Rows() {
		l, ok := s.over.at(s.over.height(i))
		if !ok {
			continue
		}
		row := []string{fmt.Sprint(l.height), l.hash, "", fmt.Sprint(l.total), fmt.Sprint(l.transactions())}
		if !l.time.IsZero() {
			row[2] = l.time.UTC().Format("2006-01-02T15:04:05Z")
		}
		t.Rows = append(t.Rows, row)
		value, err := json.Marshal(map[string]any{"burn_block_height": l.height, "burn_block_hash": l.hash, "burn_block_time": row[2], "blocks": l.total, "transactions_loaded": l.transactions()})
		if err == nil {
			t.JSON = append(t.JSON, value)
		}
	}
	return t
}
