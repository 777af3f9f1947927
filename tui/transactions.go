package tui

import (
	"context"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/listing"
	"chainscope/tui/text"
	"chainscope/wallet/signer"
)

// transactionsRead is the number of transactions that are read at a time.
const transactionsRead = 50

// transactions returns how the place of transactions is made.
func transactions(env *screen.Env, backgrounds *Backgrounds, free bool, r *replays) listing.Of[resource.Transaction] {
	c, keys := env.Client, env.Keys
	return listing.Of[resource.Transaction]{
		Kind: resource.Transactions(), Title: transactionsTitle, Ops: []string{"transactions", "transaction", "events of a transaction"}, Home: nav.Transactions(),
		KindAt: func(p nav.Place) resource.Kind[resource.Transaction] {
			return resource.TransactionsOf(p.Principal, p.Mempool)
		},
		At:   func(t resource.Transaction) nav.Place { return nav.Transaction(t.ID) },
		IDOf: func(p nav.Place) string { return p.TxID },
		ID:   func(t resource.Transaction) string { return t.ID },
		// A transaction in a block changes with the chain alone, and a dropped one never.
		Settled: func(t resource.Transaction) bool { return t.Mined() || t.Dropped() },
		Waits:   true,
		Choose:  choosing(env.ChainNow, env.Labelled), FilterHint: "type: from: to: contract: function: since: until:  column:>5  word",
		ReadAhead: func(p nav.Place) int { return rowsAhead(free, p.Principal != "" && !p.Mempool) },
		Pace: func(p nav.Place) listing.Pace {
			switch {
			case p.Mempool:
				return listing.AnyTime
			case p.Ref != (nav.Ref{}):
				return listing.WithChains
			}
			return listing.WithBlocks
		},
		Web: func(t resource.Transaction) string { return "/txid/" + t.ID }, Scope: "transactions",
		Keys: []listing.Key[resource.Transaction]{
			{Binding: &keys.Transactions.Mempool, To: func(at nav.Place, _ *resource.Transaction) nav.Place {
				return nav.Place{Kind: nav.KindTransactions, Principal: at.Principal, Mempool: !at.Mempool}
			}},
			listing.KeyTo(&keys.Transactions.Target, func(t resource.Transaction) nav.Place { return resource.LinkTo(t.To()) }),
			{Binding: &keys.Transactions.Trace, Do: showCalls(c, free, r), Named: mayHaveCalled},
			{Binding: &keys.Transactions.Raise, Do: repair(env, signer.Replace), Named: isOwnPending},
			{Binding: &keys.Transactions.Cancel, Do: repair(env, signer.Cancel), Named: isOwnPending},
		},
		Page: func(ctx context.Context, of nav.Place, cursor string) (listing.Page[resource.Transaction], error) {
			return readTransactions(ctx, c, backgrounds, of, cursor)
		},
		One: func(ctx context.Context, id string) (listing.Row[resource.Transaction], error) {
			a, err := c.Transaction(ctx, id)
			t := resource.Transaction{Transaction: &a.Value}.With(backgrounds.Known(&a.Value))
			return listing.Row[resource.Transaction]{Of: t, Raw: a.Raw, Exchange: a.ExchangeID}, err
		},
		Known: func(listed, read resource.Transaction) resource.Transaction {
			read.Sent, read.Received = listed.Sent, listed.Received
			return read
		},
		Fill: func(ctx context.Context, t resource.Transaction) (resource.Transaction, error) {
			known, err := backgrounds.Read(ctx, t.Transaction)
			return t.With(known), err
		},
		More: func(ctx context.Context, t resource.Transaction) (listing.Row[resource.Transaction], error) {
			a, err := c.MoreEvents(ctx, t.Transaction)
			if err != nil {
				return listing.Row[resource.Transaction]{}, err
			}
			whole := resource.Transaction{Transaction: &a.Value}.With(backgrounds.Known(&a.Value))
			raw, err := a.Value.MarshalJSON() // no answer has all events
			return listing.Row[resource.Transaction]{Of: whole, Raw: raw, Exchange: a.ExchangeID}, err
		},
		Rest: resource.RestOfEvents,
	}
}

func readTransactions(ctx context.Context, c *apiclient.Client, known *Backgrounds, of nav.Place, cursor string) (listing.Page[resource.Transaction], error) {
	among := apiclient.Among{Block: of.Ref.HeightOrHash(), Principal: of.Principal, Mempool: of.Mempool}
	var err error
	if among.Chosen, err = chosenBy(ctx, c, known, of.Filter); err != nil {
		return listing.Page[resource.Transaction]{}, err
	}
	a, err := c.Transactions(ctx, among, transactionsRead, cursor)
	left := a.Value.Left
	page := listing.Page[resource.Transaction]{Total: a.Value.Total, Next: a.Value.Next, Left: left.Names()}
	if of.Filter != "" && page.Left == nil {
		page.Where = map[bool]string{true: "in the mempool", false: "on the chain"}[of.Mempool]
	}
	raw := apiclient.Results(a.Raw, len(a.Value.Results))
	for i := range a.Value.Results {
		t := &a.Value.Results[i]
		page.Rows = append(page.Rows, listing.Row[resource.Transaction]{Of: resource.TransactionOf(t), Raw: raw[i], Exchange: a.ExchangeID, Out: !left.Matches(&t.Transaction)})
		page.Ended = page.Ended || among.Block == "" && left.Ends(&t.Transaction)
	}
	return page, err
}

func transactionsTitle(p nav.Place) string {
	switch {
	case p.TxID != "":
		return "Transaction " + text.Middle(p.TxID, 18)
	case p.Ref.By == nav.ByHeight:
		return "Transactions of block " + text.Count(p.Ref.Height)
	case p.Ref.Hash != "":
		return "Transactions of block " + text.Middle(p.Ref.Hash, 18)
	case p.Principal != "" && p.Mempool:
		return "Waiting transactions of " + text.Middle(p.Principal, 24)
	case p.Principal != "":
		return "Transactions of " + text.Middle(p.Principal, 24)
	case p.Mempool:
		return "Mempool"
	}
	return "Transactions"
}
