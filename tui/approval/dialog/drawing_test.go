package dialog

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/theme"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// saidOf holds what the dialogs say of methods whose drawing is that of the others: all that is
// particular to a method comes from its description.
var saidOf = map[string][]string{
	"getAddresses":        {"Give out addresses address bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu address bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr address SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"},
	"stx_getAddresses":    {"Give out addresses address bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"},
	"stx_getAccounts":     {"Warnings ! app key the answer holds the private key of the account's gaia storage", "Give out accounts address SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J ! app key the private gaia key"},
	"stx_getNetworks":     {"Give out networks From account 0", "! network mainnet method stx_getNetworks"},
	"sendTransfer":        {"! not sent it spends coins made up for testing and is not sent anywhere", "Send BTC spends 0.0007684 BTC 76,840 satoshis fee 0.0000184 BTC 1,840 satoshis, 10.0 sat/vB size 184 vB"},
	"signPsbt":            {"Sign a Bitcoin transaction spends 0.00019 BTC 19,000 satoshis fee 0.00001 BTC 1,000 satoshis, 4.5 sat/vB size 220 vB"},
	"stx_deployContract":  {"! no post conditions there are no post-conditions", "Deploy a contract contract SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.counter clarity version 6 source 7 lines 184 bytes"},
	"stx_signMessage":     {"Sign a message length 35 bytes hash fae5c51999c8becaa58a6c41dfd3194e2d220d62ee34cdeb4d27aa78e98a5163 Hello from the terminal second line", "Message as bytes 48656c6c6f"},
	"stx_signTransaction": {"! high fee the fee is more than the amount", "Send STX amount 0.000007 STX 7 micro-STX to SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"},
	"stx_transferSip10Ft": {"Send a token asset SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.coin::coin amount 2,500,000 in the token's smallest unit to SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"},
	"stx_transferSip9Nft": {"Send a non-fungible token asset SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.ticket::ticket token id u42 uint to SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"},
}

func TestEveryMethodHasItsDialog(t *testing.T) {
	for _, r := range requests(t) {
		t.Run(r.method, func(t *testing.T) {
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				name := fmt.Sprintf("%s/%dx%d", r.method, size[0], size[1])
				d := open(t, mono, "mono", size[0], size[1])
				d.ask(r)
				d.wait(time.Second)
				if said, others := saidOf[r.method]; others {
					shown := strings.Join(strings.Fields(strings.ReplaceAll(ansi.Strip(d.framed()), "│", "")), " ")
					uitest.Size(t, d.framed(), size[0], size[1])
					for _, words := range append(said, r.method+" ! MAINNET", "requested by the page http://localhost:3000", "account 0") {
						if !strings.Contains(shown, words) {
							t.Errorf("%q is missing in\n%s", words, d.framed())
						}
					}
					continue
				}
				uitest.Golden(t, name, d.framed(), size[0], size[1])
				themed := map[string]int{"stx_transferStx": 80, "stx_callContract": 120}
				if themed[r.method] != size[0] {
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
				{Requester: a.Requester, Method: "stx_transferStx"}, {Requester: service.Requester{Kind: service.FromPane}, Method: "getAddresses"}, {Requester: a.Requester, Method: "signPsbt"},
			})
			d.wait(time.Second)
		}},
		{"edit", func(d *user) { d.ask(transfer(d.t)); d.wait(time.Second); d.press("e") }},
		{"raw", func(d *user) { d.ask(transfer(d.t)); d.wait(time.Second); d.press("r") }},
		{"source", func(d *user) { d.ask(longContract(20_000)); d.wait(time.Second); d.press("r"); d.press("end") }},
		{"block", func(d *user) { d.ask(transfer(d.t)); d.wait(time.Second); d.press("b") }},
		{"origin", func(d *user) {
			d.AskOrigin(service.OriginNeeded{ID: 9, Origin: "https://dapp.example", Waiting: 12}, d.now)
			d.wait(time.Second)
		}},
		{"forecast", func(d *user) {
			key := d.foresee(call(d.t))
			d.Foreseen(1, key, lend(d.t), nil, d.now)
			d.wait(time.Second)
			d.press("pgdown")
		}},
		{"forecast-fails", func(d *user) {
			key := d.foresee(call(d.t))
			d.Foreseen(1, key, breaks(d.t), nil, d.now)
			d.wait(time.Second)
			d.press("pgdown")
		}},
		{"hostile", func(d *user) {
			d.ask(request{"stx_signMessage", `{"message":"pay \u001b[31mred\u001b[0m \u202emoc.elpmaxe\u202c zero\u200bwidth\u0007"}`})
			d.wait(time.Second)
		}},
	}
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				if size[0] == 120 && slices.Contains([]string{"waiting", "queue", "edit", "block", "origin", "forecast-fails", "source"}, s.name) {
					continue // which a wide window draws as the others
				}
				d := open(t, mono, "mono", size[0], size[1])
				s.make(d)
				uitest.Golden(t, fmt.Sprintf("states/%s-%dx%d", s.name, size[0], size[1]), d.framed(), size[0], size[1])
			}
		})
	}
}

func TestNothingIsApprovedInAWindowTooSmallToRead(t *testing.T) {
	d := open(t, mono, "mono", 80, 48)
	d.ask(transfer(t))
	d.wait(time.Second)
	before := d.screen()
	d.SetSize(20, 6, d.now)
	uitest.Golden(t, "states/small-20x6", d.framed(), 20, 6)
	if a := d.press("a"); a.Kind != None {
		t.Fatal("approved unread")
	}
	d.SetSize(80, 48, d.now)
	d.wait(1100 * time.Millisecond)
	if d.screen() != before {
		t.Error("back at its size the dialog is another one")
	}
	if a := d.press("a"); !a.Decision.Approved {
		t.Error("it cannot be approved any more")
	}
}

// In the lowest window that a request can be read in, its method and its first warning
// are there without scrolling.
func TestTheFirstWarningIsInSightInALowWindow(t *testing.T) {
	warned := 0
	for _, r := range requests(t) {
		d := open(t, mono, "mono", 40, 12)
		d.ask(r)
		d.wait(time.Second)
		if name := r.method[:min(len(r.method), 20)]; !strings.Contains(d.screen(), name) {
			t.Errorf("no %s in\n%s", name, d.screen())
		}
		var words []string
		for _, line := range strings.Split(d.screen(), "\n") {
			words = append(words, strings.Fields(strings.Trim(line, "│ "))...)
		}
		seen := strings.Join(words, " ")
		for of, sentence := range map[string]string{
			"stx_deployContract": "this is for mainnet: with real keys it moves real coins (network)",
			"sendTransfer":       "this is for mainnet: with real keys it moves real coins (network)",
		} {
			if of != r.method {
				continue
			}
			if warned++; !strings.Contains(seen, sentence) {
				t.Errorf("the first warning of %s is cut:\n%s", of, d.screen())
			}
		}
		if !strings.Contains(seen, "[ enter reject ] a read on") || !strings.Contains(seen, "esc reject") {
			t.Errorf("%s: no way out in\n%s", r.method, d.screen())
		}
	}
	if warned != 2 {
		t.Errorf("%d requests were looked at", warned)
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
