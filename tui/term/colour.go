package term

import (
	"strconv"
	"strings"

	"github.com/muesli/termenv"
)

// Colour is how many colours a terminal shows.
type Colour uint8

// The kinds of terminals by colour.
const (
	NoColour   Colour = iota // none, by choice or by nature
	Colours16                // the 16 of the terminal's palette
	Colours256               // the 256 of xterm
	TrueColour               // 24 bits
)

// String names it.
func (c Colour) String() string {
	return [...]string{"no colour", "16 colours", "256 colours", "true colour"}[min(c, TrueColour)]
}

// profile is what lipgloss renders. Without colours that is 16 colours, of which
// the painter removes the colours: lipgloss would remove bold and reverse too.
func (c Colour) profile() termenv.Profile {
	switch c {
	case TrueColour:
		return termenv.TrueColor
	case Colours256:
		return termenv.ANSI256
	}
	return termenv.ANSI
}

// Background is whether a terminal's background is dark or light.
type Background uint8

// The backgrounds; Auto is not known, or to be found out.
const (
	Auto Background = iota
	Dark
	Light
)

// BackgroundMsg tells the model whether the background is dark. It comes before
// the first size when that is known, after the first frame when the terminal was
// asked, and never when the terminal does not answer.
type BackgroundMsg struct{ Dark bool }

// Capabilities are what the environment says about a terminal.
type Capabilities struct {
	Colour     Colour
	Background Background // Auto when unknown
	// Dumb terminals know no attributes at all (TERM=dumb).
	Dumb bool

	canAsk bool // OSC 11 is safe
}

// Detect reads the environment (in the form of os.Environ) without asking the
// terminal anything. noColour and background are the user's explicit choice and
// go before it.
func Detect(environ []string, noColour bool, background Background) Capabilities {
	env := func(name string) string {
		for i := len(environ) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
	term := env("TERM")
	c := Capabilities{Dumb: term == "dumb", Background: background}
	switch forced := env("CLICOLOR_FORCE"); {
	case noColour, c.Dumb, env("NO_COLOR") != "":
	case env("CLICOLOR") == "0" && (forced == "" || forced == "0"):
	default:
		c.Colour = depth(term, env)
	}
	if c.Background == Auto {
		c.Background = fromColorFGBG(env("COLORFGBG"))
	}
	// The console of Linux and GNU screen do not answer, some print the query.
	c.canAsk = !c.Dumb && term != "" && term != "linux" && env("STY") == ""
	return c
}

// depth is how many colours TERM, COLORTERM and the like promise.
func depth(term string, env func(string) string) Colour {
	multiplexed := strings.HasPrefix(term, "screen") && env("TERM_PROGRAM") != "tmux"
	switch strings.ToLower(env("COLORTERM")) {
	case "truecolor", "24bit":
		if !multiplexed {
			return TrueColour
		}
		return Colours256
	case "yes", "true":
		return Colours256
	}
	switch {
	case env("WT_SESSION") != "":
		return TrueColour
	case strings.HasSuffix(term, "-direct"):
		return TrueColour
	case strings.Contains(term, "256color"):
		return Colours256
	}
	switch term {
	case "xterm-kitty", "xterm-ghostty", "alacritty", "wezterm", "foot", "contour", "rio":
		return TrueColour
	}
	return Colours16
}

// fromColorFGBG reads "15;0" or "0;default;15": the last number is the
// background among the 16 colours.
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
