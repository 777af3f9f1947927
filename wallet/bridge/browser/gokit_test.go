//go:build browser

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chainscope/mockserver"
	"chainscope/wallet/bridge/bridgetest"
)

func TestTheKitForGoKeepsAPageOnThisMachine(t *testing.T) {
	w := setUp(t)
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Automine: true})
	if err != nil {
		t.Fatal(err)
	}
	k, err := bridgetest.New(bridgetest.Options{Mock: mock, AllowHosts: []string{"allowed.invalid"}})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if err := k.Stub("https://prices.invalid/*", map[string]int{"usd": 2}); err != nil {
		t.Fatal(err)
	}
	script, err := k.Provider()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "provider.js")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = `{"mainnet":1,"testnet":2147483648,"stub":{"usd":2},"fetched":403,"posted":403,"allowed":"left","pushed":7,"socket":"closed"}`
	if got := strings.TrimSpace(string(w.run(w.js(), "node", "go-kit.mjs", chromium(t), file))); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	reported := ""
	if err := k.Verdict(); err != nil {
		reported = err.Error()
	}
	for _, host := range []string{"fetched.invalid", "posted.invalid", "socket.invalid"} {
		if strings.Count(reported, "asks "+host+", which is not on this machine; it was stopped") != 1 {
			t.Errorf("%s is not named once: %s", host, reported)
		}
	}
	for _, host := range []string{"allowed.invalid", "prices.invalid", "hiro.so"} {
		if strings.Contains(reported, host) {
			t.Errorf("%s is named: %s", host, reported)
		}
	}
}
