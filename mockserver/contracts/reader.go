package contracts

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"chainscope/wallet/clarity"
)

// Mistake is the reason why a text is no contract, and where.
type Mistake struct {
	Line, Column int // from 1
	Cause        string
}

// Error gives place and cause, as a node writes them.
func (m *Mistake) Error() string { return fmt.Sprintf("%d:%d: %s", m.Line, m.Column, m.Cause) }

// mistakeAt returns a mistake at a byte of a text.
func mistakeAt(text string, at int, cause string) *Mistake {
	before := text[:min(at, len(text))]
	return &Mistake{1 + strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n'), cause}
}

// maxNesting bounds the nesting of a source; the real analysis allows 64.
const maxNesting = 128

// expression is a part of a source: a list in parentheses, a tuple in braces, or an atom.
type expression struct {
	at       int          // of its first byte
	text     string       // as written
	opening  byte         // '(', '{', or 0 of an atom
	atom     string       // "" for others
	elements []expression // of a tuple its names and values in turn
}

func (e *expression) isAtom() bool { return e.opening == 0 }
func (e *expression) isList() bool { return e.opening == '(' }

// isName reports whether the expression is a name, and no literal that looks like one.
func (e *expression) isName() bool {
	return e.isAtom() && clarity.CheckName(e.atom) == nil && !isNumber(e.atom)
}

// head returns the name that a list begins with, "{" of a tuple, "" for anything else.
func (e *expression) head() string {
	switch {
	case e.opening == '{':
		return "{"
	case len(e.elements) == 0:
		return ""
	}
	return e.elements[0].atom
}

// args returns what follows the head of a list, or the names and values of a tuple.
func (e *expression) args() []expression {
	if e.isList() && len(e.elements) > 0 {
		return e.elements[1:]
	}
	return e.elements
}

// misread is a mistake whose line is not counted yet.
type misread struct {
	at    int
	cause string
}

// sourceReader reads the expressions of a source as a node does. The first thing that is no
// Clarity ends it.
type sourceReader struct {
	text string
	at   int
}

func (r *sourceReader) wrong(at int, format string, args ...any) *misread {
	return &misread{at, fmt.Sprintf(format, args...)}
}

// readSource reads a source up to its first mistake, and returns the whole expressions before it.
func readSource(text string) (all []expression, _ *misread) {
	r := &sourceReader{text: text}
	for {
		if err := r.space(); err != nil || r.at == len(r.text) {
			return all, err
		}
		e, err := r.expression(0)
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
}

// space skips white space and comments.
func (r *sourceReader) space() *misread {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			r.at++
		case strings.HasPrefix(r.text[r.at:], ";;"):
			for r.at < len(r.text) && r.text[r.at] != '\n' {
				if r.text[r.at] >= 0x80 {
					return r.wrong(r.at, "a contract is written in ASCII, its comments too")
				}
				r.at++
			}
		case c == ';':
			return r.wrong(r.at, "unexpected single ';'; a comment begins with ';;'")
		default:
			return nil
		}
	}
	return nil
}

func (r *sourceReader) expression(depth int) (expression, *misread) {
	start := r.at
	e, err := r.part(depth)
	e.text = r.text[start:r.at]
	return e, err
}

func (r *sourceReader) part(depth int) (expression, *misread) {
	switch c := r.text[r.at]; c {
	case '(', '{':
		return r.bracketed(depth)
	case ')', '}':
		return expression{}, r.wrong(r.at, "unexpected '%c'; nothing that it would close is open", c)
	case ',', ':':
		return expression{}, r.wrong(r.at, "unexpected '%c'; it belongs in tuples in braces only", c)
	}
	return r.word()
}

// inside goes to the next element of what is open; done says that it was closed.
func (r *sourceReader) inside(of *expression, closing byte) (done bool, err *misread) {
	if err := r.space(); err != nil {
		return false, err
	}
	if r.at == len(r.text) {
		return false, r.wrong(of.at, "'%c' is never closed; expected '%c'", of.opening, closing)
	}
	if c := r.text[r.at]; c == closing {
		r.at++
		return true, nil
	} else if c == ')' || c == '}' {
		return false, r.wrong(r.at, "unexpected '%c'; expected '%c'", c, closing)
	}
	return false, nil
}

func (r *sourceReader) open(depth int) (expression, *misread) {
	if depth >= maxNesting {
		return expression{}, r.wrong(r.at, "expressions are nested deeper than %d", maxNesting)
	}
	e := expression{at: r.at, opening: r.text[r.at]}
	r.at++
	return e, nil
}

// bracketed reads a list, or a tuple such as {name: value, …}.
func (r *sourceReader) bracketed(depth int) (expression, *misread) {
	e, err := r.open(depth)
	closing, next := byte(')'), r.element
	if e.opening == '{' {
		closing, next = '}', r.field
	}
	for err == nil {
		var done bool
		if done, err = r.inside(&e, closing); done || err != nil {
			break
		}
		err = next(&e, depth)
	}
	return e, err
}

func (r *sourceReader) element(e *expression, depth int) *misread {
	one, err := r.expression(depth + 1)
	e.elements = append(e.elements, one)
	return err
}

func (r *sourceReader) field(e *expression, depth int) *misread {
	name, err := r.expression(depth + 1)
	if err != nil {
		return err
	}
	if !name.isName() {
		return r.wrong(name.at, "a name of the tuple is expected here, such as {name: u1}")
	}
	if err := r.separator(e, ':'); err != nil {
		return err
	}
	if done, err := r.inside(e, '}'); err != nil {
		return err
	} else if done {
		return r.wrong(r.at-1, "expected the value of '%s'", name.atom)
	}
	value, err := r.expression(depth + 1)
	if err != nil {
		return err
	}
	e.elements = append(e.elements, name, value)
	if err := r.space(); err != nil {
		return err
	}
	if r.at < len(r.text) && r.text[r.at] == '}' {
		return nil
	}
	return r.separator(e, ',')
}

func (r *sourceReader) separator(e *expression, c byte) *misread {
	if err := r.space(); err != nil {
		return err
	}
	if r.at == len(r.text) {
		return r.wrong(e.at, "'{' is never closed; expected '}'")
	}
	if r.text[r.at] != c {
		return r.wrong(r.at, "expected '%c' in the tuple", c)
	}
	r.at++
	return nil
}

// word reads an atom.
func (r *sourceReader) word() (expression, *misread) {
	start := r.at
	rest := r.text[start:]
	if rest[0] == '"' || strings.HasPrefix(rest, `u"`) {
		if err := r.quoted(rest[0] == 'u'); err != nil {
			return expression{}, err
		}
		return expression{at: start, atom: r.text[start:r.at]}, nil
	}
	end := strings.IndexAny(rest, " \t\r\n(){},:;\"")
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		end = 1
	}
	r.at += end
	e := expression{at: start, atom: rest[:end]}
	if err := checkWord(e.atom); err != nil {
		return e, r.wrong(start, "%v", err)
	}
	return e, nil
}

var (
	traitName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<[a-zA-Z][a-zA-Z0-9_-]*>$`) })
	partName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_!?+<>=/*-]*$`) })
)

// isNumber reports whether an atom is digits, behind a u or a minus sign or without.
func isNumber(atom string) bool {
	digits := strings.TrimPrefix(atom, "u")
	if len(digits) == len(atom) {
		digits = strings.TrimPrefix(atom, "-")
	}
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// isWritten reports whether an atom is of printable ASCII characters alone.
func isWritten(atom string) bool {
	return strings.IndexFunc(atom, func(r rune) bool { return r < '!' || r > '~' }) < 0
}

// checkWord returns what is wrong with an atom that is no string.
func checkWord(word string) error {
	switch {
	case !isWritten(word):
		return fmt.Errorf("invalid character in %+.60q", word)
	case isNumber(word):
		return checkNumber(word)
	case strings.HasPrefix(word, "0x"):
		if digits := word[2:]; len(digits)%2 != 0 || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
			return fmt.Errorf("%.60s is no buffer; it has pairs of hexadecimal digits", word)
		}
	case word[0] == '\'' || word[0] == '.':
		return checkPrincipal(word)
	case traitName().MatchString(word):
	case clarity.CheckName(word) != nil:
		return fmt.Errorf("%.60q is neither a name nor a literal", word)
	}
	return nil
}

func checkNumber(word string) error {
	digits, unsigned := strings.CutPrefix(word, "u")
	n, _ := new(big.Int).SetString(digits, 10)
	bits := 127
	if unsigned {
		bits = 128
	}
	if least := new(big.Int).Lsh(big.NewInt(-1), 127); n.BitLen() > bits && n.Cmp(least) != 0 {
		return fmt.Errorf("%.60s has more than 128 bits", word)
	}
	return nil
}

// checkPrincipal checks 'ADDRESS, 'ADDRESS.contract, .contract, and both with a trait.
func checkPrincipal(word string) error {
	address, names, _ := strings.Cut(strings.TrimPrefix(word, "'"), ".")
	if word[0] == '\'' {
		if _, err := clarity.ParsePrincipal(address); err != nil {
			return fmt.Errorf("%.80s is no principal: %w", word, err)
		}
	} else if names == "" {
		return errors.New("expected the name of a contract after '.'")
	}
	if names == "" && !strings.HasSuffix(word, ".") {
		return nil
	}
	parts := strings.Split(names, ".")
	if len(parts) > 2 {
		return fmt.Errorf("%.80s has more parts than a contract and a trait", word)
	}
	for _, part := range parts {
		if !partName().MatchString(part) {
			return fmt.Errorf("%.80s: %q is no name", word, part)
		}
	}
	return nil
}

// quoted skips a string with its quotes. One in UTF-8 begins with u.
func (r *sourceReader) quoted(utf8 bool) *misread {
	start := r.at
	if r.at++; utf8 {
		r.at++
	}
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return nil
		case c == '\n':
			return r.wrong(start, `the string is not closed on its line; expected '"'`)
		case c >= 0x80:
			return r.wrong(r.at, `a contract is written in ASCII; other characters are u"\u{1F600}"`)
		case c < ' ' && c != '\t':
			return r.wrong(r.at, "the string has a control character, number %d", c)
		case c == '\\':
			if err := r.escape(utf8); err != nil {
				return err
			}
		}
	}
	return r.wrong(start, `the string is never closed; expected '"'`)
}

// escape skips what follows a backslash but for its last character.
func (r *sourceReader) escape(utf8 bool) *misread {
	start := r.at
	r.at++
	rest := r.text[r.at:]
	if rest != "" && strings.IndexByte(`\"ntr0`, rest[0]) >= 0 {
		return nil
	}
	if utf8 && strings.HasPrefix(rest, "u{") {
		if digits, _, closed := strings.Cut(rest[2:], "}"); closed {
			if n, err := strconv.ParseUint(digits, 16, 32); err == nil && n <= 0x10ffff && (n < 0xd800 || n > 0xdfff) {
				r.at += len("u{") + len(digits)
				return nil
			}
		}
		return r.wrong(start, `\u{…} takes the hexadecimal digits of a character`)
	}
	return r.wrong(start, "unknown escape in a string")
}
