package engine

import (
	"cmp"
	"math"
	"slices"
)

// slot is a moment of a call: after so many of the calls that it makes.
type slot struct {
	in    *Call
	after int
}

// timeline holds the moments of a tree of calls in which something could happen that is in the chain, in their order.
type timeline struct {
	slots   []slot
	printed map[int]int // the slot of an event that is in the chain and that the machine printed, by its number
	since   map[int]int // the first slot after one that was rolled back, by its number
	taken   map[slotCause]int
}

type slotCause struct {
	slot  int
	cause string
}

// place puts the events into the tree that are in the chain and of which the machine prints nothing: it numbers
// events and prints a number once, and these have the numbers of others that were rolled back. They are put, in their
// order, where the text of the contract that they are of has what causes them.
func (t *tracer) place(root *Call) {
	line := &timeline{printed: map[int]int{}, since: map[int]int{}, taken: map[slotCause]int{}}
	line.add(root)
	var numbers []int // of those that are printed
	for n, at := range line.printed {
		numbers = append(numbers, n)
		if _, cause, has := t.of.Kept(n); has {
			line.taken[slotCause{at, cause}]++
		}
	}
	slices.Sort(numbers)
	at := 0
	for n := 0; ; n++ {
		contract, cause, has := t.of.Kept(n)
		if !has {
			break
		}
		if slot, is := line.printed[n]; is {
			at, numbers = slot, numbers[1:]
			continue
		}
		last := len(line.slots) - 1
		if len(numbers) > 0 {
			last = line.printed[numbers[0]]
		}
		at = t.likeliest(line, max(at, line.since[n]), last, contract, cause)
		s := line.slots[at]
		s.in.Events = append(s.in.Events, TracedEvent{Number: n, After: s.after})
		line.taken[slotCause{at, cause}]++
	}
	for _, s := range line.slots {
		slices.SortStableFunc(s.in.Events, func(a, b TracedEvent) int {
			return cmp.Or(cmp.Compare(a.After, b.After), cmp.Compare(a.Number, b.Number))
		})
	}
}

// add adds the moments of a call and of those that it makes.
func (l *timeline) add(c *Call) {
	for i := 0; i <= len(c.Calls); i++ {
		l.slots = append(l.slots, slot{c, i})
		at := len(l.slots) - 1
		for _, e := range c.Events {
			switch {
			case e.After != i:
			case e.RolledBack:
				l.since[e.Number] = at
			default:
				l.printed[e.Number] = at
			}
		}
		if i == len(c.Calls) {
			break
		}
		if inner := c.Calls[i]; inner.undone {
			l.rolledBack(inner)
		} else {
			l.add(inner)
		}
	}
}

// rolledBack notes the events of a call that was rolled back, and of those that it made.
func (l *timeline) rolledBack(c *Call) {
	for _, e := range c.Events {
		l.since[e.Number] = len(l.slots)
	}
	for _, inner := range c.Calls {
		l.rolledBack(inner)
	}
}

// likeliest returns the first of the slots up to a last one in which the text of a contract causes an event and has not
// caused it yet; without one, the first in which it may, else the first of the contract.
func (t *tracer) likeliest(l *timeline, first, last int, contract, cause string) int {
	found, best := first, 0
	for i := first; i <= last; i++ {
		s := l.slots[i]
		if contract != "" && contract != s.in.Contract {
			continue
		}
		rank := 1
		here, ever := t.causes(s, cause)
		switch {
		case here > l.taken[slotCause{i, cause}]:
			rank = 3
		case ever:
			rank = 2
		}
		if rank > best {
			found, best = i, rank
		}
	}
	return found
}

// causes returns how often the text of a function causes an event in a slot, and reports whether it may at all.
func (t *tracer) causes(s slot, cause string) (here int, ever bool) {
	own := t.texts.find(s.in.Contract, s.in.Function)
	if own == nil {
		return 0, true
	}
	end := func(call, without int) int {
		if call < 0 || call >= len(s.in.Calls) || s.in.Calls[call].site == nil || s.in.Calls[call].site.of != own {
			return without
		}
		return s.in.Calls[call].site.end
	}
	after, before := end(s.after-1, -1), end(s.after, math.MaxInt)
	for _, d := range append([]*definition{own}, t.texts.folded(own)...) {
		for _, e := range d.all {
			if !e.causes(cause) {
				continue
			}
			ever = true
			switch {
			case d != own:
				here = math.MaxInt // as often as it is folded
			case e.end > after && e.end < before && here < math.MaxInt:
				here++
			}
		}
	}
	return here, ever
}
