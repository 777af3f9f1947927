package names

import (
	"context"
	"errors"
	"time"

	"chainscope/apiclient"
)

// The API does not say how many names a namespace has. A few single pages
// requested far ahead bracket the last one.
const (
	probeStep = 4       // each probe goes this many times farther than the last
	probeMost = 1 << 22 // pages beyond which nothing is requested
	probeFine = 4       // the bracket is narrowed to this part of its lower end
)

// bracket holds the number of pages of a namespace: at least low, and below
// high. The zero value has no estimate.
type bracket struct {
	low, high int
}

// known reports whether there is an upper end.
func (b bracket) known() bool { return b.high > 0 }

// pages returns the estimate, 0 when there is none.
func (b bracket) pages() int {
	if !b.known() {
		return 0
	}
	return (b.low + b.high) / 2
}

// next returns the page to request, 0 when the bracket is narrow enough.
func (b bracket) next() int {
	switch {
	case !b.known() && b.low*probeStep > probeMost:
		return 0
	case !b.known():
		return max(1, b.low) * probeStep
	case b.high-b.low <= max(1, b.low/probeFine):
		return 0
	}
	return b.low + (b.high-b.low)/2
}

// with adds what a probe of a page found.
func (b bracket) with(page int, exists bool) bracket {
	if exists {
		b.low = max(b.low, page)
	} else if !b.known() || page < b.high {
		b.high = page
	}
	return b
}

// estimate narrows the bracket. It stops silently at the first failure: an
// estimate is not worth a retry, and what is wrong the reading itself says.
func estimate(ctx context.Context, api API, namespace string, unanchored bool, b bracket) bracket {
	for page := b.next(); page > 0 && ctx.Err() == nil; page = b.next() {
		a, err := api.Names(ctx, namespace, apiclient.NamesQuery{Page: page, Unanchored: unanchored})
		if err != nil && !pastEnd(err) {
			break
		}
		b = b.with(page, err == nil && len(a.Value) > 0)
	}
	return b
}

// pastEnd reports whether an error says that a page does not exist.
func pastEnd(err error) bool {
	var e *apiclient.Error
	return errors.As(err, &e) && e.ServerError == "Invalid page"
}

// progress counts what was read so far.
type progress struct {
	pages, names int
	bracket      bracket
	began        time.Time
	until        time.Time // when a server that limits requests takes them again
}

// total returns the estimated number of names, 0 when it is not known.
func (p progress) total() int {
	pages := p.bracket.pages()
	if pages <= p.pages || p.pages == 0 {
		return 0
	}
	return int(float64(p.names) / float64(p.pages) * float64(pages))
}

// share returns how much is done, from 0 to 1; false when it is not known.
func (p progress) share() (float64, bool) {
	if total := p.total(); total > 0 {
		return float64(p.names) / float64(total), true
	}
	return 0, false
}

// left returns how long the rest takes at the pace so far.
func (p progress) left(now time.Time) (time.Duration, bool) {
	share, ok := p.share()
	spent := now.Sub(p.began)
	if !ok || share <= 0 || spent < time.Second/2 {
		return 0, false
	}
	return time.Duration(float64(spent) * (1 - share) / share), true
}
