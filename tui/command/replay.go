package command

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/mockclient"
	"chainscope/tui/text"
	"chainscope/wallet/atomicfile"
	"chainscope/wallet/node"
)

// replay holds what is needed to run a transaction again. It is kept beside the values of the chain, for a time
// without a network.
type replay struct {
	Transaction apiclient.ListedTransaction `json:"transaction"`
	Bytes       string                      `json:"bytes"` // hexadecimal
	// Before are the transactions of its block that came before it, the first one first. Those that are
	// done again before it have their bytes.
	Before []earlier `json:"before"`

	file string
}

type earlier struct {
	ID       string `json:"tx_id"`
	Sender   string `json:"sender"`
	Contract string `json:"contract"` // that it calls, "" for none
	Bytes    string `json:"bytes"`
}

// blockStep is the time from a block of the mock to the next.
const blockStep = 10 * time.Second

// trace does a call of a live chain again on a fork of the block before it, and returns its trace.
func (f *forks) trace(ctx context.Context, id string) (answer apiclient.Answer[apiclient.Trace], err error) {
	if err := f.check("tx --trace: " + noTrace); err != nil {
		return answer, err
	}
	r := &replay{file: f.transactionFile(id)}
	if err := r.read(ctx, f, id); err != nil {
		return answer, err
	}
	if r.Transaction.Type != apiclient.TypeContractCall || !r.Transaction.Mined() {
		return answer, &cli.Error{Kind: cli.KindNotFound, Message: "transaction " + id + " called nothing, or is in no block yet"}
	}
	t := &r.Transaction.Transaction
	if !f.offline {
		f.app.Notice(fmt.Sprintf("running the call again on the state of block %d: %s", *t.BlockHeight-1, f.cost(id, *t.BlockHeight-1)))
	}
	again, ran, err := r.run(ctx, f)
	if err != nil {
		return answer, err
	}
	if more, err := r.touching(ctx, f, &again.Value); err != nil {
		return answer, err
	} else if more {
		if again, ran, err = r.run(ctx, f); err != nil {
			return answer, err
		}
	}
	r.cache()
	was := &again.Value
	was.Replayed = true
	if was.Why = difference(ran, t); was.Why != "" {
		was.Why += r.perhaps()
	}
	was.Same = was.Why == ""
	raw := bytes.TrimRight(again.Raw, " \n}")
	raw = fmt.Appendf(raw, `,"replayed":true,"same":%t`, was.Same)
	end := fmt.Sprintf("done again after block %d: result and events are those of the chain", *t.BlockHeight-1)
	if !was.Same {
		if why, err := json.Marshal(was.Why); err == nil {
			raw = fmt.Appendf(raw, `,"why":%s`, why)
		}
		end = fmt.Sprintf("done again after block %d, and it went otherwise than on the chain: %s", *t.BlockHeight-1, was.Why)
	}
	if !f.app.JSON() {
		f.app.Notice(end)
	}
	again.Raw = append(raw, '}')
	return again, nil
}

// read reads what is needed: from the file, or from the API.
func (r *replay) read(ctx context.Context, f *forks, id string) error {
	c := f.client
	kept, err := os.ReadFile(r.file)
	if err == nil && json.Unmarshal(kept, r) == nil && r.Bytes != "" {
		return nil
	}
	if f.offline {
		return cli.Usagef("--fork-offline: the transaction %s is not kept in %s; run it once without the flag", id, filepath.Dir(r.file))
	}
	answer, err := c.Transaction(ctx, id)
	if err == nil {
		answer, err = readEvents(ctx, f.app, c, answer, true)
	}
	if err != nil {
		return notFound("transaction "+id, err)
	}
	r.Transaction.Transaction = answer.Value
	if r.Transaction.Type != apiclient.TypeContractCall || !r.Transaction.Mined() {
		return nil
	}
	if r.Bytes, err = bytesOf(ctx, c, id); err != nil {
		return err
	}
	return r.readBefore(ctx, c)
}

func bytesOf(ctx context.Context, c *apiclient.Client, id string) (string, error) {
	answer, err := c.Raw(ctx, "bytes of a transaction", "/extended/v1/tx/"+id+"/raw")
	var body struct {
		Raw string `json:"raw_tx"`
	}
	if err == nil && (json.Unmarshal(answer.Body, &body) != nil || body.Raw == "") {
		err = &cli.Error{Kind: cli.KindServer, Message: "the API does not have the bytes of transaction " + id}
	}
	return strings.TrimPrefix(body.Raw, "0x"), err
}

// mostBefore bounds how many transactions of a block are read.
const mostBefore = 500

// readBefore finds what came before it in its block. Those of its own sender have to be done again, since
// its nonce comes after theirs.
func (r *replay) readBefore(ctx context.Context, c *apiclient.Client) error {
	t := &r.Transaction.Transaction
	if t.Index != nil && *t.Index == 0 {
		return nil
	}
	var rows []apiclient.ListedTransaction
	for cursor := ""; len(rows) < mostBefore; {
		page, err := c.Transactions(ctx, apiclient.Among{Block: fmt.Sprint(*t.BlockHeight)}, 50, cursor)
		if err != nil {
			return err
		}
		rows = append(rows, page.Value.Results...)
		if cursor = page.Value.Next; cursor == "" {
			break
		}
	}
	slices.SortStableFunc(rows, func(a, b apiclient.ListedTransaction) int {
		return int(indexOf(&a.Transaction) - indexOf(&b.Transaction))
	})
	for _, row := range rows {
		if row.ID == t.ID || t.Index != nil && row.Index != nil && *row.Index >= *t.Index {
			break
		}
		e := earlier{ID: row.ID, Sender: row.Sender}
		if row.ContractCall != nil {
			e.Contract = row.ContractCall.ContractID
		}
		if e.Sender == t.Sender || t.Sponsor != "" && e.Sender == t.Sponsor {
			var err error
			if e.Bytes, err = bytesOf(ctx, c, e.ID); err != nil {
				return err
			}
		}
		r.Before = append(r.Before, e)
	}
	return nil
}

func indexOf(t *apiclient.Transaction) int64 {
	if t.Index == nil {
		return 0
	}
	return *t.Index
}

// touching reads the bytes of those that called a contract which the transaction called too, and reports
// whether there are any that were not done before it yet.
func (r *replay) touching(ctx context.Context, f *forks, t *apiclient.Trace) (more bool, err error) {
	called := map[string]bool{}
	var walk func([]apiclient.Call)
	walk = func(calls []apiclient.Call) {
		for i := range calls {
			called[calls[i].Contract] = true
			walk(calls[i].Calls)
		}
	}
	walk(t.Root)
	for i := range r.Before {
		e := &r.Before[i]
		if !called[e.Contract] || e.Bytes != "" || f.offline {
			continue
		}
		if e.Bytes, err = bytesOf(ctx, f.client, e.ID); err != nil {
			return false, err
		}
		more = true
	}
	return more, nil
}

// cache writes it down, if the folder can be written.
func (r *replay) cache() {
	kept, err := json.MarshalIndent(r, "", " ")
	if err == nil && os.MkdirAll(filepath.Dir(r.file), 0o755) == nil {
		_ = atomicfile.Replace(r.file, append(kept, '\n'), 0o644) // it is read again then
	}
}

// perhaps says what may be the reason why it went otherwise.
func (r *replay) perhaps() string {
	left := 0
	for _, e := range r.Before {
		if e.Bytes == "" {
			left++
		}
	}
	if left == 0 {
		return ""
	}
	return fmt.Sprintf("; %s of its block came before it and were not done again, since they call other contracts", text.Plural(left, "transaction"))
}

// run does it again, with what has bytes before it, and returns its trace and how it ended.
func (r *replay) run(ctx context.Context, f *forks) (trace apiclient.Answer[apiclient.Trace], ran *apiclient.Transaction, err error) {
	t := &r.Transaction.Transaction
	at := time.Unix(t.BlockTime, 0).Add(-blockStep)
	mock, end, err := f.open(ctx, *t.BlockHeight-1, at)
	if err != nil {
		return trace, nil, err
	}
	defer end()
	for _, e := range r.Before {
		if e.Bytes != "" {
			if _, err := sendAgain(ctx, mock, e.ID, e.Bytes); err != nil {
				return trace, nil, err
			}
		}
	}
	if ran, err = sendAgain(ctx, mock, t.ID, r.Bytes); err == nil {
		trace, err = mock.Client.Trace(ctx, t.ID)
	}
	return trace, ran, err
}

// sendAgain lets a block of the mock have a transaction.
func sendAgain(ctx context.Context, mock *cli.Connection, id, of string) (*apiclient.Transaction, error) {
	raw, err := hex.DecodeString(of)
	if err != nil {
		return nil, err
	}
	to, err := node.New(node.Options{BaseURL: mock.BaseURL})
	if err == nil {
		_, err = to.Broadcast(ctx, raw)
	}
	if err != nil {
		return nil, fmt.Errorf("transaction %s cannot be done again: %w", id, err)
	}
	// What cannot be read now may be read a moment later.
	for range 3 {
		if err := mockclient.New(mock.BaseURL, nil).Patient().Mine(ctx, 1); err != nil {
			return nil, err
		}
		answer, err := mock.Client.Transaction(ctx, id)
		if err != nil || answer.Value.Mined() {
			return &answer.Value, err
		}
	}
	why := struct {
		Sentence string `json:"sentence"`
	}{"it waits"}
	if answer, err := mock.Client.Raw(ctx, "why", "/mock/v1/tx/"+id+"/why"); err == nil {
		_ = json.Unmarshal(answer.Body, &why)
	}
	return nil, &cli.Error{Kind: cli.KindServer, Message: "transaction " + id + " cannot be done again: " + why.Sentence}
}

// difference says in what a transaction went otherwise than on the chain, "" where it did not.
func difference(ran, chain *apiclient.Transaction) string {
	if ran.Status != chain.Status {
		return fmt.Sprintf("it ends with %s, on the chain with %s", ran.Status, chain.Status)
	}
	if result := func(t *apiclient.Transaction) string {
		if t.Result == nil {
			return ""
		}
		return t.Result.Hex
	}; result(ran) != result(chain) && chain.Result != nil {
		return fmt.Sprintf("it answers %s, on the chain %s", ran.Result.Repr, chain.Result.Repr)
	}
	here, there := plainEvents(ran.Events), plainEvents(chain.Events)
	for i := range max(len(here), len(there)) {
		if i >= len(here) || i >= len(there) || here[i] != there[i] {
			return fmt.Sprintf("event %d is another one", i)
		}
	}
	return ""
}

// plainEvents writes events without what depends on who reports them.
func plainEvents(all []apiclient.Event) (out []string) {
	for _, e := range all {
		e.Index, e.Extra = nil, nil
		if e.Asset != nil {
			asset := *e.Asset
			asset.Extra = nil
			if asset.Value != nil {
				asset.Value = &apiclient.ClarityValue{Hex: asset.Value.Hex}
			}
			e.Asset = &asset
		}
		if e.Log != nil {
			log := *e.Log
			log.Value.Repr = ""
			e.Log = &log
		}
		text, err := json.Marshal(e)
		if err != nil {
			text = []byte(err.Error())
		}
		out = append(out, string(text))
	}
	return out
}

// noTraces reports whether an API that gave no trace is a live one, which has none.
func noTraces(c *apiclient.Client, err error) bool {
	return errors.Is(err, apiclient.ErrNoTraces) || apiclient.KindOf(err) == apiclient.NotFound && !c.About().Mock
}
