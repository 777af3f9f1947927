package apiclient

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chainscope/apiclient/wire"
)

// longList is a list that one route pages by offset, and another by cursor.
type longList[P any] struct {
	paged, walked             route
	decodePaged, decodeWalked decoder[P]
	// The queries say what is requested besides the page: "" for nothing.
	pagedQuery, walkedQuery string
}

// offsetMark begins the cursor of a page that is found by its offset.
const offsetMark = "offset:"

func offsetCursor(offset int64) string { return offsetMark + strconv.FormatInt(offset, 10) }

// read reads a page of 1 to most rows: the first without a cursor, else the one that the
// cursor of the page before leads to, by the route that it is of. Which is what the routes
// have in braces, and wrong what is wrong with it.
func (l longList[P]) read(ctx context.Context, c *Client, op, which string, limit, most int, cursor string, wrong error) (Answer[P], error) {
	if limit < 1 || limit > most {
		wrong = errors.Join(wrong, fmt.Errorf("limit must be 1-%d", most))
	}
	offset, byOffset := strings.CutPrefix(cursor, offsetMark)
	if _, bad := strconv.ParseUint(offset, 10, 31); byOffset && bad != nil {
		wrong = errors.Join(wrong, fmt.Errorf("%q is no cursor of a list of %s", wire.Short(cursor), op))
	}
	if wrong != nil {
		return Answer[P]{}, invalid(op, wrong)
	}
	size := strconv.Itoa(limit)
	pagedSize, walkedSize := addQuery(l.pagedQuery, "limit", size), addQuery(l.walkedQuery, "limit", size)
	if byOffset {
		return firstServed(ctx, c, op, by(c, l.paged, which, addQuery(pagedSize, "offset", offset), l.decodePaged))
	}
	walked := by(c, l.walked, which, addQuery(walkedSize, "cursor", cursor), l.decodeWalked)
	if cursor != "" {
		return firstServed(ctx, c, op, walked)
	}
	return firstServed(ctx, c, op, by(c, l.paged, which, pagedSize, l.decodePaged), walked)
}
