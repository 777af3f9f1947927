package walletpane_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/screen/walletpane/params"
	"chainscope/wallet/provider"
	"chainscope/wallet/verify"

	"github.com/charmbracelet/x/ansi"
)

func TestEveryExampleIsSentAndAnswered(t *testing.T) {
	u := sit(t, "mono", "testnet")
	u.wallet.SetBehaviour(provider.PlayChainscope, provider.Approves)
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.press("enter")
	u.until("the connection", func() bool { return u.sees("● connected") && !u.sees("waiting") })
	for _, f := range params.All() {
		u.form(f.Method)
		u.press("ctrl+x", "ctrl+y")
		before := len(u.wallet.Timeline())
		u.until("the result of "+f.Method, func() bool { return u.sees("Outcome") })
		u.until("the call", func() bool { return len(u.wallet.Timeline()) >= before && u.wallet.Timeline()[0].Done })
		if c := u.wallet.Timeline()[0]; c.Method != f.Method || c.Error != nil || c.Exception != "" {
			t.Errorf("%s: %s %v %s", f.Method, c.Method, c.Error, c.Exception)
		}
		sub := u.pane.Subject()
		if len(sub.Raw) == 0 && f.Method != "" {
			t.Errorf("%s: there is no raw result", f.Method)
		}
		if verify.Verifiable(f.Method) {
			u.press("v")
			u.want("valid: ")
		}
		labels := map[string]bool{}
		for _, c := range sub.Copies {
			labels[c.Label] = c.Text != ""
		}
		if !labels["JavaScript"] || !labels["command line"] {
			t.Errorf("%s: copies %v", f.Method, sub.Copies)
		}
	}
}

func TestAnItemIsAddedFromTheButtonToo(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_callContract")
	u.press("up") // from the first field to the button
	u.want("[ Send request ]  enter")
	u.press("ctrl+n")
	u.want("argument 1")
}

func TestAnotherTypeOfPostConditionKeepsNoChoiceThatItLacks(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_callContract")
	u.press("ctrl+x") // a condition on a fungible token: exactly so much
	for !u.sees("< ft-postcondition >") {
		u.press("up")
	}
	u.press("left")
	u.want("< stx-postcondition >", "sends            eq")
	u.press("right", "right")
	u.want("< nft-postcondition >")
	if u.sees("sends            eq") {
		t.Error("a comparison of amounts is left for a token that has none")
	}
}

func TestAFormSendsNothingUntilItIsRight(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_transferStx")
	u.press("ctrl+y")
	u.want("recipient: missing")
	u.types("ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM")
	u.want("the request is for mainnet")
	u.press("tab")
	u.types("1.5")
	u.want("that would be 1500000")
	u.press("ctrl+y")
	if len(u.wallet.Timeline()) != 0 {
		t.Error("a request was sent")
	}
}

// click clicks on the first cell of a text.
func (u *user) click(words string) {
	u.Helper()
	for y, line := range strings.Split(u.frame(), "\n") {
		if before, _, found := strings.Cut(line, words); found {
			u.do(u.pane.Click(ansi.StringWidth(before), y))
			return
		}
	}
	u.Fatalf("%q is not on the screen:\n%s", words, u.frame())
}

func TestAClickChoosesAFieldAndAnotherSends(t *testing.T) {
	u := sit(t, "mono", "testnet")
	u.press("n")
	u.click("stx_transferStx")
	u.want("recipient *", "[ Send request ]")
	u.click("memo")
	u.want("▸ memo")
	u.types("for tea")
	u.click("amount")
	u.want("▸ amount", "for tea")
	u.click("sponsored")
	u.want("▸ sponsored")
	u.press("ctrl+x")
	u.click("recipient")
	u.click("[ Send request ]")
	u.want("[ Send request ]  enter")
	if len(u.wallet.Timeline()) != 0 {
		t.Fatal("the first click on the button sends")
	}
	u.click("[ Send request ]")
	u.decide(false)
	u.until("the end", func() bool { return u.sees("Outcome") })
}

// Where a form is longer than the window a click chooses the field that is drawn there.
func TestAClickChoosesAFieldInALowWindow(t *testing.T) {
	u := sit(t, "mono", "testnet")
	u.pane.SetSize(40, 8)
	u.form("stx_transferStx")
	u.press("ctrl+x") // the button has the cursor, the last fields are in sight
	u.click("signer")
	u.want("▸ signer")
	u.click("sponsored")
	u.want("▸ sponsored")
}

func TestArgumentsAreAddedAndRemovedAndShowTheirTypes(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_callContract")
	u.press("ctrl+n")
	u.types("(list u1 u2)")
	u.want("argument 1", "✓ (list 2 uint)")
	u.press("ctrl+n")
	u.types("{ a: u")
	u.want("argument 2", "✗")
	u.press("ctrl+r")
	if u.sees("argument 2") {
		t.Errorf("it is still there:\n%s", u.frame())
	}
}

func TestTheSameParamsAreEditedAsJSON(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("sendTransfer")
	u.press("ctrl+x", "ctrl+t")
	u.want(`"recipients": [`, `"amount": "50000"`)
	u.press("ctrl+t")
	u.want("address 1", "50000")
	u.press("ctrl+t", "x")
	u.press("ctrl+y")
	u.want("line 1, column")
}

func TestASourceIsReadFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bank.clar")
	if err := os.WriteFile(path, []byte("(define-public (hi) (ok true))\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	u := sit(t, "mono", "mainnet")
	u.form("stx_deployContract")
	u.types("bank")
	u.press("tab")
	u.types("@" + path)
	u.press("enter")
	u.until("the file", func() bool { return u.sees("1 line, 31 B") })
	u.press("ctrl+t")
	u.want(`(define-public (hi)`)
}

func TestWhatEachWalletWouldReceive(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.form("sendTransfer")
	u.press("ctrl+x", "ctrl+y")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	u.press("d")
	u.want("overrides on", "Request sent to chainscope (unchanged)")
	u.press("right", "right")
	u.want("Request sent to xverse (changed)")
	u.press(" ")
	u.want("overrides off", "Request sent to xverse (unchanged)")
	u.press("d")
	u.want("Outcome")
}

// One esc in the JSON goes to the fields with what was typed there; JSON that no field can show
// is dropped by a second one only. What no field shows is named.
func TestEscInTheJSONLosesNothing(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("getAddresses")
	u.press("ctrl+t", "end")
	u.types(`"foo": 1`)
	u.press("esc")
	u.want("sent too, as JSON only: foo", "Send request")
	u.press("ctrl+t", "x", "esc")
	u.want("x{", "esc once more drops it")
	u.pane.SetSize(80, 20)
	if at, lines := strings.Fields(u.frame()), u.pane.View(uitest.Noon); len(lines) != 20 || !strings.Contains(strings.Join(at, " "), "does not begin a value") {
		t.Errorf("in %d lines of 80 columns the reason is cut:\n%s", len(lines), u.frame())
	}
	u.press("esc")
	if u.sees("x{") {
		t.Errorf("a second esc stays:\n%s", u.frame())
	}
}

// JSON takes the Clarity literals that the command line takes, and names one that is wrong.
func TestJSONTakesClarityLiterals(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_callContract")
	u.press("ctrl+t", "delete", "delete", "delete", "delete", "delete", "delete")
	u.paste(`{"contract":"SP000000000000000000002Q6VF78.a","functionName":"f","functionArgs":["(list u1","0x03"]}`)
	u.press("ctrl+y")
	u.want("functionArgs[0]", "(list u1")
	u.press("home", "up", "up", "up", "up", "up", "up")
	for range 300 {
		u.press("delete")
	}
	u.paste(`{"contract":"SP000000000000000000002Q6VF78.a","functionName":"f","functionArgs":["(list u1)","0x03"]}`)
	u.press("ctrl+y")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	const want = `"functionArgs":[{"type":"list","value":[{"type":"uint","value":"1"}]},{"type":"true"}]`
	if sent := string(u.wallet.Timeline()[0].Params); !strings.Contains(sent, want) {
		t.Errorf("sent were %s", sent)
	}
}

// What the wallet would refuse is said without what a library of pages puts before it.
func TestTheFootOfJSONHasNoWordOfALibrary(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_signMessage")
	u.press("ctrl+t", "down", "end", "backspace", "backspace")
	u.types(`1`)
	u.want("the wallet would refuse: message: must be a string")
	if u.sees("JsonRpc") {
		t.Errorf("a word of the library:\n%s", u.frame())
	}
}

// What is typed into a form is there again when the form is, however it was left: by esc, for another
// form, by the way home, as JSON that no field can show.
func TestAFormKeepsWhatWasTyped(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	again := map[string]func(){
		"a transfer":  func() { u.form("stx_transferStx") },
		"raw":         func() { u.press("n"); u.types("raw req"); u.press("enter") },
		"the options": func() { u.named("Options of the library") },
		"the bridge":  func() { u.named("Bridge to web pages on or off") },
	}
	for name, open := range again {
		open()
		if name == "the options" {
			for range 5 {
				u.press("down")
			}
		}
		if name == "the bridge" {
			u.press("up", "up")
		}
		u.types("zz")
		u.press("esc")
		open()
		u.want("zz")
		u.do(u.pane.Open(nav.Wallet(), nil))
		if u.sees("zz") {
			t.Errorf("%s is still open:\n%s", name, u.frame())
		}
		open()
		u.want("zz")
		u.do(u.pane.Open(nav.Wallet(), nil))
	}
	u.form("stx_transferStx")
	u.press("ctrl+t")
	u.types("!!")
	u.do(u.pane.Open(nav.Wallet(), nil))
	u.form("stx_transferStx")
	u.want("!!{")
	u.press("esc", "esc")
	u.form("stx_transferStx")
	if u.want("zz", "recipient"); u.sees("!!") {
		t.Errorf("what was dropped is there:\n%s", u.frame())
	}
}

// A bridge that cannot start leaves its form open, with the reason; so does what it was not given.
func TestABridgeThatCannotStartKeepsItsForm(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.named("Bridge to web pages on or off")
	u.press("up", "up")
	u.types("99")
	u.press("ctrl+y")
	u.until("the refusal", func() bool { return u.sees(`"399899" is not a port: use 0 to 65535`) })
	u.want("Switch the bridge on", "address *         127.0.0.1:399899")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	u.press("ctrl+u")
	u.types(taken.Addr().String())
	u.press("ctrl+y")
	u.until("the refusal", func() bool { return u.sees("is in use by another program") })
	u.press("ctrl+u")
	u.types("127.0.0.1:0")
	u.press("ctrl+y")
	u.until("the bridge", func() bool { return u.wallet.State().Bridge.Running && !u.sees("Switch the bridge on") })
}

// A prompt that refuses what was typed keeps it and says why; the wallet keeps its keys.
func TestAPromptThatRefusesKeepsWhatWasTyped(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	before := u.wallet.State().Fingerprint
	change := func() {
		for _, c := range u.pane.Commands() {
			if c.Title == "Change the keys" {
				u.do(c.Run())
			}
		}
	}
	change()
	u.press("3")
	u.types("/nowhere/words")
	u.press("enter")
	u.until("the refusal", func() bool { return u.sees("no such file") })
	u.press("2")
	u.want("/nowhere/words2")
	u.press("esc")
	change()
	u.press("3")
	u.want("/nowhere/words2")
	u.press("esc")
	change()
	u.press("4")
	u.types("SPbad")
	u.press("enter")
	u.until("the refusal, whole", func() bool { return u.sees("SP000000000000000000002Q6VF78") })
	if u.wallet.State().Fingerprint != before {
		t.Error("the keys are others")
	}
}

// Whole params that are pasted take the place of those that are there, once more too; a part of them is put
// where the cursor is.
func TestParamsPastedIntoJSONAreTheParams(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_signMessage")
	u.press("ctrl+t")
	u.paste(`{"message":"one"}`)
	u.paste("{\r\n \"message\":\"two\"}\n")
	if u.sees("one") || u.copied("p") != "{\n  \"message\": \"two\"\n}" {
		t.Errorf("pasted twice, the params are %s\n%s", u.copied("p"), u.frame())
	}
	u.press("left", "left", "left")
	u.paste(`[1]`)
	u.want("two[1]")
	u.press("esc")
	u.want("two[1]", "Send request")
}

// At every field of every form, JSON and back changes nothing that was typed.
func TestJSONAndBackAtEveryFieldKeepsWhatWasTyped(t *testing.T) {
	u := sit(t, "mono", "testnet")
	for _, f := range params.All() {
		u.form(f.Method)
		u.press("ctrl+x")
		before := u.copied("p")
		for i := range len(f.Fields) + 2 {
			u.press("ctrl+t", "ctrl+t")
			if after := u.copied("p"); after != before {
				t.Errorf("%s, field %d: %s, before %s", f.Method, i, after, before)
			}
			u.press(slices.Repeat([]string{"down"}, i+1)...)
		}
		u.press("esc")
	}
}
