package tokens

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"

	"chainscope/tui/text"
)

// maxIndented is the deepest JSON that is written with indentation; deeper
// ones would leave no room for what they hold.
const maxIndented = 6

// indented writes JSON over several lines, or as it is when it is too deep.
func indented(s string) string {
	if depth(s) > maxIndented {
		return s
	}
	return text.IndentJSON([]byte(s))
}

// depth returns how many lists and objects of a JSON text lie within each other.
func depth(s string) int {
	now, most, quoted := 0, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			now++
			most = max(most, now)
		case c == ']' || c == '}':
			now--
		}
	}
	return most
}

// hiddenInJSON counts the hidden characters of all strings of a JSON value,
// those that are written as escapes too.
func hiddenInJSON(raw json.RawMessage) int {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	n := 0
	for {
		token, err := d.Token()
		if err != nil {
			if err != io.EOF {
				n += len(text.Hidden(string(raw)))
			}
			return n
		}
		if s, ok := token.(string); ok {
			n += len(text.Hidden(s))
		}
	}
}

// openable gives the address to hand to a browser, or why there is none: a
// browser is shown http and https only, and never an address that is not what
// it looks like.
func openable(s string) (address, reason string) {
	if len(text.Hidden(s)) > 0 {
		return "", "it holds hidden characters"
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "", "it is no well-formed address"
	case u.Scheme != "http" && u.Scheme != "https":
		return "", "only http and https addresses are opened"
	case u.Host == "":
		return "", "it names no host"
	case u.User != nil:
		return "", "it carries a user name"
	}
	return u.String(), ""
}
