package apiclient

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Bounds of the reading of a namespace.
const (
	// maxPages is far above any namespace: 20 million names.
	maxPages = 200_000
	// maxEmptyPages limits how many empty pages in a row end a namespace. Revoked
	// names count for the pages but are left out of them.
	maxEmptyPages = 8
	// maxRefusals limits how many times a page may be refused for the rate limit.
	maxRefusals = 5
)

// NamesPages reads every page of a namespace, several at once, and passes them
// to yield one by one, in order, from page 1. It ends on the server's "Invalid
// page" or when only empty pages follow, never on a short page. It ends with the
// first error of a page, once all pages before it are passed on, or of yield. A
// rate limit is no error: reading continues when the server takes requests again.
func (c *Client) NamesPages(ctx context.Context, namespace string, q AllNamesQuery, yield func(page int, names []string) error) error {
	if err := validNamesQuery(namespace, 0); err != nil {
		return err
	}
	workers := q.Workers
	if workers <= 0 {
		workers = c.namesWorkers()
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &namesReader{
		c: c, namespace: namespace, query: q, yield: yield, slots: make(chan struct{}, workers),
		// Pages are requested ahead of the one that is waited for, but not far.
		ahead: make(chan *pendingPage, 4*workers),
	}
	defer r.wg.Wait()
	defer cancel()
	return r.run(ctx)
}

// namesWorkers returns how many pages are requested at once: one where the server takes few
// requests or is taken to. More would only be refused together.
func (c *Client) namesWorkers() int {
	const few = 100
	if limit := c.opt.Gate.Budget().Limit; limit > 0 && limit <= few {
		return 1
	}
	return c.opt.NamesWorkers
}

// namesReader reads all pages of one namespace.
type namesReader struct {
	c         *Client
	namespace string
	query     AllNamesQuery
	yield     func(int, []string) error
	progress  NamesProgress
	// first and last are the pages passed on first and last, empty how many empty
	// ones were held back since.
	first, last []string
	empty       int

	slots chan struct{}
	ahead chan *pendingPage // closed when no more pages are requested
	broke error             // why, where ctx has not ended; read once ahead is closed
	wg    sync.WaitGroup

	mu     sync.Mutex
	waited time.Time // the end of the wait that OnWait was last given
}

// pendingPage is a page that was requested.
type pendingPage struct {
	ready chan struct{}
	names []string
	err   error
}

func (r *namesReader) run(ctx context.Context) error {
	// Where it is not known how the server counts, its page 1 shows it.
	zero := r.c.fromZero.Load()
	var one *pendingPage
	if zero == nil && cap(r.slots) > 1 {
		one = r.request(ctx, 1)
	}
	first, err := r.page(ctx, -1)
	if err != nil {
		return err
	}
	if err := r.emit(first); err != nil {
		return err
	}
	if zero == nil && one == nil {
		one = r.request(ctx, 1)
	}
	from := 2
	if zero != nil && *zero {
		from = 1
	}
	// The pages after page 1 are needed either way.
	r.wg.Go(func() {
		defer close(r.ahead)
		defer recovered(&r.broke)
		r.requestAhead(ctx, from)
	})
	if zero == nil {
		if ended, err := r.probed(ctx, first, one); ended || err != nil {
			return err
		}
	}
	for r.empty < maxEmptyPages {
		names, err := r.next(ctx)
		if pastEnd(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := r.emit(names); err != nil {
			return err
		}
	}
	return nil
}

// probed waits for the server's page 1, learns from it how the server counts, and
// passes it on where it is the second page. It reports whether there are no more.
func (r *namesReader) probed(ctx context.Context, first []string, one *pendingPage) (ended bool, err error) {
	names, err := r.await(ctx, one)
	if err != nil && !pastEnd(err) {
		return true, err
	}
	if !r.c.learnFirstPage(first, names, err != nil) {
		return false, nil
	}
	if err != nil {
		return true, nil //nolint:nilerr // past the end: there is no second page
	}
	return false, r.emit(names)
}

// next waits for the next of the pages that are requested ahead.
func (r *namesReader) next(ctx context.Context) ([]string, error) {
	select {
	case p, more := <-r.ahead:
		if !more && r.broke != nil {
			return nil, r.broke
		}
		return r.await(ctx, p)
	case <-ctx.Done():
		return nil, r.contextError(ctx)
	}
}

// await waits for a page, nil if ctx ended before it was requested.
func (r *namesReader) await(ctx context.Context, p *pendingPage) ([]string, error) {
	if p == nil {
		return nil, r.contextError(ctx)
	}
	select {
	case <-p.ready:
		return p.names, p.err
	case <-ctx.Done():
		return nil, r.contextError(ctx)
	}
}

// requestAhead requests page after page, by the server's numbers, until ctx ends.
func (r *namesReader) requestAhead(ctx context.Context, from int) {
	for number := from; ; number++ {
		p := r.request(ctx, number)
		if p == nil {
			return
		}
		select {
		case r.ahead <- p:
		case <-ctx.Done():
			return
		}
	}
}

// request requests a page once there is a slot for it. It returns nil when ctx ends
// before.
func (r *namesReader) request(ctx context.Context, number int) *pendingPage {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	p := &pendingPage{ready: make(chan struct{})}
	r.wg.Go(func() {
		defer func() { <-r.slots }()
		defer close(p.ready)
		defer recovered(&p.err)
		p.names, p.err = r.page(ctx, number)
	})
	return p
}

// page reads a page by the server's number, -1 for the first without a number.
// While the server refuses requests it waits and tries again.
func (r *namesReader) page(ctx context.Context, number int) ([]string, error) {
	for refused := 1; ; refused++ {
		if err := r.waitForGate(ctx); err != nil {
			return nil, err
		}
		a, err := r.c.namesPage(ctx, r.namespace, r.query.Unanchored, number, false)
		if KindOf(err) != RateLimited || refused > maxRefusals {
			return a.Value, err
		}
	}
}

// waitForGate waits until requests may be sent. The wait is not bounded by the
// time of a call.
func (r *namesReader) waitForGate(ctx context.Context) error {
	until := r.c.opt.Gate.Opens(ctx)
	if until.IsZero() {
		return nil
	}
	r.mu.Lock()
	// Refusals of one window name times that differ by a second or so.
	report := r.query.OnWait != nil && until.After(r.waited.Add(2*time.Second))
	if report {
		r.waited = until
	}
	r.mu.Unlock()
	if report {
		r.query.OnWait(until)
	}
	if err := r.c.opt.Gate.WaitUncounted(ctx); err != nil {
		if ctx.Err() != nil {
			return r.contextError(ctx)
		}
		return err
	}
	return nil
}

// emit gives the next page to the caller. Empty pages are held back until one
// with names follows, since the last of them lie beyond the end.
func (r *namesReader) emit(names []string) error {
	if len(names) == 0 {
		r.empty++
		return nil
	}
	number := r.progress.Pages + r.empty + 1
	switch {
	case r.first == nil:
		r.first = names
	case slices.Equal(names, r.last), slices.Equal(names, r.first):
		return r.failure(fmt.Errorf("page %d repeats names of an earlier page: the server ignores the number of the page", number))
	case number > maxPages:
		return r.failure(fmt.Errorf("the namespace has no end: more than %d pages", maxPages))
	}
	r.last = names
	for ; r.empty > 0; r.empty-- {
		if err := r.deliver(nil); err != nil {
			return err
		}
	}
	return r.deliver(names)
}

// deliver calls yield and Progress with one page.
func (r *namesReader) deliver(names []string) error {
	r.progress.Pages++
	r.progress.Names += len(names)
	for _, n := range names {
		r.progress.Bytes += int64(len(n))
	}
	if err := r.yield(r.progress.Pages, names); err != nil {
		return err
	}
	if r.query.Progress != nil {
		r.query.Progress(r.progress)
	}
	return nil
}

func (r *namesReader) failure(err error) error {
	return &Error{Kind: ServerFault, Op: namesOp, Err: err}
}

func (r *namesReader) contextError(ctx context.Context) error {
	return &Error{Kind: KindOf(ctx.Err()), Op: namesOp, Err: ctx.Err()}
}
