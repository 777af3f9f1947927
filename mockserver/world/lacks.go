package world

import (
	"slices"
	"strings"
	"sync"

	"chainscope/mockserver/contracts"
)

// maxLacks bounds what a world remembers of what was requested and is not described.
const maxLacks = 1_000

// Lacks remembers what was requested of contracts and nobody has described. The zero
// value is empty and safe for concurrent use.
type Lacks struct {
	mu   sync.Mutex
	last int64
	all  []contracts.Lack
	at   map[string]int // by what is lacking
}

// Add remembers that something was requested and is not described.
func (l *Lacks) Add(one contracts.Lack) {
	key := one.Contract + " " + one.Kind + " " + one.Name
	if one.Kind == "maps" {
		key += " " + strings.Join(one.Args, " ")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	i, known := l.at[key]
	switch {
	case known:
	case len(l.all) == maxLacks:
		return
	default:
		if l.at == nil {
			l.at = map[string]int{}
		}
		i = len(l.all)
		l.at[key] = i
		l.all = append(l.all, one)
	}
	one.N = l.last
	l.all[i] = one
}

// After lists what was requested and is not described after a number, in the order of the first
// requests, and the number for the next request.
func (l *Lacks) After(n int64) ([]contracts.Lack, int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.Clone(l.all)
	return slices.DeleteFunc(all, func(one contracts.Lack) bool { return one.N <= n }), l.last
}

// Tally counts something, and remembers the last of it. The zero value is empty and safe for
// concurrent use.
type Tally struct {
	mu    sync.Mutex
	count Count
}

// Count holds what a Tally counted.
type Count struct {
	Count int    `json:"count"`
	Last  string `json:"last"` // "" for none
}

// Add counts one more.
func (t *Tally) Add(last string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count = Count{t.count.Count + 1, last}
}

// Count returns what was counted.
func (t *Tally) Count() Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count
}
