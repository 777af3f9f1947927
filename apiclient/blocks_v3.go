package apiclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// maxWalk limits how many pages of a list of v3 are read to reach an offset. Its cursors
// are texts of the server, so that an offset can only be walked to.
const maxWalk = 10

// firstV3 returns the parameters of the first page of a list of v3, which takes no
// limit of 0 and no offset.
func (p Page) firstV3() string {
	if p.Limit <= 0 {
		return ""
	}
	return "?limit=" + strconv.Itoa(p.Limit)
}

// nextV3 returns the cursor of the next older page of v3, "" at the end.
func nextV3(extra map[string]json.RawMessage) string {
	var cursor struct {
		Next string `json:"next"`
	}
	if json.Unmarshal(extra["cursor"], &cursor) != nil {
		return ""
	}
	return cursor.Next
}

// walk reads a list of v3, whose pages can only be walked to.
type walk[T any] struct {
	op, path string
	// passed, if set, is given each page, whether it is the first, and the cursor of the
	// next older one.
	passed func(page List[T], first bool, next string)
}

// page requests the page of a cursor.
func (w walk[T]) page(ctx context.Context, c *Client, p Page, cursor string) (Answer[List[T]], error) {
	query := addQuery(p.firstV3(), "cursor", cursor)
	a, err := get(ctx, c, w.op, w.path+query, listWith[T](lenientV3, nil))
	if err == nil && w.passed != nil {
		w.passed(a.Value, cursor == "", nextV3(a.Value.Extra))
	}
	a.Value.Offset = int64(p.Offset)
	return a, err
}

// read reads the page that begins a number of blocks below a cursor: it walks the pages between,
// each as large as the server allows.
func (w walk[T]) read(ctx context.Context, c *Client, p Page, cursor string, left int) (Answer[List[T]], error) {
	for pages := 0; left > 0; pages++ {
		if pages == maxWalk || w.passed != nil && left > (maxWalk-pages)*maxLimit {
			return Answer[List[T]]{}, invalid(w.op, fmt.Errorf("this server lists blocks from the newest on; offset must be 0-%d", maxWalk*maxLimit))
		}
		a, err := w.page(ctx, c, Page{Limit: min(left, maxLimit), Offset: p.Offset}, cursor)
		if err != nil {
			return a, err
		}
		if cursor = nextV3(a.Value.Extra); cursor == "" || len(a.Value.Results) == 0 {
			a.Value.Results = []T{}
			a.Raw, err = json.Marshal(a.Value)
			return a, err
		}
		left -= len(a.Value.Results)
	}
	return w.page(ctx, c, p, cursor)
}

// blocksV3 reads a page of blocks by v3. It walks on from the last page before it that was
// read; where other blocks are there by now, from the newest on.
func (c *Client) blocksV3(ctx context.Context, p Page) (Answer[List[Block]], error) {
	list := walk[Block]{blocksOp, "/extended/v3/blocks", c.passedV3}
	first := c.cursorsV3.lastTip() - int64(p.Offset)
	at, cursor := int64(0), ""
	if p.Offset > 0 {
		at, cursor = c.cursorsV3.near(first, min(int64(p.Offset), maxWalk*maxLimit)-1, false)
	}
	if cursor != "" {
		a, err := list.read(ctx, c, p, cursor, int(at-first))
		refused := KindOf(err) == InvalidInput || KindOf(err) == NotFound && !RouteGone(err)
		fits := len(a.Value.Results) > 0 && a.Value.Results[0].Height == first
		if err == nil && fits || err != nil && !refused {
			return a, err
		}
		c.cursorsV3.forget()
	}
	return list.read(ctx, c, p, "", p.Offset)
}

// passedV3 notes where the page after one that was read begins.
func (c *Client) passedV3(page List[Block], first bool, next string) {
	if n := len(page.Results); n > 0 {
		tip := int64(0)
		if first {
			tip = page.Results[0].Height
		}
		c.cursorsV3.note(tip, page.Results[n-1].Height-1, next)
	}
}
