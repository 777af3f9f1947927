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
	zero, known := r.c.firstPage.get()
	if !known {
		one, err := r.c.namesPage(ctx, r.namespace, r.unanchored, 1, false)
		if err != nil && !pastEnd(err) {
			return err
		}
		zero = r.c.firstPage.learn(first.Value, one.Value, err != nil)
		if zero {
			// The answer was the second page already.
			if err != nil || len(one.Value) == 0 {
				return nil //nolint:nilerr // past the end: there is no second page
			}
			if err := r.hand(one.Value); err != nil {
				return err
			}
		}
	}
	return r.rest(ctx, zero)
}

// rest reads the pages after those handed on already.
func (r *namesReader) rest(ctx context.Context, zero bool) error {
	from := r.told.Pages + 1
	r.wg.Go(func() { r.ask(ctx, from, zero) })
	for {
		select {
		case p := <-r.ahead:
			select {
			case <-p.ready:
			case <-ctx.Done():
				return r.ended(ctx)
			}
			if pastEnd(p.err) {
				return nil
			}
			if p.err != nil {
				return p.err
			}
			if len(p.names) == 0 {
				return nil
			}
			if err := r.hand(p.names); err != nil {
				return err
			}
		case <-ctx.Done():
			return r.ended(ctx)
		}
	}
}

// ask asks for page after page until ctx ends.
func (r *namesReader) ask(ctx context.Context, page int, zero bool) {
	for ; ; page++ {
		p := &pendingPage{ready: make(chan struct{})}
		select {
		case r.ahead <- p:
		case <-ctx.Done():
			return
		}
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		number := serverPage(page, zero)
		r.wg.Go(func() {
			defer func() { <-r.slots }()
			a, err := r.c.namesPage(ctx, r.namespace, r.unanchored, number, false)
			p.names, p.err = a.Value, err
			close(p.ready)
		})
	}
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
