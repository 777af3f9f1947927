package service

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"chainscope/wallet/bridge"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// events returns what a page that listens hears, one "name data" each.
func (p page) events() <-chan string {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+"/.chainscope/events", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Origin", p.origin)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	heard := make(chan string, 64)
	listening := make(chan struct{})
	go func() {
		defer response.Body.Close()
		name := ""
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			line := lines.Text()
			switch {
			case line == ": listening":
				close(listening)
			case strings.HasPrefix(line, "event: "):
				name = strings.TrimPrefix(line, "event: ")
			case strings.HasPrefix(line, "data: "):
				heard <- name + " " + strings.TrimPrefix(line, "data: ")
			}
		}
	}()
	<-listening
	return heard
}

func TestPagesHearOfAnotherAccountAndNetwork(t *testing.T) {
	d := open(t, Options{})
	p := d.startBridge()
	if err := d.SetOrigin(p.origin, bridge.Allowed); err != nil {
		t.Fatal(err)
	}
	heard := p.events()
	hears := func(wanted ...string) {
		t.Helper()
		for _, want := range wanted {
			if got := <-heard; got != want {
				t.Errorf("heard %s, want %s", got, want)
			}
		}
	}
	account := func(account uint32, network string) string {
		n, _ := signer.NetworkNamed(network)
		entries, err := signer.Addresses(d.Keys().Ring, account, n)
		if err != nil {
			t.Fatal(err)
		}
		return `stx_accountChange {"accounts":[{"address":"` + entries[2].Address + `"}]}`
	}
	const accountChange = `accountChange {"type":"accountChange"}`
	network := func(bitcoin, stacks, name string) []string {
		return []string{
			`networkChange {"type":"networkChange","bitcoin":{"name":"` + bitcoin + `"},"stacks":{"name":"` + stacks + `"}}`,
			`stx_networkChange {"network":"` + name + `"}`,
		}
	}
	set := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	set(d.SetAccount(0)) // it is that already: nothing is to be heard
	set(d.SetAccount(2))
	hears(accountChange, account(2, "mainnet"))
	set(d.SetNetwork("mainnet"))
	set(d.SetNetwork("testnet"))
	hears(append(network("Testnet", "testnet", "testnet"), accountChange, account(2, "testnet"))...)

	// A page that has a network of its own hears of its account there.
	d.SetBehaviour(provider.PlayChainscope, provider.Approves)
	if r := <-p.call(t.Context(), "wallet_changeNetwork", `{"name":"Mainnet"}`); r.Error != nil {
		t.Fatal(r.Error)
	}
	hears(network("Mainnet", "mainnet", "")[0])
	if st := d.State(); st.Network != "testnet" {
		t.Errorf("the page has switched the wallet to %s", st.Network)
	}
	set(d.SetAccount(3))
	hears(accountChange, account(3, "mainnet"))
	// Until the wallet is switched.
	set(d.SetNetwork("signet"))
	hears(append(network("Signet", "testnet", "signet"), accountChange, account(3, "signet"))...)
	if r := <-p.call(t.Context(), "wallet_connect", `null`); r.Error != nil || !strings.Contains(string(r.Result), `"Signet"`) {
		t.Errorf("the page gets %s, %v", r.Result, r.Error)
	}
}

func TestTheNetworkOfThePaneIsThatOfTheWallet(t *testing.T) {
	d := open(t, Options{})
	d.SetBehaviour(provider.PlayChainscope, provider.Approves)
	for _, c := range []struct{ method, params, want string }{
		{"wallet_changeNetwork", `{"name":"Testnet4"}`, "testnet4"},
		{"wallet_connect", `{"network":"Regtest"}`, "regtest"},
	} {
		o := d.Request(t.Context(), Request{Method: c.method, Params: []byte(c.params), Options: plainWallet})
		if got := d.State().Network; o.Err != nil || got != c.want {
			t.Errorf("%s: %v, the wallet is on %s, want %s", c.method, o.Err, got, c.want)
		}
	}
}
