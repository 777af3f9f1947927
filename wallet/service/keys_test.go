package service

import (
	"path/filepath"
	"testing"

	"chainscope/wallet/keys"
)

// Who mistypes the path of a keystore still has the keys that were there.
func TestKeysStayUntilOthersWereRead(t *testing.T) {
	s, err := New(Options{Keys: TestKeys()})
	if err != nil {
		t.Fatal(err)
	}
	before := s.Keys()
	if err := s.Open(KeystoreKeys(filepath.Join(t.TempDir(), "none.age")), keys.NewSecret("x")); err == nil {
		t.Fatal("a keystore that is not there was opened")
	}
	if now := s.Keys(); now.Source != before.Source || now.Ring != before.Ring {
		t.Errorf("the keys are those of %q now", now.Source)
	}
}
