package burnblocks

import (
	"context"
	"strconv"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// notWhole returns the rows of the list whose number of transactions is not known, as few
// or as many as a filter leaves, and how many requests count them: a page of blocks each.
// Of a burn block that is not read it is one at least.
func (s *Screen) notWhole() (rows []int, requests int, sure bool) {
	sure = true
	for _, i := range s.over.list.Rows() {
		l, read := s.over.at(s.over.height(i))
		if read && !l.burnBlock().Transactions.AtLeast && l.burnBlock().Transactions.Known() {
			continue
		}
		pages := 1
		if read {
			pages = max(1, (int(min(l.total, mostBlocks))+pageSize-1)/pageSize)
		}
		rows, requests, sure = append(rows, i), requests+pages, sure && read
	}
	return rows, requests, sure
}

// countRows counts the transactions of the burn blocks of which not all are known, one
// after the other. Where requests are limited it says first what that costs.
func (s *Screen) countRows() tea.Cmd {
	rows, _, _ := s.notWhole()
	switch {
	case s.over.counting.Busy():
		return nil
	case len(rows) == 0:
		return screen.Notice("the transactions of all burn blocks in the list are counted")
	case s.env.Limit() > 0 && !s.tellsPartial():
		s.over.asked = true
		return nil
	}
	s.over.asked = false
	return s.countNext(rows[0])
}

func (s *Screen) countNext(row int) tea.Cmd {
	api, height := s.api, s.over.height(row)
	return screen.Fetch(s.env, &s.over.counting, slotWhole, func(ctx context.Context) (listing, error) {
		return countTxs(ctx, api, height)
	})
}

// countTxs reads all blocks of a burn block for the number of their transactions.
func countTxs(ctx context.Context, api API, height int64) (listing, error) {
	l, err := readRow(ctx, api, height)
	for err == nil && l.more() {
		before := len(l.blocks)
		if l, err = read(ctx, api, strconv.FormatInt(height, 10), before, l); len(l.blocks) == before {
			l.ended = true // the server repeats itself
		}
	}
	if err != nil {
		return listing{}, err
	}
	txs, _ := l.transactions()
	return listing{height: height, hash: l.hash, time: l.time, total: l.total, empty: l.empty, counted: true, txs: &txs}, nil
}

// takeWhole takes the number of transactions of a burn block, and counts the next.
func (s *Screen) takeWhole(msg screen.Fetched[listing]) tea.Cmd {
	o := &s.over
	if !o.counting.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	again := func() tea.Cmd {
		if rows, _, _ := s.notWhole(); len(rows) > 0 {
			return s.countNext(rows[0])
		}
		return nil
	}
	if later := s.RetryLater(slotWhole, msg.Err, msg.At, again); msg.Err != nil {
		return later
	}
	if o.counts == nil {
		o.counts = map[int64]listing{}
	}
	o.counts[msg.Value.height] = msg.Value
	if l, read := o.read(msg.Value.height); read && (l.hash != msg.Value.hash || l.total != msg.Value.total) {
		delete(o.known, msg.Value.height) // it has got more since
	}
	o.list.Forget()
	s.Arrange()
	return again()
}

// tellsPartial reports whether it is said how many burn blocks are not counted.
func (s *Screen) tellsPartial() bool { return s.over.asked || s.Order().Column == txsName }

// wholeWords say that some burn blocks are not counted, and what counts them for how much,
// or how that goes on; "" for neither.
func (s *Screen) wholeWords(now time.Time) string {
	th, o := s.Theme, &s.over
	going := o.counting.Busy() || s.Waits(slotWhole)
	if !going && !s.tellsPartial() {
		return ""
	}
	rows, requests, sure := s.notWhole()
	if len(rows) == 0 {
		return ""
	}
	about := ""
	if !sure {
		about = "at least "
	}
	words := text.Plural(len(rows), "burn block")
	if going {
		return th.Accent.Render(placeholder.Spinner(th, now.Sub(o.counting.Since()))) + " " +
			th.Muted.Render("counting transactions: "+words+" left"+browser.CostOf(requests, s.env.Limit(), about)) + "  " + placeholder.HintOf(th, "esc", "stops")
	}
	if s.Order().Column == txsName {
		words += " at the end"
	}
	return th.Warn.Render(words+" not counted in full") + "  " + placeholder.Hint(th, s.env.Keys.Burn.Count, "counts") + th.Muted.Render(browser.CostOf(requests, s.env.Limit(), about))
}
