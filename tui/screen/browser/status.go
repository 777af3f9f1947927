package browser

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"
)

// Remote is a remote.Value, whatever its type.
type Remote interface {
	State() remote.State
	Err() error
	Busy() bool
	Cancel()
	Since() time.Time
	FetchedAt() time.Time
}

// Waiting draws a value that has nothing to show: loading, failed, or never
// requested. what says what is requested.
func (f *Frame) Waiting(v Remote, what string, now time.Time, width, height int) []string {
	switch v.State() {
	case remote.Loading, remote.Refreshing:
		return placeholder.Loading(f.Theme, f.Env.Keys, what, now.Sub(v.Since()), f.Attempt(v), width, height)
	case remote.Failed:
		return placeholder.Failure(f.Theme, f.Env.Keys, what, v.Err(), f.Retrying(v), f.Env.Last.Otherwise, now, width, height)
	}
	return placeholder.Empty(f.Theme, "Not loaded", []string{placeholder.Hint(f.Theme, f.Env.Keys.Global.Refresh, "loads "+what)}, width, height)
}

// Attempt returns which attempt of a call of this place is under way, and why the one
// before failed; "" for the first.
func (f *Frame) Attempt(v Remote) string {
	if f.Env.Attempt == nil {
		return ""
	}
	a := f.Env.Attempt()
	if a == nil || a.Number < 2 || !v.Busy() || !slices.Contains(f.place.Ops(), a.Op) {
		return ""
	}
	words := fmt.Sprintf("attempt %d of %d", a.Number, a.Of)
	if a.Cause != nil {
		words += ": " + placeholder.Short(a.Cause)
	}
	return words
}

// StatusOf returns what the status line says of the values behind a place. The
// first one is what is shown: its age, its failure, its request.
func (f *Frame) StatusOf(exchange uint64, values ...Remote) screen.Status {
	first := values[0]
	st := screen.Status{ExchangeID: exchange, FetchedAt: first.FetchedAt(), Again: f.nextRetry(), Hint: f.Hint()}
	for _, v := range values {
		if v.Busy() && !st.Busy {
			st.Busy, st.Since = true, v.Since()
		}
		if st.Err == nil {
			st.Err = v.Err()
		}
	}
	var failed *apiclient.Error
	if errors.As(st.Err, &failed) && failed.ExchangeID != 0 {
		st.ExchangeID = failed.ExchangeID
	}
	if n := f.List.Len(); n > 0 {
		st.Position = text.Count(f.List.Position()+1) + "/" + text.Count(n)
	}
	return st
}

// Hint names what enter does here, where it does something.
func (f *Frame) Hint() string {
	k := f.Env.Keys
	switch {
	case f.filter.typing:
		return placeholder.HintOf(f.Theme, "enter", f.place.FilterLabel()) + "  " + placeholder.HintOf(f.Theme, "esc", "clear")
	case f.InDetail:
		row, ok := f.Detail.Cursor()
		if !ok || !row.Acts() {
			return placeholder.HintOf(f.Theme, keymap.First(k.Global.Up), "the list")
		}
		does := row.Action
		if does == "" {
			does = "follow the link"
		}
		return placeholder.HintOf(f.Theme, keymap.First(k.Detail.Follow), does)
	case f.List.Len() == 0:
		return ""
	}
	out := placeholder.HintOf(f.Theme, keymap.First(k.List.Open), f.place.OpenLabel())
	if f.place.Filters() {
		out += "  " + placeholder.Hint(f.Theme, k.List.Filter, "filter")
	}
	return out
}

// FailedSubject returns the subject where there is an error in place of data: what
// the server sent, be it JSON or not.
func FailedSubject(title string, err error) screen.Subject {
	sub := screen.Subject{Title: title}
	if failed, is := errors.AsType[*apiclient.Error](err); is {
		sub.ExchangeID, sub.Raw = failed.ExchangeID, failed.Body
	}
	return sub
}

// WithField puts the value under the cursor of the detail behind the thing's own name, and
// its address in the web explorer before the subject's.
func (f *Frame) WithField(sub screen.Subject) screen.Subject {
	row, ok := f.Detail.Cursor()
	if !ok || !f.InDetail {
		return sub
	}
	if row.Text() != "" {
		field := screen.Copy{Key: "v", Label: "this field: " + row.Label, Text: row.Text()}
		sub.Copies = slices.Insert(slices.Clone(sub.Copies), min(1, len(sub.Copies)), field)
	}
	if row.URL != "" {
		sub.Web = row.URL
	}
	return sub
}
