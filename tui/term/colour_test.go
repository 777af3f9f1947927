package term

import (
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	tests := []struct {
		name   string
		env    string
		colour Colour
		back   Background
	}{
		{"nothing known", "", Colours16, Auto},
		{"a plain terminal", "TERM=xterm", Colours16, Auto},
		{"256 colours", "TERM=xterm-256color", Colours256, Auto},
		{"true colour", "TERM=xterm-256color COLORTERM=truecolor", TrueColour, Auto},
		{"kitty", "TERM=xterm-kitty", TrueColour, Auto},
		{"Windows Terminal", "WT_SESSION=1", TrueColour, Auto},
		{"GNU screen passes no true colour", "TERM=screen-256color COLORTERM=truecolor", Colours256, Auto},
		{"tmux does", "TERM=screen-256color TERM_PROGRAM=tmux COLORTERM=truecolor", TrueColour, Auto},
		{"NO_COLOR", "TERM=xterm-256color NO_COLOR=1 CLICOLOR_FORCE=1", NoColour, Auto},
		{"an empty NO_COLOR says nothing", "TERM=xterm-256color NO_COLOR=", Colours256, Auto},
		{"CLICOLOR=0", "TERM=xterm-256color CLICOLOR=0", NoColour, Auto},
		{"CLICOLOR=0 but forced", "TERM=xterm-256color CLICOLOR=0 CLICOLOR_FORCE=1", Colours256, Auto},
		{"dumb", "TERM=dumb COLORTERM=truecolor", NoColour, Auto},
		{"a dark background", "TERM=xterm COLORFGBG=15;0", Colours16, Dark},
		{"a light background", "TERM=xterm COLORFGBG=0;default;15", Colours16, Light},
		{"a background without sense", "TERM=xterm COLORFGBG=x;y", Colours16, Auto},
		{"the last of two wins", "TERM=dumb TERM=xterm-256color", Colours256, Auto},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Detect(strings.Fields(tt.env), false, Auto)
			if got.Colour != tt.colour || got.Background != tt.back {
				t.Errorf("got %v and background %v, want %v and %v", got.Colour, got.Background, tt.colour, tt.back)
			}
		})
	}
	if got := Detect([]string{"COLORTERM=truecolor", "COLORFGBG=15;0"}, true, Light); got.Colour != NoColour || got.Background != Light {
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
