package keys

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// writerPath names the keystore that a copy of this test program rewrites until
// it is killed.
const writerPath = "CHAINSCOPE_TEST_KEYSTORE"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerPath); path != "" {
		rewriteForever(path)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// rewriteForever changes the passphrase to and fro, and says so each time.
func rewriteForever(path string) {
	store := Keystore{Path: path, WorkFactor: 1}
	one, other := NewSecret("one"), NewSecret("other")
	if _, err := store.Open(one); err != nil {
		one, other = other, one
	}
	for {
		if _, err := os.Stdout.Write([]byte{'.'}); err != nil {
			return
		}
		if err := store.ChangePassphrase(one, other); err != nil {
			return
		}
		one, other = other, one
	}
}

func TestAKilledWriterNeverLeavesABrokenKeystore(t *testing.T) {
	store := Keystore{Path: filepath.Join(t.TempDir(), "keys.age"), WorkFactor: 1}
	if err := store.Import(Contents{Mnemonic: NewSecret(TestMnemonic)}, NewSecret("one")); err != nil {
		t.Fatal(err)
	}
	const kills = 200
	for i := range kills {
		writer := exec.Command(os.Args[0])
		writer.Env = append(os.Environ(), writerPath+"="+store.Path)
		progress, err := writer.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadFull(progress, make([]byte, 1+i%4))
		if killed := writer.Process.Kill(); err != nil || killed != nil {
			t.Fatalf("the writer stopped by itself: %v, %v", err, killed)
		}
		if err := writer.Wait(); err == nil {
			t.Fatal("the writer ended by itself")
		}
		contents, err := store.Open(NewSecret("one"))
		if err != nil {
			contents, err = store.Open(NewSecret("other"))
		}
		if err != nil || !contents.Mnemonic.Equal(NewSecret(TestMnemonic)) {
			t.Fatalf("after %d kills: %v", i+1, err)
		}
	}
	t.Logf("%d writers killed", kills)
}
