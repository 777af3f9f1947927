package blocks

import (
	"strings"
	"testing"
	"time"

	"chainscope/tui/chain"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

func TestGoldenScreens(t *testing.T) {
	for _, c := range []struct {
		name, theme string
		w, h        int
		act         func(*story)
	}{
		{"list-80x24", "mono", 80, 20, func(s *story) { s.open(nav.Blocks()) }},
		{"detail-80x24", "mono", 80, 20, func(s *story) { s.open(nav.Blocks()); s.press("j", "enter") }},
		{"split-120x40", "mono", 120, 36, func(s *story) { s.open(nav.Blocks()); s.press("j", "j", "enter", "j", "j") }},
		{"below-80x44", "mono", 80, 40, func(s *story) { s.open(nav.Blocks()) }},
		{"wide-200x60", "mono", 200, 56, func(s *story) { s.open(nav.Blocks()) }},
		{"wide-json-200x60", "mono", 200, 56, func(s *story) { s.open(nav.Blocks()); s.press("z") }},
		{"microblocks-120x40", "mono", 120, 36, func(s *story) { s.open(nav.BlockAtHeight(30_000)); s.press("_", "+", "+", "G") }},
		{"loading-80x24", "mono", 80, 20, func(s *story) { s.screen.Open(nav.Blocks(), nil); s.now = s.now.Add(4 * time.Second) }},
		{"dark-80x24", "dark", 80, 20, func(s *story) { s.open(nav.Blocks()) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, c.w, c.h, c.theme)
			c.act(s)
			if c.theme == "mono" {
				uitest.Golden(t, c.name, s.frame(), c.w, c.h)
			} else {
				uitest.GoldenStyled(t, c.name, s.frame(), c.w, c.h)
			}
		})
	}
}

func TestEverySizeIsFilledExactly(t *testing.T) {
	s := begin(t, 80, 20, "dark")
	s.open(nav.Blocks())
	for _, keys := range [][]string{nil, {"enter"}, {"+"}, {"_", "_"}, {"z"}, {"s"}, {"/", "x"}} {
		s.press(keys...)
		for w := 0; w <= 300; w += 19 {
			for h := 0; h <= 100; h += 7 {
				s.screen.SetSize(w, h)
				lines := s.screen.View(s.now)
				if len(lines) != h {
					t.Fatalf("%d lines in %dx%d after %v", len(lines), w, h, keys)
				}
				for i, line := range lines {
					if got := ansi.StringWidth(line); got > w {
						t.Fatalf("line %d is %d wide in %dx%d after %v: %q", i, got, w, h, keys, line)
					}
				}
			}
		}
	}
}

func BenchmarkKeyAndView(b *testing.B) {
	s := benchStory(b)
	down, up := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("j")}, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("k")}
	i := 0
	for b.Loop() {
		msg := down
		if i/10%2 == 1 {
			msg = up
		}
		i++
		s.Key(msg)
		s.View(noon)
	}
}

// benchStory returns the screen at 120x40 with thirty blocks.
func benchStory(b *testing.B) *Screen {
	th, err := theme.New("dark", theme.Options{Dark: true, Colors: colorprofile.TrueColor})
	if err != nil {
		b.Fatal(err)
	}
	env := &screen.Env{Context: b.Context(), Keys: keymap.Default(), Now: func() time.Time { return noon }, Times: &screen.Times{Zone: time.UTC}}
	s := New(env, th)
	s.SetSize(120, 36)
	records := span("a", 1_000_000, 999_941)
	for _, r := range records {
		r.Txs = make([]string, 12)
		for i := range r.Txs {
			r.Txs[i] = "0x" + strings.Repeat("ab", 32)
		}
		r.BlockTime = noon.Unix() - (1_000_000-r.Height)*10
	}
	s.chain.Page(chain.Page{Blocks: records, Total: 1_000_001}, true, s.env.Now())
	s.changed()
	return s
}
