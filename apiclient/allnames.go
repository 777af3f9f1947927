package apiclient

import (
	"context"
	"errors"
	"sync"
)

// errTooManyNames is the cause of a namespace that does not fit a NameList.
var errTooManyNames = errors.New("the names take more than 4 GiB")

// AllNames reads every name of a namespace, pages concurrently, and holds them
// in the server's order. On an error nothing is returned.
func (c *Client) AllNames(ctx context.Context, namespace string, q AllNamesQuery) (*NameList, error) {
	list := &NameList{}
	err := c.NamesPages(ctx, namespace, q, func(_ int, names []string) error {
		for _, n := range names {
			if !list.Append(n) {
				return &Error{Kind: ServerFault, Op: namesOp, Err: errTooManyNames}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list.Compact()
	return list, nil
}

// NamesPages reads every page of a namespace, several at once, and hands them
// to yield one by one, in order, from page 1. It ends on an empty page or on
// the server's "Invalid page", never on a short one, and with the first error
// of a page, once all pages before it are handed on, or of yield.
func (c *Client) NamesPages(ctx context.Context, namespace string, q AllNamesQuery, yield func(page int, names []string) error) error {
	if err := validNamesQuery(namespace, 0); err != nil {
		return err
	}
	workers := q.Workers
	if workers <= 0 {
		workers = c.opt.NamesWorkers
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &namesReader{
		c: c, namespace: namespace, unanchored: q.Unanchored,
		yield: yield, progress: q.Progress, slots: make(chan struct{}, workers),
		// Pages may be ahead of the one that is waited for, but not far.
		ahead: make(chan *pendingPage, 4*workers),
	}
	defer r.wg.Wait()
	defer cancel()
	return r.run(ctx)
}

// namesReader is one reading of all pages.
type namesReader struct {
	c          *Client
	namespace  string
	unanchored bool
	yield      func(int, []string) error
	progress   func(NamesProgress)
	told       NamesProgress

	slots chan struct{}
	ahead chan *pendingPage
	wg    sync.WaitGroup
}

// pendingPage is a page that was asked for.
type pendingPage struct {
	ready chan struct{}
	names []string
	err   error
}

func (r *namesReader) run(ctx context.Context) error {
	// Where it is not known how the server counts, its page 1 tells.
	zero, known := r.c.firstPage.get()
	one := &pendingPage{ready: make(chan struct{})}
	if !known && cap(r.slots) > 1 {
		r.get(ctx, 1, one)
	}
	first, err := r.c.namesPage(ctx, r.namespace, r.unanchored, -1, false)
	if err != nil {
		return err
	}
	if len(first.Value) == 0 {
		return nil
	}
	if err := r.hand(first.Value); err != nil {
		return err
	}
	if !known && cap(r.slots) == 1 {
		r.get(ctx, 1, one)
	}
	from := 2
	if known && zero {
		from = 1
	}
	// The pages behind page 1 are needed either way.
	r.wg.Go(func() { r.ask(ctx, from) })
	if !known {
		names, err := r.await(ctx, one)
		if err != nil && !pastEnd(err) {
			return err
		}
		if r.c.firstPage.learn(first.Value, names, err != nil) {
			// The answer was the second page already.
			if err != nil || len(names) == 0 {
				return nil //nolint:nilerr // past the end: there is no second page
			}
			if err := r.hand(names); err != nil {
				return err
			}
		}
	}
	return r.rest(ctx)
}

// rest hands on the pages that are left.
func (r *namesReader) rest(ctx context.Context) error {
	for {
		names, err := r.next(ctx)
		if pastEnd(err) {
			return nil
		}
		if err != nil || len(names) == 0 {
			return err
		}
		if err := r.hand(names); err != nil {
			return err
		}
	}
}

// next waits for the page that was asked for next.
func (r *namesReader) next(ctx context.Context) ([]string, error) {
	select {
	case p := <-r.ahead:
		return r.await(ctx, p)
	case <-ctx.Done():
		return nil, r.ended(ctx)
	}
}

// await waits for a page.
func (r *namesReader) await(ctx context.Context, p *pendingPage) ([]string, error) {
	select {
	case <-p.ready:
		return p.names, p.err
	case <-ctx.Done():
		return nil, r.ended(ctx)
	}
}

// ask asks for page after page, by the server's numbers, until ctx ends.
func (r *namesReader) ask(ctx context.Context, from int) {
	for number := from; ; number++ {
		p := &pendingPage{ready: make(chan struct{})}
		select {
		case r.ahead <- p:
		case <-ctx.Done():
			return
		}
		if !r.get(ctx, number, p) {
			return
		}
	}
}

// get asks for a page once there is a slot for it; false when ctx ends before.
func (r *namesReader) get(ctx context.Context, number int, p *pendingPage) bool {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	r.wg.Go(func() {
		defer func() { <-r.slots }()
		a, err := r.c.namesPage(ctx, r.namespace, r.unanchored, number, false)
		p.names, p.err = a.Value, err
		close(p.ready)
	})
	return true
}

// hand gives the next page to the caller.
func (r *namesReader) hand(names []string) error {
	r.told.Pages++
	r.told.Names += len(names)
	for _, n := range names {
		r.told.Bytes += int64(len(n))
	}
	if err := r.yield(r.told.Pages, names); err != nil {
		return err
	}
	if r.progress != nil {
		r.progress(r.told)
	}
	return nil
}

func (r *namesReader) ended(ctx context.Context) error {
	return &Error{Kind: KindOf(ctx.Err()), Op: namesOp, Err: ctx.Err()}
}
