package dialog

import (
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/theme"
	"chainscope/wallet/service"

	"github.com/charmbracelet/x/ansi"
)

// user is the user at a dialog, with a clock that they move.
type user struct {
	*Dialog
	t   testing.TB
	now time.Time
}

func open(t testing.TB, look theme.Options, name string, width, height int) *user {
	t.Helper()
	th, err := theme.New(name, look)
	if err != nil {
		t.Fatal(err)
	}
	d := &user{New(th), t, noon}
	d.SetSize(width, height, d.now)
	return d
}

var mono = theme.Options{Plain: true}

func (d *user) wait(t time.Duration) { d.now = d.now.Add(t) }

func (d *user) press(name string) Answer { return d.Key(uitest.Key(name), true, d.now) }

// burst sends keys that come in one read.
func (d *user) burst(keys string) (answers []Answer) {
	for _, r := range keys {
		if a := d.Key(uitest.Key(string(r)), false, d.now); a.Kind != None {
			answers = append(answers, a)
		}
	}
	return answers
}

func (d *user) screen() string {
	return ansi.Strip(strings.Join(d.View(d.now), "\n"))
}

// framed returns the dialog in a window of its own, as the root draws it.
func (d *user) framed() string {
	lines := d.View(d.now)
	for len(lines) < d.height {
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n")
}

func (d *user) ask(r request) service.ApprovalNeeded {
	d.t.Helper()
	a := asked(d.t, r)
	d.Ask(a, d.now)
	return a
}

func transfer(t testing.TB) request {
	list := requests(t)
	return list[len(list)-1]
}
