package walletpane

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"
	"chainscope/wallet/node"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// sent reports whether a chain was given the transaction.
func (r *resultPage) sent() bool { return r.call.Posted() }

// mined reports whether a block is known to have the transaction.
func (r *resultPage) mined() bool { return r.sent() && r.tx.BlockHeight > 0 }

// pending reports whether the chain said that the next block may take the transaction.
func (r *resultPage) pending() bool {
	return r.sent() && r.chain.Err() == nil && r.known && r.tx.Waits() && !r.mined()
}

// load requests the status of the transaction, until a block has it. What was known
// when the page was opened is requested again once: a block can be replaced.
func (r *resultPage) load() tea.Cmd {
	if _, answered := r.chain.Get(); !r.sent() || r.chain.Busy() || answered && r.mined() {
		return nil
	}
	w, txid := r.screen.wallet, r.call.TxID
	return screen.Fetch(r.screen.env, &r.chain, func(ctx context.Context) (node.Transaction, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		return w.Transaction(ctx, txid)
	})
}

// patience bounds the request of a transaction.
const patience = 10 * time.Second

// answered takes the status that was requested.
func (r *resultPage) answered(msg screen.Fetched[node.Transaction]) {
	if r.chain.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		r.tx, r.known = r.screen.wallet.LastKnown(r.call.TxID)
		r.show()
	}
}

// showLastKnown shows what the chain has reported since, whoever requested it.
func (r *resultPage) showLastKnown() {
	if r.tx, r.known = r.screen.wallet.LastKnown(r.call.TxID); r.known && r.chain.State() == remote.Failed {
		r.chain.Reset()
	}
	r.show()
}

// transactionRows say what became of a signed transaction.
func (r *resultPage) transactionRows() []detail.Row {
	c := r.call
	var rows []detail.Row
	if name, v := value(r.result); v != "" && v != c.TxID {
		rows = append(rows, detail.Row{Label: name, Value: v, Copy: v, To: resource.LinkTo(v).Link()})
	}
	if c.TxID == "" {
		return rows
	}
	row := detail.Row{Label: "transaction", Value: c.TxID, Short: true, Copy: c.TxID}
	if id, err := nav.ParseHash(c.TxID); err == nil && c.NotSent == "" {
		row.To, row.Action = nav.Transaction(id).Link(), "open the transaction"
	}
	rows = append(rows, row)
	switch {
	case r.chain.Err() != nil:
		rows = append(rows, detail.Row{Label: "chain", Value: r.chain.Err().Error(), Role: detail.Bad})
	case r.sent() && !r.known:
		rows = append(rows, detail.Row{Label: "chain", Value: "requesting" + r.screen.theme.Glyphs.Ellipsis, Role: detail.Muted})
	case r.mined():
		rows = append(rows, detail.Row{Label: "in block", Value: text.Count(r.tx.BlockHeight), To: nav.BlockAtHeight(r.tx.BlockHeight).Link(), Note: r.tx.Status})
		if r.tx.Result != "" {
			rows = append(rows, detail.Row{Label: "returned", Value: r.tx.Result, Copy: r.tx.Result})
		}
	}
	return rows
}

// repair signs the transaction of the call again.
func (r *resultPage) repair(kind signer.RepairKind) tea.Cmd {
	if r.call.TxID == "" {
		return screen.Notice("This call signed no transaction that can be replaced.")
	}
	wallet, of := r.screen.wallet, service.Repair{Kind: kind, TxID: r.call.TxID}
	return r.screen.run(string(kind), func(ctx context.Context) service.Outcome { return wallet.Repair(ctx, of) })
}

// status returns the status of the call, as far as the chain reported it.
func (r *resultPage) status() service.Status {
	if !r.known {
		return r.call.Status(nil)
	}
	return r.call.Status(&r.tx)
}

// maxLinks limits how many of what a call names are listed.
const maxLinks = 20

// linkRows returns the accounts, contracts, tokens and transactions that params or a result
// name, each once and as a link, but those that are above.
func linkRows(above []detail.Row, all ...json.RawMessage) []detail.Row {
	var rows []detail.Row
	seen := map[string]bool{}
	for _, row := range above {
		seen[row.Text()] = true
	}
	for _, raw := range all {
		eachText(raw, "", func(name, words string) {
			to := resource.LinkTo(words).Link()
			if seen[words] || to == nil || len(rows) == maxLinks {
				return
			}
			seen[words] = true
			rows = append(rows, detail.Row{Label: name, Value: words, Short: true, Copy: words, To: to})
		})
	}
	return rows
}

// eachText calls a function for each text in JSON, with the name that it has, or that of
// the list that it is in.
func eachText(raw json.RawMessage, name string, yield func(name, words string)) {
	var members map[string]json.RawMessage
	var items []json.RawMessage
	var words string
	switch {
	case json.Unmarshal(raw, &members) == nil:
		for _, key := range slices.Sorted(maps.Keys(members)) {
			eachText(members[key], key, yield)
		}
	case json.Unmarshal(raw, &items) == nil:
		for _, item := range items {
			eachText(item, name, yield)
		}
	case json.Unmarshal(raw, &words) == nil:
		yield(name, words)
	}
}
