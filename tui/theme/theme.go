package theme

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Theme holds the style of every role. Roles differ by more than color
// wherever they tell states apart, so that mono loses nothing.
type Theme struct {
	Name   string
	Dark   bool // made for a dark background
	Glyphs Glyphs

	Text    Style // ordinary text, the terminal's own color
	Strong  Style // titles and what is looked at first
	Muted   Style // labels, ages, help
	Faint   Style // skeletons and empty parts of bars; never the only bearer of text
	Accent  Style // the brand, the current tab
	Link    Style // names something that can be opened
	Number  Style // heights and amounts
	OK      Style
	Warn    Style
	Bad     Style
	Border  Style
	Cursor  Style // the row under the cursor in the focused pane
	Resting Style // the row under the cursor in another pane
	Match   Style // what a search found
	Key     Style // a key in the footer and in help
	Badge   Style // name of a live network
	Mock    Style // the MOCK badge
	Struck  Style // an orphaned block
	Chart   Style
	Input   Style // text being typed
}

// Options describe what the terminal can show.
type Options struct {
	Dark   bool                 // the background is dark
	Colors colorprofile.Profile // how many colors it has; the zero value has none
	ASCII  bool                 // seven-bit glyphs only
	Plain  bool                 // no escape sequences at all
	Files  []File               // themes of the user's
}

// hasColors reports whether a terminal of this profile shows colors at all.
func hasColors(p colorprofile.Profile) bool { return p >= colorprofile.ANSI }

// Names lists the built-in themes.
func Names() []string { return []string{"dark", "light", "ansi", "mono", "high-contrast"} }

// Names lists the built-in themes, then those of the user's that can be used.
func (o Options) Names() []string {
	all := Names()
	for _, f := range o.Files {
		if f.Err == nil {
			all = append(all, f.Name)
		}
	}
	return all
}

// file returns the user's theme of a name.
func (o Options) file(name string) (File, bool) {
	for _, f := range o.Files {
		if f.Name == name {
			return f, true
		}
	}
	return File{}, false
}

// Warnings returns what is hard to read in a theme; nothing for a built-in one.
func (o Options) Warnings(name string) []string {
	if f, own := o.file(name); own && f.Err == nil {
		return f.Warnings(o.Dark)
	}
	return nil
}

// paletteOf returns the colors of a theme, built in or the user's.
func (o Options) paletteOf(name string) (palette, error) {
	if p, ok := paletteOf(name, o.Dark); ok {
		return p, nil
	}
	if f, own := o.file(name); own {
		if f.Err != nil {
			return palette{}, fmt.Errorf("theme %s: %w", f.Path, f.Err)
		}
		return f.palette(o.Dark), nil
	}
	return palette{}, fmt.Errorf("theme %q is not known: auto, %s are", name, strings.Join(o.Names(), ", "))
}

// defaultTheme returns the name of the theme to begin with.
func defaultTheme(o Options) string {
	switch {
	case !hasColors(o.Colors):
		return "mono"
	case o.Colors == colorprofile.ANSI:
		return "ansi"
	case o.Dark:
		return "dark"
	default:
		return "light"
	}
}

// New makes the theme of that name; "auto" and "" choose by the options.
// high-contrast follows the background. Without colors every theme keeps
// bold, reverse and underline.
func New(name string, o Options) (*Theme, error) {
	if name == "" || name == "auto" {
		name = defaultTheme(o)
	}
	p, err := o.paletteOf(name)
	if err != nil {
		return nil, err
	}
	t := &Theme{Name: name, Dark: p.dark, Glyphs: unicodeGlyphs()}
	if o.ASCII {
		t.Glyphs = asciiGlyphs()
	}
	if !o.Plain {
		dress(t, p, o.Colors)
	}
	return t, nil
}

// dress fills the roles from a palette.
func dress(t *Theme, p palette, colors colorprofile.Profile) {
	fg := func(c color, attrs ...attr) Style { return Style{open: sequence(c, "", colors, attrs)} }
	on := func(c, back color, attrs ...attr) Style { return Style{open: sequence(c, back, colors, attrs)} }
	t.Text = fg(p.text)
	t.Strong = fg(p.strong, bold)
	t.Muted = fg(p.muted)
	t.Faint = fg(p.faint)
	t.Accent = fg(p.accent, bold)
	t.Link = fg(p.link, underline)
	t.Number = fg(p.number)
	t.OK = fg(p.ok)
	t.Warn = fg(p.warn, bold)
	t.Bad = fg(p.bad, bold)
	t.Border = fg(p.border)
	t.Match = fg(p.warn, underline)
	t.Key = fg(p.accent)
	t.Badge = fg(p.accent, reverse, bold)
	t.Mock = fg(p.mock, reverse, bold)
	t.Struck = fg(p.muted, struck)
	t.Chart = fg(p.chart)
	t.Input = fg(p.text, underline)
	if p.selected != "" && hasColors(colors) {
		t.Cursor = on(p.selectedText, p.selected, bold)
		t.Resting = on(p.restingText, p.resting)
	} else {
		t.Cursor = fg("", reverse, bold)
		t.Resting = fg("", bold)
	}
	t.Cursor.flat, t.Resting.flat = true, true
}
