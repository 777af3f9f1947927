package dialog

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/theme"
	"chainscope/wallet/bridge"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// user is a person at a dialog, with a clock that they move.
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

// framed is the dialog in a window of its own, as the root draws it.
func (d *user) framed() string {
	lines := d.View(d.now)
	for len(lines) < d.height {
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n")
}

func (d *user) ask(r request) service.ApprovalAsked {
	d.t.Helper()
	a := asked(d.t, r)
	d.Ask(a, d.now)
	return a
}

func transfer(t testing.TB) request {
	list := requests(t)
	return list[len(list)-1]
}

func TestEveryMethodHasItsDialog(t *testing.T) {
	for _, r := range requests(t) {
		t.Run(r.method, func(t *testing.T) {
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				name := fmt.Sprintf("%s/%dx%d", r.method, size[0], size[1])
				d := open(t, mono, "mono", size[0], size[1])
				d.ask(r)
				d.wait(time.Second)
				uitest.Golden(t, name, d.framed(), size[0], size[1])
				if r.method != "stx_transferStx" && r.method != "stx_callContract" {
					continue
				}
				for _, look := range []string{"dark", "light"} {
					d := open(t, theme.Options{Dark: look == "dark", Colors: colorprofile.TrueColor}, look, size[0], size[1])
					d.ask(r)
					d.wait(time.Second)
					uitest.GoldenStyled(t, name+"-"+look, d.framed(), size[0], size[1])
				}
			}
		})
	}
}

func TestOtherStatesOfTheDialog(t *testing.T) {
	states := []struct {
		name string
		make func(d *user)
	}{
		{"waiting", func(d *user) { d.ask(transfer(d.t)); d.wait(100 * time.Millisecond) }},
		{"queue", func(d *user) {
			a := d.ask(transfer(d.t))
			d.SetQueue([]service.Waiting{
				{Asker: a.Asker, Method: "stx_transferStx"}, {Asker: service.Asker{Kind: service.FromPane}, Method: "getAddresses"}, {Asker: a.Asker, Method: "signPsbt"},
			})
			d.wait(time.Second)
		}},
		{"edit", func(d *user) { d.ask(transfer(d.t)); d.wait(time.Second); d.press("e") }},
		{"raw", func(d *user) { d.ask(transfer(d.t)); d.wait(time.Second); d.press("r") }},
		{"source", func(d *user) { d.ask(longContract(20_000)); d.wait(time.Second); d.press("r"); d.press("end") }},
		{"block", func(d *user) { d.ask(transfer(d.t)); d.wait(time.Second); d.press("b") }},
		{"origin", func(d *user) {
			d.AskOrigin(service.OriginAsked{ID: 9, Origin: "https://dapp.example", Waiting: 12}, d.now)
			d.wait(time.Second)
		}},
		{"hostile", func(d *user) {
			d.ask(request{"stx_signMessage", `{"message":"pay \u001b[31mred\u001b[0m \u202emoc.elpmaxe\u202c zero\u200bwidth\u0007"}`})
			d.wait(time.Second)
		}},
	}
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				d := open(t, mono, "mono", size[0], size[1])
				s.make(d)
				uitest.Golden(t, fmt.Sprintf("states/%s-%dx%d", s.name, size[0], size[1]), d.framed(), size[0], size[1])
			}
		})
	}
}

func TestAHeldKeyDoesNotApprove(t *testing.T) {
	for _, initial := range []time.Duration{30 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, 660 * time.Millisecond, 999 * time.Millisecond} {
		t.Run("repeated first after "+initial.String(), func(t *testing.T) {
			d := open(t, mono, "mono", 80, 24)
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
			d := open(t, mono, "mono", 80, 24)
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
		d := open(t, mono, "mono", 80, 24)
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
		d := open(t, mono, "mono", 80, 24)
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
	d := open(t, mono, "mono", 80, 24)
	d.ask(transfer(t))
	d.wait(900 * time.Millisecond)
	if a := d.press("esc"); a.Kind != None {
		t.Fatal("esc counted after 0.9 s")
	}
	if !strings.Contains(d.screen(), "ready in 1.0s") {
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

func TestSomebodyWhoKeepsTypingCanLeaveByEscAlone(t *testing.T) {
	d := open(t, mono, "mono", 80, 24)
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

func TestBlockingIsAskedForFirst(t *testing.T) {
	origin := service.OriginAsked{ID: 4, Origin: "https://dapp.example", Waiting: 1}
	for name, ask := range map[string]func(d *user){
		"of a request": func(d *user) { d.ask(transfer(t)) },
		"of an origin": func(d *user) { d.AskOrigin(origin, d.now) },
	} {
		d := open(t, mono, "mono", 80, 24)
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

func TestRejectIsTheDefaultAnswer(t *testing.T) {
	for _, name := range []string{"enter", "esc", "d"} {
		d := open(t, mono, "mono", 80, 24)
		d.ask(transfer(t))
		d.wait(time.Second)
		if a := d.press(name); a.Kind != Decided || a.Decision.Approved || d.Open() {
			t.Errorf("%s came to %+v", name, a)
		}
	}
}

func TestTheNextRequestNeedsAQuietKeyboardAgain(t *testing.T) {
	d := open(t, mono, "mono", 80, 24)
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

func TestAnEditedFeeIsAskedAgain(t *testing.T) {
	d := open(t, mono, "mono", 80, 24)
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
	d := open(t, mono, "mono", 80, 24)
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
	d := open(t, mono, "mono", 80, 24)
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
		d := open(t, mono, "mono", 80, 24)
		d.AskOrigin(service.OriginAsked{ID: 4, Origin: "https://dapp.example", Waiting: 1}, d.now)
		d.wait(time.Second)
		if a := d.press(name); a.Kind != OriginDecided || a.Choice != want || a.ID != 4 {
			t.Errorf("%s came to %+v", name, a)
		}
	}
}

func TestTheExplorersOwnPaneCannotBeBlocked(t *testing.T) {
	d := open(t, mono, "mono", 80, 24)
	own := asked(t, transfer(t))
	own.Asker = service.Asker{Kind: service.FromPane}
	d.Ask(own, d.now)
	d.wait(2 * time.Second)
	if a := d.press("b"); a.Kind != None || strings.Contains(d.screen(), "Block") {
		t.Errorf("b did %+v", a)
	}
}

func TestAWithdrawnRequestDisappearsAndTheNextOneNeedsAQuietKeyboard(t *testing.T) {
	d := open(t, mono, "mono", 80, 24)
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
	w := service.Withdrawn{Method: "stx_signMessage\x1b[31m", Asker: service.Asker{Kind: service.FromPage, Origin: "https://a.example"}, Reason: "the page has gone"}
	if got := Withdrawal(w); strings.Contains(got, "\x1b") || !strings.Contains(got, "withdrawn: the page has gone") {
		t.Error(got)
	}
}

func TestNothingIsApprovedInAWindowTooSmallToRead(t *testing.T) {
	d := open(t, mono, "mono", 80, 24)
	d.ask(transfer(t))
	d.wait(time.Second)
	before := d.screen()
	d.SetSize(20, 6, d.now)
	uitest.Golden(t, "states/small-20x6", d.framed(), 20, 6)
	if a := d.press("a"); a.Kind != None {
		t.Fatal("approved unread")
	}
	d.SetSize(80, 24, d.now)
	d.wait(1100 * time.Millisecond)
	if d.screen() != before {
		t.Error("back at its size the dialog is another one")
	}
	if a := d.press("a"); !a.Decision.Approved {
		t.Error("it cannot be approved any more")
	}
}

func TestTheDialogFitsEveryWindow(t *testing.T) {
	for _, r := range requests(t) {
		d := open(t, mono, "mono", 80, 24)
		d.ask(r)
		for w := 1; w <= 130; w += 6 {
			for h := 1; h <= 45; h += 4 {
				d.SetSize(w, h, d.now)
				lines := d.View(d.now)
				if len(lines) > h {
					t.Fatalf("%s: %d lines in %dx%d", r.method, len(lines), w, h)
				}
				for _, l := range lines {
					if ansi.StringWidth(l) > w {
						t.Fatalf("%s: a line of %d cells in %dx%d: %q", r.method, ansi.StringWidth(l), w, h, l)
					}
				}
			}
		}
	}
}

func TestAllThatIsSignedCanBeScrolledTo(t *testing.T) {
	d := open(t, mono, "mono", 80, 24)
	d.ask(longContract(200_000))
	d.wait(time.Second)
	_ = d.screen()
	seen := map[int]bool{}
	value := regexp.MustCompile(`define-constant value-(\d+) u`)
	for range 1000 {
		for _, m := range value.FindAllStringSubmatch(d.screen(), -1) {
			n, _ := strconv.Atoi(m[1])
			seen[n] = true
		}
		d.press("pgdown")
	}
	for i := range len(seen) {
		if !seen[i] {
			t.Fatalf("line %d was never in sight", i)
		}
	}
	if len(seen) < 4000 {
		t.Errorf("only %d lines were in sight", len(seen))
	}
}

func TestAPSBTIsShownWholeAndRaw(t *testing.T) {
	d := open(t, mono, "mono", 120, 40)
	a := d.ask(request{"signPsbt", string(psbtParams(t, 300))})
	if a.Wallet != provider.PlayChainscope {
		t.Fatal(a.Wallet)
	}
	d.wait(time.Second)
	_ = d.screen()
	all := ""
	for range 60 {
		all += d.screen()
		d.press("pgdown")
	}
	for _, want := range []string{"input 0", "input 299", "output 1", "change, back to us"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not shown", want)
		}
	}
	d.press("r")
	if s := d.screen(); !strings.Contains(s, "raw: PSBT") || !strings.Contains(s, "cHNidP8B") {
		t.Errorf("the PSBT is not shown:\n%s", s)
	}
}

func BenchmarkFirstDrawingOfALongContract(b *testing.B) {
	a := asked(b, longContract(200_000))
	for b.Loop() {
		d := open(b, theme.Options{Colors: colorprofile.TrueColor}, "dark", 120, 40)
		d.Ask(a, noon)
		d.View(noon)
	}
}

func BenchmarkScrollingALongContract(b *testing.B) {
	d := open(b, theme.Options{Colors: colorprofile.TrueColor}, "dark", 120, 40)
	d.ask(longContract(200_000))
	benchmarkScroll(b, d)
}

func BenchmarkFirstDrawingOf300Inputs(b *testing.B) {
	a := asked(b, request{"signPsbt", string(psbtParams(b, 300))})
	for b.Loop() {
		d := open(b, theme.Options{Colors: colorprofile.TrueColor}, "dark", 120, 40)
		d.Ask(a, noon)
		d.View(noon)
	}
}

func BenchmarkScrolling300Inputs(b *testing.B) {
	d := open(b, theme.Options{Colors: colorprofile.TrueColor}, "dark", 120, 40)
	d.ask(request{"signPsbt", string(psbtParams(b, 300))})
	benchmarkScroll(b, d)
}

func benchmarkScroll(b *testing.B, d *user) {
	d.wait(time.Second)
	d.View(d.now)
	for i := 0; b.Loop(); i++ {
		name := "down"
		if i/500%2 == 1 {
			name = "k"
		}
		d.press(name)
		d.View(d.now)
	}
}
