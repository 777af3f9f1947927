package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/theme"

	"github.com/charmbracelet/colorprofile"
)

// While a theme is chosen the screen is drawn in the one under the cursor; esc goes
// back to the one before, enter keeps it.
func TestAThemeIsSeenBeforeItIsChosen(t *testing.T) {
	mine := theme.Parse("harbor", "harbor.toml", []byte("accent = \"#010203\""))
	bad := theme.Parse("broken", "broken.toml", []byte("accent = \"red\""))
	look := theme.Options{Dark: true, Colors: colorprofile.TrueColor, Files: []theme.File{bad, mine}}
	p := start(t, look, "dark", 120, 40)
	p.run(p.m.visit(nav.Blocks()))
	of := func(name string) string {
		th, err := theme.New(name, look)
		if err != nil {
			t.Fatal(err)
		}
		return th.Accent.Render("chainscope")
	}
	shows := func(name string) {
		t.Helper()
		if p.m.theme.Name != name || !strings.Contains(p.m.View(), of(name)) {
			t.Fatalf("it is drawn as %s, not as %s:\n%s", p.m.theme.Name, name, p.m.View())
		}
	}
	p.press(letter('T'))
	shows("dark")
	p.press(letter('j'))
	shows("light")
	p.press(escape)
	shows("dark")
	if p.m.overlays.open() || p.m.session().Theme != "" {
		t.Error("a theme that was looked at is kept")
	}

	p.press(letter('T'), letter('k'), letter('j'), letter('j'), letter('j'), letter('j'), letter('j'))
	if !strings.Contains(p.frame(), `theme broken.toml: line 1, column 10: "red" is no color: want "#rrggbb"`) {
		t.Errorf("what is wrong with a file is not said:\n%s", p.frame())
	}
	p.press(enter) // cannot be chosen
	p.press(letter('j'))
	shows("harbor")
	p.press(enter)
	shows("harbor")
	if want := "theme harbor: accent #010203 on #000000 has contrast 1.0, want 4.5"; !strings.Contains(p.frame(), want) {
		t.Errorf("no word of %q:\n%s", want, p.frame())
	}
	if p.m.overlays.open() || p.m.session().Theme != "harbor" {
		t.Errorf("kept is %q", p.m.session().Theme)
	}

	// The file may be gone when the explorer starts again.
	p.m.options.Session = p.m.session()
	p.m.options.Theme, p.m.options.Look.Files = "", nil
	if again, err := New(p.m.options); err != nil || again.theme.Name != "dark" {
		t.Errorf("it begins with %v, %v", again, err)
	}
}
