//go:build unix

package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chainscope/wallet/hidden"
)

// strict reads everything that a terminal is sent and complains of all but
// printable text and the few sequences that the terminal layer itself writes. A
// program that lets through one byte of an escape sequence of others is caught
// here, and so is one that draws in colours that no theme has.
type strict struct {
	rest       []byte // an unfinished sequence or character
	complaints []string
	copied     []string // OSC 52
	copying    bool
	calling    bool // the user may be alerted: of a request of a page, or of what became of a transaction
	torn       bool
	shell      bool // a shell runs the program, and speaks when it has stopped
	palette    bool // themes with the sixteen colours of the terminal are used
	echoes     bool // outside the program's screen the system shows what is typed
	outside    bool
}

// maxComplaints bounds what one session says.
const maxComplaints = 5

func (s *strict) complain(format string, args ...any) {
	if len(s.complaints) < maxComplaints && !(s.echoes && s.outside) {
		s.complaints = append(s.complaints, fmt.Sprintf(format, args...))
	}
}

// Write takes the next bytes; sequences may be split anywhere.
func (s *strict) Write(p []byte) {
	b := append(s.rest, p...)
	for len(b) > 0 {
		n := s.one(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	s.rest = append([]byte(nil), b...)
}

// one takes one character or sequence, and reports how long it is; 0 is that it
// is not whole yet.
func (s *strict) one(b []byte) int {
	switch {
	case b[0] == 0x1b:
		return s.sequence(b)
	case b[0] == '\r' || b[0] == '\n':
		return 1
	case b[0] == 0x07 && s.calling, b[0] == can && s.shell:
		return 1
	case b[0] < 0x20 || b[0] == 0x7f:
		s.complain("control character %#02x", b[0])
		return 1
	case b[0] < utf8.RuneSelf:
		return 1
	case !utf8.FullRune(b):
		return 0
	}
	r, n := utf8.DecodeRune(b)
	switch kind := hidden.Classify(r); {
	case r == utf8.RuneError && n == 1 && s.shell && bytes.IndexByte(b[:min(len(b), utf8.UTFMax)], can) > 0:
		s.torn = true // the job was stopped within a character, which comes to its end later
	case r == utf8.RuneError && n == 1 && s.torn && !utf8.RuneStart(b[0]):
	case r == utf8.RuneError && n == 1:
		s.complain("byte %#02x that is no UTF-8", b[0])
	case kind != hidden.None:
		s.complain("%U, %v", r, kind)
	case !unicode.IsPrint(r) && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Z): // what is not assigned is shown as a box
		s.complain("%U, which cannot be printed", r)
	case unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Cf, r):
		s.complain("%U, which cannot be seen", r)
	}
	return n
}

// can is the character with which a shell ends what a stopped job has written of a
// sequence.
const can = 0x18

func (s *strict) sequence(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if b[1] == can && s.shell {
		return 2
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				s.csi(string(b[2:i]), b[i])
				return i + 1
			}
			if b[i] == can && s.shell {
				return i + 1
			}
			if b[i] < 0x20 || b[i] > 0x3f {
				s.complain("a broken sequence %q", b[:i+1])
				return i + 1
			}
		}
		return 0
	case ']':
		for i := 2; i < len(b); i++ {
			switch {
			case b[i] == can && s.shell:
				return i + 1
			case b[i] == 0x07:
				s.osc(string(b[2:i]))
				return i + 1
			case b[i] == 0x1b && i+1 == len(b):
				return 0
			case b[i] == 0x1b && b[i+1] == '\\':
				s.osc(string(b[2:i]))
				return i + 2
			case b[i] == 0x1b || b[i] < 0x20:
				s.complain("a broken sequence %q", b[:i+1])
				return i + 1
			}
		}
		return 0
	}
	s.complain("the sequence %q", b[:2])
	return 2
}

// modes that are set and left.
var modes = map[string]bool{"?25": true, "?1049": true, "?2004": true, "?2026": true, "?1000": true, "?1002": true, "?1003": true, "?1006": true, "?1004": true, "?7": true}

func (s *strict) csi(params string, final byte) {
	ok := false
	switch final {
	case 'm':
		ok = s.style(params)
	case 'H', 'G', 'S', 'T', 'X', 'r':
		ok = strings.Trim(params, "0123456789;") == "" && !strings.HasPrefix(params, ";")
	case 'K', 'J':
		ok = params == "" || params == "2"
	case 'h', 'l':
		ok = modes[params]
		if params == "?1049" {
			s.outside = final == 'l'
		}
	case 't': // the title is kept and given back
		ok = s.calling && (params == "22;2" || params == "23;2")
	}
	if !ok {
		s.complain("the sequence CSI %s %c", params, final)
	}
}

// style reports whether a theme draws so: with true colours and a few attributes,
// never blinking, never concealed, and with the palette's colours only where that
// is allowed.
func (s *strict) style(params string) bool {
	fields := strings.Split(params, ";")
	for i := 0; i < len(fields); i++ {
		switch fields[i] {
		case "", "0", "1", "2", "3", "4", "7", "9", "39", "49":
		case "38", "48":
			if i+4 >= len(fields) || fields[i+1] != "2" {
				return false
			}
			i += 4
		default:
			if n, err := strconv.Atoi(fields[i]); err != nil || !s.palette || n < 30 || n > 107 || n > 47 && n < 90 {
				return false
			}
		}
	}
	return true
}

func (s *strict) osc(body string) {
	switch {
	case body == "11;?":
		// Asks for the background.
	case strings.HasPrefix(body, "52;c;") && s.copying:
		text, err := base64.StdEncoding.DecodeString(body[5:])
		if err != nil {
			s.complain("a copy that is no base64: OSC %s", body)
		}
		s.copied = append(s.copied, string(text))
	case s.calling && calls(body):
	default:
		s.complain("the sequence OSC %s", body)
	}
}

// calls reports whether a sequence alerts the user: with the origin of a page, or with what became
// of a transaction, whose id is shortened.
func calls(body string) bool {
	for _, prefix := range []string{"9;", "777;notify;chainscope;", "2;chainscope: "} {
		if text, ok := strings.CutPrefix(body, prefix); ok {
			text, mine := strings.CutPrefix(text, "your ")
			if mine {
				text = strings.Replace(text, "…: ", ": ", 1)
			}
			return (mine || strings.HasPrefix(text, "http")) && strings.IndexFunc(text, func(r rune) bool { return r < 0x20 || r > 0x7e || r == ';' }) < 0
		}
	}
	return false
}

// The parser itself is tried on what it is to catch.
func TestTheStrictParserCatches(t *testing.T) {
	for name, bad := range map[string]string{
		"a palette colour":       "\x1b[31m",
		"a 256 colour":           "\x1b[38;5;1m",
		"blinking":               "\x1b[5m",
		"a title":                "\x1b]0;owned\x07",
		"a clipboard write":      "\x1b]52;c;b3duZWQ=\x07",
		"a hyperlink":            "\x1b]8;;https://phish.example\x1b\\",
		"a cursor query":         "\x1b[6n",
		"a device query":         "\x1b[c",
		"a reset":                "\x1bc",
		"a device control":       "\x1bPq\x1b\\",
		"a C1 introducer":        "\u009b31m",
		"a C1 byte":              "\x9b31m",
		"a backspace":            "\b",
		"a tab":                  "\t",
		"a bell":                 "\a",
		"a null":                 "\x00",
		"a delete":               "\x7f",
		"a bidi override":        "\u202e",
		"a bidi isolate":         "\u2066",
		"an Arabic letter mark":  "\u061c",
		"a zero-width space":     "\u200b",
		"a joiner":               "\u200d",
		"a byte order mark":      "\ufeff",
		"a soft hyphen":          "\u00ad",
		"a variation selector":   "\ufe0f",
		"a tag":                  "\U000e0041",
		"a filler":               "\u3164",
		"a blank Braille":        "\u2800",
		"a line separator":       "\u2028",
		"a mode of others":       "\x1b[?1047h",
		"an erase of scrollback": "\x1b[3J",
	} {
		t.Run(name, func(t *testing.T) {
			whole, split := strict{}, strict{}
			whole.Write([]byte("a" + bad + "b"))
			for _, c := range []byte("a" + bad + "b") {
				split.Write([]byte{c})
			}
			if len(whole.complaints) == 0 || len(split.complaints) == 0 {
				t.Errorf("%q passed", bad)
			}
		})
	}
	var good strict
	good.Write([]byte("\x1b[?1049h\x1b[2J\x1b[1;1H\x1b[?2026h\x1b[0;1;38;2;1;2;3mha\u00e4 \u6e2f \u2592\x1b[m\x1b[K\x1b[?2026l\r\n"))
	if len(good.complaints)+len(good.rest) > 0 {
		t.Error(good.complaints, good.rest)
	}
}
