package measure

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// BenchmarkT11PushedBlock mines blocks on a mock server and watches the terminal of an
// explorer to which they are pushed: from before the request that mines one to the last
// byte of the frame that has its height.
func BenchmarkT11PushedBlock(b *testing.B) {
	url := served(b, "--freeze", "2026-01-01T00:00:00Z")
	s := start(b, ours(b, "--api", url))
	s.until("1,000,000")
	s.write("1")
	s.settle(1500 * time.Millisecond) // the channel is open, and no key came for a while
	var times []float64
	for i := range 40 {
		since := time.Now()
		resp, err := http.Post(url+"/mock/v1/mine", "application/json", strings.NewReader(`{"blocks":1}`))
		if err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
		f := s.collect(since, quiet, patience)
		if height := fmt.Sprintf("1,000,%03d", i+1); !strings.Contains(s.screen(), height) {
			b.Fatalf("block %s is not on the screen:\n%s", height, s.screen())
		}
		times = append(times, ms(f.last))
	}
	s.kill()
	mid, worst := quantile(times, 0.5), quantile(times, 1)
	report(b, figure{
		ID: "T11", What: "a block that is pushed, from mining it to the screen, p50 / longest of 40", Goal: "≤ 100 ms, always",
		Ours: fmt.Sprintf("%.1f / %.1f ms", mid, worst), Ratio: ratio(worst / 100), Met: worst <= 100,
	})
}
