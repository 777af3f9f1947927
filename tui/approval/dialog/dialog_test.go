package dialog

import (
	"strings"
	"testing"
	"time"

	"chainscope/wallet/bridge"
	"chainscope/wallet/service"
)

func TestBlockingIsConfirmedFirst(t *testing.T) {
	origin := service.OriginNeeded{ID: 4, Origin: "https://dapp.example", Waiting: 1}
	for name, ask := range map[string]func(d *user){
		"of a request": func(d *user) { d.ask(transfer(t)) },
		"of an origin": func(d *user) { d.AskOrigin(origin, d.now) },
	} {
		d := open(t, mono, "mono", 80, 48)
		ask(d)
		d.wait(time.Second)
		if a := d.press("b"); a.Kind != None || !strings.Contains(d.screen(), "Block this origin?") {
			t.Fatalf("%s: b did %+v", name, a)
		}
		for _, key := range []string{"y", "b", "a"} { // typed on
			if a := d.press(key); a.Kind != None {
				t.Fatalf("%s: %s right after it did %+v", name, key, a)
			}
		}
		d.wait(1100 * time.Millisecond)
		if a := d.press("a"); a.Kind != None {
			t.Fatalf("%s: a approved what was to be blocked: %+v", name, a)
		}
		if a := d.press("esc"); a.Kind != None || strings.Contains(d.screen(), "Block this origin?") {
			t.Fatalf("%s: esc did %+v", name, a)
		}
		d.wait(1100 * time.Millisecond)
		d.press("b")
		d.wait(1100 * time.Millisecond)
		if a := d.press("y"); a.Kind != RejectedAndBlocked && a.Choice != bridge.Blocked || a.Origin == "" {
			t.Errorf("%s: confirmed, it did %+v", name, a)
		}
	}
}

// Only real coins are alarming: on a mock nothing can happen to any, and keys that
// everyone has own none.
func TestTheAlarmIsForRealCoins(t *testing.T) {
	for stakes, c := range map[Stakes]struct{ want, not string }{
		RealCoins: {"! MAINNET", "mock chain only"},
		TestKeys:  {"mainnet, test keys", "MAINNET"},
		MockOnly:  {"mainnet address format; goes to the mock only", "MAINNET"},
	} {
		d := open(t, mono, "mono", 120, 40)
		d.SetStakes(stakes)
		d.ask(transfer(t))
		s := d.screen()
		if !strings.Contains(s, c.want) || strings.Contains(s, c.not) {
			t.Errorf("stakes %d:\n%s", stakes, s)
		}
		if strings.Contains(s, "real coins") != (stakes == RealCoins) {
			t.Errorf("stakes %d: real coins\n%s", stakes, s)
		}
	}
}

// What is not sent goes nowhere, to no mock either.
func TestOnlyATransactionGoesToTheMock(t *testing.T) {
	d := open(t, mono, "mono", 120, 40)
	d.SetStakes(MockOnly)
	d.ask(requests(t)[0])
	if s := d.screen(); strings.Contains(s, "goes to the mock") || !strings.Contains(s, "address format") {
		t.Errorf("of what is not sent:\n%s", s)
	}
}

func TestRejectIsTheDefaultAnswer(t *testing.T) {
	for _, name := range []string{"enter", "esc", "d"} {
		d := open(t, mono, "mono", 80, 48)
		d.ask(transfer(t))
		d.wait(time.Second)
		if a := d.press(name); a.Kind != Decided || a.Decision.Approved || d.Open() {
			t.Errorf("%s came to %+v", name, a)
		}
	}
}

// What was typed for another fee is there again after a look at the request.
func TestAFeeThatWasTypedIsKept(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	d.ask(transfer(t))
	d.wait(time.Second)
	d.press("e")
	d.press("ctrl+u")
	for _, r := range "45 apples" {
		d.press(string(r))
	}
	if a := d.press("enter"); a.Kind != None || !strings.Contains(d.screen(), "fee: is no number") {
		t.Fatalf("%+v\n%s", a, d.screen())
	}
	if a := d.press("esc"); a.Kind != None || strings.Contains(d.screen(), "Change fee") {
		t.Fatalf("esc came to %+v\n%s", a, d.screen())
	}
	d.wait(time.Second)
	d.press("e")
	if !strings.Contains(d.screen(), "45 apples") {
		t.Errorf("it is lost:\n%s", d.screen())
	}
}

func TestAnEditedFeeIsPromptedAgain(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	a := d.ask(transfer(t))
	d.wait(time.Second)
	d.press("e")
	d.press("ctrl+u")
	for _, r := range "0.0045 STX" {
		d.press(string(r))
	}
	answer := d.press("enter")
	if answer.Decision.Approved || answer.Decision.Edit.Fee == nil || *answer.Decision.Edit.Fee != 4500 || answer.Decision.Edit.Nonce != nil {
		t.Fatalf("the edit came to %+v", answer)
	}
	d.wait(time.Second)
	if got := d.press("a"); got.Kind != None || !d.Open() {
		t.Fatalf("the old description was approved: %+v", got)
	}
	a.ID, a.Round, a.Description.Transaction.Fee = 2, 2, 4500
	d.Ask(a, d.now)
	if s := d.screen(); !strings.Contains(s, "0.0045 STX") || !strings.Contains(s, "Approve changed request") {
		t.Errorf("the new description is not shown:\n%s", s)
	}
	if got := d.press("a"); got.Kind != None {
		t.Error("the new description was approved unseen")
	}
	d.wait(1100 * time.Millisecond)
	if got := d.press("a"); !got.Decision.Approved || got.ID != 2 {
		t.Errorf("approving it came to %+v", got)
	}
}

func TestAnEditThatEndsTheRequestClosesTheDialog(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	d.ask(transfer(t))
	d.wait(time.Second)
	d.press("e")
	d.press("1")
	d.press("enter")
	d.CallDone(1, d.now)
	if d.Open() {
		t.Error("it waits for a description that never comes")
	}
}

func TestWhatIsTypedAsAFeeIsChecked(t *testing.T) {
	for _, c := range []struct {
		typed string
		want  uint64
		err   string
	}{
		{"3000", 3000, ""},
		{"3,000 ustx", 3000, ""},
		{"0.003 STX", 3000, ""},
		{"1stx", 1_000_000, ""},
		{"0", 0, ""},
		{"", 0, "missing"},
		{"0.5", 0, "no fraction"},
		{"0.0000001 STX", 0, "6 decimals"},
		{"1.2.3 stx", 0, "no number"},
		{"18446744073709551616", 0, "too large"},
		{"18446744073709 STX", 18446744073709000000, ""},
		{"18446744073710 STX", 0, "too large"},
	} {
		fee, err := parseFee(c.typed)
		if c.err == "" && (err != nil || fee != c.want) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%q is %d, %v", c.typed, fee, err)
		}
	}
}

func TestMessagesHaveNoFeeToEdit(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	d.ask(request{"stx_signMessage", `{"message":"hi"}`})
	d.wait(time.Second)
	d.press("e")
	if strings.Contains(d.screen(), "Change fee") {
		t.Error("a message has a fee")
	}
}

func TestAnOriginIsAllowedOrRefused(t *testing.T) {
	for name, want := range map[string]bridge.Access{
		"a": bridge.Allowed, "esc": bridge.Undecided, "enter": bridge.Undecided,
	} {
		d := open(t, mono, "mono", 80, 48)
		d.AskOrigin(service.OriginNeeded{ID: 4, Origin: "https://dapp.example", Waiting: 1}, d.now)
		d.wait(time.Second)
		if a := d.press(name); a.Kind != OriginDecided || a.Choice != want || a.ID != 4 {
			t.Errorf("%s came to %+v", name, a)
		}
	}
}

func TestTheExplorersOwnPaneCannotBeBlocked(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	own := asked(t, transfer(t))
	own.Requester = service.Requester{Kind: service.FromPane}
	d.Ask(own, d.now)
	d.wait(2 * time.Second)
	if a := d.press("b"); a.Kind != None || strings.Contains(d.screen(), "Block") {
		t.Errorf("b did %+v", a)
	}
}

// What was not in sight cannot be approved: the key for it shows the rest first, and waits
// for it as for the question.
func TestWhatWasNotShownCannotBeApproved(t *testing.T) {
	for name, jump := range map[string]string{"at once": "", "after a jump to the end": "end", "after the raw bytes": "r"} {
		d := open(t, mono, "mono", 80, 18)
		a := d.ask(transfer(t))
		d.wait(time.Second)
		if jump != "" {
			d.press(jump)
			d.wait(time.Second)
		}
		pages := 0
		for ; strings.Contains(d.screen(), "a read on") && pages < 20; pages++ {
			if got := d.press("a"); got.Kind != None {
				t.Fatalf("%s: page %d is approved:\n%s", name, pages, d.screen())
			}
			if got := d.press("a"); got.Kind != None {
				t.Fatalf("%s: approved before it could be read:\n%s", name, d.screen())
			}
			d.wait(2 * time.Second)
		}
		if got := d.press("a"); pages < 2 || got.ID != a.ID || !got.Decision.Approved {
			t.Errorf("%s: after %d pages it came to %+v:\n%s", name, pages, got, d.screen())
		}
	}
	d := open(t, mono, "mono", 80, 18) // scrolled by hand
	d.ask(transfer(t))
	d.wait(time.Second)
	for range 40 {
		d.press("j")
	}
	if got := d.press("a"); !got.Decision.Approved {
		t.Errorf("it was read and comes to %+v:\n%s", got, d.screen())
	}
}
