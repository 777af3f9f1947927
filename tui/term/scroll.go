package term

import (
	"slices"
	"strconv"
)

// block is a run of lines that only moved: what is to be at lines first to
// last is by lines further down now. gain is the number of lines that a scroll saves.
type block struct{ first, last, by, gain int }

// scroll moves the largest block of lines that only moved, on the terminal and in
// the old rows.
func (p *painter) scroll() {
	changed := 0
	for y := range p.lines {
		if !p.same(y) {
			changed++
		}
	}
	if changed < minScroll {
		return
	}
	var best block
	for by := 1 - p.height; by < p.height; by++ {
		if by != 0 {
			best = p.better(best, by)
		}
	}
	if best.gain < minScroll {
		return
	}
	top, bottom := min(best.first, best.first+best.by), max(best.last, best.last+best.by)
	n, final := best.by, byte('S')
	if n < 0 {
		n, final = -n, 'T'
	}
	p.out = append(p.out, "\x1b["...)
	p.out = strconv.AppendInt(p.out, int64(top+1), 10)
	p.out = append(p.out, ';')
	p.out = strconv.AppendInt(p.out, int64(bottom+1), 10)
	p.out = append(p.out, "r\x1b["...)
	p.out = strconv.AppendInt(p.out, int64(n), 10)
	p.out = append(p.out, final)
	p.out = append(p.out, "\x1b[r"...)
	region := p.old[top : bottom+1]
	if best.by > 0 {
		rotate(region, n)
		region = region[len(region)-n:]
	} else {
		rotate(region, len(region)-n)
		region = region[:n]
	}
	for i := range region {
		region[i].clear()
	}
}

// better returns the block with the greatest gain: best, or one that moves by by lines.
func (p *painter) better(best block, by int) block {
	first, gain := -1, 0
	for y := max(0, -by); y <= p.height; y++ {
		// The line that is to be at y is at y+by now.
		if y < p.height && y+by < p.height && p.old[y+by].known && p.old[y+by].source == p.lines[y] {
			if first < 0 {
				first, gain = y, 0
			}
			if !p.same(y) && p.lines[y] != "" {
				gain++
			}
			continue
		}
		if first >= 0 && gain > best.gain {
			gain -= p.scrollCost(first, y-1, by)
		}
		if first >= 0 && gain > best.gain {
			best = block{first, y - 1, by, gain}
		}
		first = -1
	}
	return best
}

// scrollCost returns how many lines that are already right the scroll of a block
// would overwrite.
func (p *painter) scrollCost(first, last, by int) int {
	n := 0
	for y := min(first, first+by); y <= max(last, last+by); y++ {
		if (y < first || y > last) && p.same(y) && p.lines[y] != "" {
			n++
		}
	}
	return n
}

// rotate moves the first n rows to the end.
func rotate(rows []row, n int) {
	slices.Reverse(rows[:n])
	slices.Reverse(rows[n:])
	slices.Reverse(rows)
}
