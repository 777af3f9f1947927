//go:build unix

package state

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/wallet/atomicfile"

	"golang.org/x/sys/unix"
)

// soon fails the test when f waits for something.
func soon(t *testing.T, f func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("it waits")
		return nil
	}
}

// Opening a pipe waits for its other end, for ever if nobody has it.
func TestAPipeInThePlaceOfAFileIsRefused(t *testing.T) {
	for name, use := range map[string]func(*Store) error{
		"record.json": func(s *Store) error { _, err := s.Get("record", new(any)); return err },
		"record.lock": func(s *Store) error { return s.Set("record", 1) },
		"calls.jsonl": func(s *Store) error { _, err := s.Last("calls", 5); return err },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t)
			if err := s.Set("other", 1); err != nil { // makes the folder
				t.Fatal(err)
			}
			if err := unix.Mkfifo(filepath.Join(s.Dir(), name), 0o600); err != nil {
				t.Fatal(err)
			}
			err := soon(t, func() error { return use(s) })
			if !errors.Is(err, atomicfile.ErrNotRegular) || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("append", func(t *testing.T) {
		s, _ := open(t)
		if err := s.Set("other", 1); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mkfifo(filepath.Join(s.Dir(), "calls.jsonl"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := soon(t, func() error { return s.Append("calls", 1) }); !errors.Is(err, atomicfile.ErrNotRegular) {
			t.Errorf("got %v", err)
		}
	})
}

// A sparse file of 300 MB is not read, but set aside.
func TestAHugeDocumentIsSetAsideUnread(t *testing.T) {
	s, notices := open(t)
	if err := s.Set("record", 1); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.Dir(), "record.json")
	if err := os.Truncate(path, 300<<20); err != nil {
		t.Fatal(err)
	}
	var value json.RawMessage
	found, err := s.Get("record", &value)
	if found || err != nil || len(*notices) != 1 || !strings.Contains((*notices)[0], "larger than 4 MiB") {
		t.Errorf("found %v, %v, notices %q", found, err, *notices)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
