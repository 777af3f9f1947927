package tokens

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/nav"

	"github.com/google/go-cmp/cmp"
)

func TestOneFindsALocalizedTokenChangesItsLocaleAndLooksAtItsPicture(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	d.sees("harbor-dollar", "Harbor Dollar", "HBD", "99,999.8")

	d.pick("harbor-dollar")
	d.sees("Harbor Dollar", "HBD", "99,999.8  HBD", "9999980000000", "A dollar for every harbor.", "locale default")

	d.press("L")
	d.sees("es-MX", "jp", "de")
	d.press("e", "s", "enter")
	d.sees("Dólar del Puerto", "Un dólar para cada puerto.", "locale es-MX")
	if want := nav.FT("SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar", "es-MX"); d.s.Place() != want {
		t.Errorf("at %v", d.s.Place())
	}

	d.press("p")
	d.sees("picture of Harbor Dollar, 96 x 96, png")
	d.press("p")
	d.seesNot("picture of Harbor Dollar")
}

// The service of token metadata says "Contract not found" of every contract that is no
// token, also of one that was deployed.
func TestAContractThatIsNoTokenIsNotCalledUnknown(t *testing.T) {
	const counter = "SP000000000000000000002Q6VF78.counter"
	answers := filepath.Join(t.TempDir(), "answers.yaml")
	if err := os.WriteFile(answers, []byte("- contract: "+counter+"\n  source: (define-read-only (count) u1)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, setup{config: mockserver.Config{Contracts: answers}})
	d.open(nav.FT(counter, ""))
	d.sees("Not a token", "The contract is on the chain, since block 1.", "enter the contract")
	d.seesNot("knows no such contract")
	d.press("enter")
	if n := len(d.steps); n == 0 || d.steps[n-1] != nav.Contract(counter) {
		t.Errorf("enter goes to %v", d.steps)
	}
	d.open(nav.NFT(counter, "1", ""))
	d.sees("Not a token", "on the chain")
	d.open(nav.FT(counter+"-2", ""))
	d.sees("Contract not found", "The server knows no such contract")
	d.seesNot("on the chain")
}

func TestATokenInProgressIsRequestedUntilItIsReady(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	d.press("x")
	d.hold = true
	begin := d.clock.Now()
	d.pick("ft-pending")
	d.sees("In progress", "Token metadata fetch in progress", "again in 2s", "r tries now")
	d.release()
	d.sees("Patience", "5  WAIT")
	if waited := d.clock.Now().Sub(begin); waited.Seconds() != 6 {
		t.Errorf("it took %v: asked after 2 and after 4 more seconds", waited)
	}
}

func TestATokenInProgressIsRequestedAtOnceByKey(t *testing.T) {
	d := start(t, setup{})
	d.hold = true
	d.open(nav.FT("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-pending", ""))
	d.press("r")
	d.sees("again in 2s")
	d.clock.now = d.clock.now.Add(6e9)
	d.press("r")
	d.sees("Patience")
}

func TestAServerThatRequestsAPauseGetsIt(t *testing.T) {
	d := start(t, setup{config: mockserver.Config{Faults: rules(t, "status=429,retry_after=7,times=1")}})
	d.hold = true
	d.open(nav.FT(dollar, ""))
	d.sees("Too many requests", "again in 7s")
	begin := d.clock.Now()
	d.release()
	d.sees("A dollar for every harbor.")
	if waited := d.clock.Now().Sub(begin); waited != 7*time.Second {
		t.Errorf("it waited %v", waited)
	}
}

func TestATokenThatIsNeverReadyIsNotRequestedForever(t *testing.T) {
	stopped := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d := start(t, setup{config: mockserver.Config{Now: func() time.Time { return stopped }}})
	begin := d.clock.Now()
	d.open(nav.FT(recordedAddress+".ft-pending", ""))
	d.sees("In progress", "r try again")
	d.seesNot("again in")
	if waited := d.clock.Now().Sub(begin); waited != (2+4+18*8)*time.Second {
		t.Errorf("it waited %v", waited)
	}
}

func TestLeavingEndsTheWait(t *testing.T) {
	d := start(t, setup{})
	d.hold = true
	d.open(nav.FT(recordedAddress+".ft-pending", ""))
	d.s.Leave()
	d.release()
	if d.s.token.Busy() {
		t.Error("it asks on after leaving")
	}
}

func TestALocaleThatIsNotThereLeavesWhatWasShown(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.FT("SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar", "jp"))
	d.sees("港ドル")
	d.press("L", "x", "x", "enter")
	d.sees("港ドル", "no data in locale xx", "Locale not found", "shown is jp")
	d.press("L", "down", "enter")
	d.sees("Harbor Dollar", "locale en")
	d.seesNot("Locale not found")

	d.open(nav.NFT("SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights", "2", "jp"))
	d.sees("灯台 #2")
	d.press("L", "x", "x", "enter")
	d.sees("灯台 #2", "no data in locale xx", "Locale not found", "shown is jp")
}

func TestAWrongTokenIsExplainedWhileItIsTyped(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	d.press("n")
	d.sees("Open a token")
	d.seesNot("needs", "characters") // nothing is wrong yet
	d.press("SP2SYHRO")
	d.sees("the letter 'O' at position 8", "I, L, O and U do not occur")
	d.press("backspace", "84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS")
	d.sees("continues with a dot")
	d.press("enter")
	d.sees("Open a token") // not opened
	d.press(".ft-full")
	d.sees("good")
	d.press("down", "1x")
	d.sees("invalid digit 'x' in the token id")
	d.press("ctrl+u", "enter")
	d.sees("Harbor Full Coin", "21,000,000  FULL")
	d.seesNot("Open a token")
}

// What was typed is there again after a look at the list, and the mouse goes to a line.
func TestATokenThatWasTypedIsKept(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	d.press("n", "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full")
	for y, line := range strings.Split(d.view(), "\n") {
		if strings.Contains(line, "locale ") {
			d.run(d.s.Click(20, y))
		}
	}
	d.press("jp", "esc")
	d.seesNot("Open a token")
	d.press("n")
	d.sees(".ft-full", "jp")
	d.press("enter")
	if want := nav.FT("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full", "jp"); d.s.Place() != want {
		t.Errorf("at %v", d.s.Place())
	}
}

func TestAPastedNonFungibleTokenIsTakenApart(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	d.press("n", "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full::12")
	d.sees("tab take what is suggested")
	d.press("enter")
	if want := nav.NFT("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full", "12", ""); d.s.Place() != want {
		t.Errorf("at %v", d.s.Place())
	}
	d.sees("Token not found", "change what was typed")
	d.press("n")
	d.sees("token id")
	d.press("ctrl+u", "1", "enter")
	d.sees("Harbor Full Coin", "#1")
}

func TestAContractWithoutAnIDPromptsForIt(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.NFT("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full", "", ""))
	d.sees("Open a token", "token id")
	d.press("1", "enter")
	d.sees("Harbor Full Coin")
}

func TestWhatWasShownIsOfferedAgain(t *testing.T) {
	kept := disk(t)
	d := start(t, setup{opts: Options{Store: kept}})
	d.open(nav.FT("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full", ""))
	d.open(nav.FT("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.not-there", ""))
	d.sees("Contract not found")

	again := start(t, setup{opts: Options{Store: kept}, noCatalogue: true})
	again.open(nav.Tokens())
	again.sees("ft-full", "Harbor Full Coin")
	again.seesNot("not-there")
	again.press("enter")
	again.sees("21,000,000  FULL")
}

func TestTheListBeginsWithItsFirstRowWhateverComesFirst(t *testing.T) {
	kept := disk(t)
	d := start(t, setup{opts: Options{Store: kept}})
	d.open(nav.NFT("SP2F4QJRVHR4DPRVMKHAPSS45EBVFPWXQ8Y3SY9V9.hostile-pictures", "4", ""))

	again := start(t, setup{opts: Options{Store: kept}})
	catalogue := again.s.opts.Catalogue
	again.s.opts.Catalogue = nil
	again.run(again.s.Open(nav.Tokens(), again.s.State())) // as a tab is opened
	again.sees("hostile-pictures #4")
	again.s.opts.Catalogue = catalogue
	again.press("r")
	again.sees("ft-full")
	if again.s.List.Position() != 0 {
		t.Errorf("the cursor is in row %d", again.s.List.Position())
	}
}

func TestTheNextTokenOfACollectionIsOneKeyAway(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.NFT("SP2F4QJRVHR4DPRVMKHAPSS45EBVFPWXQ8Y3SY9V9.hostile-pictures", "1", ""))
	d.sees("Decoy: bomb")
	d.press("]")
	d.sees("Decoy: not-an-image")
	d.press("[", "[", "[")
	if d.s.Place().TokenID != "0" || len(d.told) != 1 {
		t.Errorf("at %v, told %q", d.s.Place(), d.told)
	}
}

func TestAddressesAreOpenedOnlyWhenTheyAreOfTheWeb(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.FT("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full", ""))
	d.at("token URI")
	d.press("enter")
	d.at("deployed by")
	d.press("enter")
	d.open(nav.FT("SP2F4QJRVHR4DPRVMKHAPSS45EBVFPWXQ8Y3SY9V9.hostile-escapes", ""))
	d.at("token URI")
	d.press("enter")
	tx, _ := find(d.sections("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full"), "Fungible", "deployed by")
	want := []string{"https://tokens.example/full.json", "https://explorer.example/txid/" + tx.Value + "?chain=mainnet"}
	if diff := cmp.Diff(want, d.opened); diff != "" {
		t.Error(diff)
	}
	if len(d.told) != 1 || !strings.Contains(d.told[0], "only http and https") {
		t.Errorf("told %q", d.told)
	}
}

func TestALongValueIsFoldedUntilItIsWanted(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.NFT("SP2F4QJRVHR4DPRVMKHAPSS45EBVFPWXQ8Y3SY9V9.hostile-nft", "3", ""))
	d.at("description")
	d.sees("more lines: enter")
	_, before := d.s.Detail.Scroll()
	d.press("enter")
	_, open := d.s.Detail.Scroll()
	d.press("enter")
	_, after := d.s.Detail.Scroll()
	if open < before+100 || after != before {
		t.Errorf("%d lines, then %d, then %d", before, open, after)
	}
}

func TestAShortenedValueIsShownWholeWhenWanted(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.FT(dollar, ""))
	d.at("asset identifier")
	short := func() bool { row, _ := d.s.Detail.Cursor(); return row.Short }
	for _, want := range []bool{true, false, true} {
		if short() != want {
			t.Fatalf("shortened %v, want %v", short(), want)
		}
		d.press("enter")
	}
}

func TestTheFormBeginsEmptyInTheListAndWithTheTokenInItsDetail(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.FT(dollar, "jp"))
	d.press("n")
	d.sees("contract  "+dollar, "jp")
	d.press("esc", "esc", "esc", "n")
	d.seesNot("contract  " + dollar)
}

func TestAPictureThatCannotBeShownSaysWhy(t *testing.T) {
	for id, why := range map[string]string{
		"1": "60000 x 60000", "2": "not a PNG, JPEG, GIF or WebP", "3": "damaged", "4": "not a public one",
	} {
		d := start(t, setup{width: 90, height: 36})
		d.open(nav.NFT("SP2F4QJRVHR4DPRVMKHAPSS45EBVFPWXQ8Y3SY9V9.hostile-pictures", id, ""))
		d.press("p")
		frame := strings.Join(strings.Fields(d.view()), " ")
		if !strings.Contains(frame, why) {
			t.Errorf("picture %s: %q is not on screen:\n%s", id, why, d.view())
		}
	}
}

func TestTheListIsFiltered(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	d.press("/", "n", "f", "t", " ", "hostile")
	d.sees("No token matches the filter", "x looks among 36 test cases")
	d.press("esc", "esc", "x", "/", "n", "f", "t", " ", "hostile")
	d.seesNot("harbor-dollar")
	d.press("enter", "enter")
	if d.s.Place().Kind != nav.KindNFT || !strings.Contains(d.s.Place().Principal, "hostile") {
		t.Errorf("at %v", d.s.Place())
	}
	d.press("esc", "esc", "g")
	d.sees("ft-pending")
	d.press("x")
	d.sees("harbor-dollar")
	d.seesNot("ft-pending")
}

func TestComingBackFindsEverythingWhereItWas(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.FT("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full", ""))
	d.at("asset identifier")
	for range 12 {
		d.press("j")
	}
	place, state, before := d.s.Place(), d.s.State(), d.detail()
	d.s.Leave()
	d.open(nav.FT("SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar", ""))
	d.s.Leave()
	d.run(d.s.Open(place, state))
	if got := d.detail(); got != before {
		t.Errorf("differs:\n%s", cmp.Diff(before, got))
	}
}
