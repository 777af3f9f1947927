package term

import (
	"bytes"
	"errors"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	// splitWait is the time that Read waits for the rest of a character, or of a
	// sequence that has just begun. A lone escape key is delayed by it.
	splitWait = 60 * time.Millisecond
	// tailWait is the time that Read waits for the rest of a longer sequence. A person
	// cannot type one, so a sequence that never ends is dropped.
	tailWait = 500 * time.Millisecond
	// pasteWait is the time that a paste may be silent before it counts as ended: its
	// end marker may have been lost.
	pasteWait = time.Second
	// pastePause is the time that a paste must be silent for a single key to count as
	// typed rather than pasted.
	pastePause = 250 * time.Millisecond

	// maxPaste limits how many bytes of a paste are kept.
	maxPaste = 1 << 20
	// maxReply limits how many bytes of a reply of the terminal are kept. The only
	// one that is requested, the background color, has about 30.
	maxReply = 256
)

// BurstMsg comes right before the [tea.KeyMsg] of a key that did not come alone:
// other input was there in the same read. So it is with pasted text where the
// terminal does not mark pastes, with scripts, and with held keys on a slow line.
// It is about that one message only, and never of a paste, which says so itself.
//
// A model that must not be operated by accident keeps a flag that BurstMsg sets
// and the key that follows clears:
//
//	case term.BurstMsg:
//		m.burst = true
//	case tea.KeyMsg:
//		alone := !m.burst && !msg.Paste
//		m.burst = false
//
// A key that is alone is no proof of the user: a script may send its keys one at
// a time. On Windows no key is marked.
type BurstMsg struct{}

// togetherMsg reports whether the events that follow came together with others.
type togetherMsg bool

// source is a source of bytes.
type source interface {
	// read reads what is there or comes within a time; a negative one is for ever.
	// It returns 0 when nothing came. The error is io.EOF when reading is over, and
	// errEndOfInput when the terminal says that its input has ended.
	read(p []byte, within time.Duration) (int, error)
}

// errGone says that the other end of the terminal is closed.
var errGone = errors.New("it was closed")

// errEndOfInput is an end of file that a terminal sent
// unexpectedly: something else has taken it out of raw mode, where ctrl+d ends the input.
var errEndOfInput = errors.New("it sends nothing but the end of its input")

// maxEnds limits how many ends of file may follow each other without a key between
// them. A terminal that sends more has gone.
const maxEnds = 20

// endOfInputMsg says that an end of file came that nobody requested.
type endOfInputMsg struct{}

// mode describes what the next byte belongs to.
type mode uint8

const (
	ground  mode = iota // a key or a sequence
	inPaste             // a paste, up to its end marker
	inReply             // a reply of the terminal, up to BEL or ST
)

// input is the keyboard. It divides what the terminal sends into keys, mouse
// reports, pastes and replies, however the bytes are spread over reads, and gives
// the framework exactly one key or report with each Read: the framework guesses
// by the length of a read whether a sequence is complete. Pastes, and the reply
// with the background color, go to the event loop as messages.
type input struct {
	source
	fd   uintptr
	send func(tea.Msg) // to the event loop; returns when the message was taken

	buffer   []byte
	pending  []byte // read and not delivered yet
	seam     int    // how many bytes of pending are older than the last read
	ends     int    // how many ends of file came after the last byte
	burst    bool   // something of the same read was delivered before
	reported bool   // the last togetherMsg

	mode   mode
	text   []byte // of the paste or reply so far
	paused bool   // the paste has been silent for pastePause
	alone  []byte // what came in one read after such a pause, nil for nothing
}

func newInputFrom(s source, fd uintptr, send func(tea.Msg)) *input {
	return &input{source: s, fd: fd, send: send, buffer: make([]byte, 4096)}
}

// Fd, Write and Close make it a file for the framework, which sets raw mode.
func (in *input) Fd() uintptr { return in.fd }

// Write does nothing: nothing is written to a keyboard.
func (in *input) Write(p []byte) (int, error) { return len(p), nil }

// Close does nothing: the terminal is not ours to close.
func (in *input) Close() error { return nil }

// Read reads one key or mouse report.
func (in *input) Read(p []byte) (int, error) {
	for {
		var wait time.Duration
		switch in.mode {
		case inPaste:
			wait = in.paste()
		case inReply:
			wait = in.reply()
		default:
			n, kind := scan(in.pending, in.seam)
			if n > 0 {
				if n := in.accept(p, n, kind); n > 0 {
					return n, nil
				}
				continue
			}
			wait = kind.patience()
		}
		if wait == 0 {
			continue
		}
		more, err := in.fill(wait)
		if err != nil {
			return 0, err
		}
		if !more {
			if n := in.settle(p); n > 0 {
				return n, nil
			}
		}
	}
}

// fill reads what is there within the time, and reports whether something was.
func (in *input) fill(wait time.Duration) (bool, error) {
	old := copy(in.buffer, in.pending)
	n, err := in.source.read(in.buffer[old:], wait)
	in.pending = in.buffer[:old+n]
	switch {
	case n > 0: // an error comes again at the next read
		in.seam, in.ends, in.alone = old, 0, nil
		if in.paused && in.seam == 0 {
			in.alone = in.pending
		}
		return true, nil
	case errors.Is(err, errEndOfInput) && in.ends < maxEnds:
		in.ends++
		in.send(endOfInputMsg{})
		return false, nil
	}
	return false, err
}

// cut removes n bytes from the pending ones. The result is valid until the
// next fill.
func (in *input) cut(n int) []byte {
	taken := in.pending[:n]
	in.pending, in.seam = in.pending[n:], max(0, in.seam-n)
	return taken
}

// accept takes a complete sequence. It returns the length of what it put into p
// for the framework, 0 when there is nothing for it.
func (in *input) accept(p []byte, n int, k kind) int {
	seq := in.cut(n)
	together := in.burst || len(in.pending) > 0
	in.burst = len(in.pending) > 0
	switch k {
	case startPaste:
		in.mode, in.text, in.paused, in.alone = inPaste, in.text[:0], false, nil
		return 0
	case startReply:
		in.mode, in.text = inReply, append(in.text[:0], seq...)
		return 0
	case dropped:
		return 0
	}
	if together != in.reported {
		in.reported = together
		in.send(togetherMsg(together))
	}
	return copy(p, seq)
}

// settle decides about an incomplete sequence whose rest did not come.
func (in *input) settle(p []byte) int {
	switch in.mode {
	case inPaste:
		switch {
		case string(in.alone) == "\x1b": // the escape key
			in.endTyped()
			return in.accept(p, 1, typed)
		case !in.paused:
			in.paused = true
			return 0
		}
		in.text = append(in.text, in.cut(len(in.pending))...)
		in.endPaste()
	case inReply:
		in.cut(len(in.pending))
		in.endReply()
	default:
		if n, kind := scanFinal(in.pending); n > 0 {
			return in.accept(p, n, kind)
		}
	}
	return 0
}

var pasteEnd = []byte("\x1b[201~")

// paste moves what belongs to the paste from pending to text. It returns how
// long to wait for more, 0 when the paste ended.
func (in *input) paste() time.Duration {
	if in.typedIntoPaste() {
		in.endTyped()
		return 0
	}
	n := bytes.Index(in.pending, pasteEnd)
	ended := n >= 0
	if !ended {
		n = len(in.pending) - overlap(in.pending, pasteEnd)
	}
	content := in.cut(n)
	in.text = append(in.text, content[:min(n, maxPaste-len(in.text))]...)
	switch {
	case ended:
		in.cut(len(pasteEnd))
		in.endPaste()
		return 0
	case n > 0:
		in.paused = false
	case string(in.alone) == "\x1b":
		return splitWait // the escape key, or the first byte of an arrow
	case in.paused:
		return pasteWait - pastePause
	}
	return pastePause
}

// endTyped ends the paste because what is pending was typed.
func (in *input) endTyped() {
	in.endPaste()
	in.burst, in.alone = false, nil
}

// typedIntoPaste reports whether what is pending was typed by a user who waits
// for the end of a paste: ctrl+c alone, or any key alone after a pause.
func (in *input) typedIntoPaste() bool {
	if string(in.pending) == "\x03" && len(in.text) > 0 {
		return true
	}
	n, kind := scan(in.alone, 0)
	return n > 0 && n == len(in.alone) && kind == typed && string(in.alone) != string(pasteEnd)
}

// overlap returns how many bytes at the end of b may be the start of marker.
func overlap(b, marker []byte) int {
	for n := min(len(b), len(marker)-1); n > 0; n-- {
		if bytes.HasSuffix(b, marker[:n]) {
			return n
		}
	}
	return 0
}

// endPaste sends the paste. What is no UTF-8 in it is left out.
func (in *input) endPaste() {
	key := tea.Key{Type: tea.KeyRunes, Paste: true}
	for text := in.text; len(text) > 0; {
		r, size := utf8.DecodeRune(text)
		if r != utf8.RuneError {
			key.Runes = append(key.Runes, r)
		}
		text = text[size:]
	}
	in.mode, in.text, in.paused = ground, nil, false
	in.burst = len(in.pending) > 0
	in.send(tea.KeyMsg(key))
}

// reply moves what belongs to a reply of the terminal from pending to text. It
// returns how long to wait for more, 0 when the reply ended.
func (in *input) reply() time.Duration {
	n := bytes.IndexAny(in.pending, "\a\x18\x1a\x1b")
	if n < 0 {
		n = len(in.pending)
	}
	content := in.cut(n)
	in.text = append(in.text, content[:max(0, min(n, maxReply-len(in.text)))]...)
	switch {
	case len(in.pending) == 0, len(in.pending) == 1 && in.pending[0] == escape:
		return tailWait
	case in.pending[0] != escape:
		in.cut(1)
	case in.pending[1] == '\\':
		in.cut(2)
	}
	// Any other escape begins something new.
	in.endReply()
	return 0
}

// endReply sends the background color if that is what the terminal replied.
func (in *input) endReply() {
	in.mode = ground
	in.burst = len(in.pending) > 0
	if color, ok := bytes.CutPrefix(in.text, []byte("\x1b]11;")); ok {
		if answer, ok := parseBackground(string(color)); ok {
			in.send(answer)
		}
	}
}
