package walletpane_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/screen/walletpane/form"
	"chainscope/tui/theme"
	"chainscope/wallet/provider"
)

// Sizes of golden screens.
var (
	small = [2]int{80, 20}
	large = [2]int{120, 36}
)

// golden compares the frame at the given sizes, without colors.
func (u *user) golden(name string, sizes ...[2]int) {
	u.Helper()
	for _, size := range sizes {
		u.pane.SetSize(size[0], size[1])
		file := fmt.Sprintf("%s-%dx%d", name, size[0], size[1]+4)
		uitest.Golden(u.T, file, strings.Join(u.pane.View(uitest.Noon), "\n"), size[0], size[1])
	}
	u.pane.SetSize(small[0], small[1])
}

// looks compares the frame in every look at the large size. A page of each
// kind is enough: all of them take their styles from one theme.
func (u *user) looks(name string) {
	u.Helper()
	noColor, err := theme.New("mono", theme.Options{Dark: true})
	if err != nil {
		u.Fatal(err)
	}
	u.pane.SetSize(large[0], large[1])
	for look, th := range map[string]*theme.Theme{"dark": uitest.Theme(u.T, "dark"), "light": uitest.Theme(u.T, "light"), "no-color": noColor} {
		u.pane.SetTheme(th)
		uitest.GoldenStyled(u.T, look+"/"+name, strings.Join(u.pane.View(uitest.Noon), "\n"), large[0], large[1])
	}
	u.pane.SetTheme(uitest.Theme(u.T, "mono"))
	u.pane.SetSize(small[0], small[1])
}

func TestGoldenScreens(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.golden("home-not-connected", small, large)
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.golden("selector", small, large)
	u.press("enter")
	u.decide(true)
	u.until("the connection", func() bool { return u.sees("● connected") && !u.sees("waiting") })
	u.golden("home-connected", small, large)
	u.looks("home-connected")
	u.press("n")
	u.golden("methods", small, large)
	u.press("esc")
	u.wallet.SetBehaviour(provider.PlayChainscope, provider.Approves)
	// Methods whose pages have nothing that those of another have not.
	alike := []string{
		"stx_signTransactions", "signMessage", "getAccounts", "wallet_getAccount", "wallet_getNetwork", "getBalance", "wallet_changeNetwork",
	}
	for _, f := range form.All() {
		if slices.Contains(alike, f.Method) {
			continue
		}
		styled := f.Method == "stx_transferStx" || f.Method == "stx_callContract"
		u.form(f.Method)
		u.golden("form-"+f.Method, small)
		u.pane.SetSize(large[0], large[1])
		empty := u.frame()
		u.press("ctrl+x")
		if u.frame() != empty { // a form without fields has no example
			u.golden("form-"+f.Method+"-example", large)
		}
		if styled {
			u.looks("form-" + f.Method)
		}
		u.press("ctrl+y")
		u.until("the result of "+f.Method, func() bool {
			return u.sees("Outcome") && !u.sees("Waiting") && !u.sees("asking")
		})
		u.golden("result-"+f.Method, large)
		if f.Method == "stx_transferStx" {
			u.golden("result-"+f.Method, small)
			u.looks("result-" + f.Method)
		}
	}
	u.press("esc", "esc", "tab")
	u.golden("calls", small, large)
}

func TestAnAddressOfTheWalletOpensItsAccount(t *testing.T) {
	const address = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	u := sit(t, "mono", "mainnet")
	u.press("G")
	for range 40 {
		if strings.Contains(u.pane.Subject().Title, address) {
			break
		}
		u.press("up")
	}
	u.press("enter")
	u.until("the account", func() bool { return slices.Contains(u.went, nav.Account(address)) })
}

func TestThePaneFitsEverySize(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	d := &uitest.Driver{TB: t, Screen: u.pane, Clock: uitest.Noon}
	d.FitsEverySize()
	u.pane.SetSize(80, 20)
	u.form("stx_callContract")
	u.press("ctrl+x")
	d.FitsEverySize()
	u.pane.SetSize(80, 20)
	u.press("esc", "n")
	d.FitsEverySize()
}
