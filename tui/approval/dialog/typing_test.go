package dialog

import (
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

func TestAHeldKeyDoesNotApprove(t *testing.T) {
	for _, initial := range []time.Duration{30 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, 660 * time.Millisecond, 999 * time.Millisecond} {
		t.Run("repeated first after "+initial.String(), func(t *testing.T) {
			d := open(t, mono, "mono", 80, 48)
			d.ObserveKey(uitest.Key("a"), d.now)
			d.ask(transfer(t))
			d.wait(initial)
			for range 300 { // nine seconds
				if a := d.press("a"); a.Kind != None {
					t.Fatalf("approved after %v", d.now.Sub(noon))
				}
				d.wait(30 * time.Millisecond)
			}
			d.wait(time.Second)
			if a := d.press("a"); !a.Decision.Approved {
				t.Error("once released, the key does not approve")
			}
		})
	}
}

// Somebody types words with these pauses when the dialog comes over them.
func TestTypingAtAnyPaceNeitherApprovesNorBlocks(t *testing.T) {
	for _, pause := range []time.Duration{80, 150, 350, 430, 500, 600, 750, 900, 999} {
		for _, opens := range []time.Duration{1, 50, 99} { // percent of a pause after a key
			pause := pause * time.Millisecond
			d := open(t, mono, "mono", 80, 48)
			for _, r := range "bnc" {
				d.ObserveKey(uitest.Key(string(r)), d.now)
				d.wait(pause)
			}
			d.now = d.now.Add(-pause + pause*opens/100)
			d.ask(transfer(t))
			d.wait(pause - pause*opens/100)
			for _, r := range "a banana by a bay, a deed" {
				if a := d.press(string(r)); a.Kind != None {
					t.Fatalf("%v apart, opened at %d%%: %q did %+v after %v", pause, opens, r, a, d.now.Sub(noon))
				}
				d.wait(pause)
			}
		}
	}
}

func TestKeysThatComeTogetherDoNothing(t *testing.T) {
	for _, keys := range []string{"apple pie", "banana", "aa", "by", "\ra", "rye"} {
		d := open(t, mono, "mono", 80, 48)
		d.ask(transfer(t))
		d.wait(time.Minute)
		before := d.screen()
		if got := d.burst(keys); len(got) > 0 || !d.Open() {
			t.Errorf("%q did %+v", keys, got)
		}
		if a := d.press("a"); a.Kind != None {
			t.Errorf("a right after %q did %+v", keys, a)
		}
		d.wait(time.Second)
		if after := d.screen(); after != before {
			t.Errorf("%q changed the dialog:\n%s", keys, after)
		}
		if a := d.press("a"); !a.Decision.Approved {
			t.Errorf("a while after %q, a does not approve", keys)
		}
	}
}

func TestAPasteDoesNothing(t *testing.T) {
	for _, pasted := range []string{"a", "b", "apple pie", "y"} {
		d := open(t, mono, "mono", 80, 48)
		d.ask(transfer(t))
		d.wait(time.Minute)
		if a := d.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(pasted), Paste: true}, true, d.now); a.Kind != None || !d.Open() {
			t.Errorf("pasting %q did %+v", pasted, a)
		}
		if strings.Contains(d.screen(), "Block this origin?") {
			t.Errorf("pasting %q asks to block", pasted)
		}
	}
}

func TestAKeyCountsAfterASecondOfQuiet(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	d.ask(transfer(t))
	d.wait(900 * time.Millisecond)
	if a := d.press("esc"); a.Kind != None {
		t.Fatal("esc counted after 0.9 s")
	}
	if !strings.Contains(d.screen(), "keys work in 1.0 s") {
		t.Errorf("the dialog does not say so:\n%s", d.screen())
	}
	d.wait(time.Second)
	if !strings.Contains(d.screen(), "ready for input") {
		t.Errorf("keys do not count:\n%s", d.screen())
	}
	if a := d.press("j"); a.Kind != None {
		t.Errorf("j did %+v", a)
	}
	if a := d.press("a"); !a.Decision.Approved || a.ID != 1 {
		t.Errorf("a after a look around did %+v", a)
	}
}

func TestTheEscKeyAloneLeavesWhileTyping(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	d.ask(transfer(t))
	for i := range 40 { // ten keys a second
		if a := d.press(string(rune('l' + i%10))); a.Kind != None {
			t.Fatalf("a letter did %+v", a)
		}
		d.wait(100 * time.Millisecond)
	}
	for _, name := range []string{"a", "b", "d", "enter"} {
		if a := d.press(name); a.Kind != None {
			t.Fatalf("%s did %+v while a word was typed", name, a)
		}
	}
	if a := d.press("esc"); a.Kind != Decided || a.Decision.Approved {
		t.Errorf("esc did %+v", a)
	}
}

func TestTheNextRequestNeedsAQuietKeyboardAgain(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	d.ask(transfer(t))
	next := asked(t, requests(t)[0])
	next.ID = 2
	d.Ask(next, d.now)
	d.wait(time.Second)
	if a := d.press("a"); a.ID != 1 || !a.Decision.Approved {
		t.Fatalf("the first came to %+v", a)
	}
	if a := d.press("a"); a.Kind != None {
		t.Fatalf("the second was approved with the same breath: %+v", a)
	}
	d.wait(time.Second)
	if a := d.press("a"); a.ID != 2 || !a.Decision.Approved {
		t.Errorf("the second came to %+v", a)
	}
}

func TestAWithdrawnRequestDisappearsAndTheNextOneNeedsAQuietKeyboard(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	d.ask(transfer(t))
	next := asked(t, requests(t)[0])
	next.ID = 2
	d.Ask(next, d.now)
	d.wait(time.Second)
	if !d.Withdraw(1, d.now) || d.Withdraw(1, d.now) {
		t.Error("it is taken back once")
	}
	if a := d.press("a"); a.Kind != None {
		t.Fatal("a key meant for the first approved the second")
	}
	if !strings.Contains(d.screen(), "getAddresses") {
		t.Errorf("the second is not shown:\n%s", d.screen())
	}
	w := service.Withdrawn{Method: "stx_signMessage\x1b[31m", Requester: service.Requester{Kind: service.FromPage, Origin: "https://a.example"}, Reason: "the page has gone"}
	if got := Withdrawal(w); strings.Contains(got, "\x1b") || !strings.Contains(got, "withdrawn: the page has gone") {
		t.Error(got)
	}
}
