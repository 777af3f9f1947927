package world

import (
	"container/list"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// maxWorlds bounds the worlds of a server; the least recently used goes first.
const maxWorlds = 1_024

// Worlds are named worlds that all begin as the first one was when Worlds was
// made. It is safe for concurrent use.
type Worlds struct {
	shared *Options
	begin  *content
	total  *atomic.Int64 // requests that they remember
	kept   *savedWorlds  // nil for worlds that are not kept

	mu        sync.Mutex
	named     map[string]*list.Element
	order     *list.List // of *World, the most recently used first
	forgotten int        // worlds that were dropped
}

// Worlds returns named worlds that begin as w is now.
func (w *World) Worlds() *Worlds {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &Worlds{shared: w.shared, begin: w.now, total: w.Requests.total, named: map[string]*list.Element{}, order: list.New()}
}

// BeginAs lets worlds that are made from now on begin as w does. Those that there are stay.
func (all *Worlds) BeginAs(w *World) {
	w.mu.Lock()
	begin := w.begin
	w.mu.Unlock()
	all.mu.Lock()
	defer all.mu.Unlock()
	all.begin = begin
}

// checkName returns an error that says what the name of a world may be.
func checkName(name string) error {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
	if name == "" || len(name) > maxNameLength || strings.Trim(name, allowed) != "" || strings.Trim(name, ".") == "" {
		return fmt.Errorf("a world's name has 1 to %d letters, digits, dots, hyphens and underscores, such as worker-1", maxNameLength)
	}
	return nil
}

// Get returns the world of a name, which it makes on first use.
func (all *Worlds) Get(name string) (*World, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if e, ok := all.named[name]; ok {
		all.order.MoveToFront(e)
		return e.Value.(*World), nil
	}
	w := newWorld(strings.Clone(name), all.shared, all.begin)
	if all.kept != nil {
		w.journal = all.kept.journal(w.name)
	}
	all.add(w)
	return w, nil
}

// add takes a world in as the most recently used. The caller must hold all.mu.
func (all *Worlds) add(w *World) {
	if all.order.Len() >= maxWorlds {
		oldest := all.order.Remove(all.order.Back()).(*World)
		delete(all.named, oldest.name)
		oldest.forget()
		all.forgotten++
	}
	w.Requests.total = all.total
	all.named[w.name] = all.order.PushFront(w)
}

// forget lets go of what is kept of the world, in a file too.
func (w *World) forget() {
	w.Requests.forget()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.journal.remove()
	w.journal = nil
	w.vm.Close()
}

// Listed is a world, as it is listed.
type Listed struct {
	Name string `json:"name"`
	Tip  Tip    `json:"tip"`
}

// List is the worlds that there are.
type List struct {
	Worlds    []Listed `json:"worlds"`    // the most recently used first
	Limit     int      `json:"limit"`     // how many there can be
	Forgotten int      `json:"forgotten"` // how many were dropped for others
}

// List lists the worlds, and says how many were dropped since the server started.
func (all *Worlds) List() List {
	all.mu.Lock()
	worlds := make([]*World, 0, all.order.Len())
	for e := all.order.Front(); e != nil; e = e.Next() {
		worlds = append(worlds, e.Value.(*World))
	}
	l := List{make([]Listed, len(worlds)), maxWorlds, all.forgotten}
	all.mu.Unlock()
	for i, w := range worlds {
		l.Worlds[i] = Listed{w.name, w.State().Tip()}
	}
	return l
}
