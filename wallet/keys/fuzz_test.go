package keys

import (
	"strings"
	"testing"
)

// A mnemonic that is taken has one form, and errors never quote it.
func FuzzMnemonic(f *testing.F) {
	f.Add(TestMnemonic)
	f.Add("  ABANDON\tabandon ")
	f.Add("legal winner thank year wave sausage worth useful legal winner thank yellow")
	f.Fuzz(func(t *testing.T, text string) {
		clean, err := CleanMnemonic(NewSecret(text))
		if err != nil {
			for _, word := range strings.Fields(text) {
				if len(word) > 8 && strings.Contains(err.Error(), word) {
					t.Fatalf("the error quotes a word: %v", err)
				}
			}
			return
		}
		again, err := CleanMnemonic(clean)
		if err != nil || !again.Equal(clean) {
			t.Fatalf("the clean form is not clean: %v", err)
		}
	})
}

// A file that is no keystore is an error, whatever is in it.
func FuzzUnseal(f *testing.F) {
	sealed, err := Keystore{WorkFactor: 1}.seal(Contents{Mnemonic: NewSecret(TestMnemonic)}, NewSecret("x"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed)
	f.Add([]byte("-----BEGIN AGE ENCRYPTED FILE-----\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := unseal(b, NewSecret("x"))
		if err == nil && c.Mnemonic.Empty() {
			t.Fatal("it opened to nothing")
		}
	})
}
