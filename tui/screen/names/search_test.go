package names

import (
	"context"
	"errors"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
)

// typing is a screen with names whose search is open.
func typing(t *testing.T) *driver {
	t.Helper()
	d := drive(t, mock(t, 12_345, ""), Options{})
	d.Open(nav.Names("btc"))
	d.Press("/")
	return d
}

func TestALetterAndWhatItFindsComeInOneFrame(t *testing.T) {
	d := typing(t)
	cmd, _ := d.screen.Key(uitest.Key("s"))
	<-d.screen.search.coming.done
	frame := strings.Join(d.screen.View(d.Clock), "\n")
	if !strings.Contains(frame, "found: ") || d.screen.search.answered != "s" {
		t.Errorf("the hits are not in the frame of the letter:\n%s", frame)
	}
	if again := d.screen.Update(cmd()); again != nil || d.screen.search.answered != "s" {
		t.Error("hits that are shown already were taken again")
	}
}

func TestASearchThatTakesLongHoldsUpOneFrameOnly(t *testing.T) {
	d := typing(t)
	d.screen.Key(uitest.Key("s"))
	<-d.screen.search.coming.done
	d.screen.search.coming = &hitsComing{done: make(chan struct{})}
	d.screen.View(d.Clock)
	if coming := d.screen.search.coming; coming == nil || !coming.waited {
		t.Fatal("the frame did not wait for the search, or took it for ended")
	}
	if d.screen.search.answered != "" {
		t.Error("hits came from nowhere")
	}
}

func TestANewLetterCancelsTheSearchOfTheOneBefore(t *testing.T) {
	d := typing(t)
	d.screen.Key(uitest.Key("s"))
	before := d.screen.search.coming
	stop, calls := d.screen.search.cancel, 0
	d.screen.search.cancel = func() { calls++; stop() }
	cmd, _ := d.screen.Key(uitest.Key("a"))
	if calls == 0 {
		t.Error("the search for s goes on")
	}
	<-before.done
	if err := before.came.err; err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("the search ended with %v", err)
	}
	d.screen.Update(before.came)
	if d.screen.search.answered != "" {
		t.Errorf("hits of a search that was given up are shown")
	}
	d.screen.Update(cmd())
	if d.screen.search.answered != "sa" {
		t.Errorf("the hits are of %q", d.screen.search.answered)
	}
}
