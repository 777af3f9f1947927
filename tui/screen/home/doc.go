// Package home is the place where the explorer opens: the chain at a glance, the
// server that answers, the wallet and the mock, as tiles that each lead to their own
// place. Beyond the first page of blocks it makes at most two requests.
//
// It draws with tui/text and requests with screen.Fetch; it must not import another
// place, an overlay or the root model.
package home
