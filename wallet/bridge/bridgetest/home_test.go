package bridgetest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"chainscope/wallet/bridge/bridgetest"
)

// What the script of a page does is tried in a browser, in wallet/bridge/browser.
func TestWhatWouldLeaveTheMachineFailsTheTestByName(t *testing.T) {
	s := &seen{TB: t}
	k := bridgetest.Start(s, bridgetest.Options{Mock: newMock(t, false), AllowHosts: []string{"fonts.example"}, Origins: []string{"https://dapp.example"}})
	send := func(path, origin string) (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, k.URL()+"/.chainscope/"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Origin", origin)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, strings.TrimSpace(string(text))
	}
	defer http.DefaultClient.CloseIdleConnections()
	script, err := k.Provider()
	if err != nil || !strings.Contains(script, `"allow":["fonts.example","dapp.example"]`) {
		t.Errorf("%v", err)
	}
	if err := k.Stub("https://prices.example/v1/*", map[string]int{"usd": 1}); err != nil {
		t.Fatal(err)
	}
	if err := k.Stub("https://prices.example/v1/stx?in=eur", map[string]int{"eur": 2}); err != nil {
		t.Fatal(err)
	}
	if err := k.Stub("prices", nil); err == nil || !strings.Contains(err.Error(), "such as https://") {
		t.Errorf("%v", err)
	}
	for _, c := range []struct {
		path, origin string
		status       int
		text         string
	}{
		{"away/https/prices.example/v1/stx?in=usd", "https://dapp.example", 200, `{"usd":1}`},
		{"away/https/prices.example/v1/stx?in=eur", "https://dapp.example", 200, `{"eur":2}`},
		{"away/https/prices.example/v2", "https://dapp.example", 403, "prices.example is not on this machine"},
		{"away/https/prices.example/v2/again", "https://dapp.example", 403, "prices.example is not on this machine"},
		{"away/https/", "https://dapp.example", 404, "no host is named"},
		{"away/https/prices.example/v1/stx", "null", 403, ""},
	} {
		if status, text := send(c.path, c.origin); status != c.status || c.text != "" && text != c.text {
			t.Errorf("%s: %d %q", c.path, status, text)
		}
	}
	if status, text := send("api/api.testnet.hiro.so/v2/info", "https://dapp.example"); status != 200 || !strings.Contains(text, `"network_id":2147483648`) {
		t.Errorf("the testnet host: %d %s", status, text)
	}
	for _, f := range s.cleanups {
		f()
	}
	want := "the wallet was not used as this test says\nhttps://dapp.example asks prices.example, which is not on this machine; it was stopped; answer it with Kit.Stub, or name its host in Options.AllowHosts"
	if len(s.failures) != 1 || s.failures[0] != want {
		t.Errorf("%q", s.failures)
	}
}
