package command

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"chainscope/tui/film"
	"chainscope/tui/internal/uitest"
)

// charted are the rows of docs/performance.md that its picture shows: those that say most
// to the user, and two in which the peer is better.
var charted = []struct {
	row  string // how the row begins
	says string
	peer string
}{
	{"T1 | first frame", "the first frame after the start", "plain bubbletea"},
	{"T3 | a key in the block list, detail beside it, going down a long list", "a key in a long list of blocks, to the last byte", "plain bubbletea"},
	{"T3 | a key in the block list beside tig", "a key in a list, beside a program in C", "tig"},
	{"T6 | resident memory, explorer with its mock", "memory of the explorer with its mock", "plain bubbletea"},
	{"S1 | a letter over 500,000 names, key to screen, p50", "a letter typed into the search of 500,000 names", "fzf"},
	{"S3 | memory of the whole program, 500,000 names", "memory with those names", "fzf"},
	{"M4 ready", "the mock, from its start to the first answer", "prism"},
	{"M1 prism", "pages of 30 blocks a second from the mock: more is better", "prism"},
	{"G1 | signed STX transfer", "a signed transfer", "stacks.js"},
}

// figure is the first number of a cell and its unit.
var figure = regexp.MustCompile(`^([\d.]+)(?: / [\d.]+)? ?(/s|[mµ]s|MiB)`)

// The picture of performance.md is made of its table.
func TestThePictureShowsTheFigures(t *testing.T) {
	page, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	const widest = 56
	p := &session{}
	for _, c := range charted {
		_, row, found := strings.Cut(string(page), "\n| "+c.row)
		row, _, _ = strings.Cut(row, "\n")
		cells := strings.Split(row, " | ")
		if !found || len(cells) < 6 {
			t.Fatalf("docs/performance.md has no row that begins with %q", c.row)
		}
		at := len(cells) - 5 // chainscope, peer, reference, ratio, met
		ours, theirs := measured(t, cells[at]), measured(t, cells[at+1])
		most := max(ours.n, theirs.n)
		p.says("\x1b[1m" + c.says + "\x1b[m")
		for _, b := range []struct {
			name, color string
			of          quantity
		}{{"chainscope", "34", ours}, {c.peer, "90", theirs}} {
			p.says(fmt.Sprintf("  %-16s \x1b[%sm%s\x1b[m %s", b.name, b.color, bar(b.of.n/most*widest), b.of.text))
		}
	}
	frame := strings.TrimRight(p.String(), "\n")
	uitest.Document(t, "../../docs/performance.svg", func(string) string {
		return film.Picture(frame, 96, strings.Count(frame, "\n")+1, "chainscope beside other programs: shorter is better", film.DarkTerminal)
	})
}

// quantity is a number with its unit.
type quantity struct {
	n    float64
	text string
}

func measured(t *testing.T, cell string) quantity {
	t.Helper()
	m := figure.FindStringSubmatch(cell)
	if m == nil {
		t.Fatalf("no figure in %q", cell)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return quantity{n, m[1] + strings.Replace(" "+m[2], " /s", " a second", 1)}
}

// bar returns a bar of so many cells, at least an eighth of one.
func bar(cells float64) string {
	eighths := max(int(cells*8+0.5), 1)
	return strings.Repeat("█", eighths/8) + []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}[eighths%8]
}
