package ledger

import (
	"slices"

	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Outside is a movement of a token that no virtual machine made, linked to those before it: a
// balance at the beginning or set by hand, a movement by a canned call, and its reversal. It
// never changes.
type Outside struct {
	move   outcome.Move
	before *Outside
	depth  int
}

// NoteOutside lets the ledger note what moves tokens outside of a virtual machine.
func (l *Ledger) NoteOutside() { l.notes = true }

// Outside returns the newest movement that no virtual machine made, nil for none.
func (l *Ledger) Outside() *Outside { return l.outside }

// Since returns the movements after an earlier one, in their order. It reports false if o does
// not come after that.
func (o *Outside) Since(earlier *Outside) (moves []outcome.Move, follows bool) {
	for ; o != earlier; o = o.before {
		if o == nil || earlier != nil && o.depth <= earlier.depth {
			return nil, false
		}
		moves = append(moves, o.move)
	}
	slices.Reverse(moves)
	return moves, true
}

// note notes a movement that no virtual machine made.
func (l *Ledger) note(m outcome.Move) {
	if !l.notes || m.Asset == (stxtx.Asset{}) {
		return
	}
	o := &Outside{move: m, before: l.outside, depth: 1}
	if o.before != nil {
		o.depth += o.before.depth
	}
	l.outside = o
}

// noteBack notes the way back of movements, the last first.
func (l *Ledger) noteBack(moves []outcome.Move) {
	for _, m := range slices.Backward(moves) {
		m.From, m.To = m.To, m.From
		l.note(m)
	}
}
