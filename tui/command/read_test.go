package command

import "testing"

func TestAPanicOfWhatIsAwaitedReachesItsCaller(t *testing.T) {
	defer func() {
		if p := recover(); p != "broken file" {
			t.Errorf("recovered %v", p)
		}
	}()
	_, _ = awaited(t.Context(), func() (int, error) { panic("broken file") })
}
