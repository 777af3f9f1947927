// Package jsoncursor reads JSON in one pass without reflection, for records
// whose fields are known. It takes null and "" as unknown, names the path and the
// byte of what it cannot read, and returns strings that share the memory of the
// document. It must not import anything of the project.
package jsoncursor

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a document.
const maxDepth = 512

// Error is what could not be read, and where.
type Error struct {
	// Path is the field, such as results[3].height; "" is the document.
	Path string
	// Offset is the byte of the document, from 0.
	Offset int
	Reason string
}

func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("%s (byte %d)", e.Reason, e.Offset)
	}
	return fmt.Sprintf("%s: %s (byte %d)", e.Path, e.Reason, e.Offset)
}

// frame is an object or array that has been entered.
type frame struct {
	key     string
	index   int
	object  bool
	started bool
}

// Cursor is a position before a value of a document. After the first error it
// reads nothing more: loops end, and Err returns it.
type Cursor struct {
	s     string
	pos   int
	stack []frame
	err   *Error
	// room holds the stack of a document that is no deeper.
	room [8]frame
}

// New returns a cursor at the start of a document. Strings that it reads are parts
// of s.
func New(s string) *Cursor {
	c := &Cursor{s: s}
	c.stack = c.room[:0]
	return c
}

// Err returns the first error, nil when there is none.
func (c *Cursor) Err() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

// End checks that nothing but blanks follows, and returns the first error.
func (c *Cursor) End() error {
	if c.err == nil {
		c.space()
		if c.pos < len(c.s) {
			c.fail("text after the end of the document")
		}
	}
	return c.Err()
}

// Fail records that the value which began at byte at cannot be used.
func (c *Cursor) Fail(at int, reason string) {
	if c.err == nil {
		c.err = &Error{Path: c.path(), Offset: at, Reason: reason}
	}
}

// Offset returns the byte at which the next value begins.
func (c *Cursor) Offset() int {
	c.space()
	return c.pos
}

func (c *Cursor) fail(format string, args ...any) {
	if c.err == nil {
		if c.pos >= len(c.s) {
			c.Fail(len(c.s), "the document ends too early")
			return
		}
		c.Fail(c.pos, fmt.Sprintf(format, args...))
	}
}

func (c *Cursor) path() string {
	var b strings.Builder
	for _, f := range c.stack {
		switch {
		case f.object && f.key == "" || !f.started:
		case f.object:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(f.key)
		default:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(f.index))
			b.WriteByte(']')
		}
	}
	return b.String()
}

func (c *Cursor) space() {
	for c.pos < len(c.s) {
		switch c.s[c.pos] {
		case ' ', '\n', '\t', '\r':
			c.pos++
		default:
			return
		}
	}
}

// peek returns the first byte of the next value, 0 at the end or after an error.
func (c *Cursor) peek() byte {
	if c.err != nil {
		return 0
	}
	c.space()
	if c.pos >= len(c.s) {
		c.fail("")
		return 0
	}
	return c.s[c.pos]
}

// Null reads null or an empty string, which both mean that a value is unknown, and
// reports whether there was one.
func (c *Cursor) Null() bool {
	switch c.peek() {
	case 'n':
		return c.literal("null")
	case '"':
		if strings.HasPrefix(c.s[c.pos:], `""`) {
			c.pos += 2
			return true
		}
	}
	return false
}

func (c *Cursor) literal(word string) bool {
	if !strings.HasPrefix(c.s[c.pos:], word) {
		if strings.HasPrefix(word, c.s[c.pos:]) {
			c.pos = len(c.s)
		}
		c.fail("want %s", word)
		return false
	}
	c.pos += len(word)
	return true
}

// Object enters an object. It returns false when the value is unknown or no object.
func (c *Cursor) Object() bool { return c.enter('{', "an object") }

// Array enters an array. It returns false when the value is unknown or no array.
func (c *Cursor) Array() bool { return c.enter('[', "an array") }

func (c *Cursor) enter(open byte, want string) bool {
	if c.Null() || c.err != nil {
		return false
	}
	if c.peek() != open {
		c.want(want)
		return false
	}
	if len(c.stack) >= maxDepth {
		c.fail("nested more than %d deep", maxDepth)
		return false
	}
	c.pos++
	c.stack = append(c.stack, frame{object: open == '{', index: -1})
	return true
}

// want fails with what stands here instead.
func (c *Cursor) want(what string) {
	var found string
	switch b := c.peek(); {
	case c.err != nil:
		return
	case b == '{':
		found = "an object"
	case b == '[':
		found = "an array"
	case b == '"':
		found = "a string"
	case b == 't' || b == 'f':
		found = "a boolean"
	case b == 'n':
		found = "null"
	case b == '-' || b >= '0' && b <= '9':
		found = "a number"
	default:
		r, _ := utf8.DecodeRuneInString(c.s[c.pos:])
		c.fail("want %s, found %q, which begins no JSON value", what, r)
		return
	}
	c.fail("want %s, found %s", what, found)
}

// Key moves to the next member of the object entered last and returns its key, or
// false at the end of the object.
func (c *Cursor) Key() (string, bool) {
	f := &c.stack[len(c.stack)-1]
	if !c.separator(f, '}') {
		return "", false
	}
	if c.peek() != '"' {
		c.fail("want a key in quotes")
		return "", false
	}
	key, ok := c.str()
	if !ok || c.peek() != ':' {
		c.fail("want a colon after the key")
		return "", false
	}
	c.pos++
	f.key = key
	return key, true
}

// Item moves to the next item of the array entered last. It returns false at its
// end.
func (c *Cursor) Item() bool {
	f := &c.stack[len(c.stack)-1]
	if !c.separator(f, ']') {
		return false
	}
	f.index++
	return true
}

func (c *Cursor) separator(f *frame, end byte) bool {
	b := c.peek()
	switch {
	case c.err != nil:
		return false
	case b == end:
		c.pos++
		c.stack = c.stack[:len(c.stack)-1]
		return false
	case !f.started:
		f.started = true
		return true
	case b != ',':
		c.fail("want a comma or %q", end)
		return false
	}
	c.pos++
	if c.peek() == end {
		c.fail("a comma before %q", end)
		return false
	}
	return c.err == nil
}

// String reads a string; null is "".
func (c *Cursor) String() string {
	switch c.peek() {
	case '"':
		s, _ := c.str()
		return s
	case 'n':
		c.literal("null")
	default:
		c.want("a string")
	}
	return ""
}

// Bool reads a boolean; null and "" are false.
func (c *Cursor) Bool() bool {
	if c.Null() {
		return false
	}
	switch c.peek() {
	case 't':
		return c.literal("true")
	case 'f':
		c.literal("false")
	default:
		c.want("a boolean")
	}
	return false
}

// Int reads a number as a whole one: 12, 12.0 and 1.2e1 are 12, and a fraction
// is cut off. known is false for null and "".
func (c *Cursor) Int() (n int64, known bool) {
	b := c.peek()
	if b != '-' && (b < '0' || b > '9') {
		if c.Null() || c.err != nil {
			return 0, false
		}
		c.want("a number")
		return 0, false
	}
	at := c.pos
	text, whole := c.number()
	if c.err != nil {
		return 0, false
	}
	if whole && len(text) <= 18 {
		return shortInt(text), true
	}
	if whole {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, true
		}
	} else if f, err := strconv.ParseFloat(text, 64); err == nil && f > -1<<63 && f < 1<<63 {
		return int64(f), true
	}
	c.Fail(at, "the number "+clip(text)+" is too large")
	return 0, false
}

// shortInt reads up to 18 characters that are known to be a whole number.
func shortInt(text string) int64 {
	var n int64
	digits := strings.TrimPrefix(text, "-")
	for i := range len(digits) {
		n = n*10 + int64(digits[i]-'0')
	}
	if len(digits) < len(text) {
		return -n
	}
	return n
}

// Digits reads a string or a number and returns its text, "" for null.
func (c *Cursor) Digits() string {
	switch b := c.peek(); {
	case b == '-' || b >= '0' && b <= '9':
		text, _ := c.number()
		return text
	case b == '"' || b == 'n':
		return c.String()
	}
	c.want("a string of digits")
	return ""
}

// number reads the characters of a number; whole when it has neither fraction
// nor exponent.
func (c *Cursor) number() (text string, whole bool) {
	s, start := c.s, c.pos
	i := start
	digits := func() bool {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	lead := i
	ok, whole := digits(), true
	if ok && s[lead] == '0' && i > lead+1 {
		i = lead + 1
		ok = false
	}
	if ok && i < len(s) && s[i] == '.' {
		i++
		ok, whole = digits(), false
	}
	if ok && i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		ok, whole = digits(), false
	}
	c.pos = i
	if !ok {
		c.fail("not a number")
		return "", false
	}
	return s[start:i], whole
}

// Skip reads any value and returns its text.
func (c *Cursor) Skip() string {
	c.space()
	start := c.pos
	c.skip()
	if c.err != nil {
		return ""
	}
	return c.s[start:c.pos]
}

func (c *Cursor) skip() {
	switch b := c.peek(); {
	case c.err != nil:
	case b == '"':
		c.str()
	case b == '{':
		c.Object()
		for c.err == nil {
			if _, ok := c.Key(); !ok {
				return
			}
			c.skip()
		}
	case b == '[':
		c.Array()
		for c.err == nil && c.Item() {
			c.skip()
		}
	case b == 't':
		c.literal("true")
	case b == 'f':
		c.literal("false")
	case b == 'n':
		c.literal("null")
	case b == '-' || b >= '0' && b <= '9':
		c.number()
	default:
		c.want("a value")
	}
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// Here reports whether the next value begins with b.
func (c *Cursor) Here(b byte) bool { return c.peek() == b }

// Want fails with the words "want what, found" and what stands here.
func (c *Cursor) Want(what string) { c.want(what) }
