package state

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chainscope/wallet/atomicfile"

	"github.com/gofrs/flock"
)

const (
	dirMode  = 0o700
	fileMode = 0o600

	// lockWait is the time to wait for the lock of another process: it holds
	// one for a single read or write, so a longer wait means that it was
	// stopped.
	lockWait = 5 * time.Second
	lockPoll = 2 * time.Millisecond
)

// Options of a Store.
type Options struct {
	// Dir is the folder; it is made, mode 0700, at the first write.
	Dir string
	// Notice is called with what the user should know, one sentence each: that
	// a damaged file was set aside, and its new name. It may be called from any
	// goroutine. Nil drops notices.
	Notice func(string)
	// Now is the clock for the names of files set aside; nil is time.Now.
	Now func() time.Time
}

// Store keeps named JSON documents and logs in a folder. It is safe for
// concurrent use, by several processes too.
type Store struct {
	dir    string
	notice func(string)
	now    func() time.Time
}

// Open returns the store of a folder. It touches no file.
func Open(o Options) (*Store, error) {
	if o.Dir == "" {
		return nil, errors.New("state folder: no name given")
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("state folder %q: %w", o.Dir, err)
	}
	s := &Store{dir: dir, notice: o.Notice, now: o.Now}
	if s.notice == nil {
		s.notice = func(string) {}
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s, nil
}

// Dir returns the folder of the store.
func (s *Store) Dir() string { return s.dir }

// Get reads a document into a value that json.Unmarshal takes. It reports
// false, and leaves the value alone, when there is none or when it was damaged
// and has been set aside.
func (s *Store) Get(name string, into any) (bool, error) {
	path, err := s.path(name, ".json")
	if err != nil {
		return false, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	found := false
	err = s.locked(name, func() error {
		raw, err := s.read(path)
		if err != nil || raw == nil {
			return err
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return s.setAside(path, err)
		}
		found = true
		return nil
	})
	return found, err
}

// Set writes a document, whatever was there before.
func (s *Store) Set(name string, value any) error {
	return s.Update(name, func(json.RawMessage) (any, error) { return value, nil })
}

// Update reads a document, lets change make the new value of it and writes
// that, all under one lock. The old document is nil when there is none. A nil
// value removes the document; an error of change leaves it as it was and is
// returned. Change must be quick and must not use the same document.
func (s *Store) Update(name string, change func(old json.RawMessage) (any, error)) error {
	path, err := s.path(name, ".json")
	if err != nil {
		return err
	}
	return s.locked(name, func() error {
		old, err := s.read(path)
		if err != nil {
			return err
		}
		value, err := change(old)
		if err != nil {
			return err
		}
		if value == nil {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove document: %w", err)
			}
			return nil
		}
		raw, err := json.MarshalIndent(value, "", "  ")
		if err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		return s.write(path, append(raw, '\n'))
	})
}

// Delete removes a document; removing none is no error.
func (s *Store) Delete(name string) error { return s.Set(name, nil) }

// Update changes a document of type T under one lock. A missing or damaged
// one is the zero T.
func Update[T any](s *Store, name string, change func(*T) error) error {
	return s.Update(name, func(old json.RawMessage) (any, error) {
		var value T
		if old != nil {
			if err := json.Unmarshal(old, &value); err != nil {
				path, _ := s.path(name, ".json")
				if err := s.setAside(path, err); err != nil {
					return nil, err
				}
				value = *new(T)
			}
		}
		if err := change(&value); err != nil {
			return nil, err
		}
		return value, nil
	})
}

// read returns a document's text, nil when there is none. A file that is not JSON
// or too large is set aside; what is no regular file is an error.
func (s *Store) read(path string) (json.RawMessage, error) {
	raw, err := readDocument(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, errTooLarge):
		return nil, s.setAside(path, err)
	case err != nil:
		return nil, fmt.Errorf("read document: %w", err)
	case !json.Valid(raw):
		return nil, s.setAside(path, errors.New("not JSON"))
	}
	return raw, nil
}

// write replaces a file. Remains of an earlier, interrupted write are removed:
// the caller holds the lock, so no other process is writing them.
func (s *Store) write(path string, data []byte) error {
	if left, err := filepath.Glob(filepath.Join(s.dir, "."+filepath.Base(path)+"[0-9]*")); err == nil {
		for _, f := range left {
			_ = os.Remove(f)
		}
	}
	if err := atomicfile.Replace(path, data, fileMode); err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	return nil
}

// setAside renames a damaged file to a free name and says so in a notice.
func (s *Store) setAside(path string, why error) error {
	ext := filepath.Ext(path)
	base := strings.TrimSuffix(path, ext) + ".damaged-" + s.now().UTC().Format("20060102T150405Z")
	to := base + ext
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s-%d%s", base, n, ext)
	}
	if err := os.Rename(path, to); err != nil {
		return fmt.Errorf("set a damaged file aside: %w", err)
	}
	s.notice(fmt.Sprintf("%s was damaged (%v) and is set aside as %s", path, why, to))
	return nil
}

// locked runs f under the lock of a name.
func (s *Store) locked(name string, f func() error) error {
	if err := os.MkdirAll(s.dir, dirMode); err != nil {
		return fmt.Errorf("state folder: %w", err)
	}
	lockFile, err := s.path(name, ".lock")
	if err != nil {
		return err
	}
	if info, err := os.Stat(lockFile); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("state folder: %s: %w", lockFile, atomicfile.ErrNotRegular)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	lock := flock.New(lockFile, flock.SetPermissions(fileMode))
	defer func() { _ = lock.Close() }()
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("state folder: %s is locked by another chainscope for %v; is one stopped?", lockFile, lockWait)
		}
		return fmt.Errorf("state folder: %w", err)
	}
	return f()
}

// path returns the file of a name, which may have lower-case letters, digits and
// hyphens.
func (s *Store) path(name, ext string) (string, error) {
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return "", fmt.Errorf("document name %q: only a-z, 0-9 and - are allowed", name)
		}
	}
	if name == "" {
		return "", errors.New("document name is empty")
	}
	return filepath.Join(s.dir, name+ext), nil
}
