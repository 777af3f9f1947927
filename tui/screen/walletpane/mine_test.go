package walletpane_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/service"
)

// mineOne makes the mock chain grow by a block.
func mineOne(base string) error { return post(base+"/mock/v1/mine", `{"blocks":1}`) }

// post tells the mock to do something.
func post(route, body string) error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Post(route, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", route, r.Status)
	}
	return nil
}

// The page of a call follows its transaction without a block: it is looked at often, and a drop is shown.
func TestAnOpenCallShowsThatItsTransactionWasDropped(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.transfer()
	u.until("the mempool", func() bool { return u.sees("pending") })
	if !u.pane.Status().Restless {
		t.Error("it is looked at with each block only")
	}
	if err := post(u.base+"/mock/v1/mempool", `{"drop":"`+u.wallet.Timeline()[0].TxID+`","reason":"too_expensive"}`); err != nil {
		t.Fatal(err)
	}
	u.do(u.pane.Live())
	u.until("the drop", func() bool { return u.sees("sent, then dropped") && !u.sees("pending") })
}

// Nothing of the persona "empty" outlives it: the mock takes nothing from the accounts of the user,
// before, while or after it is in force, whichever account is chosen meanwhile.
func TestTheEmptyPersonaLeavesNoDamage(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	balance := func(account uint32) string {
		t.Helper()
		entries, err := u.wallet.Addresses(account, "mainnet")
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.Get(u.base + "/v2/accounts/" + entries[len(entries)-1].Address + "?proof=0") //nolint:noctx // a test
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		var a struct{ Balance string }
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Fatal(err)
		}
		return strings.TrimLeft(strings.TrimPrefix(a.Balance, "0x"), "0")
	}
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	before := []string{balance(0), balance(3)}
	unchanged := func(when string) {
		t.Helper()
		if now := []string{balance(0), balance(3)}; !slices.Equal(now, before) || before[0] == "" {
			t.Errorf("%s the accounts have %q, before %q", when, now, before)
		}
	}
	if err := u.wallet.SetPersona(t.Context(), service.Empty); err != nil {
		t.Fatal(err)
	}
	if got := balance(1_000_000); got != "" {
		t.Errorf("the account of the persona has %s", got)
	}
	unchanged("with the persona")
	if err := u.wallet.SetAccount(3); err != nil {
		t.Fatal(err)
	}
	unchanged("with the persona and another account")
	if err := u.wallet.SetPersona(t.Context(), service.Rich); err != nil {
		t.Fatal(err)
	}
	unchanged("after the persona")
}
