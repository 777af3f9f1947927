package service

import (
	"testing"
	"time"

	"chainscope/tui/state"
	"chainscope/wallet/signer"
)

// BenchmarkApproval measures what lies between a page's request and the question
// to the user, and the answer to it: the target is 30 ms with the screen.
func BenchmarkApproval(b *testing.B) {
	store, err := state.Open(state.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	d := open(b, Options{Store: store})
	const origin = "https://dapp.example"
	if err := d.StartBridge(BridgeOptions{Addr: "127.0.0.1:0", AllowOrigin: []string{origin}}); err != nil {
		b.Fatal(err)
	}
	p := page{b, d.State().Bridge.URL, origin}
	var waited time.Duration
	for b.Loop() {
		start := time.Now()
		out := p.call(b.Context(), "stx_transferStx", `{"recipient":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":"1","fee":"200","nonce":"0"}`)
		a := await[ApprovalNeeded](d)
		waited += time.Since(start)
		d.Decide(a.ID, signer.Decision{Approved: true})
		<-out
	}
	b.ReportMetric(float64(waited.Microseconds())/1000/float64(b.N), "waited-ms")
}
