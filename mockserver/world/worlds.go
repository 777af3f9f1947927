package world

import (
	"container/list"
	"fmt"
	"strings"
	"sync"
)

// maxWorlds bounds the worlds of a server; the least recently used goes first.
const maxWorlds = 1_024

// Worlds are named worlds that all begin as the first one stood when Worlds was
// made. It is safe for concurrent use.
type Worlds struct {
	shared *Options
	begin  *content
	total  *Total

	mu    sync.Mutex
	named map[string]*list.Element
	order *list.List // of *World, the most recently used first
}

// Worlds returns named worlds that begin as w stands now.
func (w *World) Worlds() *Worlds {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &Worlds{shared: w.shared, begin: w.now, total: w.Requests.total, named: map[string]*list.Element{}, order: list.New()}
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
	if all.order.Len() >= maxWorlds {
		oldest := all.order.Remove(all.order.Back()).(*World)
		delete(all.named, oldest.name)
		oldest.Requests.forget()
	}
	w := newWorld(strings.Clone(name), all.shared, all.begin)
	w.Requests.total = all.total
	all.named[w.name] = all.order.PushFront(w)
	return w, nil
}

// Len returns the number of worlds that there are.
func (all *Worlds) Len() int {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.order.Len()
}
