package theme

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

func TestAThemeOfAFileReplacesColorsOfItsBase(t *testing.T) {
	f := Parse("harbor", "themes/harbor.toml", []byte("base = \"light\"\naccent = \"#ABCDEF\"\nlink = \"4\"\n"))
	if f.Err != nil {
		t.Fatal(f.Err)
	}
	o := Options{Dark: true, Colors: colorprofile.TrueColor, Files: []File{f}}
	th, err := New("harbor", o)
	if err != nil {
		t.Fatal(err)
	}
	light, err := New("light", o)
	if err != nil {
		t.Fatal(err)
	}
	if th.Dark || th.Name != "harbor" || th.Muted != light.Muted || th.Cursor != light.Cursor {
		t.Errorf("what is not named is not the base's: %+v", th)
	}
	if got, want := th.Accent.Render("x"), "\x1b[1;38;2;171;205;239mx\x1b[m"; got != want {
		t.Errorf("accent is %q, want %q", got, want)
	}
	if got, want := th.Link.Render("x"), "\x1b[4;34mx\x1b[m"; got != want {
		t.Errorf("link is %q, want %q", got, want)
	}
	if names := o.Names(); !slices.Contains(names, "harbor") || len(names) != 6 {
		t.Errorf("the themes are %q", names)
	}
	if _, err := New("harbour", o); err == nil || !strings.Contains(err.Error(), "high-contrast, harbor are") {
		t.Errorf("got %v", err)
	}
}

func TestABadThemeFileSaysWhereAndWhatWouldBeRight(t *testing.T) {
	for text, want := range map[string]string{
		"muted = \"grey\"":                       `line 1, column 9: "grey" is no color: want "#rrggbb", or "0" to "15"`,
		"muted = \"#12345\"":                     `line 1, column 9: "#12345" is no color`,
		"muted = \"16\"":                         `line 1, column 9: "16" is no color`,
		"\nlinks = \"#123456\"":                  `line 2, column 1: unknown key "links": want base, background, text, strong, muted`,
		"base = \"solar\"":                       `base: "solar" is no built-in theme: want dark, light, ansi, mono, high-contrast`,
		"base = \"dark\"\n\ntext = #ffffff":      `line 3, column`,
		"text = 16":                              `"16" is no color`,
		"base = \"dark\"\nbase = \"dark\"":       `line 2`,
		"selected-text = \"\"\nbase = \"light\"": `line 1, column 17: "" is no color`,
	} {
		f := Parse("harbor", "harbor.toml", []byte(text))
		if f.Err == nil || !strings.Contains(f.Err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, f.Err, want)
		}
		if _, err := New("harbor", Options{Files: []File{f}}); err == nil || !strings.HasPrefix(err.Error(), "theme harbor.toml: ") {
			t.Errorf("%q can be used: %v", text, err)
		}
	}
	if f := Parse("dark", "dark.toml", nil); f.Err == nil || !strings.Contains(f.Err.Error(), "call the file something else") {
		t.Errorf("got %v", f.Err)
	}
}

func TestWhatIsHardToReadIsWarnedOf(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		"muted = \"#444444\"":                  "muted #444444 on #000000 has contrast 2.2, want 4.5",
		"faint = \"#333333\"":                  "faint #333333 on #000000 has contrast 1.7, want 3.0",
		"selected = \"#eeeeee\"":               "selected-text #ffffff on #eeeeee has contrast 1.2, want 4.5",
		"resting = \"#ffffff\"":                "resting-text #ffffff on #ffffff has contrast 1.0, want 4.5",
		"muted = \"7\"":                        "", // the terminal's own
		"base = \"light\"\nlink = \"#80a0c0\"": "link #80a0c0 on #ffffff has contrast 2.7, want 4.5",
		"background = \"#fdf6e3\"\nbase=\"ansi\"": "",
	} {
		f := Parse("harbor", "harbor.toml", []byte(text))
		if f.Err != nil {
			t.Fatal(f.Err)
		}
		if got := strings.Join(f.Warnings(true), "; "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The pairs that warnings are about are those that the built-in themes keep.
func TestTheBuiltInThemesHaveNoWarnings(t *testing.T) {
	for _, name := range []string{"dark", "light", "high-contrast"} {
		for _, dark := range []bool{true, false} {
			f := Parse("mine", "mine.toml", []byte("base = \""+name+"\""))
			if got := f.Warnings(dark); len(got) > 0 {
				t.Errorf("%s, dark %v: %q", name, dark, got)
			}
		}
	}
}
