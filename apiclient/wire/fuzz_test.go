package wire

import (
	"testing"
	"time"
)

func FuzzRetryAfter(f *testing.F) {
	f.Add("2")
	f.Add("Thu, 01 Jan 2026 00:00:03 GMT")
	f.Add("1e999")
	f.Add("NaN")
	f.Add("0x1p-2")
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		if d := RetryAfter(s, now); d < 0 || d > MaxRetryAfter {
			t.Errorf("%q is a wait of %s", s, d)
		}
	})
}

func FuzzBaseURL(f *testing.F) {
	f.Add("https://api.hiro.so")
	f.Add("http://me:secretpassword@host")
	f.Add("http://[::1]:80/x")
	f.Fuzz(func(t *testing.T, s string) {
		u, err := ParseBase(s)
		if err != nil {
			if len(err.Error()) > 600 {
				t.Errorf("the error of %d bytes is %d long", len(s), len(err.Error()))
			}
			return
		}
		if u.Hostname() == "" || u.User != nil || u.RawQuery != "" || origin(u) == "" {
			t.Errorf("%q became %v", s, u)
		}
	})
}
