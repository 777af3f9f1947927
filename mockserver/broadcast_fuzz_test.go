package mockserver

import (
	"encoding/hex"
	"encoding/json"
	"testing"
	"time"
)

func FuzzWhatIsPostedToANode(f *testing.F) {
	alice := someone("alice")
	raw := alice.signed(f, alice.mainnetTx(0, 300, to(f, someone("bob").address(true), 1)))
	digits := hex.EncodeToString(raw)
	f.Add("/v2/transactions", "application/octet-stream", string(raw))
	f.Add("/v2/transactions", "application/json", `{"tx":"`+digits+`","attachment":"00"}`)
	f.Add("/v2/transactions", "", `{"tx":null}`)
	f.Add("/v2/fees/transaction", "application/json", `{"transaction_payload":"`+digits[2*115:]+`","estimated_len":180}`)
	f.Add("/v2/fees/transaction", "application/json", `{"transaction_payload":"00"}`)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, path, contentType, body string) {
		if path != "/v2/fees/transaction" {
			path = "/v2/transactions"
		}
		s, err := New(Config{Freeze: &at, Names: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		w := post(s, path, contentType, []byte(body))
		if w.Code != 200 && w.Code != 400 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func BenchmarkBroadcast(b *testing.B) {
	s, err := New(Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	alice := someone("alice")
	nonce := uint64(0)
	for b.Loop() {
		b.StopTimer()
		raw := alice.signed(b, alice.mainnetTx(nonce, 300, to(b, someone("bob").address(true), 1)))
		if nonce++; nonce%20 == 0 {
			if _, err := s.world.Mine(1); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		if w := broadcastRaw(s, raw); w.Code != 200 {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}
