package term

import (
	"bytes"
	"time"
	"unicode/utf8"
)

const escape = 0x1b

// kind holds what a sequence is, or what the start of one may become.
type kind uint8

const (
	typed      kind = iota // a key or a mouse report
	startPaste             // what follows was pasted
	startReply             // what follows is a reply of the terminal
	dropped                // nothing that means anything

	nothing // incomplete: not a single byte
	short   // incomplete: could be a key that is already there
	long    // incomplete: can only be part of something longer
)

// patience returns how long the rest of something incomplete is waited for.
func (k kind) patience() time.Duration {
	switch k {
	case short:
		return splitWait
	case long:
		return tailWait
	}
	return -1 // for ever
}

// scan returns the length and the kind of the sequence at the start of b, the
// length 0 and what it may become when it is incomplete. The first seam bytes
// came in an earlier read than the rest.
func scan(b []byte, seam int) (int, kind) {
	switch {
	case len(b) == 0:
		return 0, nothing
	case b[0] == escape:
		return scanEscape(b, seam)
	case b[0] < utf8.RuneSelf:
		return 1, typed
	case !utf8.FullRune(b):
		return 0, short
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError {
		return n, dropped
	}
	return n, typed
}

// scanEscape scans what begins with an escape.
func scanEscape(b []byte, seam int) (int, kind) {
	if len(b) == 1 {
		return 0, short
	}
	switch b[1] {
	case '[':
		return scanCSI(b)
	case 'O':
		if len(b) == 2 {
			return 0, short
		}
		if b[2] < 0x20 || b[2] > 0x7e {
			return 2, typed // alt and a capital O, and then something else
		}
		return 3, typed
	case ']', 'P', '_', '^', 'X':
		if len(b) == 2 {
			return 0, short
		}
		return 2, startReply
	case escape:
		return scanTwoEscapes(b)
	}
	if seam == 1 {
		return 1, typed // the escape key, and then another one
	}
	n, k := scan(b[1:], 0)
	switch {
	case n == 0:
		return 0, k
	case k == typed:
		return 1 + n, typed // alt and a key
	}
	return 1, typed
}

// scanTwoEscapes scans alt and an arrow as some terminals send it, or the first
// of two escape keys.
func scanTwoEscapes(b []byte) (int, kind) {
	if len(b) == 2 {
		return 0, short
	}
	if b[2] != '[' && b[2] != 'O' {
		return 1, typed
	}
	n, k := scanEscape(b[1:], 0)
	switch {
	case n == 0:
		return 0, k
	case k == typed && n > 2:
		return 1 + n, typed
	}
	return 1, typed
}

// scanCSI scans a control sequence: parameters, intermediate bytes and a final
// one (ECMA-48, 5.4).
func scanCSI(b []byte) (int, kind) {
	if len(b) == 2 {
		return 0, short
	}
	switch b[2] {
	case 'M': // a mouse report of three bytes
		if len(b) < 6 {
			return 0, long
		}
		return 6, typed
	case '[': // a function key of the Linux console
		if len(b) < 4 {
			return 0, long
		}
		return 4, typed
	case 'O': // the focus went, or a shifted arrow of old terminals
		if len(b) == 3 {
			return 0, short
		}
		if bytes.IndexByte([]byte("ABCDabcd"), b[3]) >= 0 {
			return 4, typed
		}
		return 3, typed
	}
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c >= 0x40 && c <= 0x7e:
			if string(b[:i+1]) == "\x1b[200~" {
				return i + 1, startPaste
			}
			return i + 1, typed
		case c < 0x20 || c > 0x7e:
			return i, dropped // broken off by something else
		case i >= maxReply:
			return i, dropped
		}
	}
	if b[len(b)-1] == '$' {
		return 0, short // a key of urxvt may end here
	}
	return 0, long
}

// scanFinal decides about an incomplete sequence whose rest did not come.
func scanFinal(b []byte) (int, kind) {
	switch {
	case len(b) == 0:
		return 0, nothing
	case b[0] != escape:
		return len(b), dropped // part of a character
	case len(b) == 1, len(b) == 2 && b[1] == escape:
		return 1, typed
	case len(b) == 2:
		return 2, typed // alt and the key
	case string(b) == "\x1b[O", b[len(b)-1] == '$':
		return len(b), typed
	case b[1] == escape && len(b) == 3:
		return 1, typed
	}
	return len(b), dropped
}
