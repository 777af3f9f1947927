package walletpane_test

import (
	"fmt"
	"net/http"
	"strings"
)

// mineOne makes the mock chain grow by a block.
func mineOne(base string) error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Post(base+"/mock/v1/mine", "application/json", strings.NewReader(`{"blocks":1}`))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("mine: %s", r.Status)
	}
	return nil
}
