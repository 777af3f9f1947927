package tui

import (
	"context"

	"chainscope/tui/nav"
	"chainscope/tui/screen/names"
)

// namesTab makes the names place.
func namesTab(m *Model) tab {
	return tab{nav.KindNames, "Names", "Names", names.New(m.env, m.theme, names.Options{Suggest: m.suggestNamespaces()})}
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
