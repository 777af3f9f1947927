package home

import (
	"context"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// What a large window has room for besides: the newest transactions, those that wait, and the
// balance of the account that the wallet has chosen.
type (
	newest  struct{ apiclient.TransactionPage }
	pending struct{ apiclient.TransactionPage }
	balance struct {
		address string
		apiclient.STXBalance
	}
	more struct {
		newest  remote.Value[newest]
		pending remote.Value[pending]
		balance remote.Value[balance]
	}
)

// moreTransactions is the number of transactions requested of each list, more than a window shows.
const moreTransactions = 20

// moreEvery returns the age at which they are read again: three requests a minute of a live API, and those of a
// mock, which has no limit, with its blocks.
func (s *Screen) moreEvery() time.Duration {
	if s.opt.Scenario != nil {
		return 5 * time.Second
	}
	return time.Minute
}

// requestMore requests what a large window shows besides, where it is too old.
func (s *Screen) requestMore() tea.Cmd {
	if s.size() != large {
		return nil
	}
	var cmds []tea.Cmd
	c, old := s.env.Client, func(at time.Time) bool { return s.env.Now().Sub(at) >= s.moreEvery() }
	if v := &s.more.newest; !v.Busy() && old(v.RequestedAt()) {
		cmds = append(cmds, screen.FetchAhead(s.env, v, func(ctx context.Context) (newest, error) {
			a, err := c.Transactions(ctx, apiclient.Among{}, moreTransactions, "")
			return newest{a.Value}, err
		}))
	}
	if v := &s.more.pending; !v.Busy() && old(v.RequestedAt()) {
		cmds = append(cmds, screen.FetchAhead(s.env, v, func(ctx context.Context) (pending, error) {
			a, err := c.Transactions(ctx, apiclient.Among{Mempool: true}, moreTransactions, "")
			return pending{a.Value}, err
		}))
	}
	address := s.wallet.state.Address
	was, _ := s.more.balance.Get()
	if v := &s.more.balance; address != "" && !v.Busy() && (old(v.RequestedAt()) || was.address != address) {
		cmds = append(cmds, screen.FetchAhead(s.env, v, func(ctx context.Context) (balance, error) {
			a, err := c.AccountBalance(ctx, address)
			return balance{address, a.Value}, err
		}))
	}
	return tea.Batch(cmds...)
}

// moreLoaded stores an answer to them, and reports whether it was one.
func (s *Screen) moreLoaded(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case screen.Fetched[newest]:
		s.more.newest.Settle(msg.Key, msg.Value, msg.Err, msg.At)
	case screen.Fetched[pending]:
		s.more.pending.Settle(msg.Key, msg.Value, msg.Err, msg.At)
	case screen.Fetched[balance]:
		s.more.balance.Settle(msg.Key, msg.Value, msg.Err, msg.At)
	default:
		return false
	}
	return true
}

// moreTiles returns what only a large window carries.
func (s *Screen) moreTiles() []tile {
	n, known := s.more.newest.Get()
	p, waits := s.more.pending.Get()
	tiles := []tile{
		s.transactionsTile("newest", "Newest transactions", nav.Transactions(), n.TransactionPage, known, s.more.newest.Err()),
		s.transactionsTile("pending", "Pending", nav.Mempool(), p.TransactionPage, waits, s.more.pending.Err()),
	}
	if waits {
		tiles[1].title = text.Count(p.Total) + " pending"
	}
	if s.env.Wallet != nil {
		tiles = append(tiles, s.balanceTile())
	}
	return tiles
}

// transactionsTile lists transactions, the newest first.
func (s *Screen) transactionsTile(id, title string, to nav.Place, page apiclient.TransactionPage, known bool, failed error) tile {
	th := s.Theme
	return tile{
		id: id, title: title, action: "list the transactions", open: s.visits(to),
		lines: func(width, height int) []string {
			if len(page.Results) == 0 {
				return []string{th.Muted.Render(absent(known, failed, "none"))}
			}
			var out []string
			for i := range page.Results[:min(height, len(page.Results))] {
				t := resource.TransactionOf(&page.Results[i])
				at := max(t.BlockTime, t.ReceiptTime)
				if t.Mined() {
					at = t.BlockTime
				}
				age := ""
				if at > 0 {
					age = s.env.Times.Short(s.env.ChainNow(), time.Unix(at, 0))
				}
				room := max(0, width-text.Width(age)-1)
				style := th.Text
				if t.Failed() {
					style = th.Bad
				}
				out = append(out, style.Render(text.Fill(text.TruncateWith(text.Line(t.What()), room, th.Glyphs.Ellipsis), room))+" "+th.Muted.Render(age))
			}
			return out
		},
	}
}

// absent says why nothing is shown.
func absent(known bool, failed error, none string) string {
	switch kind := apiclient.KindOf(failed); {
	case !known && (kind == apiclient.Gone || kind == apiclient.NotFound):
		return "this API has none"
	case failed != nil && !known:
		return placeholder.Short(failed)
	case !known:
		return "not read yet"
	}
	return none
}

// balanceTile shows what the account of the wallet has, in STX.
func (s *Screen) balanceTile() tile {
	th := s.Theme
	b, known := s.more.balance.Get()
	address := s.wallet.state.Address
	known = known && b.address == address
	return tile{
		id: "balance", title: "Balance", action: "open the account", open: s.visits(nav.Account(address)),
		lines: func(width, _ int) []string {
			if address == "" {
				return []string{th.Muted.Render("the wallet is locked")}
			}
			name := th.Muted.Render(text.MiddleWith(address, width, th.Glyphs.Ellipsis))
			if !known {
				return []string{th.Muted.Render(absent(false, s.more.balance.Err(), "")), "", name}
			}
			lines := []string{th.Strong.Render(resource.STX(b.Balance))}
			for _, part := range []struct{ amount, words string }{{b.Locked, " locked"}, {b.Inbound, " on their way here"}, {b.Outbound, " on their way out"}} {
				if n := resource.Decimal(part.amount); n != nil && n.Sign() != 0 {
					lines = append(lines, resource.STX(part.amount)+th.Muted.Render(part.words))
				}
			}
			return append(lines, "", name)
		},
	}
}
