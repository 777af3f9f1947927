package contracts

import (
	"strings"

	"chainscope/wallet/clarity"
)

const (
	// onOneLine is the greatest length of a value on one line.
	onOneLine = 60
	// maxIndent is the deepest level at which lines are indented.
	maxIndent = 16
)

// layout writes a value on lines: a short one on one, of a longer one each part.
func layout(v clarity.Value) []string {
	var lines []string
	makeForm(&lines, v, "", "", 0)
	return lines
}

func makeForm(lines *[]string, v clarity.Value, before, after string, depth int) {
	lead := strings.Repeat("  ", min(depth, maxIndent))
	put := func(words string) { *lines = append(*lines, lead+words) }
	if room(v, onOneLine) >= 0 {
		put(before + clarity.Repr(v) + after)
		return
	}
	switch v := v.(type) {
	case clarity.Some:
		makeForm(lines, v.Value, before+"(some ", ")"+after, depth)
	case clarity.OK:
		makeForm(lines, v.Value, before+"(ok ", ")"+after, depth)
	case clarity.Err:
		makeForm(lines, v.Value, before+"(err ", ")"+after, depth)
	case clarity.List:
		put(before + "(list")
		for _, item := range v {
			makeForm(lines, item, "", "", depth+1)
		}
		put(")" + after)
	case clarity.Tuple:
		put(before + "{")
		for i, f := range v.Fields {
			comma := ","
			if i == len(v.Fields)-1 {
				comma = ""
			}
			makeForm(lines, f.Value, f.Name+": ", comma, depth+1)
		}
		put("}" + after)
	default:
		put(before + clarity.Repr(v) + after)
	}
}

// room returns what is left of a line after a value, negative where it is too long. It looks at
// no more of the value than fits.
func room(v clarity.Value, left int) int {
	switch v := v.(type) {
	case clarity.Buffer:
		return left - 2 - 2*len(v)
	case clarity.ASCII:
		return left - 2 - len(v)
	case clarity.UTF8:
		return left - 3 - len(v)
	case clarity.Some:
		return room(v.Value, left-7)
	case clarity.OK:
		return room(v.Value, left-5)
	case clarity.Err:
		return room(v.Value, left-6)
	case clarity.List:
		left -= 6
		for _, item := range v {
			if left = room(item, left-1); left < 0 {
				break
			}
		}
		return left
	case clarity.Tuple:
		left -= 4
		for _, f := range v.Fields {
			if left = room(f.Value, left-len(f.Name)-4); left < 0 {
				break
			}
		}
		return left
	}
	return left - len(clarity.Repr(v))
}
