package mockserver

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

const impersonatedHeader = "X-Mock-Impersonated"

// impersonate lets a server take what some addresses send without their signatures.
func impersonate(t *testing.T, s *Server, addresses ...string) {
	t.Helper()
	if w := send(s, "POST", "/mock/v1/impersonations", `{"addresses":["`+strings.Join(addresses, `","`)+`"]}`); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
}

// mustBeSigned requires that a transaction is refused for its signature.
func mustBeSigned(t *testing.T, s *Server, raw []byte) {
	t.Helper()
	if reason, data := refused(t, s, raw); reason != "SignatureValidation" {
		t.Errorf("it was refused for %s %s, not for its signature", reason, data)
	}
}

func TestAHolderIsImpersonatedWithAnyOrNoSignature(t *testing.T) {
	alice, bob := someone("alice"), someone("bob")
	draft := alice.testnetTx(0, 300, to(t, bob.address(false), 1_500_000))
	for name, raw := range map[string][]byte{
		"an empty signature":       encoded(t, draft),
		"the signature of another": bob.signed(t, alice.testnetTx(0, 300, to(t, bob.address(false), 1_500_000))),
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newServer(t, Config{})
			mustBeSigned(t, s, raw)
			impersonate(t, s, alice.address(true))
			mustBeSigned(t, s, raw) // the address of another network
			impersonate(t, s, alice.address(false))
			w := post(s, "/v2/transactions", "", raw)
			if w.Code != http.StatusOK || w.Header().Get(impersonatedHeader) != alice.address(false) {
				t.Fatalf("%d %s %v", w.Code, w.Body, w.Header())
			}
			mine(t, s, 1)
			if got := get(s, "/extended/v1/address/"+bob.address(false)+"/stx").Body.String(); !strings.Contains(got, `"balance":"1000001500000"`) {
				t.Errorf("it moved nothing: %s", got)
			}
		})
	}
}

func TestEveryAnswerWithAnImpersonatedTransactionNamesItsSender(t *testing.T) {
	alice, bob := someone("alice"), someone("bob")
	for _, release := range []string{"8", "9", "v3"} {
		s, _ := newServer(t, Config{APIVersion: release, Impersonate: []string{"all"}})
		id := accepted(t, s, encoded(t, alice.mainnetTx(0, 300, to(t, bob.address(true), 5))))
		signed := accepted(t, s, bob.signed(t, bob.mainnetTx(0, 300, to(t, alice.address(true), 5))))
		routes := []string{"/extended/v1/tx/mempool", "/extended/v1/tx/0x" + id, "/extended/v1/tx/0x" + id + "/raw"}
		if release == "v3" {
			routes = []string{"/extended/v3/mempool/transactions", "/extended/v3/transactions/0x" + id}
		}
		for _, route := range routes {
			w := get(s, route)
			if w.Code == http.StatusOK && w.Header().Get(impersonatedHeader) != alice.address(true) {
				t.Errorf("API %s, %s: %v", release, route, w.Header())
			}
		}
		mine(t, s, 1)
		routes = []string{"/extended/v1/tx", "/extended/v1/tx/0x" + id, "/extended/v1/tx/multiple?tx_id=0x" + id, "/extended/v1/address/" + bob.address(true) + "/transactions"}
		if release == "v3" {
			routes = []string{"/extended/v3/transactions", "/extended/v3/transactions/0x" + id, "/extended/v3/principals/" + bob.address(true) + "/transactions"}
		}
		for _, route := range routes {
			w := get(s, route)
			if w.Code != http.StatusOK || w.Header().Get(impersonatedHeader) != alice.address(true) {
				t.Errorf("API %s, %s: %d %v", release, route, w.Code, w.Header())
			}
		}
		for _, route := range []string{"/extended/v1/tx/0x" + signed, "/extended/v3/transactions/0x" + signed, "/extended/v1/info/network_block_times"} {
			if w := get(s, route); w.Header().Get(impersonatedHeader) != "" {
				t.Errorf("API %s, %s: %v", release, route, w.Header())
			}
		}
	}
}

func TestASponsorIsImpersonatedToo(t *testing.T) {
	alice, bob, carol := someone("alice"), someone("bob"), someone("carol")
	whole := func(origin, sponsor bool) []byte {
		tx := alice.mainnetTx(0, 0, to(t, bob.address(true), 5))
		tx.Auth.Type = stxtx.AuthSponsored
		c := carol.condition(0, 500)
		tx.Auth.Sponsor = &c
		if origin {
			if err := tx.SignOrigin(alice.sign); err != nil {
				t.Fatal(err)
			}
		}
		if sponsor {
			if err := tx.SignSponsor(carol.sign); err != nil {
				t.Fatal(err)
			}
		}
		return encoded(t, tx)
	}
	for _, c := range []struct {
		name            string
		origin, sponsor bool
		as, marked      string
	}{
		{"the sender signed", true, false, carol.address(true), carol.address(true)},
		{"nobody signed", false, false, `all`, alice.address(true) + ", " + carol.address(true)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := newServer(t, Config{})
			mustBeSigned(t, s, whole(c.origin, c.sponsor))
			impersonate(t, s, alice.address(true))
			mustBeSigned(t, s, whole(c.origin, c.sponsor))
			impersonate(t, s, c.as)
			if w := post(s, "/v2/transactions", "", whole(c.origin, c.sponsor)); w.Code != http.StatusOK || w.Header().Get(impersonatedHeader) != c.marked {
				t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
			}
		})
	}
}

func TestAnImpersonationEndsAndIsTakenBack(t *testing.T) {
	alice, bob, carol := someone("alice"), someone("bob"), someone("carol")
	from := func(p person, nonce uint64) []byte {
		return encoded(t, p.mainnetTx(nonce, 300, to(t, carol.address(true), 5)))
	}
	s, _ := newServer(t, Config{})
	send(s, "POST", "/mock/v1/snapshot", `{"name":"nobody"}`)
	impersonate(t, s, alice.address(true), bob.address(true))
	send(s, "POST", "/mock/v1/snapshot", `{"name":"both"}`)
	accepted(t, s, from(bob, 0))
	send(s, "DELETE", "/mock/v1/impersonations", `{"addresses":["`+alice.address(true)+`"]}`)
	mustBeSigned(t, s, from(alice, 0))
	accepted(t, s, from(bob, 1))
	send(s, "POST", "/mock/v1/revert", `{"to":"both"}`)
	accepted(t, s, from(alice, 0))
	send(s, "DELETE", "/mock/v1/impersonations", "")
	mustBeSigned(t, s, from(bob, 0))
	send(s, "POST", "/mock/v1/revert", `{"to":"nobody"}`)
	mustBeSigned(t, s, from(alice, 0))
	impersonate(t, s, "all")
	accepted(t, s, from(someone("dave"), 0))
	send(s, "POST", "/mock/v1/reset", "")
	mustBeSigned(t, s, from(alice, 0))
}

func TestAStateFileKeepsWhoIsImpersonated(t *testing.T) {
	alice, bob := someone("alice"), someone("bob")
	transfer := func(nonce uint64) []byte {
		return encoded(t, alice.mainnetTx(nonce, 300, to(t, bob.address(true), 5)))
	}
	frozen := newClock().at
	cfg := Config{State: filepath.Join(t.TempDir(), "state"), Freeze: &frozen, Impersonate: []string{"all"}}
	s, _ := newServer(t, cfg)
	id := accepted(t, s, transfer(0))
	impersonate(t, s, bob.address(true))

	cfg.Impersonate = nil
	later := restarted(t, cfg)
	if w := get(later, "/extended/v1/tx/0x"+id); w.Code != http.StatusOK || w.Header().Get(impersonatedHeader) != alice.address(true) {
		t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
	}
	if w := get(later, "/mock/v1/impersonations"); w.Body.String() != `{"addresses":["`+bob.address(true)+`"]}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	mustBeSigned(t, later, transfer(1))
	accepted(t, later, encoded(t, bob.mainnetTx(0, 300, to(t, alice.address(true), 5))))
}

func TestNobodyIsImpersonatedWhereThereIsNoMockChain(t *testing.T) {
	for name, cfg := range map[string]Config{
		"an upstream":       {Upstream: "https://api.example", Impersonate: []string{"all"}},
		"a tape":            {Replay: t.TempDir(), Impersonate: []string{"all"}},
		"what is no sender": {Impersonate: []string{"SP000000000000000000002Q6VF78.c"}},
	} {
		if _, err := New(cfg); err == nil || !strings.HasPrefix(err.Error(), "--impersonate: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
