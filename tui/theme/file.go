package theme

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"chainscope/tui/state"
)

// File is a theme that the user made: the colors of a built-in theme, some of them
// replaced.
type File struct {
	Name string
	// Path is that of the file.
	Path string
	// Err reports why it cannot be used; nil when it can.
	Err error

	base       string
	background color // what the terminal's own is taken to be
	colors     fileColors
}

// fileColors are the colors that a file may give to roles.
type fileColors struct {
	Base         string    `toml:"base"`
	Background   fileColor `toml:"background"`
	Text         fileColor `toml:"text"`
	Strong       fileColor `toml:"strong"`
	Muted        fileColor `toml:"muted"`
	Faint        fileColor `toml:"faint"`
	Accent       fileColor `toml:"accent"`
	Link         fileColor `toml:"link"`
	Number       fileColor `toml:"number"`
	Chart        fileColor `toml:"chart"`
	OK           fileColor `toml:"ok"`
	Warn         fileColor `toml:"warn"`
	Bad          fileColor `toml:"bad"`
	Border       fileColor `toml:"border"`
	Mock         fileColor `toml:"mock"`
	SelectedText fileColor `toml:"selected-text"`
	Selected     fileColor `toml:"selected"`
	RestingText  fileColor `toml:"resting-text"`
	Resting      fileColor `toml:"resting"`
}

// fileColor is a color in a file.
type fileColor struct{ color }

// UnmarshalText reads a color of a file.
func (c *fileColor) UnmarshalText(text []byte) error {
	s := string(text)
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n <= 15 && s == strconv.Itoa(n) {
		c.color = color(s)
		return nil
	}
	if _, ok := parseHex(color(s)); ok && strings.HasPrefix(s, "#") {
		c.color = color(strings.ToLower(s))
		return nil
	}
	return state.BadValue(text, "%q is no color: want \"#rrggbb\", or \"0\" to \"15\" for one of the terminal's own", s)
}

// Parse reads a theme of the user's from TOML: a key a role, as the documentation lists
// them, and base, the built-in theme that gives the colors of the roles that are not
// named. What is wrong with it is in Err, with line and column.
func Parse(name, path string, text []byte) File {
	f := File{Name: name, Path: path, base: "dark"}
	if slices.Contains(Names(), name) || name == "auto" {
		f.Err = fmt.Errorf("%q is the name of a built-in theme; call the file something else", name)
		return f
	}
	if err := state.DecodeStrictly(text, &f.colors); err != nil {
		f.Err = err
		if strings.Contains(err.Error(), "unknown key") {
			f.Err = fmt.Errorf("%w: want %s", err, strings.Join(keys(), ", "))
		}
		return f
	}
	if f.colors.Base != "" {
		f.base = f.colors.Base
	}
	if !slices.Contains(Names(), f.base) {
		f.Err = fmt.Errorf("base: %q is no built-in theme: want %s", f.base, strings.Join(Names(), ", "))
		return f
	}
	f.background = f.colors.Background.color
	return f
}

// keys returns the keys that a file may have.
func keys() []string {
	var all []string
	for f := range reflect.TypeFor[fileColors]().Fields() {
		all = append(all, f.Tag.Get("toml"))
	}
	return all
}

// palette returns the colors of the file over those of its base.
func (f File) palette(dark bool) palette {
	p, _ := paletteOf(f.base, dark)
	c := f.colors
	for _, role := range []struct {
		into  *color
		given fileColor
	}{
		{&p.text, c.Text},
		{&p.strong, c.Strong},
		{&p.muted, c.Muted},
		{&p.faint, c.Faint},
		{&p.accent, c.Accent},
		{&p.link, c.Link},
		{&p.number, c.Number},
		{&p.chart, c.Chart},
		{&p.ok, c.OK},
		{&p.warn, c.Warn},
		{&p.bad, c.Bad},
		{&p.border, c.Border},
		{&p.mock, c.Mock},
		{&p.selectedText, c.SelectedText},
		{&p.selected, c.Selected},
		{&p.restingText, c.RestingText},
		{&p.resting, c.Resting},
	} {
		if role.given.color != "" {
			*role.into = role.given.color
		}
	}
	return p
}

// Warnings names the pairs of colors of the file that are hard to read: text below a
// contrast of 4.5, lines and charts below 3, as WCAG 2.2 has it. The terminal's
// background holds what the file says, else black or white. The terminal's own colors
// cannot be judged.
func (f File) Warnings(dark bool) []string {
	p := f.palette(dark)
	back := f.background
	if back == "" {
		back = map[bool]color{true: "#000000", false: "#ffffff"}[p.dark]
	}
	var out []string
	for _, pair := range p.pairs(back) {
		if r, known := contrastOf(pair.ink, pair.on); known && r < pair.least {
			out = append(out, fmt.Sprintf("%s %s on %s has contrast %.1f, want %.1f", pair.role, pair.ink, pair.on, r, pair.least))
		}
	}
	return out
}
