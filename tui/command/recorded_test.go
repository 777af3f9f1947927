package command

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient/apitest"
)

// TestEveryCommandReadsARecordedServerAfterItsSunset asks what the real version 9 of the
// API answered when its deprecated routes were switched off.
func TestEveryCommandReadsARecordedServerAfterItsSunset(t *testing.T) {
	server := httptest.NewServer(apitest.NewSunset())
	t.Cleanup(server.Close)
	const (
		newest = "0x5705546ec6741f77957bb3e73bf795dcf120c0a869c1d408396e7e30a3b2f94f"
		burn   = "0x2fc249ce06878417ea55e6eaf04460ec73e22d045dfb4ac6847f2335f0d24bdc" // 134
	)
	for _, c := range []struct{ args, shows string }{
		{"blocks", newest},
		{"blocks --limit 2 --offset 40", "10"},
		{"blocks -o csv --fields height,tx_count --limit 1", "50,3"},
		{"blocks -o json --limit 3", `"index_block_hash":"0xf5be33abc4e508bdaf2191e88339372edcb3358c44e2a31e1b9b44f2880dde09"`},
		{"block 131", "38"},
		{"block " + burn, "46"},
		{"block 131 -o json", `"height":38`},
		{"burn-blocks latest", newest},
		{"burn-blocks 131", "37"},
		{"burn-blocks " + burn, "44"},
		{"ft " + apitest.SunsetContract, "HELLO"},
		{"nft " + apitest.SunsetContract + " 1", "hello-world"},
		{"names id", "zumminer_crux.id"},
		{"names id --page 1", "10x.id"},
		{"names id --all", "zumrai.id"},
	} {
		code, stdout, stderr := run(t, t.Context(), append(strings.Fields(c.args), "--api", server.URL)...)
		if code != 0 || !strings.Contains(strings.ReplaceAll(stdout, `": `, `":`), c.shows) || strings.Contains(stderr, "error") {
			t.Errorf("%s: exit %d\n%s%s", c.args, code, stdout, stderr)
		}
	}
	code, stdout, _ := run(t, t.Context(), "check", "--api", server.URL)
	if code != 1 || !strings.Contains(stdout, "gone") {
		t.Errorf("check: exit %d\n%s", code, stdout)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if code, stdout, stderr := run(t, ctx, "blocks", "--follow", "--limit", "2", "--api", server.URL); code != 130 || !strings.Contains(stdout, newest) {
		t.Errorf("blocks --follow: exit %d\n%s%s", code, stdout, stderr)
	}
}

// The versions of the mock are one chain: what a command prints is the same on each, but
// for the fields that a version does not have.
func TestEveryCommandPrintsTheSameOnEveryVersionOfTheMock(t *testing.T) {
	first := map[string]string{}
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		mock := serveMock(t, "--api-version", version, "--names", "250")
		for _, args := range []string{
			"blocks --limit 2 -o csv --fields height,hash",
			"blocks --limit 2 --offset 200 -o csv --fields height,hash",
			"block 840000 -o csv --fields height,hash",
			"burn-blocks latest -o csv --fields height,hash",
			"burn-blocks 839999 --limit 3 --offset 2 -o csv --fields height,hash",
			"ft SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full",
			"nft SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.nft 1",
			"names btc --all",
			"names btc --page 2",
		} {
			code, stdout, stderr := run(t, t.Context(), append(strings.Fields(args), "--api", mock.address)...)
			if code != 0 || stdout == "" || strings.Contains(stderr, "error") {
				t.Errorf("%s: %s: exit %d\n%s%s", version, args, code, stdout, stderr)
			}
			stdout = strings.ReplaceAll(stdout, mock.address, "") // in the addresses of pictures
			if first[args] == "" {
				first[args] = stdout
			} else if stdout != first[args] {
				t.Errorf("%s: %s prints\n%swant\n%s", version, args, stdout, first[args])
			}
		}
	}
}
