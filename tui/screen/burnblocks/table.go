package burnblocks

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/query"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// rows is what filters and orders work on: the burn blocks, or the loaded blocks
// of one.
func (s *Screen) rows() query.Table {
	if s.listing() {
		return s.blocksTable()
	}
	return s.burnsTable()
}

func (s *Screen) show(rows []int) {
	if s.listing() {
		s.one.looked = looked{}
		s.one.show(rows)
		return
	}
	s.over.list.Changed(rows)
}

// rowWords says how many rows a filter looks at.
func (s *Screen) rowWords() string {
	if s.listing() {
		l, _ := s.one.value.Get()
		return text.Plural(len(l.blocks), "loaded block")
	}
	return text.Plural(s.over.depth, "burn block")
}

// age is the number of seconds since a time, "" for an unknown one.
func (s *Screen) age(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return strconv.FormatInt(int64(s.env.Now().Sub(at)/time.Second), 10)
}

// burnsTable has the burn blocks of the list. Of one that is not read only the
// height is known.
func (s *Screen) burnsTable() query.Table {
	o := &s.over
	read := func(name, head string, kind query.Kind, value func(l *listing) string) query.Column {
		return query.Column{Name: name, Head: head, Kind: kind, Value: func(i int) string {
			if l, ok := o.at(o.height(i)); ok {
				return value(l)
			}
			return ""
		}}
	}
	hash := read("hash", "", query.Text, func(l *listing) string { return l.hash })
	hash.Hidden = true
	return query.Table{Len: o.depth, Columns: []query.Column{
		{Name: "height", Head: "BURN BLOCK", Kind: query.Number, Value: func(i int) string { return strconv.FormatInt(o.height(i), 10) }},
		read("blocks", "BLOCKS", query.Number, func(l *listing) string { return strconv.FormatInt(l.total, 10) }),
		read("txs", "TXS", query.Number, func(l *listing) string { return fmt.Sprint(l.transactions()) }),
		read("age", "AGE", query.Age, func(l *listing) string { return s.age(l.time) }),
		hash,
	}}
}

// blocksTable has the loaded Stacks blocks of a burn block.
func (s *Screen) blocksTable() query.Table {
	l, _ := s.one.value.Get()
	column := func(name, head string, kind query.Kind, value func(b *block) string) query.Column {
		return query.Column{Name: name, Head: head, Kind: kind, Value: func(i int) string { return value(&l.blocks[i]) }}
	}
	other := column("other", "", query.Text, func(b *block) string {
		return strings.Join([]string{b.IndexBlockHash, b.ParentBlockHash, b.ParentIndexBlockHash, b.MinerTxID}, " ")
	})
	other.Hidden = true
	return query.Table{Len: len(l.blocks), Columns: []query.Column{
		column("height", "HEIGHT", query.Number, func(b *block) string { return strconv.FormatInt(b.Height, 10) }),
		column("txs", "TXS", query.Number, func(b *block) string { return strconv.FormatInt(b.TxCount, 10) }),
		column("cost", "COST", query.Number, func(b *block) string { return browser.CostValue(s.limits, b.ExecutionCost, b.Lacks) }),
		column("age", "AGE", query.Age, func(b *block) string { return s.age(unix(b.BlockTime)) }),
		column("tenure", "", query.Number, func(b *block) string {
			if b.TenureHeight == nil {
				return ""
			}
			return strconv.FormatInt(*b.TenureHeight, 10)
		}),
		column("hash", "BLOCK HASH", query.Text, func(b *block) string { return b.Hash }),
		other,
	}}
}
