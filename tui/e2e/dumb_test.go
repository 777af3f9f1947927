//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// A terminal that cannot move its cursor gets a sentence and no sequence.
func TestADumbTerminalShowsTheCommandToUse(t *testing.T) {
	t.Parallel()
	s := openIn(t, []string{"TERM=dumb"}, 80, 24, "872114")
	s.ended(2)
	s.mu.Lock()
	raw := s.raw.String()
	s.mu.Unlock()
	if strings.Contains(raw, "\x1b") {
		t.Errorf("it got %q", raw)
	}
	if got := s.stderr.String(); !strings.Contains(got, "TERM=dumb") || !strings.Contains(got, "chainscope block 872114") {
		t.Errorf("it was told %q", got)
	}
}
