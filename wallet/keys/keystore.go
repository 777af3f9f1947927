package keys

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chainscope/wallet/atomicfile"

	"filippo.io/age"
	"filippo.io/age/armor"
)

// Work factors of scrypt, as powers of two.
const (
	// WorkFactor is that of new keystores: about a second of work.
	WorkFactor = 17
	// MaxWorkFactor is the greatest that is read, so that a foreign file
	// cannot keep the machine busy for minutes.
	MaxWorkFactor = 20
)

// maxKeystoreBytes bounds the file that is read.
const maxKeystoreBytes = 64 << 10

// ErrPassphrase says that a keystore does not open with the passphrase.
var ErrPassphrase = errors.New("keystore: the passphrase is wrong, or the file is damaged")

// Contents holds what a keystore holds.
type Contents struct {
	Mnemonic   Secret
	Passphrase Secret // of BIP39; empty for none
}

// Ring makes the keys.
func (c Contents) Ring() (*Ring, error) { return NewRing(c.Mnemonic, c.Passphrase) }

// contentsFile is the form inside the encryption.
type contentsFile struct {
	Version    int    `json:"version"`
	Mnemonic   string `json:"mnemonic"`
	Passphrase string `json:"bip39_passphrase,omitempty"`
}

// Keystore is an age file, armored, encrypted with a passphrase; the age tool
// opens it too. The file has mode 0600 and is replaced atomically.
type Keystore struct {
	Path       string
	WorkFactor int // of what is written; 0 is [WorkFactor]
}

// Create makes a mnemonic of 24 words and keeps it. A file that is there is not
// overwritten.
func (k Keystore) Create(passphrase Secret) (Contents, error) {
	mnemonic, err := newMnemonic()
	if err != nil {
		return Contents{}, err
	}
	c := Contents{Mnemonic: mnemonic}
	return c, k.Import(c, passphrase)
}

// Import keeps a mnemonic. A file that is there is not overwritten.
func (k Keystore) Import(c Contents, passphrase Secret) error {
	mnemonic, err := CleanMnemonic(c.Mnemonic)
	if err != nil {
		return err
	}
	c.Mnemonic = mnemonic
	if _, err := os.Lstat(k.Path); err == nil { // before a second of work is spent for nothing
		return alreadyThere(k.Path)
	}
	sealed, err := k.seal(c, passphrase)
	if err != nil {
		return err
	}
	return writeNew(k.Path, sealed)
}

// Open reads the contents. With a wrong passphrase the error is
// [ErrPassphrase].
func (k Keystore) Open(passphrase Secret) (Contents, error) {
	file, err := os.Open(k.Path)
	if err != nil {
		return Contents{}, fmt.Errorf("keystore: %w", err)
	}
	return k.read(file, passphrase)
}

// There returns why no keystore can be opened, before the user is asked for its passphrase; nil where
// there is a file. Only a regular file is opened: a pipe would wait for its writer, and lose it.
func (k Keystore) There() error {
	if info, err := os.Stat(k.Path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(k.Path)
	if err != nil {
		return fmt.Errorf("keystore: %w", err)
	}
	return file.Close()
}

// read reads the contents from the open file, and closes it.
func (k Keystore) read(file *os.File, passphrase Secret) (Contents, error) {
	defer func() { _ = file.Close() }()
	sealed, err := io.ReadAll(io.LimitReader(file, maxKeystoreBytes+1))
	if err != nil {
		return Contents{}, fmt.Errorf("keystore: %w", err)
	}
	if len(sealed) > maxKeystoreBytes {
		return Contents{}, fmt.Errorf("keystore: %s has more than %d bytes, it is no keystore", k.Path, maxKeystoreBytes)
	}
	return unseal(sealed, passphrase)
}

// ChangePassphrase encrypts the contents with a new passphrase. Only a regular file can be
// replaced, so that nothing else is opened: a pipe would wait for a writer.
func (k Keystore) ChangePassphrase(old, fresh Secret) error {
	file, _, err := atomicfile.OpenRegular(k.Path, os.O_RDONLY, 0)
	if err != nil {
		return fmt.Errorf("keystore: %w", err)
	}
	c, err := k.read(file, old)
	if err != nil {
		return err
	}
	sealed, err := k.seal(c, fresh)
	if err != nil {
		return err
	}
	if err := atomicfile.Replace(k.Path, sealed, 0o600); err != nil {
		return fmt.Errorf("keystore: %w", err)
	}
	return nil
}

func (k Keystore) seal(c Contents, passphrase Secret) ([]byte, error) {
	if passphrase.Empty() {
		return nil, errors.New("keystore: the passphrase is empty")
	}
	recipient, err := age.NewScryptRecipient(passphrase.Reveal())
	if err != nil {
		return nil, fmt.Errorf("keystore: %w", err)
	}
	factor := k.WorkFactor
	if factor == 0 {
		factor = WorkFactor
	}
	if factor < 1 || factor > MaxWorkFactor {
		return nil, fmt.Errorf("keystore: work factor %d, it must be 1 to %d", factor, MaxWorkFactor)
	}
	recipient.SetWorkFactor(factor)
	plain, err := json.Marshal(contentsFile{1, c.Mnemonic.Reveal(), c.Passphrase.Reveal()})
	if err != nil {
		return nil, errors.New("keystore: the contents cannot be written")
	}
	var sealed bytes.Buffer
	lines := armor.NewWriter(&sealed)
	w, err := age.Encrypt(lines, recipient)
	if err != nil {
		return nil, fmt.Errorf("keystore: %w", err)
	}
	if _, err = w.Write(plain); err == nil {
		err = errors.Join(w.Close(), lines.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("keystore: %w", err)
	}
	return sealed.Bytes(), nil
}

func unseal(sealed []byte, passphrase Secret) (Contents, error) {
	identity, err := age.NewScryptIdentity(passphrase.Reveal())
	if err != nil {
		return Contents{}, errors.New("keystore: the passphrase is empty")
	}
	identity.SetMaxWorkFactor(MaxWorkFactor)
	var source io.Reader = bytes.NewReader(sealed)
	if bytes.HasPrefix(bytes.TrimSpace(sealed), []byte(armor.Header)) {
		source = armor.NewReader(bytes.NewReader(sealed))
	}
	r, err := age.Decrypt(source, identity)
	var noMatch *age.NoIdentityMatchError
	switch {
	case errors.As(err, &noMatch):
		return Contents{}, ErrPassphrase
	case err != nil && strings.Contains(err.Error(), "work factor"):
		return Contents{}, fmt.Errorf("keystore: the file asks for a work factor above %d, which is not read", MaxWorkFactor)
	case err != nil:
		// The library quotes the file, which may be a mnemonic in clear.
		return Contents{}, errors.New("keystore: this is no age file encrypted with a passphrase, or it is damaged")
	}
	plain, err := io.ReadAll(io.LimitReader(r, maxKeystoreBytes))
	if err != nil {
		return Contents{}, ErrPassphrase
	}
	var in contentsFile
	if json.Unmarshal(plain, &in) != nil || in.Version != 1 {
		return Contents{}, errors.New("keystore: the file opens, but its contents are not those of a keystore of version 1")
	}
	mnemonic, err := CleanMnemonic(NewSecret(in.Mnemonic))
	return Contents{mnemonic, NewSecret(in.Passphrase)}, err
}

// writeNew writes a file under another name first, so that a reader and a crash
// meet the whole of it or nothing.
func writeNew(path string, content []byte) (err error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("keystore: %w", err)
	}
	file, err := os.CreateTemp(folder, ".keystore-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("keystore: %w", err)
	}
	defer func() {
		if removed := os.Remove(file.Name()); removed != nil && !errors.Is(removed, fs.ErrNotExist) && err == nil {
			err = fmt.Errorf("keystore: %w", removed)
		}
	}()
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("keystore: %w", err)
	}
	err = place(file.Name(), path)
	if errors.Is(err, fs.ErrExist) {
		return alreadyThere(path)
	}
	if err != nil {
		return fmt.Errorf("keystore: %w", err)
	}
	return nil
}

func alreadyThere(path string) error {
	return fmt.Errorf("keystore: %s is there already, it is not overwritten", path)
}

// place gives the finished file its name unless the name is taken. Where the
// file system has no hard links, the check and the renaming are two steps.
func place(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(from, to)
}
