package clarity

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Repr writes v as a literal that [ParseLiteral] reads, for example
// "{ amount: u11, to: (some 'SP…) }". Controls in strings are escaped; other
// hostile characters (bidirectional controls) stay as they are.
func Repr(v Value) string {
	var w strings.Builder
	writeRepr(&w, v)
	return w.String()
}

// Brief returns the first bytes of a literal, or of any text, for a message.
func Brief(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func writeRepr(w *strings.Builder, v Value) {
	around := func(before string, v Value, after string) {
		w.WriteString(before)
		writeRepr(w, v)
		w.WriteString(after)
	}
	switch v := v.(type) {
	case Int:
		w.WriteString(v.N.String())
	case UInt:
		w.WriteString("u" + v.N.String())
	case Bool:
		w.WriteString(strconv.FormatBool(bool(v)))
	case Buffer:
		w.WriteString("0x" + hex.EncodeToString(v))
	case ASCII:
		w.WriteString(QuoteJSON(string(v)))
	case UTF8:
		w.WriteString("u" + QuoteJSON(string(v)))
	case Principal:
		w.WriteString("'" + v.String())
	case None:
		w.WriteString("none")
	case Some:
		around("(some ", v.Value, ")")
	case OK:
		around("(ok ", v.Value, ")")
	case Err:
		around("(err ", v.Value, ")")
	case List:
		w.WriteString("(list")
		for _, item := range v {
			around(" ", item, "")
		}
		w.WriteByte(')')
	case Tuple:
		writeTupleRepr(w, v)
	}
}

func writeTupleRepr(w *strings.Builder, v Tuple) {
	if len(v.Fields) == 0 {
		w.WriteString("{}")
		return
	}
	// The reference library sorts the finished entries, colon included, so
	// that "a1: " comes before "a: ".
	fields := slices.SortedStableFunc(slices.Values(v.Fields), func(a, b Field) int { return strings.Compare(a.Name+":", b.Name+":") })
	for i, field := range fields {
		if i == 0 {
			w.WriteString("{ ")
		} else {
			w.WriteString(", ")
		}
		w.WriteString(field.Name + ": ")
		writeRepr(w, field.Value)
	}
	w.WriteString(" }")
}

// LiteralError describes where a literal is wrong.
type LiteralError struct {
	Offset int // in bytes from the start of the text
	Err    error
}

// Error writes the place and what is wrong there.
func (e *LiteralError) Error() string {
	return fmt.Sprintf("clarity literal: at byte %d: %v", e.Offset, e.Err)
}

// Unwrap returns what is wrong, without the place.
func (e *LiteralError) Unwrap() error { return e.Err }

// ParseLiteral reads a value as contract authors write it: 1, u1, true, none,
// 0x00ff, "text", u"text", 'SP…, 'SP….name, (some …), (ok …), (err …),
// (list …), (tuple (a u1)) and { a: u1 }. White space and ;; comments may be
// between the parts. Strings know the escapes of Clarity (\n \t \r \0 \" \\
// \u{1F600}) and of JSON. The error is a [*LiteralError].
func ParseLiteral(text string) (Value, error) {
	p := literalParser{text: text}
	v, err := p.all()
	if err != nil {
		return nil, &LiteralError{min(p.at, len(text)), err}
	}
	return v, nil
}

type literalParser struct {
	text string
	at   int
}

func (p *literalParser) all() (Value, error) {
	if len(p.text) > 8*MaxBytes {
		return nil, fmt.Errorf("the text has %d bytes, at most %d are read", len(p.text), 8*MaxBytes)
	}
	if !utf8.ValidString(p.text) {
		return nil, errors.New("the text is not UTF-8")
	}
	v, err := p.value(1)
	if err != nil {
		return nil, err
	}
	if p.space(); p.at < len(p.text) {
		return nil, fmt.Errorf("%.20q is left over after the value", p.text[p.at:])
	}
	if _, err := Encode(v); err != nil {
		return nil, errors.Unwrap(err)
	}
	return v, nil
}

// space skips white space and comments.
func (p *literalParser) space() {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.at++
		case strings.HasPrefix(p.text[p.at:], ";;"):
			end := strings.IndexByte(p.text[p.at:], '\n')
			if end < 0 {
				end = len(p.text) - p.at
			}
			p.at += end
		default:
			return
		}
	}
}

// peek returns the next byte that is no white space, or 0 at the end.
func (p *literalParser) peek() byte {
	p.space()
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *literalParser) expect(c byte, what string) error {
	switch got := p.peek(); got {
	case c:
		p.at++
		return nil
	case 0:
		return fmt.Errorf("the text ends, %s is missing", what)
	default:
		return fmt.Errorf("%.20q where %s is expected", p.text[p.at:], what)
	}
}

// word reads up to white space or a character that ends a word.
func (p *literalParser) word() string {
	p.space()
	rest := p.text[p.at:]
	end := strings.IndexAny(rest, " \t\n\r(){},:;\"")
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return rest[:end]
}

func (p *literalParser) value(depth int) (Value, error) {
	if depth > MaxDepth {
		return nil, errDepth
	}
	switch c := p.peek(); {
	case c == 0:
		return nil, errors.New("the text ends where a value is expected")
	case c == '(':
		p.at++
		return p.form(depth)
	case c == '{':
		p.at++
		return p.braces(depth)
	case c == '"':
		s, err := p.quoted()
		if err != nil {
			return nil, err
		}
		return ASCII(s), ASCII(s).check()
	case strings.HasPrefix(p.text[p.at:], `u"`):
		p.at++
		s, err := p.quoted()
		return UTF8(s), err
	}
	start := p.at
	v, err := atom(p.word())
	if err != nil {
		p.at = start
	}
	return v, err
}

func atom(word string) (Value, error) {
	switch word {
	case "true":
		return Bool(true), nil
	case "false":
		return Bool(false), nil
	case "none":
		return None{}, nil
	case "":
		return nil, errors.New("a value is expected here")
	}
	if digits, ok := strings.CutPrefix(word, "0x"); ok {
		b, err := hex.DecodeString(digits)
		if err != nil {
			return nil, hexError(digits)
		}
		return Buffer(b), nil
	}
	if address, ok := strings.CutPrefix(word, "'"); ok {
		return ParsePrincipal(address)
	}
	if digits, ok := strings.CutPrefix(word, "u"); ok {
		if n, ok := decimal(digits); ok {
			return UInt{n}, UInt{n}.check()
		}
	}
	if n, ok := decimal(word); ok {
		return Int{n}, Int{n}.check()
	}
	return nil, fmt.Errorf("%.40q is no literal, write one such as 1, u1, true, none, 0x00, \"text\", 'SP…, (list …) or { a: u1 }", word)
}

func (p *literalParser) form(depth int) (Value, error) {
	switch head := p.word(); head {
	case "some", "ok", "err":
		inner, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if err := p.expect(')', fmt.Sprintf("the ) of (%s …)", head)); err != nil {
			return nil, err
		}
		switch head {
		case "some":
			return Some{inner}, nil
		case "ok":
			return OK{inner}, nil
		}
		return Err{inner}, nil
	case "list":
		list := List{}
		for p.peek() != ')' {
			item, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		p.at++
		return list, nil
	case "tuple":
		return p.tuple(depth, ')', func() error { return p.expect('(', "a pair (key value)") }, nil,
			func() error { return p.expect(')', "the ) of a pair (key value)") })
	default:
		p.at -= len(head)
		return nil, fmt.Errorf("(%.20s is no literal, it must be (some, (ok, (err, (list or (tuple", head)
	}
}

func (p *literalParser) braces(depth int) (Value, error) {
	return p.tuple(depth, '}', nil,
		func() error { return p.expect(':', "the : after a key") },
		func() error {
			if p.peek() == '}' {
				return nil
			}
			return p.expect(',', "a , or }")
		})
}

// tuple reads entries up to the closing character; the three functions read
// what is before, inside and after an entry.
func (p *literalParser) tuple(depth int, end byte, before, inside, after func() error) (Value, error) {
	tuple, keys := Tuple{}, tupleKeys{}
	for p.peek() != end {
		if before != nil {
			if err := before(); err != nil {
				return nil, err
			}
		}
		name := p.word()
		if err := keys.add(name); err != nil {
			return nil, err
		}
		if inside != nil {
			if err := inside(); err != nil {
				return nil, err
			}
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		tuple.Fields = append(tuple.Fields, Field{name, v})
		if err := after(); err != nil {
			return nil, err
		}
	}
	p.at++
	return tuple, nil
}

// quoted reads a string from its opening to its closing quote.
func (p *literalParser) quoted() (string, error) {
	p.at++
	var out strings.Builder
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case '"':
			p.at++
			return out.String(), nil
		case '\\':
			r, n, err := escape(p.text[p.at:])
			if err != nil {
				return "", err
			}
			out.WriteRune(r)
			p.at += n
		default:
			out.WriteByte(c)
			p.at++
		}
	}
	return "", errors.New(`the text ends inside a string, a " is missing`)
}

// escape reads one escape and returns its length in bytes.
func escape(text string) (rune, int, error) {
	if len(text) < 2 {
		return 0, 0, errors.New("the text ends inside an escape")
	}
	if i := strings.IndexByte(`"\/nrtbf0`, text[1]); i >= 0 {
		return rune("\"\\/\n\r\t\b\f\x00"[i]), 2, nil
	}
	if text[1] != 'u' {
		r, _ := utf8.DecodeRuneInString(text[1:])
		return 0, 0, fmt.Errorf(`the escape \%c is unknown, it must be \" \\ \n \r \t \0 or \u{…}`, r)
	}
	if strings.HasPrefix(text, `\u{`) {
		end := strings.IndexByte(text[:min(len(text), 11)], '}')
		if end < 0 {
			return 0, 0, errors.New(`the } of \u{…} is missing`)
		}
		n, err := strconv.ParseUint(text[3:end], 16, 32)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return 0, 0, fmt.Errorf("%.11q is no character", text[:end+1])
		}
		return rune(n), end + 1, nil
	}
	unit := func(text string) (rune, bool) {
		if len(text) < 6 || text[:2] != `\u` {
			return 0, false
		}
		n, err := strconv.ParseUint(text[2:6], 16, 16)
		return rune(n), err == nil
	}
	r, ok := unit(text)
	if !ok {
		return 0, 0, errors.New(`four hexadecimal digits must follow \u`)
	}
	if !utf16.IsSurrogate(r) {
		return r, 6, nil
	}
	if low, ok := unit(text[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12, nil
		}
	}
	return 0, 0, fmt.Errorf("lone surrogate %.6q", text)
}

// ParseAny reads a value in any of its forms: JSON, hexadecimal digits, a literal, of which
// a principal may lack its quote.
func ParseAny(text string) (Value, error) {
	if json.Valid([]byte(text)) && strings.HasPrefix(strings.TrimSpace(text), "{") {
		return ParseJSON([]byte(text))
	}
	if v, err := DecodeHex(text); err == nil {
		return v, nil
	}
	if p, err := ParsePrincipal(text); err == nil {
		return p, nil
	}
	return ParseLiteral(text)
}
