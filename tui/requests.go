package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"chainscope/apiclient/wire"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"

	tea "github.com/charmbracelet/bubbletea"
)

// requests returns how the place of requests is made: those of this program, the newest first, with
// what came back. Nothing is requested.
func requests(o *Options) listing.Of[resource.Request] {
	row := func(e wire.Exchange) listing.Row[resource.Request] {
		r := listing.Row[resource.Request]{Of: resource.Request{Exchange: e}, Exchange: e.ID}
		if e.ResponseBody != "" {
			r.Raw = json.RawMessage(e.ResponseBody)
		}
		return r
	}
	return listing.Of[resource.Request]{
		Kind: resource.Requests(), List: nav.KindRequests,
		ID: resource.Request.Key,
		Page: func(context.Context, nav.Place, string) (listing.Page[resource.Request], error) {
			var page listing.Page[resource.Request]
			for _, e := range slices.Backward(o.Client.Log().Snapshot()) {
				page.Rows = append(page.Rows, row(e))
			}
			return page, nil
		},
		One: func(_ context.Context, id string) (listing.Row[resource.Request], error) {
			n, _ := strconv.ParseUint(id, 10, 64) // 0 is the id of none
			log := o.Client.Log()
			e, kept := log.Get(n)
			if !kept {
				return listing.Row[resource.Request]{}, fmt.Errorf("request %s is not among those that are kept, the last %d of this run", id, log.Len())
			}
			return row(e), nil
		},
		Settled: func(r resource.Request) bool { return r.Done },
		Waits:   true,
		Pace:    func(nav.Place) listing.Pace { return listing.AnyTime },
		None:    "Nothing was requested yet.",
	}
}

// inspect goes to the request that the thing under the cursor came from, else to all of them, and
// from there back.
func inspect(m *Model) tea.Cmd {
	if m.Place().Kind == nav.KindRequests && m.history.CanBack() {
		return m.back()
	}
	id := ""
	if e := m.tools().exchange(); e != nil {
		id = resource.Request{Exchange: *e}.Key()
	}
	return m.visit(nav.Listed(nav.KindRequests, id))
}
