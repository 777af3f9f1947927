package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"chainscope/tui/term"
	"chainscope/wallet/atomicfile"
	"chainscope/wallet/keys"
)

// Awaited runs f and returns its result, or the context's error as soon as the
// context ends. Everything that may block for ever, such as standard input, a
// pipe or a file on a dead disk, is opened and read through it, so that SIGINT and
// SIGTERM end the command at once; f is left behind then.
func Awaited[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value    T
		err      error
		panicked any
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			r.panicked = recover()
			done <- r
		}()
		r.value, r.err = f()
	}()
	select {
	case r := <-done:
		if r.panicked != nil {
			panic(r.panicked) // in the goroutine that leaves the terminal in order
		}
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Canceled
	}
}

// errTooLong says that there is more to read than a limit.
var errTooLong = errors.New("too long")

// readAll reads at most limit bytes, and fails with errTooLong when there are
// more.
func readAll(ctx context.Context, from io.Reader, limit int64) ([]byte, error) {
	return Awaited(ctx, func() ([]byte, error) {
		raw, err := io.ReadAll(io.LimitReader(from, limit+1))
		if err == nil && int64(len(raw)) > limit {
			err = errTooLong
		}
		return raw, err
	})
}

// ReadFile reads a file, which may be a pipe or a device, of at most limit bytes.
func ReadFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	return Awaited(ctx, func() ([]byte, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }()
		return readAll(ctx, file, limit)
	})
}

// OpenToAppend opens a file for lines that are added to it.
func OpenToAppend(ctx context.Context, path string) (io.WriteCloser, error) {
	return Awaited(ctx, func() (io.WriteCloser, error) { return atomicfile.Append(path, 0o600) })
}

// ReadProblem turns an error of reading what a flag or argument names into one
// for the user.
func ReadProblem(name, path string, limit int64, err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, errTooLong):
		return Usagef("%s: %s has more than %d bytes", name, path, limit)
	}
	return Usagef("%s: %v", name, err)
}

// AtFile adds to the error of a file that a flag names the line without the flag.
func AtFile(err error, flag, path string) error {
	e := AsError(err)
	if e.Kind != KindUsage || !errors.Is(e, fs.ErrNotExist) && !missingFile(path) {
		return err
	}
	return e.TryFlagNamed(flag, "", true)
}

func missingFile(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// ReadArgument reads what an argument gives: itself, @FILE, or - for standard
// input. Where says which, for errors.
func (a *App) ReadArgument(ctx context.Context, name, arg string, limit int64) (raw []byte, where string, err error) {
	switch path, isFile := strings.CutPrefix(arg, "@"); {
	case arg == "-":
		where = " on standard input"
		raw, err = readAll(ctx, a.Streams.In, limit)
	case isFile:
		where = " in " + path
		raw, err = ReadFile(ctx, path, limit)
	default:
		raw, err = readAll(ctx, strings.NewReader(arg), limit)
	}
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return raw, where, err
	case errors.Is(err, errTooLong):
		return nil, "", Usagef("%s%s has more than %d bytes", name, where, limit)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, "", Usagef("%s: %v", name, err)
	}
	return nil, "", Usagef("%s%s cannot be read: %v", name, where, err)
}

// MaxSecretBytes bounds the files that secrets are read from.
const MaxSecretBytes = 64 << 10

// SecretFile reads a secret from a file; one line end at its end is not part of
// it. Errors name the file and never its contents. A file that others can read is
// reported to the user.
func (a *App) SecretFile(ctx context.Context, flag, path string) (keys.Secret, error) {
	raw, err := ReadFile(ctx, path, MaxSecretBytes)
	if err != nil {
		return keys.Secret{}, ReadProblem(flag, path, MaxSecretBytes, err)
	}
	a.WarnIfShared(flag, path)
	return keys.NewSecret(strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")), nil
}

// WarnIfShared says on standard error that other users can read a file that holds
// a secret.
func (a *App) WarnIfShared(flag, path string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 || sharedByNature {
		return
	}
	a.warn("%s: others can read %s (mode %04o); chmod 600 it", flag, path, info.Mode().Perm())
}

// warn prints a warning for the user at the terminal.
func (a *App) warn(format string, args ...any) {
	a.Notice("warning: " + fmt.Sprintf(format, args...))
}

// secretNames hold what is requested where a flag does not name its file.
var secretNames = map[string]string{
	"--mnemonic-file": "a mnemonic", "--keystore-passphrase-file": "the passphrase of the keystore", "--new-passphrase-file": "a new passphrase",
}

// Passphrase reads a passphrase from a file, or asks for it without showing
// what is typed.
func (a *App) Passphrase(ctx context.Context, file, flag, question string) (keys.Secret, error) {
	if file != "" {
		return a.SecretFile(ctx, flag, file)
	}
	in, ok := a.Streams.In.(*os.File)
	if !ok || !IsTerminal(in) || !IsTerminal(a.Streams.Err) {
		return keys.Secret{}, Usagef("%s is needed and there is no terminal to ask on; use %s FILE", secretNames[flag], flag)
	}
	typed, err := term.ReadSecret(ctx, in, a.Streams.Err, question)
	switch {
	case errors.Is(err, term.ErrInterrupted), ctx.Err() != nil:
		return keys.Secret{}, context.Canceled
	case err != nil:
		return keys.Secret{}, errors.New("the passphrase could not be read from the terminal")
	}
	return keys.NewSecret(typed), nil
}
