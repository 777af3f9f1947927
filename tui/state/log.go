package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"chainscope/wallet/atomicfile"
)

// Append adds a value to a log as one JSON line, in one locked write.
func (s *Store) Append(name string, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("log %s: %w", name, err)
	}
	path, err := s.path(name, ".jsonl")
	if err != nil {
		return err
	}
	return s.locked(name, func() error {
		f, _, err := atomicfile.OpenRegular(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
		if err != nil {
			return fmt.Errorf("log: %w", err)
		}
		defer f.Close()
		text := append(line, '\n')
		whole, err := endsWithNewline(f)
		if err != nil {
			return fmt.Errorf("log: %w", err)
		}
		if !whole { // a full disk or a power cut broke the last write off
			text = append([]byte{'\n'}, text...)
		}
		if _, err := f.Write(text); err != nil {
			return fmt.Errorf("log: %w", err)
		}
		return f.Close()
	})
}

func endsWithNewline(f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err == nil, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil {
		return false, err
	}
	return last[0] == '\n', nil
}

// Shorten keeps the newest lines of a log that has grown beyond a limit: at most
// half of it, in bytes. A log within the limit is left alone.
func (s *Store) Shorten(name string, limit int64) error {
	path, err := s.path(name, ".jsonl")
	if err != nil {
		return err
	}
	return s.locked(name, func() error {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() <= limit {
			return nil
		}
		if err != nil {
			return fmt.Errorf("log: %w", err)
		}
		text, err := readTail(path, limit/2)
		if err != nil {
			return fmt.Errorf("log: %w", err)
		}
		return s.write(path, text)
	})
}

// Version returns another text whenever a log has changed; "" while there is none.
func (s *Store) Version(name string) string { return s.version(name, ".jsonl") }

func (s *Store) version(name, ext string) string {
	path, err := s.path(name, ext)
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
}

// logTail bounds how much of a log Last reads, in bytes.
const logTail = 16 << 20

// Last reads the newest n lines of a log, oldest first. Lines that are not JSON
// are skipped and left where they are; a notice says how many.
func (s *Store) Last(name string, n int) ([]json.RawMessage, error) {
	path, err := s.path(name, ".jsonl")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var lines []json.RawMessage
	err = s.locked(name, func() error {
		text, err := readTail(path, logTail)
		if err != nil {
			return fmt.Errorf("log: %w", err)
		}
		damaged := 0
		for text != nil && len(lines) < n {
			var line []byte
			if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
				text, line = text[:i], text[i+1:]
			} else {
				text, line = nil, text
			}
			switch line = bytes.TrimSpace(line); {
			case len(line) == 0:
			case json.Valid(line):
				lines = append(lines, json.RawMessage(line))
			default:
				damaged++
			}
		}
		if damaged > 0 {
			s.notice(fmt.Sprintf("%s: %d damaged lines were skipped", path, damaged))
		}
		return nil
	})
	slices.Reverse(lines)
	return lines, err
}

// readTail reads at most a number of bytes of the end of a file, from the start of
// a line.
func readTail(path string, most int64) ([]byte, error) {
	f, info, err := atomicfile.OpenRegular(path, os.O_RDONLY, fileMode)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	skip := info.Size() - most
	if skip <= 0 {
		return io.ReadAll(f)
	}
	if _, err := f.Seek(skip, io.SeekStart); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return text, err
}
