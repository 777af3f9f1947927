package burnblocks

import (
	"cmp"
	"context"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

// part is the purpose of a request for the blocks of a burn block.
type part int

const (
	firstPage part = iota
	nextPage
	livePage // the first page again, for which nobody waits
)

// single is the listing of one burn block.
type single struct {
	ref   nav.Ref
	value remote.Value[listing]
	part  part     // of the request that was made last
	anew  bool     // what was read is of a chain that has changed since
	newer *listing // a newer burn block that "latest" means by now
	fresh int      // blocks that came on top while one looked elsewhere
	list  *list.List
}

// block returns a row of the list, as it is without a filter.
func (o *single) block(row int) *block {
	l, ok := o.value.Get()
	if !ok || row < 0 || row >= len(l.blocks) {
		return nil
	}
	return &l.blocks[row]
}

// cursor returns the block under the cursor, nil for none.
func (o *single) cursor() *block {
	i, ok := o.list.Cursor()
	if !ok {
		return nil
	}
	return o.block(i)
}

func (s *Screen) openOne(ref nav.Ref) tea.Cmd {
	o := &s.one
	o.fresh = 0
	if _, there := o.value.Get(); there && o.ref == ref {
		s.Arrange()
		if o.anew || o.newer != nil || ref.By == nav.ByLatest || o.value.Err() != nil {
			return s.fetchOne(firstPage)
		}
		return nil
	}
	o.ref, o.newer, o.anew = ref, nil, false
	o.value.Reset()
	o.list.SetSource(s.blocks)
	if ref.By == nav.ByBurnHeight {
		if l, ok := s.over.read(ref.Height); ok && !l.empty {
			_, key := o.value.Start(s.env.Context, s.env.Now())
			o.value.Settle(key, l, nil, s.env.Now())
			s.Arrange()
			return nil
		}
	}
	return s.fetchOne(firstPage)
}

// fetchOne requests a page. Further pages are requested by hash: "latest" may
// be another burn block by then.
func (s *Screen) fetchOne(of part) tea.Cmd {
	o, api := &s.one, s.env.Client
	o.part = of
	known, _ := o.value.Get()
	which, offset := o.ref.String(), 0
	switch {
	case of == nextPage:
		which, offset = cmp.Or(known.hash, which), len(known.blocks)
	case o.anew:
		known = listing{}
	}
	known.height = cmp.Or(known.height, o.ref.Height) // an empty one has no block that has it
	fetch := screen.Fetch[listing]
	if of == livePage {
		fetch = screen.FetchAhead[listing]
	}
	return fetch(s.env, &o.value, func(ctx context.Context) (listing, error) {
		return read(ctx, api, which, offset, known)
	})
}

func (s *Screen) oneLoaded(msg screen.Fetched[listing]) tea.Cmd {
	o := &s.one
	before, had := o.value.Get()
	loaded, of := msg.Value, o.part
	if msg.Err == nil && of == livePage && had && loaded.height > before.height {
		newer := loaded
		loaded = before
		if !o.value.Settle(msg.Key, loaded, nil, msg.At) {
			return nil
		}
		if o.newer != nil && o.newer.hash != newer.hash {
			delete(s.over.known, o.newer.height) // it may have got blocks since it was the newest
		}
		o.newer = &newer
		s.store(newer)
		return nil
	}
	if !o.value.Settle(msg.Key, loaded, msg.Err, msg.At) {
		return nil
	}
	if later := s.RetryLater(&s.one.value, msg.Err, msg.At, s.requestAgain); msg.Err != nil {
		return later
	}
	if of == firstPage {
		o.newer = nil
	}
	o.anew = o.anew && of == nextPage
	if had && before.hash == loaded.hash && o.list.Position() > 0 {
		o.fresh += int(max(0, loaded.total-before.total))
	}
	if loaded.hash != "" {
		s.store(loaded)
	}
	s.Arrange()
	return nil
}

// requestAgain makes a request of the burn block again.
func (s *Screen) requestAgain() tea.Cmd {
	if s.one.part == nextPage {
		return s.fetchOne(nextPage)
	}
	return s.fetchOne(firstPage)
}

// grows reports whether the burn block may still grow: those before the newest do not.
func (s *Screen) grows() bool {
	l, ok := s.one.value.Get()
	tip, known := s.over.newest()
	return s.one.ref.By == nav.ByLatest || ok && (!known || l.height >= tip)
}

// liveOne requests what is new in a burn block that may still grow.
func (s *Screen) liveOne() tea.Cmd {
	if s.one.value.Busy() || s.Waits(&s.one.value) || !s.grows() {
		return nil
	}
	if _, ok := s.one.value.Get(); !ok {
		return s.fetchOne(firstPage)
	}
	return s.fetchOne(livePage)
}

// moreOne requests the next page when the cursor comes near the end.
func (s *Screen) moreOne() tea.Cmd {
	l, ok := s.one.value.Get()
	if !ok || !l.more() || s.one.value.Busy() || s.Waits(&s.one.value) || !s.one.list.AtEnd() || s.one.list.Position() == 0 {
		return nil
	}
	return s.fetchOne(nextPage)
}

// showNewer goes to the burn block that "latest" means by now, or to the blocks
// that came on top.
func (s *Screen) showNewer() tea.Cmd {
	o := &s.one
	o.fresh = 0
	if o.newer != nil {
		_, key := o.value.Start(s.env.Context, s.env.Now())
		o.value.Settle(key, *o.newer, nil, s.env.Now())
		o.newer = nil
		s.SetQuery("")
		o.list.Changed(nil)
	}
	o.list.Select(0)
	return s.Changed()
}

// burnHeight returns the burn block that one is at; false when it is not known.
func (s *Screen) burnHeight() (int64, bool) {
	if l, ok := s.one.value.Get(); ok && len(l.blocks) > 0 {
		return l.height, true
	}
	if s.one.ref.By == nav.ByBurnHeight {
		return s.one.ref.Height, true
	}
	return 0, false
}

// step goes to the burn block before (-1) or after (1). Those of which the server's list says
// that they have no Stacks block are passed over.
func (s *Screen) step(by int64) tea.Cmd {
	at, ok := s.burnHeight()
	if !ok {
		return screen.Notice("the height of this burn block is not known, so there is none before or after it")
	}
	tip, known := s.over.newest()
	for at += by; known && at > 0 && at < tip; at += by {
		if l, listed := s.over.at(at); !listed || !l.empty {
			break
		}
	}
	switch {
	case at < 0:
		return screen.Notice("there is no burn block before this one")
	case by > 0 && (s.one.ref.By == nav.ByLatest || known && at > tip):
		return screen.Notice("this is the newest burn block")
	}
	return s.env.Visit(nav.BurnBlockAtHeight(at))
}
