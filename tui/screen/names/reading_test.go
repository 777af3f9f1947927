package names

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
)

// pagesAPI serves pages of a hundred names, one each delay.
type pagesAPI struct {
	pages int
	delay time.Duration
	fail  error // instead of the end
	asked []int
}

func pageOf(page int) []string {
	out := make([]string, 100)
	for i := range out {
		out[i] = fmt.Sprintf("name-%06d.btc", (page-1)*100+i)
	}
	return out
}

func (a *pagesAPI) Names(_ context.Context, _ string, q apiclient.NamesQuery) (apiclient.Answer[[]string], error) {
	a.asked = append(a.asked, q.Page)
	if q.Page > a.pages {
		return apiclient.Answer[[]string]{}, &apiclient.Error{Kind: apiclient.InvalidInput, ServerError: "Invalid page", Status: 400}
	}
	return apiclient.Answer[[]string]{Value: pageOf(q.Page)}, nil
}

func (a *pagesAPI) NamesPages(ctx context.Context, _ string, _ apiclient.AllNamesQuery, yield func(int, []string) error) error {
	for page := 1; page <= a.pages; page++ {
		if err := wait(ctx, a.delay); err != nil {
			return &apiclient.Error{Kind: apiclient.Canceled, Err: err}
		}
		if err := yield(page, pageOf(page)); err != nil {
			return err
		}
	}
	return a.fail
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestTheFirstPageComesAtOnceAndTheRestInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReading(&pagesAPI{pages: 500, delay: time.Millisecond}, batchEvery, nil)
		began := time.Now()
		first := r.next(t.Context(), "btc", false)
		if len(first.pages) != 1 || time.Since(began) != time.Millisecond {
			t.Errorf("%d pages after %v", len(first.pages), time.Since(began))
		}
		pages, batches := len(first.pages), 1
		for b := first; !b.done; {
			b = r.next(t.Context(), "btc", false)
			if b.err != nil {
				t.Fatal(b.err)
			}
			for _, p := range b.pages {
				if want := fmt.Sprintf("name-%06d.btc", pages*100); p[0] != want {
					t.Fatalf("a page begins with %s, want %s", p[0], want)
				}
				pages++
			}
			batches++
		}
		if pages != 500 || batches > 12 {
			t.Errorf("%d pages in %d batches", pages, batches)
		}
	})
}

func TestAReadingThatIsGivenUpKeepsWhatCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := newReading(&pagesAPI{pages: 500, delay: 10 * time.Millisecond}, batchEvery, nil)
		r.next(ctx, "btc", false)
		time.AfterFunc(35*time.Millisecond, cancel)
		b := r.next(ctx, "btc", false)
		if !b.done || !errors.Is(b.err, context.Canceled) || len(b.pages) != 3 {
			t.Errorf("%d pages, done %v, %v", len(b.pages), b.done, b.err)
		}
		synctest.Wait()
	})
}

func TestAReadingThatFailsMidwaySaysSoAfterItsNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReading(&pagesAPI{pages: 3, fail: &apiclient.Error{Kind: apiclient.Offline}}, batchEvery, nil)
		pages := 0
		var b batch
		for !b.done {
			b = r.next(t.Context(), "btc", false)
			pages += len(b.pages)
		}
		if pages != 3 || apiclient.KindOf(b.err) != apiclient.Offline {
			t.Errorf("%d pages, %v", pages, b.err)
		}
	})
}

func TestTheNumberOfPagesIsBracketedByFewProbes(t *testing.T) {
	for _, pages := range []int{9, 33, 100, 2501, 40_000} {
		t.Run(fmt.Sprint(pages), func(t *testing.T) {
			api := &pagesAPI{pages: pages}
			b := estimate(t.Context(), api, "btc", false, bracket{low: 1})
			if b.low > pages || b.high <= pages || b.high-b.low > max(1, b.low/probeFine) {
				t.Errorf("%+v", b)
			}
			if len(api.asked) > 16 {
				t.Errorf("asked for %v", api.asked)
			}
		})
	}
}

func TestProgressSaysWhatIsLeft(t *testing.T) {
	p := progress{pages: 10, names: 1000, began: time.Unix(0, 0)}
	if _, ok := p.share(); ok {
		t.Error("a share without an estimate")
	}
	p.bracket = bracket{low: 39, high: 41}
	if share, _ := p.share(); p.total() != 4000 || share != 0.25 {
		t.Errorf("total %d, share %v", p.total(), share)
	}
	if left, ok := p.left(time.Unix(10, 0)); left != 30*time.Second || !ok {
		t.Errorf("left %v", left)
	}
}

// Where the number of names is known it is read beside the names, and no page far ahead is
// requested for it.
func TestTheNumberOfNamesComesFromTheCatalogue(t *testing.T) {
	for _, names := range []int{1, 100, 101, 5000} {
		d := drive(t, &stuck{pages: 1, of: 1, ends: true, name: numbered}, Options{ReadAll: true, Count: func(context.Context, string) (int, error) { return names, nil }})
		d.Open(nav.Names("btc"))
		d.Settle()
		if b, known := d.screen.weight.Get(); !known || b.pages() != (names+99)/100 || b.next() != 0 {
			t.Errorf("%d names: %+v, %v", names, b, known)
		}
	}
}
