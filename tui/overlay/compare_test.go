package overlay

import (
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"

	"github.com/charmbracelet/x/ansi"
)

func TestTwoThingsSideBySide(t *testing.T) {
	a := Side{"Block 7", []byte(`{"height":7,"hash":"0xaa","long":"` + strings.Repeat("x", 50) + `","txs":["0x1"],"same":true,"cost":{"runtime":340282366920938463463374607431768211455}}`)}
	b := Side{"Block 9", []byte(`{"height":9,"hash":"0xbb","same":true,"cost":{"runtime":1},"late":null,"evil":"\u001b[31m"}`)}
	for _, size := range [][2]int{{120, 24}, {40, 30}} {
		c := NewCompare(uitest.Theme(t, "dark"), a, b)
		c.SetSize(size[0], size[1])
		plain := func() string { return ansi.Strip(strings.Join(c.View(time.Time{}), "\n")) }
		for _, want := range []string{"Block 7", "Block 9", "0xaa", "0xbb", "txs.0", "late", "null", "7 of 8 fields differ", `\x1b[31m`} {
			if !strings.Contains(plain(), want) {
				t.Errorf("%v: no %q:\n%s", size, want, plain())
			}
		}
		if size[0] == 120 && (!strings.Contains(plain(), "+2") || !strings.Contains(plain(), "-3402823669")) {
			t.Errorf("no change:\n%s", plain())
		}
		if size[0] == 120 && strings.Contains(plain(), "x!") {
			t.Errorf("a value touches the mark of what differs:\n%s", plain())
		}
		c.Key(uitest.Key("d"))
		if strings.Contains(plain(), "same") {
			t.Errorf("what is the same is still there:\n%s", plain())
		}
		for _, line := range c.View(time.Time{}) {
			if w := ansi.StringWidth(line); w > size[0] {
				t.Errorf("%d wide in a window of %d", w, size[0])
			}
		}
	}
}

func TestBrokenJSONIsNoReasonToFail(t *testing.T) {
	for _, raw := range []string{"", "{", `{"a":`, "[1,2", "null", strings.Repeat("[", 5000)} {
		c := NewCompare(uitest.Theme(t, "mono"), Side{"a", []byte(raw)}, Side{"b", []byte(`{"a":1}`)})
		c.SetSize(80, 24)
		c.View(time.Time{})
		c.Key(uitest.Key("G"))
	}
}
