package blocks

import (
	"strconv"

	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// Subject is the block under the cursor, or what came in its place.
func (s *Screen) Subject() screen.Subject {
	r := s.current()
	if r == nil || s.problem != nil {
		err := s.problem
		if err == nil {
			err = s.staleError()
		}
		return browser.FailedSubject("The answer", err)
	}
	subject := screen.Subject{
		Title: "Block " + text.Count(r.Height), Raw: r.raw, ExchangeID: r.exchange, Export: s.table,
		Copies: []screen.Copy{
			{Key: "h", Label: "hash", Text: r.Hash},
			{Key: "x", Label: "index block hash", Text: r.IndexBlockHash},
			{Key: "n", Label: "height", Text: strconv.FormatInt(r.Height, 10)},
			{Key: "b", Label: "burn block hash", Text: r.BurnBlockHash},
		},
	}
	if s.env.Web != "" {
		subject.Web = s.env.Web + "/block/" + r.Hash + s.env.WebQuery
	}
	return s.WithField(subject)
}

// table is what export writes: the loaded blocks that the filter lets through.
func (s *Screen) table() screen.Table {
	t := screen.Table{Name: "blocks", Columns: []string{"height", "hash", "index_block_hash", "block_time", "burn_block_height", "burn_block_hash", "tenure_height", "txs", "state"}}
	records := s.source.filtered
	if !s.source.filter {
		records = s.chain.loaded()
	}
	for _, r := range records {
		tenure, state, txs := "", "canonical", ""
		if n, known := r.Transactions(); known {
			txs = strconv.FormatInt(n, 10)
		}
		if r.TenureHeight != nil {
			tenure = strconv.FormatInt(*r.TenureHeight, 10)
		}
		if r.orphaned {
			state = "orphaned"
		}
		t.Rows = append(t.Rows, []string{
			strconv.FormatInt(r.Height, 10), r.Hash, r.IndexBlockHash, strconv.FormatInt(r.BlockTime, 10),
			strconv.FormatInt(r.BurnBlockHeight, 10), r.BurnBlockHash, tenure, txs, state,
		})
		t.JSON = append(t.JSON, r.raw)
	}
	return t
}
