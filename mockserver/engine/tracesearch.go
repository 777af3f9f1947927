package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

const (
	asContract = "as-contract"
	// mostNested bounds how many calls that the machine leaves out begin at one line.
	mostNested = 4
	// mostTries bounds the search for them: so many steps, and triesALine more for each line.
	mostTries  = 100_000
	triesALine = 20
)

// frame is a function that runs. Frames are compared by their addresses: equal ones are one.
type frame struct {
	contract, function string
	site               *site // that calls it, nil for none that is known
	up                 *frame
	done               int   // the end of the last call that its own text made
	folded             *site // the last call in the text of a function that map, fold or filter call
	hid                *site // the last call that the machine left out, or within which it left one out
	hides              bool  // it is such a call
	early              bool  // its result was printed
}

// move is a step between two lines of the machine, of which it prints nothing: a call begins, or one ends.
type move struct {
	begins *site // nil for an end
}

// trial is a line with the functions that run there.
type trial struct {
	at  int
	top *frame
}

// tracer finds out which calls the lines of a trace belong to.
type tracer struct {
	lines  []traceLine
	of     Traced
	texts  definitions
	stack  []string // the functions that ran when it failed, such as ADDRESS.contract:function
	tries  int
	frames map[frame]*frame
	failed map[trial]bool
	put    map[int][]move
	early  map[int]bool // lines with a result of a call that continues
	// corrects reports that there may be such lines.
	corrects bool
}

func (t *tracer) frame(f frame) *frame {
	if known, ok := t.frames[f]; ok {
		return known
	}
	made := &f
	t.frames[f] = made
	return made
}

// fits reports whether the lines from one on can be what frames do, with calls put in.
func (t *tracer) fits(at int, top *frame) bool {
	if at == len(t.lines) {
		return t.ends(top)
	}
	if top == nil || t.failed[trial{at, top}] {
		return false
	}
	if t.line(at, top, 0) {
		return true
	}
	t.failed[trial{at, top}] = true
	return false
}

// line reports whether a line and those after it fit, with so many calls put in before it already.
func (t *tracer) line(at int, top *frame, put int) bool {
	if t.tries++; t.tries > mostTries+triesALine*len(t.lines) {
		return false
	}
	t.put[at] = nil
	delete(t.early, at)
	l, hidden := &t.lines[at], t.hidden(top)
	fits, first := t.next(at, top, hidden)
	if !first && fits != nil && fits() {
		return true
	}
	if put == mostNested {
		return first && fits != nil && fits()
	}
	for _, s := range hidden {
		if t.line(at, t.enter(top, s), put+1) {
			return t.moves(at, move{s})
		}
	}
	if t.put[at] = nil; first && fits != nil && fits() {
		return true
	}
	if top.early {
		return t.line(at, t.leave(top), put+1) && t.moves(at, move{})
	}
	if !t.corrects || l.kind != 'c' || top.up == nil || top.contract == top.up.contract {
		return false
	}
	early := *top
	early.early = true
	t.early[at] = t.fits(at+1, t.frame(early))
	return t.early[at]
}

// next returns what looks whether a line is of a frame, nil if it cannot be, and reports whether calls that the
// machine leaves out are likelier before it: some are due in the text of the function.
func (t *tracer) next(at int, top *frame, hidden []*site) (fits func() bool, first bool) {
	l, until := &t.lines[at], -1 // where in the text it is
	var called *site
	switch l.kind {
	case 'o':
		for f := top; f != nil; f = f.up { // those around it have failed with it
			if t.texts.unmade(f.contract, l) {
				return func() bool { return t.fits(at+1, top) }, false
			}
		}
		s, ok := t.visible(top, l)
		if !ok {
			return nil, false
		}
		if s != nil {
			called, until = s, s.end
		}
		fits = func() bool {
			contract, function := t.called(l, top.contract)
			return t.fits(at+1, t.frame(frame{contract: contract, function: function, site: s, up: top}))
		}
	case 'e':
		var may bool
		if until, may = t.emits(top, l); !may {
			return nil, false
		}
		fits = func() bool { return t.fits(at+1, top) }
	case 'c':
		if top.early || !t.results(top, l.text) {
			return nil, false
		}
		if !strings.HasPrefix(l.text, "(err ") {
			until = math.MaxInt
		}
		fits = func() bool { return t.fits(at+1, t.leave(top)) }
	}
	own := t.texts.find(top.contract, top.function)
	return fits, slices.ContainsFunc(hidden, func(s *site) bool {
		switch {
		case s.perhaps:
			return false
		case s.of == own && (called == nil || called.of == own):
			return s.end < until
		case called != nil && s.of == called.of && s.end < until:
			return top.folded == nil || top.folded.of != s.of || s.end > top.folded.end || until <= top.folded.end
		}
		return top.folded != nil && s.of == top.folded.of && s.end > top.folded.end && (called == nil && until > 0 || called != nil && (called.of != s.of || until <= top.folded.end))
	})
}

// moves notes what happens before a line, and before what was noted.
func (t *tracer) moves(at int, m move) bool {
	t.put[at] = append([]move{m}, t.put[at]...)
	return true
}

// enter returns the frame of a call that the machine leaves out.
func (t *tracer) enter(top *frame, s *site) *frame {
	return t.frame(frame{contract: s.contract, function: s.function, site: s, up: top, hides: true})
}

// leave returns the frame that called a function, nil for none.
func (t *tracer) leave(f *frame) *frame {
	if f.up == nil {
		return nil
	}
	up := *f.up
	if f.site != nil && f.site.of == t.texts.find(up.contract, up.function) {
		up.done, up.folded = f.site.end, nil
	} else {
		up.folded = f.site
	}
	if f.hides {
		up.hid, up.hides = f.site, true
	}
	return t.frame(up)
}

// ends reports whether a transaction can end with a frame: with none, or where it failed. The calls
// that had begun there are put in.
func (t *tracer) ends(top *frame) bool {
	if t.of.Failed == "" || top == nil {
		return t.of.Failed == "" && top == nil
	}
	var run []string
	for f := top; f != nil; f = f.up {
		if f.function != asContract {
			run = append(run, f.contract+":"+f.function)
		}
	}
	slices.Reverse(run)
	var put []move
	for _, name := range t.stack {
		switch {
		case len(run) > 0 && run[0] == name:
			run = run[1:]
		case len(run) == 0:
			for _, s := range t.hidden(top) {
				if s.contract+":"+s.function == name {
					put, top = append(put, move{s}), t.enter(top, s)
					break
				}
			}
		}
	}
	t.put[len(t.lines)] = put
	return len(run) == 0 || len(t.stack) == 0
}

// called returns what a line calls.
func (t *tracer) called(l *traceLine, within string) (contract, function string) {
	if m := innerCall().FindStringSubmatch(l.text); m != nil {
		return cmp.Or(l.callee, m[1]), m[2]
	}
	function, _, _ = strings.Cut(strings.TrimPrefix(l.text, "( "), " ")
	return within, function
}

// visible returns the place of a call that the machine prints, and reports whether a frame can have made it.
func (t *tracer) visible(top *frame, l *traceLine) (*site, bool) {
	if _, name, _ := strings.Cut(top.contract, "."); name != l.at && top.contract != "" {
		return nil, false
	}
	text := t.texts.contract(top.contract)
	if len(text.functions) == 0 {
		return nil, true
	}
	s := text.at[[2]int{l.line, l.column}]
	return s, s != nil && !s.left && !s.around(top.hid) && t.texts.makes(top, s)
}

// hidden returns the calls that a frame may have made and that the machine leaves out.
func (t *tracer) hidden(top *frame) (all []*site) {
	own := t.texts.find(top.contract, top.function)
	if own == nil {
		return nil
	}
	for _, within := range append([]*definition{own}, t.texts.folded(own)...) {
		for _, s := range within.sites {
			if (s.left || s.around(top.hid)) && t.texts.makes(top, s) {
				all = append(all, s)
			}
		}
	}
	if top.folded != nil { // the next one of the same function is the likeliest
		slices.SortStableFunc(all, func(a, b *site) int {
			next := func(s *site) int {
				if s.of == top.folded.of && s.end > top.folded.end {
					return 0
				}
				return 1
			}
			return next(a) - next(b)
		})
	}
	return all
}

// emits reports whether a frame can have caused an event, and where in its text that ends, -1 where it is not known.
func (t *tracer) emits(top *frame, l *traceLine) (until int, may bool) {
	if by, _ := t.of.Event(l.number, l.text); by != "" && by != top.contract {
		return -1, false
	}
	own := t.texts.find(top.contract, top.function)
	words := strings.SplitN(l.text, " ", 3)
	if own == nil || len(words) < 3 || words[1] == "lock" {
		return -1, true
	}
	head := words[0]
	if head != "print" {
		head += "-" + words[1]
	}
	for _, d := range append([]*definition{own}, t.texts.folded(own)...) {
		for _, e := range d.all {
			if !e.causes(head) {
				continue
			}
			if may = true; d == own && e.end > top.done {
				return e.end, true
			}
		}
	}
	return -1, may
}

// results reports whether a frame can have had a result.
func (t *tracer) results(top *frame, value string) bool {
	own := t.texts.find(top.contract, top.function)
	return own == nil || own.kind != "define-public" || strings.HasPrefix(value, "(ok ") || strings.HasPrefix(value, "(err ")
}
