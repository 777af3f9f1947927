package apiclient

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// NamesQuery selects a page of names.
type NamesQuery struct {
	// Page counts from 1, whatever the server does; 0 is the first too.
	Page int
	// Unanchored includes names that are only in microblocks.
	Unanchored bool
}

// AllNamesQuery describes how all names of a namespace are read.
type AllNamesQuery struct {
	Unanchored bool
	// Workers bounds the pages in flight; 0 is the client's NamesWorkers.
	Workers int
	// Progress, when set, is called after each page, in order.
	Progress func(NamesProgress)
	// OnWait, when set, is called when the server's rate limit interrupts the
	// reading, with the time at which it continues. It may be called from any
	// goroutine and must not block.
	OnWait func(until time.Time)
}

// NamesProgress counts the pages and names that have been read.
type NamesProgress struct {
	Pages, Names int
	// Bytes of the names themselves.
	Bytes int64
}

// decodeNames decodes a page of names. There may be thousands of them, and a name is never
// unknown: the functions for lenient reading are left out.
func decodeNames(body []byte) ([]string, error) {
	names, err := decodeWith[[]string](body, onlyNames)
	if err == nil && names == nil {
		err = &decodeError{Reason: "want an array, found null"}
	}
	return names, err
}

var onlyNames = jsonv2.JoinOptions(tolerant, jsonv2.WithUnmarshalers(jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, _ *string) error {
	if d.PeekKind() == 'n' {
		return errors.New("want a string, found null")
	}
	return errors.ErrUnsupported
})))

// Names reads one page of a namespace's names (endpoint 7). A page past the
// end is an empty list or InvalidInput, as the server has it.
func (c *Client) Names(ctx context.Context, namespace string, q NamesQuery) (Answer[[]string], error) {
	if err := validNamesQuery(namespace, q.Page); err != nil {
		return Answer[[]string]{}, err
	}
	if q.Page <= 1 {
		return c.namesPage(ctx, namespace, q.Unanchored, -1, true)
	}
	zero, err := c.countsFromZero(ctx, namespace, q.Unanchored)
	if err != nil {
		return Answer[[]string]{}, err
	}
	return c.namesPage(ctx, namespace, q.Unanchored, serverPage(q.Page, zero), true)
}

const namesOp = "names"

func validNamesQuery(namespace string, page int) error {
	if err := CheckNamespace(namespace); err != nil {
		return invalid(namesOp, err)
	}
	if page < 0 {
		return invalid(namesOp, errors.New("page must be 1 or more"))
	}
	return nil
}

// serverPage returns the server's number of a page, which counts from 1 for users.
func serverPage(page int, zero bool) int {
	if zero {
		return page - 1
	}
	return page
}

// namesPage requests a page by the server's number, the first without a number if
// it is -1.
func (c *Client) namesPage(ctx context.Context, namespace string, unanchored bool, page int, store bool) (Answer[[]string], error) {
	query := ""
	if page >= 0 {
		query = addQuery(query, "page", strconv.Itoa(page))
	}
	if unanchored {
		query = addQuery(query, "unanchored", "true")
	}
	path := "/v1/namespaces/" + escapeSegment(namespace) + "/names" + query
	return fetch(ctx, c, request[[]string]{op: namesOp, path: path, decode: decodeNames, store: store})
}

// countsFromZero reports whether the server's first page is page 0. It requests the
// server the first time.
func (c *Client) countsFromZero(ctx context.Context, namespace string, unanchored bool) (bool, error) {
	if zero := c.fromZero.Load(); zero != nil {
		return *zero, nil
	}
	first, err := c.namesPage(ctx, namespace, unanchored, -1, true)
	if err != nil {
		return false, err
	}
	one, err := c.namesPage(ctx, namespace, unanchored, 1, true)
	if err != nil && !pastEnd(err) {
		return false, err
	}
	return c.learnFirstPage(first.Value, one.Value, err != nil), nil
}

// learnFirstPage compares the page without a number to page 1 of the server. They are
// the same where pages count from 1. It reports whether they count from 0. An empty
// namespace proves nothing, and nothing is remembered.
func (c *Client) learnFirstPage(first, one []string, invalidPage bool) (zero bool) {
	zero = invalidPage || !slices.Equal(first, one)
	if len(first)+len(one) > 0 {
		c.fromZero.Store(&zero)
	}
	return zero
}

// pastEnd reports whether an error says that a page does not exist.
func pastEnd(err error) bool {
	if err == nil {
		return false
	}
	var e *Error
	return errors.As(err, &e) && e.ServerError == "Invalid page"
}
