package tui

import (
	"context"

	"chainscope/tui/nav"
	"chainscope/tui/screen/names"
	"chainscope/tui/state"
)

// namesTab makes the names place.
func namesTab(m *Model) tab {
	return tab{nav.KindNames, "Names", "Names", names.New(m.env, m.theme, names.Options{
		Suggest: m.suggestNamespaces(), Recent: m.recentNamespaces, Remember: m.rememberNamespace,
	})}
}

// namespacesDocument holds the namespaces that were read.
const namespacesDocument = "namespaces"

// maxNamespaces is how many are kept for each network.
const maxNamespaces = 20

// namespacesRead are the namespaces read of each network, the newest first.
type namespacesRead map[string][]string

// recentNamespaces reads which namespaces were read; it waits for the disk. A
// history that cannot be read suggests nothing.
func (m *Model) recentNamespaces() []string {
	var all namespacesRead
	if m.options.Store == nil {
		return nil
	}
	if _, err := m.options.Store.Get(namespacesDocument, &all); err != nil {
		return nil
	}
	return all[m.options.Network]
}

// rememberNamespace notes that a namespace was read; it waits for the disk.
func (m *Model) rememberNamespace(namespace string) {
	if m.options.Store == nil {
		return
	}
	// Without a history nothing is lost but a suggestion.
	_ = state.Update(m.options.Store, namespacesDocument, func(all *namespacesRead) error {
		if *all == nil {
			*all = namespacesRead{}
		}
		kept := []string{namespace}
		for _, n := range (*all)[m.options.Network] {
			if n != namespace && len(kept) < maxNamespaces {
				kept = append(kept, n)
			}
		}
		(*all)[m.options.Network] = kept
		return nil
	})
}

// suggestNamespaces asks the mock which namespaces it has.
func (m *Model) suggestNamespaces() func(context.Context) ([]names.Suggestion, error) {
	mock := m.options.Mock
	if mock == nil {
		return nil
	}
	return func(ctx context.Context) ([]names.Suggestion, error) {
		catalogue, err := mock.Catalogue(ctx)
		if err != nil {
			return nil, err
		}
		out := make([]names.Suggestion, len(catalogue.Namespaces))
		for i, n := range catalogue.Namespaces {
			out[i] = names.Suggestion{Namespace: n.Name, Count: n.Count, Why: "in the mock"}
		}
		return out, nil
	}
}
