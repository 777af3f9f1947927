package command

import (
	"context"
	"hash/maphash"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
)

// checkedPages is the number of pages of a namespace that are read once more in the end.
const checkedPages = 16

// namesWalk reads the names of a namespace, each once, and checks that it did not change
// meanwhile: names are found by their page, and one that leaves moves those behind it.
type namesWalk struct {
	app       *cli.App
	client    *apiclient.Client
	namespace string
	query     apiclient.AllNamesQuery

	seed  maphash.Seed
	seen  map[uint64]bool
	pages []uint64 // the hashes of their names
}

func (w *namesWalk) run(ctx context.Context, give func([]string) error) error {
	w.seed, w.seen, w.pages = maphash.MakeSeed(), map[uint64]bool{}, nil
	err := w.client.NamesPages(ctx, w.namespace, w.query, func(_ int, names []string) error {
		w.pages = append(w.pages, w.sum(names))
		fresh := make([]string, 0, len(names))
		for _, name := range names {
			if key := maphash.String(w.seed, name); !w.seen[key] {
				w.seen[key] = true
				fresh = append(fresh, name)
			}
		}
		return give(fresh)
	})
	if err != nil {
		return wrongNamespace(w.namespace, err)
	}
	return w.check(ctx)
}

// sum returns the hash of the names of a page.
func (w *namesWalk) sum(names []string) uint64 {
	var h maphash.Hash
	h.SetSeed(w.seed)
	for _, name := range names {
		_, _ = h.WriteString(name)
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

// check reads pages again: all of a small namespace, some of a large one.
func (w *namesWalk) check(ctx context.Context) error {
	n := len(w.pages)
	for i := n - 1; n > 1 && i >= 0; i -= (n + checkedPages - 1) / checkedPages {
		a, err := patiently(ctx, w.app, true, func() (apiclient.Answer[[]string], error) {
			return w.client.Names(ctx, w.namespace, apiclient.NamesQuery{Page: i + 1, Unanchored: w.query.Unanchored})
		})
		if err != nil && apiclient.KindOf(err) != apiclient.InvalidInput {
			return err
		}
		if w.sum(a.Value) != w.pages[i] {
			return &cli.Error{Kind: cli.KindServer, Message: "the namespace changed while it was read: names may be missing; read it again"}
		}
	}
	return nil
}
