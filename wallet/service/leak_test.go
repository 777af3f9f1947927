package service

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func FuzzALineOfTheTimelineIsReadAsItWasWritten(f *testing.F) {
	f.Add([]byte(`{"id":1,"time":"2026-05-01T10:00:00Z","from":"pane","kind":"request","method":"getAddresses","account":0,"network":"mainnet","duration_ms":1.5}`))
	f.Add([]byte(`{"id":2,"from":"page","origin":"https://a.example","kind":"page","error":{"code":-32000,"message":"no"},"cut":["params"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var c Call
		if json.Unmarshal(text, &c) != nil {
			return
		}
		written, err := json.Marshal(c)
		if err != nil {
			return // a time beyond what JSON writes
		}
		var again Call
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		twice, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(written), string(twice)); diff != "" {
			t.Error(diff)
		}
	})
}
