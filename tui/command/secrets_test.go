package command

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// secretsOf returns the secrets of a mnemonic of the vectors in every form in which
// they could leak: runs of three words, private keys, extended keys.
func secretsOf(t *testing.T, seed string) (mnemonic string, secrets []string) {
	t.Helper()
	text, err := os.ReadFile("../../wallet/internal/vectors/accounts.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Cases []struct {
			Seed, Mnemonic string
			Raw            json.RawMessage `json:"-"`
		}
	}
	var raw struct{ Cases []any }
	if json.Unmarshal(text, &vectors) != nil || json.Unmarshal(text, &raw) != nil {
		t.Fatal("the vectors cannot be read")
	}
	for i, c := range vectors.Cases {
		if c.Seed != seed {
			continue
		}
		mnemonic = c.Mnemonic
		collect(raw.Cases[i], func(key, value string) {
			if strings.HasPrefix(key, "privateKey") || strings.HasPrefix(key, "appsKey") && !strings.HasSuffix(key, "Path") {
				secrets = append(secrets, value)
				if b, err := hex.DecodeString(value); err == nil {
					secrets = append(secrets, string(b), base64.StdEncoding.EncodeToString(b))
				}
			}
		})
	}
	words := strings.Fields(mnemonic)
	for i := range len(words) - 2 {
		secrets = append(secrets, strings.Join(words[i:i+3], " "))
	}
	if len(secrets) < 40 {
		t.Fatalf("only %d secrets are known", len(secrets))
	}
	return mnemonic, secrets
}

// collect visits every string member of a JSON value.
func collect(value any, visit func(key, value string)) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if s, ok := inner.(string); ok {
				visit(key, s)
				continue
			}
			collect(inner, visit)
		}
	case []any:
		for _, inner := range v {
			collect(inner, visit)
		}
	}
}

func TestNoSecretIsInAnythingThatARunWrites(t *testing.T) {
	mnemonic, secrets := secretsOf(t, "hamster24")
	home := t.TempDir()
	secret := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(secret, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	words, broken := file("words", mnemonic+"\n"), file("broken", strings.Replace(mnemonic, " ", " zzz ", 1))
	pass := file("pass", "a passphrase of mine")
	secrets = append(secrets, "a passphrase of mine")
	keystore := filepath.Join(home, "k.age")
	mock := serveMock(t)

	var written bytes.Buffer
	runs := [][]string{
		{"wallet", "keystore", "import", "--keystore", keystore, "--keystore-passphrase-file", pass, "--mnemonic-file", words, "-o", "json"},
		{"wallet", "keystore", "import", "--keystore", keystore, "--keystore-passphrase-file", pass, "--mnemonic-file", words},
		{"wallet", "addresses", "--keystore", keystore, "--keystore-passphrase-file", pass},
		{"wallet", "addresses", "--keystore", words, "--keystore-passphrase-file", pass},
		{"wallet", "addresses", "--mnemonic-file", broken},
		{"wallet", "addresses", "--mnemonic-file", broken, "-o", "json"},
		{"wallet", "connect", "--mnemonic-file", words},
		{"wallet", "connect", "--mnemonic-file", words, "--provider", "xverse"},
		{"wallet", "status", "--mnemonic-file", words},
		{"wallet", "storage"},
		{"wallet", "request", "stx_signMessage", `{"message":"x"}`, "--mnemonic-file", words, "--approve", "always"},
		{"wallet", "request", "stx_signMessage", `{"message":"x","publicKey":"02"}`, "--mnemonic-file", words, "--approve", "always"},
		{"wallet", "request", "stx_transferStx", rentParams, "--mnemonic-file", words, "--approve", "always", "--api", mock.address, "--log-file", filepath.Join(home, "log")},
		{"wallet", "request", "sendTransfer", `{"recipients":[{"address":"x","amount":1}]}`, "--mnemonic-file", words, "--approve", "always", "-o", "json"},
		{"wallet", "request", "stx_getAccounts", `{}`, "--mnemonic-file", words, "--approve", "never"},
		{"wallet", "decode", mnemonic},
		{"wallet", "request", "stx_signMessage", mnemonic, "--approve", "always"},
	}
	for _, args := range runs {
		_, stdout, stderr := run(t, t.Context(), append(args, "--state-dir", filepath.Join(home, "state"))...)
		written.WriteString(stdout + stderr)
	}
	b := serveBridge(t, "--approve", "always", "--mnemonic-file", words, "--allow-origin", dapp, "--api", mock.address,
		"--calls", filepath.Join(home, "calls"), "--log-file", filepath.Join(home, "log"), "--state-dir", filepath.Join(home, "state"))
	b.call(dapp, "stx_getAccounts", `{}`) // gives out the gaia key, on purpose, and only there
	b.call(dapp, "stx_transferStx", rentParams)
	b.call(dapp, "getAddresses", `{}`)
	b.end()
	written.WriteString(b.out.text.String() + b.errs.String())

	written.WriteString(everyFile(t, home))
	for _, s := range secrets {
		if i := strings.Index(written.String(), s); i >= 0 {
			around := written.String()[max(0, i-120):i]
			t.Errorf("a secret of %d bytes is written after %q", len(s), around)
		}
	}
}

// everyFile returns what all files under a folder hold, and checks that they are
// for their owner only.
func everyFile(t *testing.T, folder string) string {
	t.Helper()
	var written bytes.Buffer
	files := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		written.Write(text)
		if info, err := entry.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil || files < 4 {
		t.Fatalf("%d files were written, %v", files, err)
	}
	return written.String()
}
