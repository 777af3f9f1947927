package walletcmd

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"chainscope/tui/command/cli"
	"chainscope/wallet/keys"
	"chainscope/wallet/service"
)

// MnemonicVariable holds a mnemonic. There is no flag for one: arguments are
// seen by every process of the machine.
const MnemonicVariable = "CHAINSCOPE_MNEMONIC"

// keySource describes where the keys come from; the words are those of
// `wallet status`.
type keySource string

const (
	keysOfTest     keySource = "test" // the public test mnemonic
	keysOfMnemonic keySource = "mnemonic"
	keysOfKeystore keySource = "keystore"
	keysOfProject  keySource = "project" // those of the Clarinet project of the embedded mock
	keysOfNobody   keySource = "watched" // an address without keys
)

// Who gave a setting; the greater beats the less.
const (
	setByNobody = iota
	setByConfig
	setByEnvironment
	setByFlag
)

// setBy returns where the value of a flag comes from.
func setBy(a *cli.App, flag, value string) int {
	if value == "" {
		return setByNobody
	}
	if a.FromCommandLine[flag] {
		return setByFlag
	}
	if v, ok := a.Streams.Env("CHAINSCOPE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))); ok && v != "" {
		return setByEnvironment
	}
	return setByConfig
}

// source finds out where the keys come from. It opens nothing.
func (w *Flags) source(a *cli.App) (keySource, error) {
	file, keystore := setBy(a, "mnemonic-file", w.mnemonicFile), setBy(a, "keystore", w.keystore)
	variable := setByNobody
	if v, ok := a.Streams.Env(MnemonicVariable); ok && v != "" {
		variable = setByEnvironment
	}
	best := max(file, keystore, variable)
	switch watch := setBy(a, "watch", w.watch); {
	case watch > best:
		return keysOfNobody, nil
	case watch > setByNobody && watch == best:
		return "", cli.Usagef("--watch names an address without keys, and keys are given too; give one of them")
	}
	switch {
	case best == setByNobody && a.Settings.Mock.Project != "":
		return keysOfProject, nil
	case best == setByNobody:
		return keysOfTest, nil
	case file == best && keystore == best:
		return "", cli.Usagef("--mnemonic-file and --keystore both name keys; give one of them")
	case variable == best && (file == best || keystore == best):
		return "", cli.Usagef("%s and the variable of a file both give keys; set one of them", MnemonicVariable)
	case keystore == best:
		return keysOfKeystore, nil
	}
	return keysOfMnemonic, nil
}

// keys returns those that the flags name, or the address that is watched instead.
func (w *Flags) keys(ctx context.Context, a *cli.App) (service.Keys, error) {
	source, err := w.source(a)
	if err != nil {
		return service.Keys{}, err
	}
	if source == keysOfNobody {
		return service.WatchedKeys(w.watch)
	}
	k := w.named(a, source)
	k.Ring, err = w.ring(ctx, a)
	return k, err
}

// named returns where the keys of a source come from, without the keys. Paths are whole: a line that is
// copied of a call runs anywhere.
func (w *Flags) named(a *cli.App, source keySource) service.Keys {
	whole := func(path string) string {
		if absolute, err := filepath.Abs(path); err == nil && path != "" {
			return absolute
		}
		return path
	}
	k := service.Keys{Source: service.Environment, PassphrasePath: whole(w.passphraseFile)}
	switch {
	case source == keysOfKeystore:
		return service.KeystoreKeys(whole(w.keystore))
	case source == keysOfTest:
		k.Source = service.TestMnemonic
	case source == keysOfProject:
		k.Source, k.Path = service.ProjectFile, projectSettings(a)
	case w.fromFile(a):
		k.Source, k.Path = service.MnemonicFile, whole(w.mnemonicFile)
	}
	return k
}

// fromFile reports whether a mnemonic comes from a file, not from the environment.
func (w *Flags) fromFile(a *cli.App) bool {
	variable, _ := a.Streams.Env(MnemonicVariable)
	return w.mnemonicFile != "" && (variable == "" || setBy(a, "mnemonic-file", w.mnemonicFile) >= setByEnvironment)
}

// ring makes the keys. A keystore's passphrase is requested on a terminal when
// no file gives it.
func (w *Flags) ring(ctx context.Context, a *cli.App) (*keys.Ring, error) {
	source, err := w.source(a)
	if err != nil {
		return nil, err
	}
	if source == keysOfNobody {
		return nil, cli.Usagef("--watch names an address without keys; this needs keys")
	}
	if source == keysOfKeystore {
		if w.passphraseFile != "" {
			return nil, cli.Usagef("--passphrase-file: a keystore keeps its mnemonic's passphrase itself; leave it out")
		}
		contents, err := w.openKeystore(ctx, a)
		if err != nil {
			return nil, err
		}
		return contents.Ring()
	}
	if source == keysOfProject {
		return projectRing(ctx, a)
	}
	contents, err := w.mnemonic(ctx, a)
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
func (w *Flags) mnemonic(ctx context.Context, a *cli.App) (c keys.Contents, err error) {
	variable, _ := a.Streams.Env(MnemonicVariable)
	switch {
	case w.fromFile(a):
		if c.Mnemonic, err = a.SecretFile(ctx, "--mnemonic-file", w.mnemonicFile); err != nil {
			return c, err
		}
	case variable != "":
		c.Mnemonic = keys.NewSecret(variable)
	default:
		c.Mnemonic = keys.NewSecret(keys.TestMnemonic)
	}
	if w.passphraseFile != "" {
		c.Passphrase, err = a.SecretFile(ctx, "--passphrase-file", w.passphraseFile)
	}
	return c, err
}

func invalidMnemonic(err error) error {
	return &cli.Error{Kind: cli.KindInvalidInput, Message: err.Error(), Err: err}
}

// openKeystore reads the keystore that the flags name.
func (w *Flags) openKeystore(ctx context.Context, a *cli.App) (keys.Contents, error) {
	if err := (keys.Keystore{Path: w.keystore}).There(); err != nil {
		return keys.Contents{}, keystoreError(err)
	}
	passphrase, err := a.Passphrase(ctx, w.keystorePassphraseFile, "--keystore-passphrase-file", "passphrase of the keystore: ")
	if err != nil {
		return keys.Contents{}, err
	}
	a.WarnIfShared("--keystore", w.keystore)
	contents, err := cli.Awaited(ctx, func() (keys.Contents, error) { return keys.Keystore{Path: w.keystore}.Open(passphrase) })
	if err != nil {
		return contents, keystoreError(err)
	}
	return contents, nil
}

func keystoreError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &cli.Error{Kind: cli.KindInvalidInput, Message: err.Error(), Err: err}
}
