package term

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// glyph is one character of a random frame, with what is known of it: the
// drawing that frames are compared with needs no parser.
type glyph struct {
	text  string
	width int
	style string
}

type picture [][]glyph

// view returns the picture as a model would write it.
func (p picture) view() string {
	var b strings.Builder
	for y, line := range p {
		if y > 0 {
			b.WriteByte('\n')
		}
		style := ""
		for _, g := range line {
			if g.style != style {
				b.WriteString("\x1b[m" + g.style)
				style = g.style
			}
			b.WriteString(g.text)
		}
		if style != "" {
			b.WriteString("\x1b[m")
		}
	}
	return b.String()
}

// drawn returns the picture drawn from nothing, each character put to its place.
func (p picture) drawn(w, h int) *vt.Emulator {
	e := emulator(w, h)
	fmt.Fprint(e, "\x1b[?7l")
	for y, line := range p[:min(h, len(p))] {
		x := 0
		for _, g := range line {
			if x+g.width > w {
				for ; x < w; x++ {
					fmt.Fprintf(e, "\x1b[%d;%dH\x1b[m%s ", y+1, x+1, g.style)
				}
				break
			}
			fmt.Fprintf(e, "\x1b[%d;%dH\x1b[m%s%s", y+1, x+1, g.style, g.text)
			x += g.width
		}
	}
	return e
}

func emulator(w, h int) *vt.Emulator {
	e := vt.NewEmulator(w, h)
	go func() { _, _ = io.Copy(io.Discard, e) }()
	return e
}

// differences lists the cells in which two emulators differ.
func differences(got, want *vt.Emulator) (diffs []string) {
	for y := range want.Height() {
		for x := range want.Width() {
			g, w := got.CellAt(x, y), want.CellAt(x, y)
			if gs, ws := fmt.Sprintf("%q %+v", g.Content, g.Style), fmt.Sprintf("%q %+v", w.Content, w.Style); gs != ws {
				diffs = append(diffs, fmt.Sprintf("(%d,%d): got %s, want %s", x, y, gs, ws))
			}
		}
	}
	return diffs
}

var alphabets = map[string][]string{
	"ascii":     strings.Split("abcdefghijklmnopqrstuvwxyz0123456789 .,:;()[]-/", ""),
	"wide":      strings.Split("abc 你好世界─│┌┐█░₿…", ""),
	"emoji":     {"a", " ", "😀", "⚡", "🚀", "👩🏽", "🇨🇭", "👨\u200d👩\u200d👧", "b"},
	"combining": {"é", "ю", "ю\u0301", "你\u0301", "ש\u05b0", " ", "z"},
}

var styles = []string{"", "", "", "\x1b[1m", "\x1b[31m", "\x1b[7m", "\x1b[38;5;200m", "\x1b[1;4;38;2;10;20;30;48;5;17m", "\x1b[38:2::1:2:3m", "\x1b[4:3m"}

func randomLine(r *rand.Rand, alphabet []string, w int) []glyph {
	var line []glyph
	style := styles[r.IntN(len(styles))]
	// Some lines are short, some longer than the window.
	for n := r.IntN(w + w/4 + 2); n > 0; n-- {
		if r.IntN(7) == 0 {
			style = styles[r.IntN(len(styles))]
		}
		if r.IntN(20) == 0 {
			for range r.IntN(3 * minBlanks) {
				line = append(line, glyph{" ", 1, ""})
			}
		}
		text := alphabet[r.IntN(len(alphabet))]
		line = append(line, glyph{text, ansi.StringWidth(text), style})
	}
	return line
}

// next changes a picture as programs do: a few cells, one line, a block that
// scrolls, everything.
func (p picture) next(r *rand.Rand, alphabet []string, w, h int) picture {
	q := append(picture(nil), p...)
	for len(q) < h {
		q = append(q, randomLine(r, alphabet, w))
	}
	switch r.IntN(6) {
	case 0:
		for y := range q {
			q[y] = randomLine(r, alphabet, w)
		}
	case 1, 2:
		top := r.IntN(len(q))
		block := q[top : top+r.IntN(len(q)-top)+1]
		by := 1 + r.IntN(len(block))
		if r.IntN(2) == 0 {
			q = append(append(append(append(picture(nil), q[:top]...), block[by:]...), randomLines(r, alphabet, w, by)...), q[top+len(block):]...)
		} else {
			q = append(append(append(append(picture(nil), q[:top]...), randomLines(r, alphabet, w, by)...), block[:len(block)-by]...), q[top+len(block):]...)
		}
	case 3:
		q = q[:1+r.IntN(len(q))]
	default:
		for range 1 + r.IntN(3) {
			y := r.IntN(len(q))
			line := append([]glyph(nil), q[y]...)
			if len(line) == 0 {
				line = randomLine(r, alphabet, w)
			}
			for range 1 + r.IntN(3) {
				if len(line) > 0 {
					text := alphabet[r.IntN(len(alphabet))]
					line[r.IntN(len(line))] = glyph{text, ansi.StringWidth(text), styles[r.IntN(len(styles))]}
				}
			}
			q[y] = line
		}
	}
	return q
}

func randomLines(r *rand.Rand, alphabet []string, w, n int) (lines picture) {
	for range n {
		lines = append(lines, randomLine(r, alphabet, w))
	}
	return lines
}

// Random frames, scrolled, edited and resized, must look on an emulator like
// the same frame drawn from nothing.
func TestFramesLookAsIfDrawnFromNothing(t *testing.T) {
	if testing.Short() { // with the race detector
		t.Skip("nothing runs beside it")
	}
	seeds := uint64(1)
	if os.Getenv("CHAINSCOPE_LONG") != "" {
		seeds = 6
	}
	for name, alphabet := range alphabets {
		t.Run(name, func(t *testing.T) {
			for seed := range seeds {
				r := rand.New(rand.NewPCG(seed, 7))
				w, h := 40, 12
				e := emulator(w, h)
				p := newPainter(true, newPens(false))
				var pic picture
				for frame := range 60 {
					if r.IntN(15) == 0 {
						w, h = 1+r.IntN(60), 1+r.IntN(20)
						e.Resize(w, h)
					}
					pic = pic.next(r, alphabet, w, h)
					_, _ = e.Write(p.paint(pic.view(), w, h))
					if d := differences(e, pic.drawn(w, h)); len(d) > 0 {
						t.Fatalf("seed %d, frame %d, %dx%d: %d cells differ, first %s", seed, frame, w, h, len(d), d[0])
					}
					if b := p.paint(pic.view(), w, h); len(b) != 0 {
						t.Fatalf("the same frame again wrote %q", b)
					}
				}
			}
		})
	}
}

func TestAFrameIsNeverLargerThanTheWindow(t *testing.T) {
	p := newPainter(false, newPens(false))
	big := strings.TrimSuffix(strings.Repeat(strings.Repeat("你x", 50)+"\n", 30), "\n")
	for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 5}, {3, 3}, {80, 24}, {200, 60}} {
		w, h := size[0], size[1]
		e := emulator(w+5, h+5)
		_, _ = e.Write(p.paint(big, w, h))
		for y := range h + 5 {
			for x := range w + 5 {
				if c := e.CellAt(x, y); (x >= w || y >= h) && strings.TrimSpace(c.Content) != "" {
					t.Errorf("%dx%d: cell %d,%d has %q", w, h, x, y, c.Content)
				}
			}
		}
	}
}

func TestPaintLetsOnlyTextAndStylesThrough(t *testing.T) {
	p := newPainter(false, newPens(false))
	out := string(p.paint("a\x1b]0;title\x07\x1b]52;c;aGk=\x07\x1b[2Jb\x1bPx\x1b\\\u009b31mc\x07\x1b[5;5Hd\x1b_apc\x1b\\\xff\u202ee", 30, 1))
	for _, bad := range []string{"title", "52;", "apc", "\x07", "\u009b", "5;5H", "\u202e", "\xff"} {
		if strings.Contains(strings.TrimPrefix(out, "\x1b[m\x1b[r\x1b[H\x1b[2J"), bad) {
			t.Errorf("%q is in %q", bad, out)
		}
	}
	e := emulator(30, 1)
	_, _ = e.Write([]byte(out))
	if got := strings.TrimSpace(e.String()); got != "ab31mcd\ufffde" {
		t.Errorf("shown: %q", got)
	}
}

func TestPaintWithoutColoursKeepsAttributes(t *testing.T) {
	view := "\x1b[1;31;48;2;1;2;3mx\x1b[m"
	if got := string(newPainter(false, newPens(true)).paint(view, 3, 1)); !strings.HasSuffix(got, "\x1b[1mx\x1b[m") {
		t.Errorf("no colour: %q", got)
	}
}

func TestLinksAreKeptOnlyToTheWeb(t *testing.T) {
	out := string(newPainter(false, newPens(false)).paint(
		"\x1b]8;;https://example.com/x\x1b\\a\x1b]8;;\x1b\\ \x1b]8;;file:///etc/passwd\x1b\\b\x1b]8;;\x1b\\", 9, 1))
	if !strings.Contains(out, "\x1b]8;;https://example.com/x\x1b\\a\x1b]8;;\x1b\\") || strings.Contains(out, "passwd") {
		t.Errorf("%q", out)
	}
}

// listFrame returns a list like the explorer's, with a cursor.
func listFrame(first, cursor, w, h int) string {
	var b strings.Builder
	for y := range h {
		if y > 0 {
			b.WriteByte('\n')
		}
		n := first + y
		line := fmt.Sprintf(" %9d  0x%016x…%04x  %8d  %4d  %3d%%  %ds", 184203-n, uint64(n)*0x9e3779b97f4a7c15, n*7919&0xffff, 872114-n/12, n%40, n%100, n*9)
		line += strings.Repeat(" ", max(0, w-ansi.StringWidth(line)))
		if n == cursor {
			b.WriteString("\x1b[7m" + line + "\x1b[m")
		} else {
			b.WriteString(line[:11] + "\x1b[36m" + line[11:] + "\x1b[m")
		}
	}
	return b.String()
}

func TestFramesAreSmall(t *testing.T) {
	tests := []struct {
		name     string
		from, to string
		most     int
	}{
		{"moving the cursor sends two lines", listFrame(0, 5, 120, 40), listFrame(0, 6, 120, 40), 400},
		{"scrolling by one moves the lines", listFrame(0, 39, 120, 40), listFrame(1, 40, 120, 40), 450},
		{"scrolling back moves the lines", listFrame(9, 9, 120, 40), listFrame(8, 8, 120, 40), 450},
		{"a page is at most a screen", listFrame(0, 0, 120, 40), listFrame(39, 39, 120, 40), 5441},
		{"nothing new is nothing sent", listFrame(0, 5, 120, 40), listFrame(0, 5, 120, 40), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPainter(true, newPens(false))
			p.paint(tt.from, 120, 40)
			if got := len(p.paint(tt.to, 120, 40)); got > tt.most {
				t.Errorf("%d bytes, want at most %d", got, tt.most)
			}
		})
	}
}

func FuzzPaint(f *testing.F) {
	f.Add("a\x1b[31mb\nc", 5, 2)
	f.Add("你\u0301\xff\x1b]8;;https://x\x1b\\", 1, 1)
	f.Fuzz(func(t *testing.T, view string, w, h int) {
		w, h = 1+(w&0x7f), 1+(h&0x3f)
		p := newPainter(true, newPens(false))
		p.paint(view, w, h)
		if b := p.paint(view, w, h); len(b) != 0 {
			t.Fatalf("the same frame again wrote %q", b)
		}
	})
}

func BenchmarkPaint(b *testing.B) {
	const w, h = 120, 40
	pages := make([]string, 400)
	for i := range pages {
		pages[i] = listFrame(i, i+h-1, w, h)
	}
	moves := make([]string, h)
	for i := range moves {
		moves[i] = listFrame(0, i, w, h)
	}
	run := func(name string, frame func(i int) string, whole bool) {
		b.Run(name, func(b *testing.B) {
			p := newPainter(true, newPens(false))
			p.paint(frame(0), w, h)
			b.ReportAllocs()
			sent, i := 0, 0
			for b.Loop() {
				i++
				if whole {
					p.reset()
				}
				sent += len(p.paint(frame(i), w, h))
			}
			b.ReportMetric(float64(sent)/float64(i), "B/frame")
		})
	}
	run("move", func(i int) string { return moves[i%h] }, false)
	run("scroll", func(i int) string { return pages[i%len(pages)] }, false)
	run("page", func(i int) string { return pages[i*39%len(pages)] }, false)
	run("whole", func(i int) string { return moves[i%h] }, true)
}
