package command

import (
	"context"
	"errors"
	"strings"

	"chainscope/wallet/keys"
	"chainscope/wallet/service"
)

// mnemonicVariable holds a mnemonic. There is no flag for one: arguments are
// seen by every process of the machine.
const mnemonicVariable = "CHAINSCOPE_MNEMONIC"

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
	switch watch := a.givenBy("watch", w.watch); {
	case watch > best:
		return keysOfNobody, nil
	case watch > givenByNobody && watch == best:
		return "", usagef("--watch names an address without keys, and keys are given too; give one of them")
	}
	switch {
	case best == givenByNobody && a.settings.mock.project != "":
		return keysOfProject, nil
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

// walletKeys returns those that the flags name, or the address that is watched instead.
func (a *app) walletKeys(ctx context.Context, w *walletFlags) (service.Keys, error) {
	source, err := a.keySource(w)
	if err != nil {
		return service.Keys{}, err
	}
	if source == keysOfNobody {
		return service.WatchedKeys(w.watch)
	}
	ring, err := a.ring(ctx, w)
	return service.Keys{Ring: ring}, err
}

// ring makes the keys. A keystore's passphrase is requested on a terminal when
// no file gives it.
func (a *app) ring(ctx context.Context, w *walletFlags) (*keys.Ring, error) {
	source, err := a.keySource(w)
	if err != nil {
		return nil, err
	}
	if source == keysOfNobody {
		return nil, usagef("--watch names an address without keys; this needs keys")
	}
	if source == keysOfKeystore {
		if w.passphraseFile != "" {
			return nil, usagef("--passphrase-file: a keystore keeps its mnemonic's passphrase itself; leave it out")
		}
		contents, err := a.openKeystore(ctx, w)
		if err != nil {
			return nil, err
		}
		return contents.Ring()
	}
	if source == keysOfProject {
		return a.projectRing(ctx)
	}
	contents, err := a.mnemonic(ctx, w)
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
func (a *app) mnemonic(ctx context.Context, w *walletFlags) (c keys.Contents, err error) {
	variable, _ := a.streams.Env(mnemonicVariable)
	switch {
	case w.mnemonicFile != "" && (variable == "" || a.givenBy("mnemonic-file", w.mnemonicFile) >= givenByEnvironment):
		if c.Mnemonic, err = a.secretFile(ctx, "--mnemonic-file", w.mnemonicFile); err != nil {
			return c, err
		}
	case variable != "":
		c.Mnemonic = keys.NewSecret(variable)
	default:
		c.Mnemonic = keys.NewSecret(keys.TestMnemonic)
	}
	if w.passphraseFile != "" {
		c.Passphrase, err = a.secretFile(ctx, "--passphrase-file", w.passphraseFile)
	}
	return c, err
}

func invalidMnemonic(err error) error {
	return &Error{Kind: KindInvalidInput, Message: err.Error(), err: err}
}

// openKeystore reads the keystore that the flags name.
func (a *app) openKeystore(ctx context.Context, w *walletFlags) (keys.Contents, error) {
	passphrase, err := a.passphrase(ctx, w.keystorePassphraseFile, "--keystore-passphrase-file", "passphrase of the keystore: ")
	if err != nil {
		return keys.Contents{}, err
	}
	a.warnIfShared("--keystore", w.keystore)
	contents, err := awaited(ctx, func() (keys.Contents, error) { return keys.Keystore{Path: w.keystore}.Open(passphrase) })
	if err != nil {
		return contents, keystoreError(err)
	}
	return contents, nil
}

func keystoreError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &Error{Kind: KindInvalidInput, Message: err.Error(), err: err}
}
