package term

import (
	"errors"
	"io"
	"unicode/utf8"
)

// errSuspended says that ctrl+z was pressed.
var errSuspended = errors.New("suspended")

// secretLine is a line that is typed without being shown.
type secretLine struct{ typed []byte }

// read reads keys until the line ends. The error is [ErrInterrupted] at ctrl+c,
// io.EOF at ctrl+d on an empty line, errSuspended at ctrl+z.
func (l *secretLine) read(keys io.Reader) error {
	buffer := make([]byte, 256)
	for {
		n, err := keys.Read(buffer)
		if err != nil {
			return err
		}
		switch key := string(buffer[:n]); {
		case key == "\r", key == "\n":
			return nil
		case key == "\x03":
			return ErrInterrupted
		case key == "\x1a":
			return errSuspended
		case key == "\x04":
			if len(l.typed) == 0 {
				return io.EOF
			}
			return nil
		case key == "\x7f", key == "\b":
			_, size := utf8.DecodeLastRune(l.typed)
			l.typed = l.typed[:len(l.typed)-size]
		case key == "\x15", key == "\x17": // ctrl+u, ctrl+w
			l.typed = l.typed[:0]
		case key[0] >= 0x20:
			l.typed = append(l.typed, key...)
		}
	}
}
