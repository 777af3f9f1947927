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

// desk is a person at a dialog, with a clock that they move.
type desk struct {
	*Dialog
	t   testing.TB
	now time.Time
}

func sit(t testing.TB, look theme.Options, name string, width, height int) *desk {
	t.Helper()
	th, err := theme.New(name, look)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{New(th), t, noon}
	d.SetSize(width, height)
	return d
}

var mono = theme.Options{Plain: true}

func (d *desk) wait(t time.Duration) { d.now = d.now.Add(t) }

func (d *desk) press(name string) Answer {
	keys := map[string]tea.KeyMsg{
		"esc": {Type: tea.KeyEscape}, "enter": {Type: tea.KeyEnter}, "tab": {Type: tea.KeyTab}, "down": {Type: tea.KeyDown},
		"end": {Type: tea.KeyEnd}, "home": {Type: tea.KeyHome}, "pgdown": {Type: tea.KeyPgDown}, "backspace": {Type: tea.KeyBackspace},
		"ctrl+u": {Type: tea.KeyCtrlU},
	}
	k, ok := keys[name]
	if !ok {
		k = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	}
	return d.Key(k, d.now)
}

func (d *desk) screen() string {
	return ansi.Strip(strings.Join(d.View(d.now), "\n"))
}

// framed is the dialog in a window of its own, as the root draws it.
func (d *desk) framed() string {
	lines := d.View(d.now)
	for len(lines) < d.height {
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n")
}

func (d *desk) ask(r request) service.ApprovalAsked {
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
				d := sit(t, mono, "mono", size[0], size[1])
				d.ask(r)
				d.wait(time.Second)
				uitest.Golden(t, name+"-no-color", d.framed(), size[0], size[1])
				for _, look := range []string{"dark", "light"} {
					d := sit(t, theme.Options{Dark: look == "dark", Colors: colorprofile.TrueColor}, look, size[0], size[1])
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
		make func(d *desk)
	}{
		{"arming", func(d *desk) { d.ask(transfer(d.t)); d.wait(100 * time.Millisecond) }},
		{"queue", func(d *desk) {
			a := d.ask(transfer(d.t))
			d.SetQueue([]service.Waiting{
				{Asker: a.Asker, Method: "stx_transferStx"}, {Asker: service.Asker{Kind: service.FromPane}, Method: "getAddresses"}, {Asker: a.Asker, Method: "signPsbt"},
			})
			d.wait(time.Second)
		}},
		{"edit", func(d *desk) { d.ask(transfer(d.t)); d.wait(time.Second); d.press("e") }},
		{"raw", func(d *desk) { d.ask(transfer(d.t)); d.wait(time.Second); d.press("r") }},
		{"source", func(d *desk) { d.ask(longContract(20_000)); d.wait(time.Second); d.press("r"); d.press("end") }},
		{"origin", func(d *desk) {
			d.AskOrigin(service.OriginAsked{ID: 9, Origin: "https://dapp.example", Waiting: 12}, d.now)
			d.wait(time.Second)
		}},
		{"hostile", func(d *desk) {
			d.ask(request{"stx_signMessage", `{"message":"pay \u001b[31mred\u001b[0m \u202emoc.elpmaxe\u202c zero\u200bwidth\u0007"}`})
			d.wait(time.Second)
		}},
	}
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				d := sit(t, mono, "mono", size[0], size[1])
				s.make(d)
				uitest.Golden(t, fmt.Sprintf("states/%s-%dx%d", s.name, size[0], size[1]), d.framed(), size[0], size[1])
			}
		})
	}
}

func TestAHeldKeyDoesNotApprove(t *testing.T) {
	for _, initial := range []time.Duration{30 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, 660 * time.Millisecond, 999 * time.Millisecond} {
		t.Run("repeated first after "+initial.String(), func(t *testing.T) {
			d := sit(t, mono, "mono", 80, 24)
			d.ObserveKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a")}, d.now)
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

func TestAKeyPressedBeforeTheKeyboardWasQuietIsSwallowed(t *testing.T) {
	d := sit(t, mono, "mono", 80, 24)
	d.ask(transfer(t))
	d.wait(400 * time.Millisecond)
	if a := d.press("esc"); a.Kind != None {
		t.Fatal("esc counted after 400 ms")
	}
	if !strings.Contains(d.screen(), "keys armed in 0.4s") {
		t.Errorf("the dialog does not say so:\n%s", d.screen())
	}
	d.wait(425 * time.Millisecond)
	if !strings.Contains(d.screen(), "keys armed") || strings.Contains(d.screen(), "armed in") {
		t.Errorf("keys are not armed:\n%s", d.screen())
	}
	if a := d.press("a"); !a.Decision.Approved || a.ID != 1 {
		t.Errorf("a quiet keyboard's a came to %+v", a)
	}
}

func TestSomebodyWhoKeepsTypingCanRejectAfterAWhileButNotApprove(t *testing.T) {
	d := sit(t, mono, "mono", 80, 24)
	d.ask(transfer(t))
	for i := range 40 { // ten keys a second
		if a := d.press(string(rune('l' + i%10))); a.Kind != None {
			t.Fatalf("a letter came to %+v", a)
		}
		d.wait(100 * time.Millisecond)
	}
	if a := d.press("a"); a.Kind != None {
		t.Fatal("a word that was being typed approved")
	}
	d.wait(50 * time.Millisecond)
	if a := d.press("esc"); a.Kind != Decided || a.Decision.Approved {
		t.Errorf("esc came to %+v", a)
	}
}

func TestRejectIsTheDefaultAnswer(t *testing.T) {
	for _, name := range []string{"enter", "esc", "d"} {
		d := sit(t, mono, "mono", 80, 24)
		d.ask(transfer(t))
		d.wait(time.Second)
		if a := d.press(name); a.Kind != Decided || a.Decision.Approved || d.Open() {
			t.Errorf("%s came to %+v", name, a)
		}
	}
}

func TestTheNextRequestNeedsAQuietKeyboardAgain(t *testing.T) {
	d := sit(t, mono, "mono", 80, 24)
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
	d := sit(t, mono, "mono", 80, 24)
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
	d := sit(t, mono, "mono", 80, 24)
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
	d := sit(t, mono, "mono", 80, 24)
	d.ask(request{"stx_signMessage", `{"message":"hi"}`})
	d.wait(time.Second)
	d.press("e")
	if strings.Contains(d.screen(), "Change fee") {
		t.Error("a message has a fee")
	}
}

func TestAnOriginIsAllowedRefusedOrBlocked(t *testing.T) {
	for name, want := range map[string]bridge.Access{
		"a": bridge.Allowed, "esc": bridge.Undecided, "enter": bridge.Undecided, "b": bridge.Blocked,
	} {
		d := sit(t, mono, "mono", 80, 24)
		d.AskOrigin(service.OriginAsked{ID: 4, Origin: "https://dapp.example", Waiting: 1}, d.now)
		d.wait(time.Second)
		if a := d.press(name); a.Kind != OriginDecided || a.Choice != want || a.ID != 4 {
			t.Errorf("%s came to %+v", name, a)
		}
	}
}

func TestOneKeyRejectsAndBlocksAPageButNotThePane(t *testing.T) {
	d := sit(t, mono, "mono", 80, 24)
	d.ask(transfer(t))
	d.wait(time.Second)
	if a := d.press("b"); a.Kind != RejectedAndBlocked || a.Origin != "http://localhost:3000" {
		t.Errorf("b came to %+v", a)
	}
	own := asked(t, transfer(t))
	own.Asker = service.Asker{Kind: service.FromPane}
	d.Ask(own, d.now)
	d.wait(2 * time.Second)
	if a := d.press("b"); a.Kind != None {
		t.Errorf("the pane was blocked: %+v", a)
	}
}

func TestAWithdrawnRequestDisappearsAndTheNextOneNeedsAQuietKeyboard(t *testing.T) {
	d := sit(t, mono, "mono", 80, 24)
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
	d := sit(t, mono, "mono", 80, 24)
	d.ask(transfer(t))
	d.wait(time.Second)
	before := d.screen()
	d.SetSize(20, 6)
	uitest.Golden(t, "states/small-20x6", d.framed(), 20, 6)
	if a := d.press("a"); a.Kind != None {
		t.Fatal("approved unread")
	}
	d.SetSize(80, 24)
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
		d := sit(t, mono, "mono", 80, 24)
		d.ask(r)
		for w := 1; w <= 130; w += 3 {
			for h := 1; h <= 45; h += 2 {
				d.SetSize(w, h)
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
	d := sit(t, mono, "mono", 80, 24)
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
	d := sit(t, mono, "mono", 120, 40)
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
		d := sit(b, theme.Options{Colors: colorprofile.TrueColor}, "dark", 120, 40)
		d.Ask(a, noon)
		d.View(noon)
	}
}

func BenchmarkScrollingALongContract(b *testing.B) {
	d := sit(b, theme.Options{Colors: colorprofile.TrueColor}, "dark", 120, 40)
	d.ask(longContract(200_000))
	benchmarkScroll(b, d)
}

func BenchmarkFirstDrawingOf300Inputs(b *testing.B) {
	a := asked(b, request{"signPsbt", string(psbtParams(b, 300))})
	for b.Loop() {
		d := sit(b, theme.Options{Colors: colorprofile.TrueColor}, "dark", 120, 40)
		d.Ask(a, noon)
		d.View(noon)
	}
}

func BenchmarkScrolling300Inputs(b *testing.B) {
	d := sit(b, theme.Options{Colors: colorprofile.TrueColor}, "dark", 120, 40)
	d.ask(request{"signPsbt", string(psbtParams(b, 300))})
	benchmarkScroll(b, d)
}

func benchmarkScroll(b *testing.B, d *desk) {
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
