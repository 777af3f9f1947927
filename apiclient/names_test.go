package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// namespace is a server of names, 100 a page.
type namespace struct {
	// base is the number of the first page.
	base int
	// pages of names; nil for a page that fails.
	pages [][]string
	// invalid answers pages past the end with "Invalid page", not with [].
	invalid   bool
	requested sync.Map
	flying    atomic.Int32
	most      atomic.Int32
}

func (n *namespace) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := n.flying.Add(1)
	defer n.flying.Add(-1)
	for m := n.most.Load(); now > m && !n.most.CompareAndSwap(m, now); m = n.most.Load() {
	}
	page := n.base
	if text := r.URL.Query().Get("page"); text != "" {
		page, _ = strconv.Atoi(text)
	}
	n.requested.Store(r.URL.RawQuery, true)
	i := page - n.base
	switch {
	case i >= len(n.pages) && n.invalid, i < 0:
		answer(w, 400, `{"error":"Invalid page"}`)
	case i >= len(n.pages):
		answer(w, 200, `[]`)
	case n.pages[i] == nil:
		answer(w, 500, `{"error":"broken"}`)
	default:
		b, _ := json.Marshal(n.pages[i])
		answer(w, 200, string(b))
	}
}

// somePages makes pages of these sizes.
func somePages(sizes ...int) [][]string {
	var out [][]string
	n := 0
	for _, size := range sizes {
		page := []string{}
		for range size {
			page = append(page, fmt.Sprintf("name%06d.btc", n))
			n++
		}
		out = append(out, page)
	}
	return out
}

func full(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 100
	}
	return out
}

func TestAllNamesReadsEveryPageOfEitherServer(t *testing.T) {
	for _, base := range []int{0, 1} {
		for _, invalid := range []bool{true, false} {
			for name, sizes := range map[string][]int{
				"one page": {100}, "one name": {1}, "two pages": {100, 3},
				"many pages": full(40), "short pages in the middle": {100, 3, 100, 99, 100, 1, 100, 100, 2},
				"only revoked names on the first page": {0, 100, 100}, "on a middle page": {100, 0, 100},
				"on the last page": {100, 100, 0}, "on seven pages": {100, 0, 0, 0, 0, 0, 0, 0, 100, 1},
			} {
				t.Run(fmt.Sprintf("counting from %d, invalid past the end %t, %s", base, invalid, name), func(t *testing.T) {
					s := &namespace{base: base, invalid: invalid, pages: somePages(sizes...)}
					c := serve(t, s.ServeHTTP)
					var last NamesProgress
					count := 0
					list, err := c.AllNames(t.Context(), "btc", AllNamesQuery{Progress: func(p NamesProgress) {
						if count++; p.Pages != count {
							t.Errorf("page %d is reported as %d", count, p.Pages)
						}
						last = p
					}})
					if err != nil {
						t.Fatal(err)
					}
					i, pages := 0, 0
					for n, page := range s.pages {
						if len(page) > 0 {
							pages = n + 1
						}
						for _, want := range page {
							if i < list.Len() && list.At(i) != want {
								t.Fatalf("name %d is %s, want %s", i, list.At(i), want)
							}
							i++
						}
					}
					if list.Len() != i || last.Names != i || last.Pages != pages || last.Bytes != list.Size() {
						t.Errorf("%d names, want %d; reported %+v", list.Len(), i, last)
					}
					if _, ok := s.requested.Load("page=0"); ok && base == 1 {
						t.Error("page 0 was requested")
					}
					if m := s.most.Load(); m > 8 {
						t.Errorf("%d requests at once", m)
					}
				})
			}
		}
	}
}

func TestAServerThatRepeatsItsPagesIsAnError(t *testing.T) {
	names := somePages(100, 100)
	for name, page := range map[string]func(number string) []string{
		"every page is the first":     func(string) []string { return names[0] },
		"every page is the second":    func(n string) []string { return names[min(len(n), 1)] },
		"the first page comes again":  func(n string) []string { return names[map[string]int{"": 0, "1": 0, "2": 1}[n]] },
		"no page counts, and all say": func(n string) []string { return append([]string{"first"}, names[0]...) },
	} {
		t.Run(name, func(t *testing.T) {
			var sent atomic.Int32
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				sent.Add(1)
				b, _ := json.Marshal(page(r.URL.Query().Get("page")))
				answer(w, 200, string(b))
			})
			pages := 0
			err := c.NamesPages(t.Context(), "btc", AllNamesQuery{}, func(int, []string) error {
				pages++
				return nil
			})
			if KindOf(err) != ServerFault || !strings.Contains(err.Error(), "repeats names of an earlier page") || pages > 2 {
				t.Errorf("%d pages, %v", pages, err)
			}
			if n := sent.Load(); n > 50 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestAnEmptyNamespaceHasNoNames(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, `[]`) })
	if list, err := c.AllNames(t.Context(), "id", AllNamesQuery{}); err != nil || list.Len() != 0 {
		t.Error(list, err)
	}
	if c.fromZero.Load() != nil {
		t.Error("two empty pages taught how the server counts")
	}
}

func TestAnErrorInTheMiddleEndsAllNamesAfterThePagesBeforeIt(t *testing.T) {
	s := &namespace{base: 1, pages: somePages(full(30)...)}
	s.pages[17] = nil
	c := serve(t, s.ServeHTTP)
	var pages []int
	err := c.NamesPages(t.Context(), "btc", AllNamesQuery{}, func(page int, names []string) error {
		if names[0] != s.pages[page-1][0] {
			t.Errorf("page %d begins with %s", page, names[0])
		}
		pages = append(pages, page)
		return nil
	})
	if KindOf(err) != ServerFault || len(pages) != 17 {
		t.Errorf("%v after pages %v", err, pages)
	}
	if list, err := c.AllNames(t.Context(), "btc", AllNamesQuery{}); err == nil || list != nil {
		t.Error("a part of the names was given out")
	}
}

func TestAllNamesEndsWithItsReader(t *testing.T) {
	s := &namespace{base: 1, pages: somePages(full(200)...)}
	c := serve(t, s.ServeHTTP)
	enough := errors.New("enough")
	if err := c.NamesPages(t.Context(), "btc", AllNamesQuery{}, func(page int, _ []string) error {
		if page == 5 {
			return enough
		}
		return nil
	}); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := c.AllNames(ctx, "btc", AllNamesQuery{Workers: 2, Progress: func(p NamesProgress) {
		if p.Pages == 5 {
			cancel()
		}
	}})
	if KindOf(err) != Canceled {
		t.Errorf("got %v", err)
	}
}

func TestAPageOfNamesCountsFromOneWhateverTheServerDoes(t *testing.T) {
	for _, base := range []int{0, 1} {
		t.Run(fmt.Sprintf("the server counts from %d", base), func(t *testing.T) {
			s := &namespace{base: base, invalid: true, pages: somePages(100, 100, 50)}
			c := serve(t, s.ServeHTTP)
			for _, page := range []int{0, 1, 3, 2, 3} {
				a, err := c.Names(t.Context(), "btc", NamesQuery{Page: page})
				if err != nil || a.Value[0] != s.pages[max(page, 1)-1][0] {
					t.Errorf("page %d: %v, %v", page, a.Value, err)
				}
			}
			if _, err := c.Names(t.Context(), "btc", NamesQuery{Page: 4}); KindOf(err) != InvalidInput {
				t.Errorf("past the end: %v", err)
			}
			if zero := c.fromZero.Load(); zero == nil || *zero != (base == 0) {
				t.Errorf("learned %v", zero)
			}
			if _, ok := s.requested.Load("page=0"); ok {
				t.Error("the first page was requested by a number")
			}
			// The probe is made once: of three different pages no more
			// requests than these are sent.
			n := len(c.Log().Snapshot())
			if _, err := c.Names(t.Context(), "btc", NamesQuery{Page: 2}); err != nil || len(c.Log().Snapshot()) != n+1 {
				t.Errorf("a known server was probed again: %v", err)
			}
		})
	}
}

func TestANameOfAWrongTypeIsNamed(t *testing.T) {
	for body, path := range map[string]string{`["a.btc",null]`: "[1]", `{"error":"x"}`: "", `["a.btc",{}]`: "[1]", `null`: ""} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, body) })
		_, err := c.Names(t.Context(), "btc", NamesQuery{})
		var e *Error
		if !errors.As(err, &e) || e.Kind != Decode || e.FieldPath != path {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestANameListHoldsFewBytesAName(t *testing.T) {
	s := &namespace{base: 1, pages: somePages(full(60)...)}
	c := serve(t, s.ServeHTTP)
	list, err := c.AllNames(t.Context(), "btc", AllNamesQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if each := float64(list.Weight()) / float64(list.Len()); each > 22 {
		t.Errorf("%.1f bytes a name", each)
	}
}
