package term

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

func TestDetect(t *testing.T) {
	const none, ansi, ansi256, full = colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor
	tests := []struct {
		name, env string
		colors    colorprofile.Profile
		back      Background
	}{
		{"nothing known", "", none, Auto},
		{"a plain terminal", "TERM=xterm", ansi, Auto},
		{"the console of Linux", "TERM=linux", ansi, Auto},
		{"256 colors", "TERM=xterm-256color", ansi256, Auto},
		{"true color", "TERM=xterm-256color COLORTERM=truecolor", full, Auto},
		{"direct color", "TERM=xterm-direct", full, Auto},
		{"kitty", "TERM=xterm-kitty", full, Auto},
		{"foot", "TERM=foot", full, Auto},
		{"ghostty", "TERM=xterm-ghostty", full, Auto},
		{"wezterm", "TERM=wezterm", full, Auto},
		{"alacritty", "TERM=alacritty", full, Auto},
		{"Windows Terminal", "TERM=xterm-256color WT_SESSION=1", full, Auto},
		{"GNU screen passes no true color", "TERM=screen-256color COLORTERM=truecolor", ansi256, Auto},
		{"tmux does", "TERM=screen-256color TERM_PROGRAM=tmux COLORTERM=truecolor", full, Auto},
		{"tmux that promises nothing", "TERM=tmux-256color TERM_PROGRAM=tmux", ansi256, Auto},
		{"NO_COLOR", "TERM=xterm-256color NO_COLOR=1 CLICOLOR_FORCE=1", none, Auto},
		{"NO_COLOR with any value", "TERM=xterm-256color NO_COLOR=please", none, Auto},
		{"an empty NO_COLOR says nothing", "TERM=xterm-256color NO_COLOR=", ansi256, Auto},
		{"CLICOLOR=0", "TERM=xterm-256color CLICOLOR=0", none, Auto},
		{"CLICOLOR=0 but forced", "TERM=xterm-256color CLICOLOR=0 CLICOLOR_FORCE=1", ansi256, Auto},
		{"dumb", "TERM=dumb COLORTERM=truecolor", colorprofile.NoTTY, Auto},
		{"a dark background", "TERM=xterm COLORFGBG=15;0", ansi, Dark},
		{"a light background", "TERM=xterm COLORFGBG=0;default;15", ansi, Light},
		{"a background without sense", "TERM=xterm COLORFGBG=x;y", ansi, Auto},
		{"the last of two wins", "TERM=dumb TERM=xterm-256color", ansi256, Auto},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Detect(strings.Fields(tt.env), false)
			if got.Colors != tt.colors || got.Background != tt.back {
				t.Errorf("got %v and background %v, want %v and %v", got.Colors, got.Background, tt.colors, tt.back)
			}
		})
	}
	if got := Detect([]string{"TERM=xterm", "COLORTERM=truecolor", "COLORFGBG=15;0"}, true); got.Colors != none || got.Background != Dark {
		t.Errorf("the user's choice does not go first: %+v", got)
	}
}

func TestWebAddress(t *testing.T) {
	tests := []struct {
		name, in string
		ok       bool
	}{
		{"https", "https://example.com/a?b=c", true},
		{"http", "http://127.0.0.1:3999/", true},
		{"a script", "javascript:alert(1)", false},
		{"a file", "file:///etc/passwd", false},
		{"an option", "--help", false},
		{"no host", "https:///x", false},
		{"a user name that looks like a host", "https://example.com@evil.example/", false},
		{"a control character", "https://example.com/\x1b[2J", false},
		{"nothing", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := webAddress(tt.in); (err == nil) != tt.ok {
				t.Errorf("webAddress(%q): %v", tt.in, err)
			}
		})
	}
}

func TestClipboardSequences(t *testing.T) {
	tests := []struct {
		name    string
		environ []string
		want    string
	}{
		{"a terminal", nil, "\x1b]52;c;aGk=\x07"},
		{"tmux gets both forms", []string{"TMUX=/tmp/x"}, "\x1b]52;c;aGk=\x07\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\"},
		{"screen", []string{"STY=1.pts"}, "\x1bP\x1b]52;c;aGk=\x07\x1b\\"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := clipboardSequence("hi", tt.environ); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Where the locale has no UTF-8 the terminal gets ASCII; where nothing is said of it, UTF-8.
func TestALocaleWithoutUTF8GetsASCII(t *testing.T) {
	for env, want := range map[string]bool{
		"": false, "LANG=": false, "LANG=en_US.UTF-8": false, "LANG=de_DE.utf8": false, "LC_CTYPE=UTF-8": false, "LC_ALL=C.UTF-8 LANG=C": false,
		"LANG=C": true, "LC_ALL=C LANG=en_US.UTF-8": true, "LC_ALL=POSIX": true, "LC_CTYPE=C LANG=en_US.UTF-8": true,
		"LANG=de_DE.ISO-8859-1": true, "LANG=de_DE@euro": true, "LC_ALL= LC_CTYPE=fr_FR.iso88591": true,
	} {
		if got := Detect(append([]string{"TERM=xterm"}, strings.Fields(env)...), false).SevenBit; got != want {
			t.Errorf("%q: seven bits %v, want %v", env, got, want)
		}
	}
}
