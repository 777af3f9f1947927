package overlay

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"

	"github.com/charmbracelet/x/ansi"
)

// Boxes of more lines than they have room for begin at the first, end at the last, and go back.
func TestLongBoxesScroll(t *testing.T) {
	var lines, fields []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("line%02d", i))
		fields = append(fields, fmt.Sprintf(`"line%02d":%d`, i, i))
	}
	th := uitest.Theme(t, "mono")
	raw := []byte("{" + strings.Join(fields, ",") + "}")
	for name, box := range map[string]Overlay{
		"output":  NewOutput(th, "program", strings.Join(lines, "\n")),
		"compare": NewCompare(th, Side{"a", raw}, Side{"b", []byte("{}")}),
	} {
		box.SetSize(80, 24)
		for _, step := range []struct{ key, has, lacks string }{
			{"", "line00", "line59"},
			{"j", "line01", "line00"},
			{"G", "line59", "line01"},
			{"j", "line59", "line01"},
			{"k", "line58", "line59"},
			{"g", "line00", "line59"},
			{"k", "line00", "line59"},
		} {
			if step.key != "" {
				box.Key(uitest.Key(step.key))
			}
			drawn := ansi.Strip(strings.Join(box.View(time.Time{}), "\n"))
			if !strings.Contains(drawn, step.has) || strings.Contains(drawn, step.lacks) {
				t.Errorf("%s after %q: want %s and not %s:\n%s", name, step.key, step.has, step.lacks, drawn)
			}
		}
	}
}
