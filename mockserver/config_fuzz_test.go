package mockserver

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/fault"
)

// FuzzConfig makes a server of anything that flags can say: it answers, or the
// error names a flag. It never opens what a fuzzer names.
func FuzzConfig(f *testing.F) {
	f.Add(uint64(1), int64(10*time.Second), int64(10*time.Minute), 250_000, "healthy", int64(0), "status=503,rate=0.1,path=/v1/*", int64(1_767_225_600), "")
	f.Add(uint64(0), int64(0), int64(0), 0, "", int64(0), "", int64(0), "http://a")
	f.Add(uint64(0), int64(-1), int64(1), -1, "nope", int64(-1), "x", int64(-1<<62), "ftp://u:p@h?k#f")
	f.Fuzz(func(t *testing.T, seed uint64, block, burn int64, names int, scenario string, latency int64, rule string, freeze int64, upstream string) {
		at := time.Unix(freeze, 0)
		c := newClock()
		cfg := Config{
			Seed: seed, BlockInterval: time.Duration(block), BurnInterval: time.Duration(burn), Names: names, Scenario: scenario,
			Latency: time.Duration(latency), Freeze: &at, Upstream: upstream, Now: c.Now, Sleep: c.Sleep,
		}
		if r, err := fault.ParseRule(rule); err == nil {
			cfg.Faults = []fault.Rule{r}
		}
		s, err := New(cfg)
		var bad *ConfigError
		switch {
		case errors.As(err, &bad):
			if !strings.HasPrefix(bad.Flag, "--") || bad.Reason == "" {
				t.Errorf("%+v", bad)
			}
		case err != nil:
			t.Errorf("%v names no flag", err)
		default:
			defer s.Close()
			if w := get(s, "/mock/v1/catalog"); w.Code != http.StatusOK {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
	})
}
