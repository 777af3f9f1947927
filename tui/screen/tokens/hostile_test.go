package tokens

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/colorprofile"
)

// catalogue returns everything the mock has.
func (d *driver) catalogue() []pick {
	d.t.Helper()
	c, err := d.s.opts.Catalogue(context.Background())
	if err != nil {
		d.t.Fatal(err)
	}
	all := picks(c, nil, nil)
	if len(all) < 40 {
		d.t.Fatalf("the catalogue has only %d tokens", len(all))
	}
	return all
}

func TestEveryTokenOfTheMockIsShownWithAllItsValues(t *testing.T) {
	d := start(t, setup{})
	wanted := map[string]apiclient.Kind{"error": apiclient.TokenError, "no_token": apiclient.NotFound}
	shown := 0
	for _, p := range d.catalogue() {
		for _, locale := range append([]string{""}, p.Locales...) {
			to := p.place()
			to.Locale = locale
			d.open(to)
			a, ok := d.s.token.Get()
			want := wanted[p.What]
			if apiclient.CheckLocale(locale) != nil {
				want = apiclient.InvalidInput
			}
			switch kind := apiclient.KindOf(d.s.token.Err()); {
			case kind != want:
				t.Errorf("%v, which is %s: %v", to, p.What, d.s.token.Err())
			case ok && a.place == to:
				shown++
				everythingIn(t, a.sections, a.raw)
			}
		}
	}
	if shown < 40 {
		t.Errorf("only %d were shown", shown)
	}
}

// styling holds what a theme and a picture may put between the text.
var styling = regexp.MustCompile("\x1b\\[[0-9;]*m")

func onlyPrintable(t *testing.T, what, frame string) {
	t.Helper()
	for _, line := range strings.Split(styling.ReplaceAllString(frame, ""), "\n") {
		if found := text.Hidden(line); len(found) > 0 {
			t.Fatalf("%s: %v in %q", what, found[0], line)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) {
				t.Fatalf("%s: %U in %q", what, r, line)
			}
		}
	}
}

func TestNothingButPrintableTextAndOurOwnStylingIsDrawnOfHostileTokens(t *testing.T) {
	uitest.NotRaced(t)
	for name, u := range map[string]setup{
		"plain": {},
		"dark":  {theme: "dark", emphasis: theme.Options{Dark: true, Colors: colorprofile.TrueColor}},
		"small": {width: 60, height: 8},
	} {
		t.Run(name, func(t *testing.T) {
			d := start(t, u)
			emphasis := func(what string) {
				t.Helper()
				frame := d.view()
				onlyPrintable(t, what, frame)
				// A box ends the styles of what it lies on.
				if bare := strings.ReplaceAll(frame, "\x1b[m", ""); u.theme == "" && strings.Contains(bare, "\x1b") {
					t.Fatalf("%s: an escape sequence without a theme", what)
				}
			}
			for _, p := range d.catalogue() {
				if p.What != "hostile" {
					continue
				}
				for _, locale := range append([]string{""}, p.Locales...) {
					to := p.place()
					to.Locale = locale
					d.open(to)
					what := to.String()
					emphasis(what)
					for i := range d.s.Detail.Rows() {
						d.s.open[i] = true
					}
					d.s.Fill()
					_, lines := d.s.Detail.Scroll()
					for range lines/4 + 1 {
						d.press("ctrl+d")
						emphasis(what)
					}
					d.press("p")
					emphasis(what)
					d.press("L")
					emphasis(what)
					d.press("esc", "n")
					emphasis(what)
					d.press("tab", "tab")
					emphasis(what)
					d.press("esc")
					for _, r := range d.s.Detail.Rows() {
						onlyPrintable(t, what, text.Line(r.Label))
					}
				}
			}
			d.open(nav.Tokens())
			for range d.s.List.Len() {
				emphasis("the list")
				d.press("j")
			}
		})
	}
}

func TestAHostileTokenIsWarnedOf(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.FT("SP2F4QJRVHR4DPRVMKHAPSS45EBVFPWXQ8Y3SY9V9.hostile-escapes", ""))
	d.sees("hidden characters, shown as escapes, in name, symbol", `\x1b[31mESC`, "2 hidden characters")
}
