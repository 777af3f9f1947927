package provider_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"chainscope/wallet"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// chain is a small mock chain: it takes transactions and keeps them pending.
type chain struct {
	*httptest.Server
	mu     sync.Mutex
	posts  []string
	ids    map[string]bool
	reject string // the body of a rejection
	mute   bool   // takes a transaction and does not answer
	plain  bool   // it is no mock: there is no catalogue
}

func newChain(t *testing.T) *chain {
	c := &chain{ids: map[string]bool{}}
	c.Server = httptest.NewServer(http.HandlerFunc(c.serve))
	t.Cleanup(c.Close)
	return c
}

// has reports whether a transaction was broadcast to the chain.
func (c *chain) has(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ids[id]
}

func (c *chain) serve(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path == "/mock/v1/catalog" && !c.plain:
		w.Header().Set("X-Mock-Seed", "1")
		fmt.Fprint(w, `{"seed":"1","tip":{"height":1,"burn_height":1},"ft":[],"nft":[],"namespaces":[],"heights":[]}`)
	case strings.HasPrefix(r.URL.Path, "/v2/accounts/"):
		fmt.Fprint(w, `{"balance":"0x1","locked":"0x0","nonce":5}`)
	case r.URL.Path == "/v2/fees/transfer":
		fmt.Fprint(w, `2`)
	case r.URL.Path == "/v2/fees/transaction":
		fmt.Fprint(w, `{"estimations":[{"fee":100},{"fee":200},{"fee":300}]}`)
	case strings.HasPrefix(r.URL.Path, "/extended/v1/tx/0x") && c.ids[strings.TrimPrefix(r.URL.Path, "/extended/v1/tx/0x")]:
		fmt.Fprint(w, `{"tx_status":"pending"}`)
	case r.URL.Path == "/v2/transactions":
		body, _ := io.ReadAll(r.Body)
		c.posts = append(c.posts, string(body))
		if c.mute {
			c.ids[stxtx.ID(body)] = true
			panic(http.ErrAbortHandler)
		}
		if c.reject != "" {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, c.reject)
			return
		}
		c.ids[stxtx.ID(body)] = true
		fmt.Fprintf(w, "%q", stxtx.ID(body))
	default:
		if r.Method != http.MethodGet {
			c.posts = append(c.posts, r.URL.Path)
		}
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":"not found"}`)
	}
}

// approves returns an approver that gives one answer to everything.
func approves(yes bool) signer.Approver {
	return signer.Approver(func(context.Context, signer.Description) (signer.Decision, error) {
		return signer.Decision{Approved: yes}, nil
	})
}

// signing returns an engine that signs with the test keys and sends to a chain.
func signing(t *testing.T, c *chain, b provider.Behaviour, reports *[]provider.Sent) *provider.Signing {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client, err := node.New(node.Options{BaseURL: c.URL, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	nonces := node.NewNonces(client)
	ring := keys.NewTestRing()
	return provider.NewSigning(provider.SigningOptions{
		Env: func(context.Context) signer.Env {
			return signer.Env{Keys: ring, Network: "testnet", Source: provider.ChainSource{Client: client, Nonces: nonces}}
		},
		Approver: approves(b == provider.Approves), Node: client, Nonces: nonces,
		Report: func(s provider.Sent) { *reports = append(*reports, s) },
	})
}

const rent = `{"recipient":"STC5KHM41H6WHAST7MWWDD807YSPRQKJ68T330BQ","amount":"1500000","memo":"rent"}`

func TestSignedTransactionsReachTheMockChainInOrder(t *testing.T) {
	c := newChain(t)
	var reports []provider.Sent
	mock := provider.NewMock(provider.PlayChainscope, signing(t, c, provider.Approves, &reports))
	l := wallet.New(wallet.Config{})
	for i := range 3 {
		raw, err := l.Request(t.Context(), wallet.Options{Provider: mock}, "stx_transferStx", json.RawMessage(rent))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ TxID, Transaction string }
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		tx, err := stxtx.DecodeHex(got.Transaction)
		if err != nil {
			t.Fatal(err)
		}
		if tx.Auth.Origin.Nonce != uint64(5+i) || tx.Auth.Origin.Fee != 200 {
			t.Errorf("transaction %d has nonce %d and fee %d", i, tx.Auth.Origin.Nonce, tx.Auth.Origin.Fee)
		}
		if reports[i].Err != nil || reports[i].TxID != got.TxID {
			t.Errorf("reported %+v", reports[i])
		}
	}
	if len(c.posts) != 3 {
		t.Errorf("%d transactions arrived", len(c.posts))
	}
	c.mu.Lock()
	clear(c.ids) // the mock was reset
	c.mu.Unlock()
	raw, err := l.Request(t.Context(), wallet.Options{Provider: mock}, "stx_transferStx", json.RawMessage(rent))
	if err != nil {
		t.Fatal(err)
	}
	if c.posts[3] != c.posts[0] {
		t.Errorf("after a reset the nonce is not that of the chain: %s", raw)
	}
}

func TestWhatIsNotSentIsStillTheResult(t *testing.T) {
	cases := map[string]struct {
		plain  bool
		method string
		params string
		reason string
	}{
		"no mock":                      {true, "stx_transferStx", rent, "is not a mock API"},
		"broadcast false":              {false, "stx_transferStx", strings.Replace(rent, "{", `{"broadcast":false,`, 1), "no broadcast"},
		"a sponsored transaction":      {false, "stx_transferStx", strings.Replace(rent, "{", `{"sponsored":true,`, 1), "sponsor"},
		"a message is no transaction":  {false, "stx_signMessage", `{"message":"x"}`, ""},
		"bitcoin is not sent anywhere": {false, "sendTransfer", `{"recipients":[{"address":"tb1qj5qhcl3snekxmmfggfawyetpfzhlkuz5wydl6q","amount":1000}]}`, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := newChain(t)
			c.plain = tc.plain
			var reports []provider.Sent
			result, err := signing(t, c, provider.Approves, &reports).Call(t.Context(), tc.method, json.RawMessage(tc.params))
			if err != nil || len(result) == 0 {
				t.Fatalf("%s, %v", result, err)
			}
			for _, post := range c.posts {
				t.Errorf("a POST arrived: %q", post)
			}
			if tc.reason == "" {
				if len(reports) != 0 {
					t.Errorf("reported %+v", reports)
				}
				return
			}
			var notSent *node.NotSentError
			if len(reports) != 1 || !errors.As(reports[0].Err, &notSent) || !strings.Contains(notSent.Reason, tc.reason) {
				t.Errorf("reported %+v", reports)
			}
		})
	}
}

// The chain has what it did not answer for: the call succeeds, and the next one has the next nonce.
func TestATransactionThatIsNotAnsweredIsNotCalledFailed(t *testing.T) {
	c := newChain(t)
	c.mute = true
	var reports []provider.Sent
	s := signing(t, c, provider.Approves, &reports)
	var nonces []uint64
	for range 2 {
		result, err := s.Call(t.Context(), "stx_transferStx", json.RawMessage(rent))
		var signed struct{ TxID, Transaction string }
		if err != nil || json.Unmarshal(result, &signed) != nil || !c.has(signed.TxID) {
			t.Fatalf("%s, %v", result, err)
		}
		raw, _ := hex.DecodeString(signed.Transaction)
		tx, err := stxtx.Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		nonces = append(nonces, tx.Auth.Origin.Nonce)
		last := reports[len(reports)-1]
		if want := "sent, no answer yet: tx " + signed.TxID; last.Err == nil || !strings.HasPrefix(last.Err.Error(), want) {
			t.Errorf("%v, want %s", last.Err, want)
		}
	}
	if nonces[1] != nonces[0]+1 {
		t.Errorf("the nonces %v", nonces)
	}
}

func TestARefusalOfTheMockChainIsAnErrorWithTheTransaction(t *testing.T) {
	for who, code := range map[provider.Personality]int{provider.PlayChainscope: jsonrpc.InternalError, provider.PlayLeather: jsonrpc.LeatherUnsupported} {
		t.Run(string(who), func(t *testing.T) {
			c := newChain(t)
			c.reject = `{"error":"transaction rejected","reason":"NotEnoughFunds","txid":"ab"}`
			var reports []provider.Sent
			mock := provider.NewMock(who, signing(t, c, provider.Approves, &reports))
			_, err := wallet.New(wallet.Config{}).Request(t.Context(), wallet.Options{Provider: mock}, "stx_transferStx", json.RawMessage(rent))
			var e *jsonrpc.Error
			var data struct{ Reason, TxID, Transaction string }
			if !errors.As(err, &e) || e.Code != code || json.Unmarshal(e.Data, &data) != nil || data.Reason != "NotEnoughFunds" || len(data.TxID) != 64 || data.Transaction == "" {
				t.Errorf("got %v, %+v", err, data)
			}
		})
	}
}

func TestARejectionSignsAndSendsNothing(t *testing.T) {
	c := newChain(t)
	var reports []provider.Sent
	_, err := signing(t, c, provider.Rejects, &reports).Call(t.Context(), "stx_transferStx", json.RawMessage(rent))
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Code != jsonrpc.UserRejection || len(reports)+len(c.posts) != 0 {
		t.Errorf("got %v, %+v, %d posts", err, reports, len(c.posts))
	}
}

func TestEveryPersonalityGivesItsRealAddresses(t *testing.T) {
	for _, who := range provider.Personalities() {
		t.Run(string(who), func(t *testing.T) {
			var reports []provider.Sent
			l := wallet.New(wallet.Config{})
			if _, err := l.Request(t.Context(), wallet.Options{Provider: provider.NewMock(who, signing(t, newChain(t), provider.Approves, &reports))}, "getAddresses", map[string]any{"network": "mainnet"}); err != nil {
				t.Fatal(err)
			}
			a := l.LocalStorage().Addresses
			if len(a.STX) != 1 || len(a.BTC) != 2 || a.STX[0].Address != "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J" || a.BTC[0].Address != "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu" {
				t.Errorf("got %+v", a)
			}
		})
	}
}
