package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	xterm "github.com/charmbracelet/x/term"

	"chainscope/wallet/keys"
)

// mnemonicVariable holds a mnemonic. There is no flag for one: arguments are
// seen by every process of the machine.
const mnemonicVariable = "CHAINSCOPE_MNEMONIC"

// maxSecretBytes bounds the files that secrets are read from.
const maxSecretBytes = 64 << 10

// keySource says where the keys come from; the words are those of
// `wallet status`.
type keySource string

const (
	keysOfTest     keySource = "test" // the public test mnemonic
	keysOfMnemonic keySource = "mnemonic"
	keysOfKeystore keySource = "keystore"
)

// Who gave a setting; the greater beats the less.
const (
	givenByNobody = iota
	givenByConfig
	givenByEnvironment
	givenByFlag
)

// givenBy tells who set a flag that has a value.
func (a *app) givenBy(flag, value string) int {
	if value == "" {
		return givenByNobody
	}
	if a.fromCommandLine[flag] {
		return givenByFlag
	}
	if v, ok := a.streams.Env("CHAINSCOPE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))); ok && v != "" {
		return givenByEnvironment
	}
	return givenByConfig
}

// keySource finds out where the keys come from. It opens nothing.
func (a *app) keySource(w *walletFlags) (keySource, error) {
	file, keystore := a.givenBy("mnemonic-file", w.mnemonicFile), a.givenBy("keystore", w.keystore)
	variable := givenByNobody
	if v, ok := a.streams.Env(mnemonicVariable); ok && v != "" {
		variable = givenByEnvironment
	}
	best := max(file, keystore, variable)
	switch {
	case best == givenByNobody:
		return keysOfTest, nil
	case file == best && keystore == best:
		return "", usagef("--mnemonic-file and --keystore both name keys; give one of them")
	case variable == best && (file == best || keystore == best):
		return "", usagef("%s and the variable of a file both give keys; set one of them", mnemonicVariable)
	case keystore == best:
		return keysOfKeystore, nil
	}
	return keysOfMnemonic, nil
}

// ring makes the keys. A keystore's passphrase is asked for on a terminal when
// no file gives it.
func (a *app) ring(w *walletFlags) (*keys.Ring, error) {
	source, err := a.keySource(w)
	if err != nil {
		return nil, err
	}
	if source == keysOfKeystore {
		if w.passphraseFile != "" {
			return nil, usagef("--passphrase-file: a keystore keeps its mnemonic's passphrase itself; leave it out")
		}
		contents, err := a.openKeystore(w)
		if err != nil {
			return nil, err
		}
		return contents.Ring()
	}
	contents, err := a.mnemonic(w)
	if err != nil {
		return nil, err
	}
	ring, err := contents.Ring()
	if err != nil {
		return nil, invalidMnemonic(err)
	}
	return ring, nil
}

// mnemonic reads a mnemonic and its passphrase from a file or the environment;
// the public test one when there is none.
func (a *app) mnemonic(w *walletFlags) (c keys.Contents, err error) {
	variable, _ := a.streams.Env(mnemonicVariable)
	switch {
	case w.mnemonicFile != "" && (variable == "" || a.givenBy("mnemonic-file", w.mnemonicFile) >= givenByEnvironment):
		if c.Mnemonic, err = secretFile("--mnemonic-file", w.mnemonicFile); err != nil {
			return c, err
		}
	case variable != "":
		c.Mnemonic = keys.NewSecret(variable)
	default:
		c.Mnemonic = keys.NewSecret(keys.TestMnemonic)
	}
	if w.passphraseFile != "" {
		c.Passphrase, err = secretFile("--passphrase-file", w.passphraseFile)
	}
	return c, err
}

func invalidMnemonic(err error) error {
	return &Error{Kind: KindInvalidInput, Message: err.Error(), err: err}
}

// openKeystore reads the keystore that the flags name.
func (a *app) openKeystore(w *walletFlags) (keys.Contents, error) {
	passphrase, err := a.passphrase(w.keystorePassphraseFile, "--keystore-passphrase-file", "passphrase of the keystore: ")
	if err != nil {
		return keys.Contents{}, err
	}
	contents, err := keys.Keystore{Path: w.keystore}.Open(passphrase)
	if err != nil {
		return contents, keystoreError(err)
	}
	return contents, nil
}

func keystoreError(err error) error {
	return &Error{Kind: KindInvalidInput, Message: err.Error(), err: err}
}

// passphrase reads a passphrase from a file, or asks for it without showing
// what is typed.
func (a *app) passphrase(file, flag, question string) (keys.Secret, error) {
	if file != "" {
		return secretFile(flag, file)
	}
	in, ok := a.streams.In.(*os.File)
	if !ok || !isTerminal(in) || !isTerminal(a.streams.Err) {
		return keys.Secret{}, usagef("a passphrase is needed and there is no terminal to ask on; give %s FILE", flag)
	}
	fmt.Fprint(a.streams.Err, question)
	typed, err := xterm.ReadPassword(in.Fd())
	fmt.Fprintln(a.streams.Err)
	if err != nil {
		return keys.Secret{}, errors.New("the passphrase could not be read from the terminal")
	}
	return keys.NewSecret(string(typed)), nil
}

// secretFile reads a secret from a file; one line end at its end is not part of
// it. Errors name the file and never what is in it.
func secretFile(flag, path string) (keys.Secret, error) {
	file, err := os.Open(path)
	if err != nil {
		return keys.Secret{}, usagef("%s: %v", flag, err)
	}
	defer func() { _ = file.Close() }()
	raw, err := io.ReadAll(io.LimitReader(file, maxSecretBytes+1))
	if err != nil {
		return keys.Secret{}, usagef("%s: %v", flag, err)
	}
	if len(raw) > maxSecretBytes {
		return keys.Secret{}, usagef("%s: %s has more than %d bytes; it holds no secret of ours", flag, path, maxSecretBytes)
	}
	return keys.NewSecret(strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")), nil
}
