package walletpane_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/screen/walletpane/params"
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
		uitest.GoldenStyled(u.T, "looks-"+name+"#"+look, strings.Join(u.pane.View(uitest.Noon), "\n"), large[0], large[1])
	}
	u.pane.SetTheme(uitest.Theme(u.T, "mono"))
	u.pane.SetSize(small[0], small[1])
}

// wantRows checks rows of the frame, whatever blanks are between their words.
func (u *user) wantRows(rows ...string) {
	u.Helper()
	frame := strings.Join(strings.Fields(u.frame()), " ")
	for _, row := range rows {
		if !strings.Contains(frame, row) {
			u.Errorf("%q is not on the screen:\n%s", row, u.frame())
		}
	}
}

// pages hold what the example of a method and its result show, where the drawing is that of
// other methods.
var pages = map[string]struct{ form, result []string }{
	"getAddresses": {
		[]string{"getAddresses ask for the addresses", "network not given"},
		[]string{"state answered", "address SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J", `"type": "p2wpkh", "address": "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"`, `"purpose": "payment"`},
	},
	"sendTransfer": {
		[]string{
			"sendTransfer send bitcoin", "address 1 bc1qku0qh0mc00y8tk0n65x2tqw4trlspak0fnjmfz ✓ account 1 of this wallet", "amount 50000 ✓ 0.00050000 BTC",
			"address 2 bc1pkq6ayylfpe5hn05550ry25pkakuf72x9qkjc2sl06dfcet8sg25q9y3j3y ✓ account 1 of", "amount 25000 ✓ 0.00025000 BTC", "+ recipient",
		},
		[]string{"state answered", "txid b9a4c140518dd03e7790d2eff46c504e496a407471a9294be809d1b923c2e02f"},
	},
	"signMultipleMessages": {
		[]string{
			"signMultipleMessages sign texts with Bitcoin keys", "message 1 Hello from the terminal ✓ 23 bytes", "protocol not given",
			"message 2 Hello again ✓ 11 bytes", "protocol BIP322", "+ message",
		},
		[]string{"state signed", `"message": "Hello from the terminal"`, `"messageHash": "jU4UR3KbafewTQSuGg/zVOIubjieIoSwmUboBlmW1nc="`, `"protocol": "ECDSA"`},
	},
	"stx_deployContract": {
		[]string{
			"stx_deployContract deploy a contract", "name * counter ✓ SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.counter", "source * ;; Counts how often it was called.",
			"Clarity version not given", "post-conditions + post-condition", "sponsored not given",
		},
		[]string{"state pending: the next block takes it", "transaction 01ffa62da4753ec396cff2a3cb0f587aab1264f96a5731d27b47ff9d3c74d605"},
	},
	"stx_getAccounts": {
		[]string{"stx_getAccounts ask for the accounts", "network not given"},
		[]string{"state answered", `"address": "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"`, `"gaiaHubUrl": "https://hub.hiro.so"`},
	},
	"stx_getAddresses": {
		[]string{"stx_getAddresses ask for the addresses, Stacks style", "network not given"},
		[]string{"state answered", "address SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J", `"type": "p2wpkh"`},
	},
	"stx_signMessage": {
		[]string{"stx_signMessage sign a text", "message * Hello from the terminal ✓ 23 bytes", "signer not given", "public key not given"},
		[]string{"state signed", "signature d7cc83a0be633ef3e7172814fe1f8bff0203ea3e08c63131e6b0f77de14f3e987025168763ad7", `"publicKey": "03d5d038bce81b3965314dba54f636f093c7dbdd6617cded013a53474fbccb100c"`},
	},
	"stx_signTransaction": {
		[]string{"stx_signTransaction sign a prepared transaction", "transaction * 000000000104001859c6840c4dc8ab3a3d3…", "broadcast not given"},
		[]string{"state signed, not sent: the request wants no broadcast", "transaction 553c4d191258f5387d794f841ee0ad2b65838dd75530ebda68e2af868158e945"},
	},
	"stx_transferSip10Ft": {
		[]string{
			"stx_transferSip10Ft send a fungible token", "recipient * SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH ✓ account 1 of this wallet",
			"asset * SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda", "amount * 2500000",
		},
		[]string{"state pending: the next block takes it", "asset SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda", "recipient SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"},
	},
	"stx_transferSip9Nft": {
		[]string{
			"stx_transferSip9Nft send a non-fungible token", "recipient * SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH ✓ account 1 of this wallet",
			"asset * SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light", "id * u1 ✓ uint",
		},
		[]string{"state pending: the next block takes it", "asset SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light"},
	},
	"wallet_connect": {
		[]string{"wallet_connect connect, as sats-connect does", "kind 1 payment", "kind 2 stacks", "+ kind of address", "message to show your balances ✓ 21 bytes"},
		[]string{"state answered", `"walletType": "software"`, `"purpose": "payment", "addressType": "p2wpkh"`},
	},
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
	for _, f := range params.All() {
		if slices.Contains(alike, f.Method) {
			continue
		}
		styled := f.Method == "stx_transferStx" || f.Method == "stx_callContract"
		u.form(f.Method)
		words, plain := pages[f.Method]
		if !plain {
			u.golden("form-"+f.Method, small)
		}
		u.pane.SetSize(large[0], large[1])
		empty := u.frame()
		u.press("ctrl+x")
		switch {
		case plain:
			u.wantRows(words.form...)
		case u.frame() != empty: // a form without fields has no example
			u.golden("form-"+f.Method+"-example", large)
		}
		if styled {
			u.looks("form-" + f.Method)
		}
		u.press("ctrl+y")
		u.until("the result of "+f.Method, func() bool {
			return u.sees("Outcome") && !u.sees("Waiting") && !u.sees("requesting")
		})
		if plain {
			u.pane.SetSize(large[0], large[1])
			u.wantRows(words.result...)
		} else {
			u.golden("result-"+f.Method, large)
		}
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
