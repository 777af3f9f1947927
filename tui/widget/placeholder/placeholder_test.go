package placeholder

import (
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// In a window that is too narrow for a line of hints it goes on below, between two of them: no
// hint is cut.
func TestALineOfHintsIsFoldedBetweenTwoOfThem(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	keys := keymap.Default()
	keys.Mock = true
	failed := &apiclient.Error{Kind: apiclient.Offline, Op: "blocks"}
	wide := Failure(th, keys, "", failed, time.Time{}, nil, time.Time{}, 200, 20)
	var whole []string
	for _, line := range wide {
		if strings.Contains(ansi.Strip(line), "try again") {
			whole = strings.Split(strings.TrimSpace(ansi.Strip(line)), hintsGap)
		}
	}
	if len(whole) != 3 {
		t.Fatalf("%d hints in %q", len(whole), wide)
	}
	for width := 22; width < 80; width++ {
		lines := Failure(th, keys, "", failed, time.Time{}, nil, time.Time{}, width, 20)
		text := ansi.Strip(strings.Join(lines, "\n"))
		for _, hint := range whole {
			if !strings.Contains(text, hint) {
				t.Errorf("%d columns cut %q:\n%s", width, hint, text)
			}
		}
		if len(lines) != 20 {
			t.Errorf("%d columns: %d lines", width, len(lines))
		}
	}
}

// The mock is offered where it can be had, and nowhere else.
func TestTheMockIsOfferedOnlyWhereItIs(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, is := range []bool{true, false} {
		keys := keymap.Default()
		keys.Mock = is
		for _, kind := range []apiclient.Kind{apiclient.Offline, apiclient.Timeout, apiclient.ServerFault} {
			shown := ansi.Strip(strings.Join(Failure(th, keys, "", &apiclient.Error{Kind: kind, Op: "blocks"}, time.Time{}, nil, time.Time{}, 100, 20), "\n"))
			if strings.Contains(shown, "the mock") != is {
				t.Errorf("with a mock %v:\n%s", is, shown)
			}
		}
	}
}

func TestHintsAreLeftOutWhole(t *testing.T) {
	for width, want := range map[int]string{40: "a one  b two three", 18: "a one  b two three", 17: "a one", 4: ""} {
		if got := Fit([]string{"", "a one", "b two three"}, "  ", width); got != want {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
}
