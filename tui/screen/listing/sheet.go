package listing

import (
	"context"
	"time"

	"chainscope/tui/resource"
)

// Sheet reads the list and makes a sheet of the things that a filter lets through.
func (of Of[T]) Sheet(ctx context.Context, filter string) (resource.Sheet, error) {
	page, err := of.Page(ctx, of.whole().Home, "")
	if err != nil {
		return resource.Sheet{}, err
	}
	all := make([]T, len(page.Rows))
	for i, r := range page.Rows {
		all[i] = r.Of
	}
	rows, err := of.Kind.Matching(all, filter, time.Now())
	if err != nil {
		return resource.Sheet{}, err
	}
	left := make([]T, len(rows))
	for i, row := range rows {
		left[i] = all[row]
	}
	sheet := of.Kind.Sheet(left)
	sheet.Raw, sheet.Total = page.Raw, page.Total
	if page.Total == 0 && page.Next == "" { // not told, but these are all
		sheet.Total = int64(len(page.Rows))
	}
	return sheet, nil
}
