package blocks

import (
	"strconv"
	"strings"
	"time"

	"chainscope/tui/query"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// rows is what filters and orders work on: the loaded blocks.
func (s *Screen) rows() query.Table {
	loaded, now := s.chain.loaded(), s.env.Now()
	column := func(name, head string, kind query.Kind, value func(r *record) string) query.Column {
		return query.Column{Name: name, Head: head, Kind: kind, Value: func(i int) string { return value(loaded[i]) }}
	}
	hidden := query.Column{Name: "other", Hidden: true, Value: func(i int) string {
		r := loaded[i]
		return r.IndexBlockHash + " " + r.ParentBlockHash + " " + r.BurnBlockHash + " " + r.MinerTxID + " " + strings.Join(r.Txs, " ")
	}}
	return query.Table{Len: len(loaded), Columns: []query.Column{
		column("height", "HEIGHT", query.Number, func(r *record) string { return strconv.FormatInt(r.Height, 10) }),
		column("txs", "TXS", query.Number, func(r *record) string {
			if n, known := r.Transactions(); known {
				return strconv.FormatInt(n, 10)
			}
			return ""
		}),
		column("cost", "COST", query.Number, func(r *record) string { return browser.CostValue(s.limits, r.ExecutionCost, r.Lacks) }),
		column("age", "AGE", query.Age, func(r *record) string {
			if r.BlockTime == 0 {
				return ""
			}
			return strconv.FormatInt(int64(now.Sub(time.Unix(r.BlockTime, 0))/time.Second), 10)
		}),
		column("burn", "BURN", query.Number, func(r *record) string { return strconv.FormatInt(r.BurnBlockHeight, 10) }),
		column("tenure", "", query.Number, func(r *record) string {
			if r.TenureHeight == nil {
				return ""
			}
			return strconv.FormatInt(*r.TenureHeight, 10)
		}),
		column("state", "", query.Text, func(r *record) string {
			if r.orphaned {
				return "orphaned"
			}
			return "canonical"
		}),
		column("hash", "BLOCK HASH", query.Text, func(r *record) string { return r.Hash }),
		hidden,
	}}
}

// rowWords says how many blocks a filter looks at.
func (s *Screen) rowWords() string {
	return text.Plural(len(s.chain.at)+len(s.chain.orphans), "loaded block")
}

// show shows some of the loaded blocks, or for nil all there are.
func (s *Screen) show(rows []int) {
	s.source.show(rows)
	s.List.Changed(nil)
}
