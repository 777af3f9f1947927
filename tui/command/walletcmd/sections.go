package walletcmd

import (
	"os"
	"strings"

	xterm "github.com/charmbracelet/x/term"

	"chainscope/tui/approval/words"
	"chainscope/tui/command/cli"
	"chainscope/tui/text"
)

// defaultWidth is the width of lines where there is no terminal, in cells.
const defaultWidth = 100

// sectionStyle describes how a description is printed.
type sectionStyle struct {
	bold  bool
	width int // cells
}

// widthOf returns the width of a terminal in cells.
func widthOf(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if w, _, err := xterm.GetSize(f.Fd()); err == nil && w > 0 {
			return w
		}
	}
	return defaultWidth
}

// writeSections prints a description as text, with a blank line before each
// section. Raw sections, which the others explain, are left out.
func writeSections(b *strings.Builder, sections []words.Section, style sectionStyle) {
	for _, s := range sections {
		if s.Raw {
			continue
		}
		b.WriteString("\n" + cli.Styled(style.bold, "1", s.Title) + "\n")
		writeRows(b, s.Rows, style)
		for _, line := range s.Lines {
			parts := text.Block(line, style.width-2)
			if len(parts) == 0 {
				parts = []string{""}
			}
			for _, part := range parts {
				b.WriteString(strings.TrimRight("| "+part, " ") + "\n")
			}
		}
	}
}

func writeRows(b *strings.Builder, rows []words.Row, style sectionStyle) {
	label := 0
	for _, r := range rows {
		label = max(label, text.Width(r.Label))
	}
	for _, r := range rows {
		lead, value := "  "+text.Pad(r.Label, label), r.Value
		if r.Warn {
			lead = cli.Styled(style.bold, "33", "! "+text.Pad(r.Label, label))
		}
		if r.Note != "" {
			value += " (" + r.Note + ")"
		}
		for _, part := range text.Block(value, max(20, style.width-label-4)) {
			b.WriteString(lead + "  " + part + "\n")
			lead = strings.Repeat(" ", label+2)
		}
	}
}
