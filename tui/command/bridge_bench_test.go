package command

import (
	"slices"
	"testing"
	"time"
)

// BenchmarkBridge measures what a page waits for an answer that a script gives: a
// signed message, and a transfer that is signed, broadcast and mined. The target is
// a median of 0.5 and 3 ms.
func BenchmarkBridge(b *testing.B) {
	script := "- {expect: '*', answer: approve, times: any}\n"
	for name, c := range map[string]struct{ method, params string }{
		"message":  {"stx_signMessage", `{"message":"hello"}`},
		"transfer": {"stx_transferStx", `{"recipient":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":"1"}`},
	} {
		b.Run(name, func(b *testing.B) {
			s := serveBridge(b, "--script", write(b, "script.yaml", script))
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if e := s.call(dapp, c.method, c.params); e.Error != nil {
					b.Fatalf("%+v", e.Error)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
		})
	}
}
