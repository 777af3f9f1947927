package picker

import (
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

func picker(t *testing.T, filter bool) *Picker {
	t.Helper()
	th, err := theme.New("mono", theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return New(th, []Item{
		{ID: "hash", Key: "h", Label: "hash", Note: "0x12…ab"},
		{ID: "json", Key: "j", Label: "JSON", Note: "1.2 kB"},
		{ID: "url", Key: "u", Label: "URL", Off: "nothing was fetched"},
		{ID: "evil", Key: "e", Label: "a\x1b[31m\u202ename"},
	}, filter)
}

func press(p *Picker, keys ...string) (last Outcome) {
	for _, k := range keys {
		last = p.Key(uitest.Key(k))
	}
	return last
}

func TestAKeyChoosesItsItem(t *testing.T) {
	p := picker(t, false)
	if press(p, "j") != Chosen {
		t.Error("not chosen")
	}
	if item, _ := p.Current(); item.ID != "json" {
		t.Errorf("chose %q", item.ID)
	}
}

func TestWhatIsOffIsNotChosen(t *testing.T) {
	p := picker(t, false)
	if press(p, "u") != Stays || press(p, "enter") != Stays {
		t.Error("chosen")
	}
}

func TestTypingNarrows(t *testing.T) {
	p := picker(t, true)
	press(p, "j", "s")
	if item, _ := p.Current(); p.Len() != 1 || item.ID != "json" {
		t.Errorf("%d items, %q", p.Len(), item.ID)
	}
	if press(p, "enter") != Chosen {
		t.Error("not chosen")
	}
	if press(p, "esc") != Stays || p.Len() != 4 || press(p, "esc") != Closed {
		t.Error("esc clears, then closes")
	}
	press(p, "zzz")
	if _, ok := p.Current(); ok || press(p, "enter") != Stays {
		t.Error("something is chosen of nothing")
	}
}

func TestAnExactNameComesBeforeThoseThatContainIt(t *testing.T) {
	p := picker(t, true)
	p.SetItems([]Item{{ID: "longer", Label: "stx_signMessage   "}, {ID: "other", Label: "open"}, {ID: "whole", Label: "signMessage       ", Note: "a text"}})
	press(p, strings.Split("signmessage", "")...)
	if item, _ := p.Current(); item.ID != "whole" || p.Len() != 2 {
		t.Errorf("%q of %d", item.ID, p.Len())
	}
}

func TestANoteThatIsCutSaysSoOrIsLeftOut(t *testing.T) {
	th, err := theme.New("mono", theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := New(th, []Item{{ID: "s", Label: "take a snapshot", Note: "of chain, transactions and accounts"}}, false)
	for width, want := range map[int]string{60: "▸ take a snapshot  of chain, transactions and accounts", 30: "▸ take a snapshot  of chain, …", 22: "▸ take a snapshot"} {
		if got := strings.TrimRight(ansi.Strip(p.View(width, 1)[0]), " "); got != want {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
}

func TestView(t *testing.T) {
	p := picker(t, false)
	press(p, "down")
	uitest.Golden(t, "menu", strings.Join(p.View(40, 4), "\n"), 40, 4)
	p = picker(t, true)
	press(p, "pgdown")
	uitest.Golden(t, "scrolled", strings.Join(p.View(30, 3), "\n"), 30, 3)
}
