package browser

import (
	"maps"
	"slices"
	"sort"
)

// Farthest returns the heights of a map in the order in which a screen that holds too
// much forgets them: the farthest from the height that is looked at first.
func Farthest[V any](m map[int64]V, lookedAt int64) []int64 {
	heights := slices.Collect(maps.Keys(m))
	away := func(height int64) int64 { return max(height-lookedAt, lookedAt-height) }
	sort.Slice(heights, func(i, j int) bool { return away(heights[i]) > away(heights[j]) })
	return heights
}
