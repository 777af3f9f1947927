package term

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/muesli/termenv"
)

// lipglossProfile returns the profile that lipgloss renders with. Without colors
// that is 16 colors, which the painter removes again: lipgloss would remove bold
// and reverse, too.
func lipglossProfile(p colorprofile.Profile) termenv.Profile {
	switch p {
	case colorprofile.TrueColor:
		return termenv.TrueColor
	case colorprofile.ANSI256:
		return termenv.ANSI256
	}
	return termenv.ANSI
}

// Background reports whether a terminal's background is dark or light.
type Background uint8

// The backgrounds; Auto is unknown, or still to be found out.
const (
	Auto Background = iota
	Dark
	Light
)

// BackgroundMsg reports whether the background is dark. It comes before the first
// size when that is known, after the first frame when the terminal was queried, and
// never when the terminal does not answer.
type BackgroundMsg struct{ Dark bool }

// Capabilities hold what the environment says about a terminal.
type Capabilities struct {
	// Colors is NoTTY or ASCII where there are none.
	Colors     colorprofile.Profile
	Background Background // Auto when unknown
	// Dumb reports TERM=dumb: a terminal that cannot move its cursor.
	Dumb bool
	// SevenBit reports that the locale has no UTF-8.
	SevenBit bool

	canQuery bool // OSC 11 is safe
}

// Detect reads the environment (in the form of os.Environ) without querying the
// terminal anything. noColor is the user's explicit choice and goes before it.
func Detect(environ []string, noColor bool) Capabilities {
	env := lookup(environ)
	term := env("TERM")
	c := Capabilities{Dumb: term == "dumb", Background: fromColorFGBG(env("COLORFGBG")), Colors: colorprofile.ASCII}
	locale := strings.ToLower(cmp.Or(env("LC_ALL"), env("LC_CTYPE"), env("LANG")))
	c.SevenBit = locale != "" && !strings.Contains(strings.ReplaceAll(locale, "-", ""), "utf8")
	switch forced := env("CLICOLOR_FORCE"); {
	case c.Dumb:
		c.Colors = colorprofile.NoTTY
	case noColor, env("NO_COLOR") != "": // any value counts; colorprofile takes only true ones
	case env("CLICOLOR") == "0" && (forced == "" || forced == "0"):
	default:
		c.Colors = max(colorprofile.ASCII, depth(environ))
	}
	// The console of Linux and GNU screen do not answer, some print the query.
	c.canQuery = !c.Dumb && term != "" && term != "linux" && env("STY") == ""
	return c
}

// lookup returns a function that looks a variable up; of two settings the last
// one counts.
func lookup(environ []string) func(name string) string {
	return func(name string) string {
		for i := len(environ) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
}

// depth returns how many colors the environment promises. colorprofile.Env reads
// nothing but the environment; its Detect would read terminfo and run tmux. Env
// ignores COLORTERM inside tmux, which passes true color on when it says so.
func depth(environ []string) colorprofile.Profile {
	env := lookup(environ)
	if env("TERM_PROGRAM") == "tmux" && (env("COLORTERM") == "truecolor" || env("COLORTERM") == "24bit") {
		return colorprofile.TrueColor
	}
	return colorprofile.Env(environ)
}

// fromColorFGBG reads "15;0" or "0;default;15": the last number is the
// background among the 16 colors.
func fromColorFGBG(s string) Background {
	i := strings.LastIndexByte(s, ';')
	if i < 0 {
		return Auto
	}
	n, err := strconv.Atoi(s[i+1:])
	switch {
	case err != nil || n < 0 || n > 15:
		return Auto
	case n <= 6 || n == 8:
		return Dark
	}
	return Light
}

// parseBackground reads the terminal's answer to OSC 11, "rgb:1e1e/1e1e/1e1e"
// with one to four hex digits a channel, or "rgba:" with a fourth channel.
func parseBackground(s string) (BackgroundMsg, bool) {
	body, ok := strings.CutPrefix(s, "rgb:")
	if !ok {
		if body, ok = strings.CutPrefix(s, "rgba:"); !ok {
			return BackgroundMsg{}, false
		}
	}
	channels := strings.Split(body, "/")
	if len(channels) != 3 && len(channels) != 4 {
		return BackgroundMsg{}, false
	}
	weight := [...]float64{0.2126, 0.7152, 0.0722}
	light := 0.0
	for i, w := range weight {
		n := len(channels[i])
		v, err := strconv.ParseUint(channels[i], 16, 16)
		if err != nil || n > 4 {
			return BackgroundMsg{}, false
		}
		light += w * float64(v) / float64(uint(1)<<(4*n)-1)
	}
	return BackgroundMsg{Dark: light < 0.5}, true
}
