package dialog

import (
	"context"
	"reflect"
	"strings"
	"time"

	"chainscope/tui/approval/words"
	"chainscope/tui/remote"
	"chainscope/tui/theme"
	"chainscope/wallet/node"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// Foresee begins the request for how the transaction of a question would end. It reports false where
// there is no such question, or nothing to foresee: no transaction, or one that goes to no mock and whose cost
// nobody has seen.
func (d *Dialog) Foresee(ctx context.Context, id uint64, now time.Time) (started context.Context, key remote.Key, ok bool) {
	for _, q := range d.questions {
		if q.origin == nil && q.id() == id && q.approval.Description.Transaction != nil && (d.stakes == MockOnly || q.offered) {
			started, key = q.forecast.Start(ctx, now)
			d.layout()
			return started, key, true
		}
	}
	return nil, remote.Key{}, false
}

// Approvals returns the requests that are put to the user.
func (d *Dialog) Approvals() (all []service.ApprovalNeeded) {
	for _, q := range d.questions {
		if q.origin == nil {
			all = append(all, q.approval)
		}
	}
	return all
}

// Foreseen takes the answer of what Foresee began. Where that brings text into view which was
// not there before, keys have to wait as they did for the question.
func (d *Dialog) Foreseen(id uint64, key remote.Key, f *node.Forecast, err error, now time.Time) {
	for i, q := range d.questions {
		if q.origin != nil || q.id() != id {
			continue
		}
		last, known := q.forecast.Get()
		if !q.forecast.Settle(key, f, err, now) || i > 0 || known && err == nil && reflect.DeepEqual(last, f) {
			return
		}
		if q.showRaw == 0 {
			q.raw = nil // it may have calls now
		}
		d.forecastChanged(q, now)
	}
}

// forecastChanged draws what is said of a forecast, which has to be read.
func (d *Dialog) forecastChanged(q *question, now time.Time) {
	before := d.inSight()
	if q.page != nil && q.showRaw == 0 {
		q.unread()
	}
	d.layout()
	if !strings.Contains(before, d.inSight()) {
		d.arming.start(now)
	}
}

// forecastDoes says what the key of the forecast does on a live network, "" where there is none.
func (d *Dialog) forecastDoes(q *question) string {
	switch {
	case d.onFork == nil || d.stakes == MockOnly || q.origin != nil || q.approval.Description.Transaction == nil:
		return ""
	case q.forecast.Busy():
		return "ends the forecast"
	case q.offered:
		return "runs the forecast"
	}
	return "forecast…"
}

// wantForecast is that key: first it says what a forecast costs, then it begins, then it ends it.
func (d *Dialog) wantForecast(q *question) Answer {
	switch {
	case d.forecastDoes(q) == "":
		return Answer{}
	case q.forecast.Busy():
		q.forecast.Cancel()
		d.layout()
		return Answer{}
	case q.offered:
		return Answer{Kind: ForecastRequested, ID: q.id()}
	}
	return Answer{Kind: CostRequested, ID: q.id()}
}

// Costs takes what a forecast costs on the live network, or why there can be none.
func (d *Dialog) Costs(id uint64, words string, err error, now time.Time) {
	for i, q := range d.questions {
		if q.origin != nil || q.id() != id {
			continue
		}
		q.cost, q.offered = words+" "+keyForesee+" runs it.", err == nil
		if err != nil {
			q.cost = "there can be none: " + err.Error()
		}
		if i == 0 {
			d.forecastChanged(q, now)
		}
	}
}

// unread takes note that what follows the title of the forecast is not what was read there.
func (q *question) unread() {
	q.read = false
	for i, l := range q.page.lines {
		if strings.Contains(l, words.ForecastTitle) || strings.Contains(l, words.TransferTitle) {
			q.page.seen = min(q.page.seen, i)
		}
	}
}

// foretold adds the forecast to what describes the request, where one was requested.
func (q *question) foretold(sections []words.Section) []words.Section {
	f, _ := q.forecast.Get()
	switch q.forecast.State() {
	case remote.Idle:
		if q.cost == "" {
			return sections
		}
		return words.Foretold(sections, nil, q.cost)
	case remote.Failed:
		return words.Foretold(sections, nil, "there is none: "+q.forecast.Err().Error())
	case remote.Ready, remote.Refreshing:
		sections = words.Foretold(sections, f, "")
		for _, s := range sections {
			for i := range s.Rows {
				if s.Title == words.ForecastTitle && s.Rows[i].Label == words.CallsLabel {
					s.Rows[i].Note = keyRaw + " shows them"
				}
			}
		}
		return sections
	}
	if q.offered {
		return words.Foretold(sections, nil, "it is run on a fork of the chain; "+keyForesee+" ends it")
	}
	return words.Foretold(sections, nil, "waiting for the mock")
}

// ending says in short how the transaction would end, "" for nothing known.
func (q *question) ending(th *theme.Theme) string {
	f, known := q.forecast.Get()
	switch {
	case !known:
		return ""
	case f.Fails():
		return th.Bad.Render(words.Ending(f))
	case !f.Known():
		return th.Warn.Render(words.Ending(f))
	}
	return th.Muted.Render(words.Ending(f))
}

// exact returns the post-conditions of the forecast, nil where they are of no use.
func (q *question) exact() *signer.PostConditions {
	f, _ := q.forecast.Get()
	return service.Exact(q.approval.Description, f)
}

// exact prompts again, with the post-conditions of the forecast.
func (d *Dialog) exact(q *question, now time.Time) Answer {
	conditions := q.exact()
	if conditions == nil || !d.readable() {
		return Answer{}
	}
	q.again = true
	d.arming.start(now)
	return Answer{Kind: Decided, ID: q.approval.ID, Decision: signer.Decision{Edit: signer.Edit{Conditions: conditions}}}
}
