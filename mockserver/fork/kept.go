package fork

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"unicode/utf8"
)

// record is a file of the folder: one answer. What it says is for readers of a diff too.
type record struct {
	Path        string `json:"path"`
	What        string `json:"what"`
	Status      int    `json:"status"`
	ContentType string `json:"content_type,omitempty"`
	Body        string `json:"body,omitempty"`
	Bytes       []byte `json:"bytes,omitempty"` // in place of Body, where that is no text
	Sum         string `json:"sha256"`          // of the path, the status and the body
}

func sum(path string, a Answer) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d\n", path, a.Status)
	h.Write(a.Body)
	return hex.EncodeToString(h.Sum(nil))
}

// file returns the file of a path.
func (s *Source) file(path string) string {
	name := sha256.Sum256([]byte(path))
	return filepath.Join(s.folder(), hex.EncodeToString(name[:16])+".json")
}

// keep writes an answer.
func (s *Source) keep(path string, a Answer) error {
	r := record{Path: path, What: s.names.of(path), Status: a.Status, ContentType: a.ContentType, Sum: sum(path, a)}
	if utf8.Valid(a.Body) {
		r.Body = string(a.Body)
	} else {
		r.Bytes = a.Body
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return readable(put(s.file(path), append(text, '\n')))
}

// readable drops the error of a folder that cannot be written: it is a reader's.
func readable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// put writes a file in one step. It does not wait until the disk has it, which would take longer than to read
// the value: a call waits for each. After a loss of power the checksum shows a file that is not whole.
func put(file string, text []byte) error {
	to, err := os.CreateTemp(filepath.Dir(file), ".value-*")
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	if err = errors.Join(err, to.Chmod(0o644), to.Close()); err == nil {
		err = os.Rename(to.Name(), file)
	}
	if err != nil {
		_ = os.Remove(to.Name())
	}
	return err
}

// kept reads the answer to a path from the folder; fs.ErrNotExist where it is not there, errDamaged
// where it is not what was written.
func (s *Source) kept(path string) (Answer, error) {
	if s.folder() == "" {
		return Answer{}, fs.ErrNotExist
	}
	text, err := os.ReadFile(s.file(path))
	if err != nil {
		return Answer{}, err
	}
	var r record
	if json.Unmarshal(text, &r) != nil {
		return Answer{}, errDamaged
	}
	a := Answer{r.Status, r.ContentType, []byte(r.Body)}
	if r.Bytes != nil {
		a.Body = r.Bytes
	}
	if r.Path != path || r.Sum != sum(path, a) {
		return Answer{}, errDamaged
	}
	return a, nil
}

func quoted(path string) string { return strconv.QuoteToASCII(path) }
