package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chainscope/tui/command/cli"
)

func TestThemesAreReadBesideTheConfigurationAndByPath(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("themes/harbor.toml", `accent = "#b58900"`)
	write("themes/broken.toml", `accent = "sand"`)
	write("themes/notes.txt", `accent`)
	elsewhere := write("elsewhere.toml", `base = "light"`)
	a := &cli.App{}
	a.Settings.Config = filepath.Join(dir, "config.toml")

	name, files, err := themes(t.Context(), a, "harbor")
	if err != nil || name != "harbor" || len(files) != 2 || files[0].Name != "broken" || files[0].Err == nil || files[1].Err != nil {
		t.Fatalf("%s, %+v, %v", name, files, err)
	}
	name, files, err = themes(t.Context(), a, elsewhere)
	if err != nil || name != "elsewhere" || len(files) != 3 {
		t.Errorf("%s, %+v, %v", name, files, err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "themes/broken.toml"):       `line 1, column 10: "sand" is no color`,
		filepath.Join(dir, "nowhere.toml"):             "no such file",
		write("big.toml", strings.Repeat("#", 65<<10)): "larger than 64 KiB",
	} {
		if _, _, err := themes(t.Context(), a, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
