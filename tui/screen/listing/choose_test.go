package listing

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/screen/browser"
)

// chooses lets the place request stones of a color. The server chooses unless here is true; then
// what is below the last stone that is wanted ends the list.
func (v *visitor) chooses(here bool, wanted func(n int) bool, last int) {
	v.s.of.Choose = func(filter string) (requested, rest string, wrong error) {
		var others []string
		for _, word := range strings.Fields(filter) {
			if word == "color:red" {
				requested = word
			} else {
				others = append(others, word)
			}
		}
		return requested, strings.Join(others, " "), nil
	}
	v.s.of.Page = func(ctx context.Context, of nav.Place, cursor string) (Page[stone], error) {
		p, err := v.q.page(ctx, of, cursor)
		v.q.requested[len(v.q.requested)-1] += " " + of.Filter
		if of.Filter == "" || err != nil {
			return p, err
		}
		if !here {
			p.Where, p.Rows, p.Total, p.Next = "in the quarry", p.Rows[:3], 3, ""
			return p, nil
		}
		p.Left = []string{"color"}
		for i := range p.Rows {
			var n int
			_, _ = fmt.Sscanf(p.Rows[i].Of.id, "0x%d", &n)
			p.Rows[i].Out = !wanted(n)
			p.Ended = p.Ended || n < last
		}
		return p, nil
	}
}

func (v *visitor) types(text string) {
	v.Helper()
	v.key("/")
	for _, r := range text {
		v.key(string(r))
	}
}

func (v *visitor) requests(want string) {
	v.Helper()
	if got := strings.Join(v.q.requested, ","); got != want {
		v.Errorf("requested %q, want %q", got, want)
	}
	v.q.requested = nil
}

// A filter goes into a request once it is typed to its end, and the list is read anew where it is another.
func TestAFilterIsRequestedOnceItIsTyped(t *testing.T) {
	v := visit(t)
	v.chooses(false, nil, 0)
	v.run(v.s.Open(nav.Transactions(), nil))
	v.requests("page  ,page 25 ")
	v.types("color:red")
	v.sees("10 of 20 loaded stones")
	v.requests("")
	v.key("enter")
	v.sees("3 in the quarry")
	v.requests("page  color:red")
	chosen := nav.Transactions()
	if chosen.Filter = "color:red"; v.s.Place() != chosen {
		t.Errorf("the place is %s", v.s.Place())
	}
	left := v.s.State()
	v.types("color:red 33")
	v.key("enter")
	v.sees("1 of 3 loaded stones of 3 in the quarry")
	v.requests("")
	v.run(v.s.Narrow(""))
	v.sees("of 35")
	v.requests("page  ,page 25 ")
	v.run(v.s.Open(nav.Transactions(), left))
	v.sees("3 in the quarry")
	v.requests("page  color:red")
	v.run(v.s.Open(nav.Transactions(), browser.State{}))
	v.requests("page  ,page 25 ")
	v.run(v.s.Open(chosen, nil))
	v.sees("/ color:red", "3 in the quarry")
	v.requests("page  color:red")
}

// What the server does not choose is chosen from what is read, until the window is full, what is
// wanted ends, or so many were read. Live tail reads the first page alone.
func TestWhatTheServerDoesNotChooseIsReadWithinABound(t *testing.T) {
	for name, c := range map[string]struct {
		newest, last, pages int
		wanted              func(n int) bool
		sees                string
	}{
		"a full window": {1000, 0, 2, func(int) bool { return true }, "20 of 20 read; chosen here: color"},
		"an end":        {1000, 965, 4, func(n int) bool { return n == 970 }, "1 of 40 read; chosen here: color"},
		"a bound":       {1000, 0, 50, func(int) bool { return false }, "0 of 500 read; chosen here: color"},
		"all":           {35, 0, 4, func(n int) bool { return n == 3 }, "1 of 35 read; chosen here: color"},
	} {
		v := visit(t)
		v.q.newest = c.newest
		v.chooses(true, c.wanted, c.last)
		v.run(v.s.Open(nav.Transactions(), nil))
		v.q.requested = nil
		v.run(v.s.Narrow("color:red"))
		if len(v.q.requested) != c.pages {
			t.Errorf("%s: %d pages are read, want %d", name, len(v.q.requested), c.pages)
		}
		v.sees(c.sees)
		v.q.requested, v.q.newest = nil, c.newest+1
		v.run(v.s.Live())
		if len(v.q.requested) != 1 {
			t.Errorf("%s: live tail reads %q", name, v.q.requested)
		}
	}
}
