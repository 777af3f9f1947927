package wallet

import (
	"context"
	"errors"

	"chainscope/wallet/provider"
)

// ErrCanceled holds what a [Selector] returns when it was dismissed: by escape, by
// its close button, by a click outside.
var ErrCanceled = errors.New("the wallet selector was dismissed")

// Selector is the library's modal: a screen or a test answers it.
type Selector interface {
	// Select shows the rows in their order and returns the id of the wallet
	// that was picked, or [ErrCanceled]. The end of ctx is a dismissal too.
	// There may be no rows; then it can only be dismissed.
	Select(ctx context.Context, rows []Row) (id string, err error)
}

// SelectorFunc makes a function a [Selector].
type SelectorFunc func(ctx context.Context, rows []Row) (string, error)

// Select calls the function.
func (f SelectorFunc) Select(ctx context.Context, rows []Row) (string, error) { return f(ctx, rows) }

// Row is one wallet in the selector.
type Row struct {
	provider.Descriptor
	// Installed rows can be picked and come first; the others lead to where the
	// wallet is got.
	Installed bool
}

// Action returns the label of the row's button: Connect for installed wallets, else
// Install, or Open for Asigna, which is a page and not an extension.
func (r Row) Action() string {
	switch {
	case r.Installed:
		return "Connect"
	case r.ID == asignaID:
		return "Open"
	}
	return "Install"
}

// Rows returns the rows that the selector shows for the options: installed
// wallets in the order of [Registry.Installed], then the other defaults; only
// approved ones when the options say so.
func (l *Library) Rows(o Options) []Row {
	defaults := o.defaults()
	var rows []Row
	installed := l.config.Registry.Installed(defaults)
	for _, d := range installed {
		if o.approves(d.ID) {
			rows = append(rows, Row{Descriptor: d, Installed: true})
		}
	}
	for _, d := range defaults {
		if o.approves(d.ID) && !contains(installed, d.ID) {
			rows = append(rows, Row{Descriptor: d})
		}
	}
	return rows
}
