package command

import (
	"testing"

	"chainscope/tui/command/cli"
)

func TestAPanicOfWhatIsAwaitedReachesItsCaller(t *testing.T) {
	defer func() {
		if p := recover(); p != "broken file" {
			t.Errorf("recovered %v", p)
		}
	}()
	_, _ = cli.Awaited(t.Context(), func() (int, error) { panic("broken file") })
}
