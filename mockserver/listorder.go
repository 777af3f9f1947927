package mockserver

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// listOrder is the order of a list of v3, by the keys of its rows, which are its cursors.
type listOrder struct {
	compare func(a, b string) int
	// keepsTotal is whether the total stays past the end of the list, where others say 0.
	keepsTotal bool
	// wholeBefore is whether only a whole page before this one is the previous page; in others
	// the first page is, however short.
	wholeBefore bool
}

// The orders of the lists.
var (
	placeOrder   = listOrder{compare: byParts("---")}                      // the newest first
	receiptOrder = listOrder{compare: byParts("->")}                       // what waits, the newest first
	eventOrder   = listOrder{compare: byParts("+"), keepsTotal: true}      // the first first
	balanceOrder = listOrder{compare: byParts("-<")}                       // the greatest first
	changeOrder  = listOrder{compare: byParts("+<")}                       // of one transaction
	changesOrder = listOrder{compare: byParts("---+<"), wholeBefore: true} // of several
	tokenOrder   = listOrder{compare: byAsset}

	nameOrder   = listOrder{compare: strings.Compare}                  // signers, stakers
	bondOrder   = listOrder{compare: byParts("-"), keepsTotal: true}   // the newest first
	ownOrder    = listOrder{compare: byParts("+"), keepsTotal: true}   // an account's bonds
	logOrder    = listOrder{compare: byParts("----")}                  // of a contract, the newest first
	memberOrder = listOrder{compare: byParts("---"), keepsTotal: true} // of a bond
)

// firstFrom finds the first row of a list in its order that does not come before a cursor.
func firstFrom[T any](o listOrder, all []T, key func(T) string, cursor string) int {
	return sort.Search(len(all), func(i int) bool { return o.compare(key(all[i]), cursor) >= 0 })
}

// byParts compares keys by their parts between colons, the last with all that follows: + and -
// are whole numbers that rise or fall, < and > texts.
func byParts(directions string) func(a, b string) int {
	return func(a, b string) int {
		as, bs := strings.SplitN(a, ":", len(directions)), strings.SplitN(b, ":", len(directions))
		for i := range min(len(as), len(bs)) {
			var c int
			switch directions[i] {
			case '+':
				c = compareDigits(as[i], bs[i])
			case '-':
				c = compareDigits(bs[i], as[i])
			case '<':
				c = strings.Compare(as[i], bs[i])
			default:
				c = strings.Compare(bs[i], as[i])
			}
			if c != 0 {
				return c
			}
		}
		return 0
	}
}

// compareDigits compares decimal numbers of any length.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// byAsset compares keys of a value and an asset: by asset, then by value.
func byAsset(a, b string) int {
	value, asset, _ := strings.Cut(a, ":")
	otherValue, other, _ := strings.Cut(b, ":")
	return cmp.Or(strings.Compare(asset, other), strings.Compare(value, otherValue))
}

// inOrder sorts the rows of a list.
func inOrder[T any](all []T, o listOrder, key func(T) string) []T {
	slices.SortFunc(all, func(a, b T) int { return o.compare(key(a), key(b)) })
	return all
}
