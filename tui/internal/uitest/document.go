package uitest

import (
	"os"
	"testing"
)

// Document checks that a file of the documentation is what the program makes of it: what
// make returns for its old text. With -update it is written.
func Document(t *testing.T, path string, make func(old string) string) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	want := make(string(old))
	switch {
	case want == string(old):
	case !Updating():
		t.Errorf("%s is not what the program shows: run `bash .ci/pictures`", path)
	default:
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
