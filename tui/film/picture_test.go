package film

import (
	"encoding/xml"
	"strings"
	"testing"
)

// Lines and bars have no gaps, whatever the font.
func TestBoxesAndBarsAreShapes(t *testing.T) {
	got := Picture("──╮\n▄█x", 3, 2, "", DarkTerminal)
	for _, want := range []string{
		`<path d="M14.0 47.0H30.8M35.0 56.0V`, // 9 below the top of the line, and a corner
		`M14.0 65.00h8.4v9.00h-8.4z`,          // the lower half of a cell
		`M22.4 56.00h8.4v18.00h-8.4z`,
		`>x</text>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestAFrameBecomesAPicture(t *testing.T) {
	got := Picture("\x1b[1;34mBlocks\x1b[m <3>\n\x1b[7m漢 row\x1b[m", 20, 2, "chainscope", DarkTerminal)
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
