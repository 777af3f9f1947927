package api

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"chainscope/mockserver/fault"
	"chainscope/mockserver/internal/plainjson"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/push"
	"chainscope/mockserver/push/engineio"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
)

// maxBurst bounds the blocks that are pushed at once: of more, the newest.
const maxBurst = 1_000

// feeds are the worlds that somebody listens to.
type feeds struct {
	ctx context.Context
	end context.CancelFunc

	mu      sync.Mutex
	open    map[*world.World]*feed
	running sync.WaitGroup // clients and feeds
}

func newFeeds() *feeds {
	f := &feeds{open: map[*world.World]*feed{}}
	f.ctx, f.end = context.WithCancel(context.Background()) // connections outlast the requests that opened them
	return f
}

// enter returns the feed of a world, which runs until the last that entered has left,
// and a context that ends with the server. It reports false when that has ended.
func (all *feeds) enter(s *Service, w *world.World) (*feed, context.Context, bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.ctx.Err() != nil {
		return nil, nil, false
	}
	f := all.open[w]
	if f == nil {
		f = &feed{service: s, world: w, seen: w.State()}
		f.hub = push.NewHub(push.Options{Settle: f.catchUp, Problem: s.Problem, Faults: w.Faults})
		ctx, end := context.WithCancel(all.ctx)
		f.end = end
		all.open[w] = f
		all.running.Go(func() { f.run(ctx) })
	}
	f.clients++
	all.running.Add(1)
	return f, all.ctx, true
}

// stay lets a feed that somebody entered have one client more.
func (all *feeds) stay(f *feed) {
	all.mu.Lock()
	defer all.mu.Unlock()
	f.clients++
	all.running.Add(1)
}

func (all *feeds) leave(f *feed) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if f.clients--; f.clients == 0 {
		f.end()
		delete(all.open, f.world)
	}
	all.running.Done()
}

// close ends every connection and waits for that.
func (all *feeds) close() {
	all.mu.Lock()
	all.end()
	all.mu.Unlock()
	all.running.Wait()
}

// feed pushes to subscribers what happens in a world.
type feed struct {
	service *Service
	world   *world.World
	hub     *push.Hub
	end     context.CancelFunc
	clients int // guarded by feeds.mu

	sessions engineio.Server

	mu   sync.Mutex
	seen world.State // everything before it was pushed
}

// recovered ends the connections of a feed that has panicked. It must be deferred
// directly.
func (f *feed) recovered() {
	if cause := recover(); cause != nil {
		f.service.Problem(fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
		f.hub.CutAll()
	}
}

// run reports what happens until ctx ends.
func (f *feed) run(ctx context.Context) {
	defer f.recovered()
	for {
		changed := f.world.Changed()
		f.catchUp()
		timer := time.NewTimer(f.untilNext())
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		timer.Stop()
	}
}

// untilNext returns how long the chain stays as it is by itself.
func (f *feed) untilNext() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen.Frozen() {
		return 24 * time.Hour
	}
	return max(time.Millisecond, time.Duration(f.seen.View.Next()-f.seen.View.NowMS())*time.Millisecond)
}

// catchUp reports what has happened since it was called last.
func (f *feed) catchUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.seen
	f.seen = f.world.State()
	if f.world.Faults.Scenario() == fault.Down {
		f.hub.CutAll()
		return
	}
	news := f.seen.Since(before)
	for _, n := range news {
		if n.Kind == world.Received {
			f.notifyPending(n.Tx, before)
		}
	}
	f.notifyBlocks(before)
	for _, n := range news {
		if n.Kind != world.Received {
			f.notifyDone(n.Tx)
		}
	}
}

// notifyBlocks pushes the blocks that came. One that takes the place of another comes as
// a block that has not won yet, as in the real server; nothing says when it wins.
func (f *feed) notifyBlocks(before world.State) {
	if f.hub.Of(push.Block) == nil {
		return
	}
	v := &f.seen.View
	heights := f.seen.NewBlocks(before)
	for h := max(heights.First, heights.Last-maxBurst+1); h <= heights.Last; h++ {
		b, ok := v.Block(h)
		if !ok {
			continue
		}
		b.Canonical = h > before.View.Tip()
		f.hub.Publish(push.Topic{Event: push.Block}, push.Event{Params: recordBody(v, &b).appendJSON(nil)})
	}
	// No real chain gets shorter: the block that is the newest again is pushed once more.
	if b, ok := v.Block(v.Tip()); ok && v.Tip() < before.View.Tip() {
		f.hub.Publish(push.Topic{Event: push.Block}, push.Event{Params: recordBody(v, &b).appendJSON(nil)})
	}
}

// notifyPending pushes a transaction that waits, or waited, for a block.
func (f *feed) notifyPending(tx *ledger.Tx, before world.State) {
	state := f.seen
	if _, mined := state.View.Block(tx.Height); mined {
		state = before // which has the block not yet
	}
	body := f.service.transactions(state).body(tx)
	if body.pendingBody == nil {
		return
	}
	pending := push.Event{Params: plainjson.Encode(body)}
	f.hub.Publish(push.Topic{Event: push.Mempool}, pending)
	f.hub.Publish(push.Topic{Event: push.TxUpdate, Of: body.ID}, pending)
}

// The params of the events about an address.
type (
	addressTxUpdate struct {
		Address string `json:"address"`
		TxID    string `json:"tx_id"`
		Status  string `json:"tx_status"`
		Type    string `json:"tx_type"`
		withTransfersBody
	}
	addressBalanceUpdate struct {
		Address string `json:"address"`
		stxBody
	}
)

// notifyDone pushes a transaction that a block has, or that was replaced.
func (f *feed) notifyDone(tx *ledger.Tx) {
	all := f.service.transactions(f.seen)
	body := all.body(tx)
	f.hub.Publish(push.Topic{Event: push.TxUpdate, Of: body.ID}, push.Event{Params: plainjson.Encode(body)})
	if body.minedBody == nil {
		return
	}
	f.publishToAddresses(push.AddressTxUpdate, tx, func(address string, p clarity.Principal) (params, args any) {
		moved := all.withTransfers(p)(tx)
		return addressTxUpdate{address, body.ID, body.Status, body.Type, moved}, moved
	})
	f.publishToAddresses(push.AddressBalanceUpdate, tx, func(address string, p clarity.Principal) (params, args any) {
		balance := all.stx(p)
		return addressBalanceUpdate{address, balance}, balance
	})
}

// publishToAddresses publishes an event of each address that is subscribed to and that a transaction
// touches.
func (f *feed) publishToAddresses(event string, tx *ledger.Tx, of func(string, clarity.Principal) (params, args any)) {
	for _, address := range f.hub.Of(event) {
		if p, err := clarity.ParsePrincipal(address); err == nil && touches(tx, p) {
			params, args := of(address, p)
			f.hub.Publish(push.Topic{Event: event, Of: address}, push.Event{Params: plainjson.Encode(params), Args: plainjson.Encode(args)})
		}
	}
}
