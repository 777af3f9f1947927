package walletpane_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
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
