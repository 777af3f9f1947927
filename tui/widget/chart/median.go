package chart

import "slices"

// median orders its argument.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
