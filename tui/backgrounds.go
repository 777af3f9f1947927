package tui

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/service"
)

// Backgrounds reads what explains transactions. One that is opened costs at most one request
// besides its own, four where it requested a withdrawal of sBTC; what was read once is kept. It may be used by several goroutines.
type Backgrounds struct {
	client *apiclient.Client
	// calls finds the call of this program's wallet that signed a transaction; nil for no wallet.
	calls func(txid string) (service.Call, bool)

	mu     sync.Mutex
	units  map[string]knownUnit // by contract
	owners map[string]string    // of names that a filter has
	// The rest is of the transaction and the contract that were looked at last.
	id       string
	waits    *outcome.Waits
	queue    *resource.Queue
	settled  *resource.Settled
	contract *resource.Contract
}

// knownUnit holds what is known of a token: its unit, or that neither its metadata nor its
// contract has one.
type knownUnit struct {
	resource.Unit
	known, none bool
}

// NewBackgrounds returns a reader that has nothing yet.
func NewBackgrounds(c *apiclient.Client) *Backgrounds {
	return &Backgrounds{client: c, units: map[string]knownUnit{}, owners: map[string]string{}}
}

// owner returns the owner of a name, which is requested once, or the account that is no name.
func (b *Backgrounds) owner(ctx context.Context, named string) (string, error) {
	if apiclient.CheckAccount(named) == nil {
		return named, nil
	}
	name := nav.Registered(strings.ToLower(named))
	b.mu.Lock()
	owner := b.owners[name]
	b.mu.Unlock()
	if owner != "" {
		return owner, nil
	}
	a, err := ReadName(ctx, b.client, name)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.owners[name] = a.Value.Owner
	return a.Value.Owner, err
}

// Known returns what was read before.
func (b *Backgrounds) Known(t *apiclient.Transaction) resource.Background {
	units := b.Units(tokensOf(t))
	b.mu.Lock()
	defer b.mu.Unlock()
	known := resource.Background{Units: units}
	if b.calls != nil {
		if call, ours := b.calls(t.ID); ours {
			known.Call = &resource.OwnCall{Method: call.Method, Key: call.Key(), By: call.By()}
		}
	}
	switch {
	case b.id != t.ID:
	case t.Status == apiclient.StatusPending:
		known.Waits, known.Queue = b.waits, b.queue
	default:
		known.Settled = b.settled
	}
	if t.ContractCall != nil && b.contract != nil && b.contract.ID == t.ContractCall.ContractID {
		known.Contract = b.contract
	}
	return known
}

// Units returns those of tokens, by their contracts, as far as they were read before.
func (b *Backgrounds) Units(contracts []string) map[string]resource.Unit {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := map[string]resource.Unit{}
	for _, contract := range contracts {
		if unit := b.units[contract]; unit.known {
			known[contract] = unit.Unit
		}
	}
	return known
}

// ReadUnits returns Units after as many requests as are left, one for each unknown token, which it
// counts down.
func (b *Backgrounds) ReadUnits(ctx context.Context, contracts []string, left *int) map[string]resource.Unit {
	for _, contract := range contracts {
		b.mu.Lock()
		_, requested := b.units[contract]
		b.mu.Unlock()
		if *left == 0 {
			break
		}
		if requested || apiclient.CheckPrincipal(contract) != nil {
			continue
		}
		*left--
		if b.requestUnit(ctx, contract) != nil {
			break
		}
	}
	return b.Units(contracts)
}

// ReadUnitsOf reads the units of all fungible tokens that a transaction moves. A token whose
// metadata has no decimals is read by a call of its contract. One that is not among
// the units has none; an error says that they may be had later.
func (b *Backgrounds) ReadUnitsOf(ctx context.Context, t *apiclient.Transaction) (map[string]resource.Unit, error) {
	tokens := tokensOf(t)
	for _, contract := range tokens {
		b.mu.Lock()
		unit := b.units[contract]
		b.mu.Unlock()
		if unit.known || unit.none {
			continue
		}
		if err := b.requestUnit(ctx, contract); err != nil && apiclient.KindOf(err) != apiclient.InProgress {
			return nil, err
		}
		if len(b.Units([]string{contract})) > 0 {
			continue
		}
		if err := b.requestDecimals(ctx, contract); err != nil {
			return nil, err
		}
	}
	return b.Units(tokens), nil
}

// requestDecimals calls the function of a token's contract that returns its decimals.
func (b *Backgrounds) requestDecimals(ctx context.Context, contract string) error {
	answer, err := b.client.CallReadOnly(ctx, contract, "get-decimals", "", nil)
	switch apiclient.KindOf(err) {
	case apiclient.NotFound, apiclient.Decode, apiclient.InvalidInput, apiclient.Gone:
		err = nil // it has no such function, or the server has not
	}
	if err != nil {
		return err
	}
	unit := knownUnit{none: true}
	if value, wrong := clarity.DecodeHex(answer.Value.Result); wrong == nil {
		if okay, is := value.(clarity.OK); is {
			if n, is := okay.Value.(clarity.UInt); is && n.N.IsInt64() && n.N.Int64() <= text.MaxDecimals {
				_, name, _ := strings.Cut(contract, ".")
				unit = knownUnit{Unit: resource.Unit{Symbol: name, Decimals: int(n.N.Int64())}, known: true}
			}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units[contract] = unit
	return nil
}

// Read returns Known after the request that says most: the source of a contract that answered
// an error, what a transaction waits for, the unit of a token, the names of arguments. What
// cannot be read stays unknown.
func (b *Backgrounds) Read(ctx context.Context, t *apiclient.Transaction) (resource.Background, error) {
	err := b.load(ctx, t)
	return b.Known(t), err
}

func (b *Backgrounds) load(ctx context.Context, t *apiclient.Transaction) error {
	known := b.Known(t)
	switch {
	case t.Status == apiclient.StatusPending:
		return b.loadQueue(ctx, t, known)
	case known.Contract == nil && t.ContractCall != nil && (resource.Transaction{Transaction: t}).AnsweredError():
		return b.requestContract(ctx, t, known)
	}
	if w, is := resource.WithdrawalOf(t); is && known.Settled == nil {
		return b.requestSettled(ctx, t.ID, w)
	}
	if contract := b.unknownToken(t); contract != "" {
		return b.requestUnit(ctx, contract)
	}
	if t.ContractCall != nil && slices.ContainsFunc(t.ContractCall.Args, func(a apiclient.Argument) bool { return a.Name == "" }) {
		return b.requestContract(ctx, t, known)
	}
	return nil
}

func (b *Backgrounds) requestContract(ctx context.Context, t *apiclient.Transaction, known resource.Background) error {
	if known.Contract != nil {
		return nil
	}
	answer, err := b.client.Contract(ctx, t.ContractCall.ContractID)
	if err != nil {
		return err
	}
	answer.Value.ID = t.ContractCall.ContractID // as it is looked for
	contract := resource.ContractOf(&answer.Value)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.contract = &contract
	return nil
}

// printsAtOnce is the longest page of prints that every service has.
const printsAtOnce = 50

// requestSettled looks for what became of a withdrawal among the newest prints of the registry.
func (b *Backgrounds) requestSettled(ctx context.Context, id string, w resource.Withdrawal) error {
	settled, cursor := resource.Settled{}, ""
	for seen := 0; seen < resource.WithdrawalPrints && settled.TxID == ""; seen += printsAtOnce {
		page, err := b.client.ContractEvents(ctx, w.Registry, printsAtOnce, cursor)
		if err != nil {
			return err
		}
		for _, e := range page.Value.Results {
			if of, is := w.SettledBy(e); is {
				settled = of
				break
			}
		}
		if cursor = page.Value.Next; cursor == "" {
			break
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.id, b.waits, b.queue, b.settled = id, nil, nil, &settled
	return nil
}

// loadQueue requests in turn the nonces of the sender, and what else is pending.
func (b *Backgrounds) loadQueue(ctx context.Context, t *apiclient.Transaction, known resource.Background) error {
	waits, queue := known.Waits, known.Queue
	var err error
	if waits == nil || queue != nil {
		waits, err = b.requestWaits(ctx, t)
	} else {
		queue, err = b.requestPlace(ctx, t)
	}
	if err != nil && waits == nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.id, b.waits, b.queue, b.settled = t.ID, waits, queue, nil
	return err
}

// requestWaits requests which nonce a transaction waits for.
func (b *Backgrounds) requestWaits(ctx context.Context, t *apiclient.Transaction) (*outcome.Waits, error) {
	if t.Nonce == nil || *t.Nonce < 0 {
		return nil, nil
	}
	nonces, err := b.client.AccountNonces(ctx, t.Sender)
	if err != nil {
		return nil, err
	}
	w := &outcome.Waits{Nonce: uint64(*t.Nonce), Of: t.Sender, Next: uint64(max(0, nonces.Value.Next))}
	if last := nonces.Value.LastExecuted; last != nil && *last >= 0 {
		executed := uint64(*last)
		w.Executed = &executed
	}
	for _, n := range nonces.Value.Missing {
		if missing := uint64(max(n, 0)); missing < w.Nonce && (w.Missing == nil || missing < *w.Missing) {
			w.Missing = &missing
		}
	}
	if w.Executed != nil && w.Missing == nil {
		if next := *w.Executed + 1; next < w.Nonce && !slices.Contains(nonces.Value.Pending, int64(next)) {
			w.Missing = &next
		}
	}
	used := w.Executed != nil && *w.Executed >= w.Nonce
	if waited := b.client.ChainTime(time.Now()).Sub(time.Unix(t.ReceiptTime, 0)); w.Missing == nil && !used && t.ReceiptTime > 0 && waited > longWait {
		err = b.requestFees(ctx, t, w)
	}
	return w, err
}

// longWait is the time that a transaction waits before its fee is compared with others: shortly
// after it was sent, a low one explains nothing.
const longWait = 30 * time.Minute

// requestFees requests what transactions of the same kind paid in recent blocks.
func (b *Backgrounds) requestFees(ctx context.Context, t *apiclient.Transaction, w *outcome.Waits) error {
	fee := resource.Decimal(t.FeeRate)
	page, err := b.client.Transactions(ctx, apiclient.Among{}, transactionsRead, "")
	if err != nil || fee == nil || !fee.IsUint64() {
		return err
	}
	w.Fee = fee.Uint64()
	for _, other := range page.Value.Results {
		if n := resource.Decimal(other.FeeRate); other.Type == t.Type && n != nil && n.IsUint64() && n.Sign() > 0 && (w.Least == 0 || n.Uint64() < w.Least) {
			w.Least = n.Uint64()
		}
	}
	return nil
}

// requestPlace requests where a transaction is among those that wait: before those that pay
// less.
func (b *Backgrounds) requestPlace(ctx context.Context, t *apiclient.Transaction) (*resource.Queue, error) {
	page, err := b.client.Transactions(ctx, apiclient.Among{Mempool: true}, transactionsRead, "")
	fee := resource.Decimal(t.FeeRate)
	if err != nil || fee == nil {
		return nil, err
	}
	q := &resource.Queue{Place: 1, Of: len(page.Value.Results), Total: max(page.Value.Total, int64(len(page.Value.Results)))}
	for _, other := range page.Value.Results {
		if n := resource.Decimal(other.FeeRate); n != nil && n.Cmp(fee) > 0 && other.ID != t.ID {
			q.Place++
		}
	}
	return q, nil
}

// unknownToken returns a token of the transaction of which no requests yet, "" for none.
func (b *Backgrounds) unknownToken(t *apiclient.Transaction) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, contract := range tokensOf(t) {
		if _, requested := b.units[contract]; !requested {
			return contract
		}
	}
	return ""
}

// requestUnit requests the decimals and the symbol of a token.
func (b *Backgrounds) requestUnit(ctx context.Context, contract string) error {
	answer, err := b.client.FungibleToken(ctx, contract, "")
	switch apiclient.KindOf(err) {
	case apiclient.NotFound, apiclient.TokenError, apiclient.Decode:
		err = nil // it has none
	}
	if err != nil {
		return err
	}
	unit, known := resource.UnitOf(&answer.Value)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units[contract] = knownUnit{Unit: unit, known: known}
	return nil
}

// tokensOf returns the contracts of the fungible tokens that a transaction moves or has
// conditions on; first that of the one that aborted it.
func tokensOf(t *apiclient.Transaction) []string {
	seen := map[string]bool{}
	for _, e := range t.Events {
		if e.Type == apiclient.EventFungible && e.Asset != nil {
			contract, _, _ := strings.Cut(e.Asset.AssetID, "::")
			seen[contract] = true
		}
	}
	for _, c := range t.PostConditions {
		if c.Asset != nil && c.Value == nil {
			seen[c.Asset.ContractAddress+"."+c.Asset.ContractName] = true
		}
	}
	maps.DeleteFunc(seen, func(contract string, _ bool) bool { return apiclient.CheckPrincipal(contract) != nil })
	all := slices.Sorted(maps.Keys(seen))
	if token, is := outcome.TokenOf(t.VMError); is {
		all = slices.Insert(all, 0, token.Contract.String())
	}
	return all
}
