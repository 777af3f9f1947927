package burnblocks

import (
	"context"
	"strconv"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/widget/list"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// overview is the list of the newest burn blocks. Only those in sight are read.
type overview struct {
	tip      remote.Value[listing]
	known    map[int64]*remote.Value[listing]
	depth    int       // how many burn blocks the list has
	failedAt time.Time // when the newest was asked for in vain
	halted   error     // why no more are asked for, until the user asks again
	seen     int64     // the newest burn block when the cursor was on it last
	list     *list.List
}

// How many burn blocks the list has at first and gets at its end, and how many
// are asked for at a time.
const (
	depthStep = 40
	atOnce    = 4
)

func (o *overview) leave() {
	o.tip.Cancel()
	for _, v := range o.known {
		v.Cancel()
	}
}

// newest is the height of the newest burn block; false before it is known.
func (o *overview) newest() (int64, bool) {
	l, ok := o.tip.Get()
	return l.height, ok
}

// at is what is known of a burn block.
func (o *overview) at(height int64) (*listing, bool) {
	v := o.known[height]
	if v == nil {
		return nil, false
	}
	l, ok := v.Get()
	if !ok {
		return nil, false
	}
	return &l, true
}

// cursor is the burn block under the cursor, if it is read.
func (o *overview) cursor() (listing, bool) {
	tip, ok := o.newest()
	i, there := o.list.Cursor()
	if !ok || !there {
		return listing{}, false
	}
	l, ok := o.at(tip - int64(i))
	if !ok {
		return listing{}, false
	}
	return *l, true
}

// value is the holder of a burn block.
func (o *overview) value(height int64) *remote.Value[listing] {
	v := o.known[height]
	if v == nil {
		v = &remote.Value[listing]{}
		o.known[height] = v
	}
	return v
}

// retry forgets failures, so that what failed is asked for again.
func (o *overview) retry() {
	for h, v := range o.known {
		if v.State() == remote.Failed {
			delete(o.known, h)
		}
	}
}

func (s *Screen) openOverview() tea.Cmd {
	if s.over.tip.Busy() {
		return nil
	}
	return s.fetchTip()
}

func (s *Screen) fetchTip() tea.Cmd {
	api := s.api
	return screen.Fetch(s.env, &s.over.tip, slotTip, func(ctx context.Context) (listing, error) {
		return read(ctx, api, "latest", 0, listing{})
	})
}

// takeTip joins a new burn block. The cursor stays on its row.
func (s *Screen) takeTip(msg screen.Fetched[listing]) tea.Cmd {
	o := &s.over
	before, had := o.newest()
	if !o.tip.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	if msg.Err != nil {
		o.failedAt = msg.At
		return nil
	}
	o.halted = nil
	o.retry()
	tip := msg.Value.height
	s.keep(msg.Value)
	if !had {
		o.seen = tip
		o.depth = depthStep
	} else if tip != before {
		o.depth += int(max(0, tip-before))
		for h := min(before, tip); h <= max(before, tip); h++ {
			if h != tip {
				delete(o.known, h) // it may have got blocks since it was the newest
			}
		}
		for h := range o.known {
			if h > tip {
				delete(o.known, h)
			}
		}
	}
	o.depth = min(o.depth, int(tip)+1)
	o.list.Changed(nil)
	s.looks()
	return nil
}

// keep holds a listing that was read otherwise.
func (s *Screen) keep(l listing) {
	v := s.over.value(l.height)
	if old, ok := v.Get(); ok && old.hash == l.hash && len(old.blocks) > len(l.blocks) {
		l.blocks, l.ended = join(old.blocks, l.blocks), old.ended
	}
	_, key := v.Start(s.env.Context, slotBurn, s.env.Now())
	v.Settle(key, l, nil, s.env.Now())
}

// takeBurn takes a burn block of the list.
func (s *Screen) takeBurn(height int64, msg screen.Fetched[listing]) {
	v := s.over.known[height]
	if v == nil || !v.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return
	}
	if msg.Err != nil {
		s.over.halted = msg.Err
	}
	s.over.list.Forget()
}

// need asks for the burn blocks in sight that are not read, those at the cursor
// first.
func (s *Screen) need() tea.Cmd {
	o := &s.over
	tip, ok := o.newest()
	if s.listing() || !ok || o.halted != nil {
		return nil
	}
	if o.list.AtEnd() && o.depth < int(tip)+1 && o.list.Position() > 0 {
		o.depth = min(o.depth+depthStep, int(tip)+1)
		o.list.Changed(nil)
	}
	busy := 0
	for _, v := range o.known {
		if v.Busy() {
			busy++
		}
	}
	place := o.list.Place()
	var cmds []tea.Cmd
	for d := 0; d <= s.height && busy < atOnce; d++ {
		for _, row := range [2]int{place.Cursor + d, place.Cursor - d} {
			h := tip - int64(row)
			if row < place.Top || row >= place.Top+s.height || row >= o.depth || h < 0 || busy >= atOnce || o.known[h] != nil && !idle(o.known[h]) {
				continue
			}
			cmds = append(cmds, s.fetchBurn(h))
			busy++
		}
	}
	return tea.Batch(cmds...)
}

// idle reports whether a value was neither read nor asked for: it was left
// before it came.
func idle(v *remote.Value[listing]) bool { return v.State() == remote.Idle }

func (s *Screen) fetchBurn(height int64) tea.Cmd {
	api := s.api
	return screen.Fetch(s.env, s.over.value(height), slotBurn+strconv.FormatInt(height, 10), func(ctx context.Context) (listing, error) {
		return readRow(ctx, api, height)
	})
}

// retryAt is when the server wants to be asked again, zero when it did not say.
func (o *overview) retryAt() time.Time { return placeholder.RetryAfter(o.tip.Err(), o.failedAt) }

// looks notes that the newest row is under the cursor, so that later ones are new.
func (s *Screen) looks() {
	if tip, ok := s.over.newest(); ok && s.over.list.Position() == 0 {
		s.over.seen = tip
	}
}

// unseen is how many burn blocks came above the cursor.
func (o *overview) unseen() int {
	tip, ok := o.newest()
	if !ok {
		return 0
	}
	return int(max(0, tip-o.seen))
}
