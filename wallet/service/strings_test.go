package service

import (
	"os"
	"path/filepath"
	"testing"

	"chainscope/tui/state"

	"github.com/google/go-cmp/cmp"
)

func TestStringsAreKeptByKey(t *testing.T) {
	store := openStore(t, t.TempDir())
	m := &Strings{store: store, document: "connect"}
	if _, there, err := m.Get("a"); there || err != nil {
		t.Fatal(there, err)
	}
	for _, err := range []error{m.Remove("a"), m.Set("a", "1"), m.Set("b", ""), m.Set("a", "2"), m.Remove("c")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	all, err := (&Strings{store: store, document: "connect"}).All()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "2", "b": ""}, all); diff != "" {
		t.Error(diff)
	}
	if err := m.Remove("a"); err != nil {
		t.Fatal(err)
	}
	if v, there, err := m.Get("b"); v != "" || !there || err != nil {
		t.Error(v, there, err)
	}
	if _, there, _ := m.Get("a"); there {
		t.Error("a removed key is still there")
	}
}

func TestADocumentOfAnotherShapeIsSetAside(t *testing.T) {
	for _, damaged := range []string{`{`, `[1]`, `{"a":1}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "connect.json"), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		m := &Strings{store: openStore(t, dir), document: "connect"}
		if err := m.Set("a", "1"); err != nil {
			t.Errorf("%s: %v", damaged, err)
		}
		if v, _, err := m.Get("a"); v != "1" || err != nil {
			t.Errorf("%s: got %q, %v", damaged, v, err)
		}
		aside, err := filepath.Glob(filepath.Join(dir, "connect*damaged*"))
		if err != nil || len(aside) == 0 {
			names, _ := filepath.Glob(filepath.Join(dir, "*"))
			t.Errorf("%s: was not set aside; the folder holds %v", damaged, names)
		}
	}
}

func openStore(t *testing.T, dir string) *state.Store {
	t.Helper()
	store, err := state.Open(state.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return store
}
