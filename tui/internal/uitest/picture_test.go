package uitest

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestAFrameBecomesAPicture(t *testing.T) {
	got := SVG("\x1b[1;34mBlocks\x1b[m <3>\n\x1b[7m漢 row\x1b[m", 20, 2, "chainscope", DarkTerminal)
	for _, want := range []string{
		`fill="#6cb2f7" font-weight="bold">Blocks</text>`,
		`&lt;3&gt;</text>`,
		`fill="#d7dae0"/>`,
		`textLength="50.4" fill="#14171f">漢 row</text>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Error(err)
	}
}
