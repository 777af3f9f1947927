package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// maxMemory bounds what the explorer ever holds, in MiB, whatever a server sends.
const maxMemory = 160

// peakMemory returns the most that a process ever held, in MiB.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	kilobytes, err := strconv.Atoi(strings.Fields(after(string(status), "VmHWM:"))[0])
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes >> 10
}

// Blocks of 3,000 transactions, and texts of nothing but marks and joiners, are
// scrolled and looked at from all sides.
func TestMemoryIsBoundedOnWideAndManyThings(t *testing.T) {
	t.Parallel()
	many := make([]any, 3000)
	for i := range many {
		many[i] = fmt.Sprintf("0x%064x", i)
	}
	for name, body := range map[string]func([]byte) []byte{
		"many transactions": func(b []byte) []byte {
			return changeJSON(b, func(v any) any {
				if object, ok := v.(map[string]any); ok && object["txs"] != nil {
					object["txs"] = many
				}
				return v
			})
		},
		"marks":   everyString(hostileTexts["marks"]),
		"joiners": everyString(hostileTexts["wide"]),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mock := serve(t, "127.0.0.1:0", "--freeze", "2026-01-01T00:00:00Z", "--names", "500")
			h := newHostileServer(t, mock)
			s := open(t, 200, 60, "--api", h.URL, "--timeout", "5s")
			s.shows("1,000,000")
			h.poison.Store(&poison{name: name, body: body})
			for _, keys := range []string{"0r", "1r", "2r", "3r", "4r", "1r"} {
				before := h.asked.Load()
				s.press(keys)
				for end := time.Now().Add(time.Second); h.asked.Load() == before && time.Now().Before(end); {
					time.Sleep(time.Millisecond)
				}
				s.press(strings.Repeat("j", 40) + "J" + strings.Repeat("\x04", 20))
				s.escape()
			}
			peak := peakMemory(t, s.cmd.Process.Pid)
			t.Logf("%d MiB", peak)
			if peak > maxMemory {
				t.Errorf("it held %d MiB, more than %d", peak, maxMemory)
			}
			s.press("\x03")
			s.ended(0)
		})
	}
}
