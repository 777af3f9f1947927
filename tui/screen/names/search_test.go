package names

import (
	"context"
	"errors"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
)

// typing returns a screen with so many names whose search is open.
func typing(t *testing.T, pages int) *driver {
	t.Helper()
	d := drive(t, &stuck{pages: pages, of: pages, ends: true, name: numbered}, Options{})
	d.Open(nav.Names("btc"))
	d.Press("/")
	return d
}

func TestALetterAndWhatItFindsComeInOneFrame(t *testing.T) {
	d := typing(t, 30)
	if cmd, _ := d.screen.Key(uitest.Key("7")); d.screen.search.found.Busy() {
		t.Errorf("a search of few names is left to a command: %v", cmd)
	}
	d.Sees("found: ", "name-00007.btc")
}

func TestManyNamesAreSearchedByACommand(t *testing.T) {
	d := typing(t, atOnce/100+1)
	cmd, _ := d.screen.Key(uitest.Key("7"))
	d.SeesNot("found: ")
	d.Sees("name-00000.btc") // what is shown stays until the hits are there
	d.Do(cmd)
	d.Settle()
	d.Sees("found: ", "name-00007.btc")
}

func TestANewLetterCancelsTheSearchOfTheOneBefore(t *testing.T) {
	d := typing(t, atOnce/100+1)
	old := d.screen.find("7")
	newer := d.screen.find("77")
	if msg := old().(screen.Fetched[found]); !errors.Is(msg.Err, context.Canceled) {
		t.Errorf("the old search ended with %v", msg.Err)
	} else if d.screen.Update(msg); d.screen.search.shown().query != "" {
		t.Error("its answer was taken")
	}
	d.Do(newer)
	d.Settle()
	if d.screen.search.shown().query != "77" {
		t.Errorf("the hits are of %q", d.screen.search.shown().query)
	}
}

func TestDrawingChangesNothing(t *testing.T) {
	d := typing(t, atOnce/100+1)
	cmd, _ := d.screen.Key(uitest.Key("7"))
	first := d.Frame()
	if d.Frame() != first || d.screen.search.shown().query != "" {
		t.Error("drawing took in what a search found")
	}
	d.Do(cmd)
	d.Settle()
}
