package term

import (
	"bytes"
	"os"
	"time"
	"unicode/utf8"
)

// splitWait is how long the rest of an escape sequence is waited for. It is
// what a real escape key costs.
const splitWait = 60 * time.Millisecond

// input is the keyboard. Between the terminal and the framework it does three
// things: it joins escape sequences and characters that were split between two
// reads, it marks an escape key that other keys follow, and it takes out the
// answer to the question for the background colour.
type input struct {
	*os.File
	answer func(BackgroundMsg)
	read   func([]byte) (int, error)
	more   func(time.Duration) bool // is there something to read within that time?
	held   []byte                   // a part of an answer that waits for its rest
}

// maxInsert is how many bytes a Read may add to what was read.
const maxInsert = len(escapeKey)

// Read reads keys.
func (in *input) Read(p []byte) (int, error) {
	if len(p) < 64 {
		return in.read(p)
	}
	n, err := in.read(p[:len(p)-maxInsert-len(in.held)])
	if err != nil {
		return n, err
	}
	n = in.unhold(p, n)
	for unfinished(p[:n]) && n < len(p)-maxInsert && in.more(splitWait) {
		m, err := in.read(p[n : len(p)-maxInsert])
		if err != nil || m == 0 {
			break // what came before is handed on; the next read meets the error
		}
		endsAnswer := p[n] == '\\' && bytes.Contains(p[:n], answerStart)
		if p[n-1] == 0x1b && !introducer(p[n]) && !endsAnswer && (n < 2 || p[n-2] != 0x1b) {
			// An escape key, and then another one.
			copy(p[n-1+len(escapeKey):], p[n:n+m])
			copy(p[n-1:], escapeKey)
			n += len(escapeKey) - 1
			return in.swallow(p, n+m), nil
		}
		n += m
	}
	return in.swallow(p, n), nil //nolint:nilerr // see above
}

// unhold puts what was held before what was read.
func (in *input) unhold(p []byte, n int) int {
	if len(in.held) == 0 {
		return n
	}
	copy(p[len(in.held):], p[:n])
	copy(p, in.held)
	n += len(in.held)
	in.held = nil
	return n
}

// introducer reports whether a byte after ESC begins a sequence.
func introducer(c byte) bool {
	switch c {
	case '[', 'O', ']', 'P', '_', '^', 'X', 0x1b:
		return true
	}
	return false
}

// unfinished reports whether what was read ends within an escape sequence or a
// character.
func unfinished(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	if i := bytes.LastIndexByte(b, 0x1b); i >= 0 {
		seq := b[i+1:]
		if len(seq) == 0 {
			return true
		}
		switch seq[0] {
		case 'O':
			return len(seq) == 1
		case '[':
			return unfinishedCSI(seq[1:])
		case ']', 'P', '_', '^', 'X':
			// An answer of the terminal, up to BEL or ST.
			return len(seq) < 128 && !bytes.ContainsRune(seq, 7)
		}
	}
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			return b[i] >= utf8.RuneSelf && !utf8.FullRune(b[i:])
		}
	}
	return false
}

// unfinishedCSI reports whether the part of a sequence after CSI lacks its end.
func unfinishedCSI(b []byte) bool {
	if len(b) > 0 && b[0] == 'M' {
		return len(b) < 4 // a mouse report of three bytes
	}
	if len(b) > 0 && b[0] == '[' {
		return len(b) < 2 // function keys of the Linux console
	}
	for _, c := range b {
		if c < 0x20 || c > 0x3f {
			return false
		}
	}
	return len(b) < 64
}

var answerStart = []byte("\x1b]11;")

// swallow takes the answers to OSC 11 out of b[:n] and tells them.
func (in *input) swallow(p []byte, n int) int {
	for {
		i := bytes.Index(p[:n], answerStart)
		if i < 0 {
			return n
		}
		body := p[i+len(answerStart) : n]
		end := bytes.IndexFunc(body, func(r rune) bool {
			return (r < '0' || r > '9') && (r < 'a' || r > 'g') && (r < 'A' || r > 'F') && r != 'r' && r != ':' && r != '/'
		})
		if end < 0 || body[end] == 0x1b && end+1 == len(body) {
			if len(body) <= 32 {
				// Its rest comes later.
				in.held = bytes.Clone(p[i:n])
				return i
			}
			end = len(body)
		}
		if answer, ok := parseBackground(string(body[:end])); ok && in.answer != nil {
			in.answer(answer)
		}
		// The terminator: BEL, or ESC and a backslash.
		if end < len(body) && body[end] == 7 {
			end++
		} else if end+1 < len(body) && body[end] == 0x1b && body[end+1] == '\\' {
			end += 2
		}
		n = i + copy(p[i:], body[end:])
	}
}
