package browser

import (
	"cmp"
	"maps"
	"slices"
)

// ByDistance returns the heights of a map in the order in which a screen that holds too
// much forgets them: the farthest from the height that is looked at first.
func ByDistance[V any](m map[int64]V, lookedAt int64) []int64 {
	heights := slices.Collect(maps.Keys(m))
	away := func(height int64) int64 { return max(height-lookedAt, lookedAt-height) }
	slices.SortFunc(heights, func(a, b int64) int { return cmp.Compare(away(b), away(a)) })
	return heights
}
