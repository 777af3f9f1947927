package command

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"chainscope/tui/command/cli"
	"chainscope/tui/state"
	"chainscope/tui/theme"
)

// themes reads the user's themes: those of the folder beside the configuration file, and
// the one that --theme names by its path. It returns the name of the theme to begin with.
func themes(ctx context.Context, a *cli.App, wanted string) (name string, files []theme.File, err error) {
	config := a.Settings.Config
	if config == "" {
		config = state.ConfigFile()
	}
	byPath := strings.HasSuffix(wanted, ".toml") || strings.ContainsRune(filepath.ToSlash(wanted), '/')
	read, err := cli.Awaited(ctx, func() ([]state.ThemeFile, error) {
		all := state.ReadThemes(state.ThemesFolder(config))
		if byPath {
			all = append(all, state.ReadTheme(wanted))
		}
		return all, nil
	})
	if err != nil {
		return "", nil, err
	}
	for _, one := range read {
		f := theme.Parse(one.Name, one.Path, one.Text)
		if one.Err != nil {
			f.Err = one.Err
		}
		// The one that is named by its path comes last, and counts.
		files = slices.DeleteFunc(files, func(other theme.File) bool { return other.Name == f.Name })
		files = append(files, f)
	}
	if !byPath {
		return wanted, files, nil
	}
	named := files[len(files)-1]
	if named.Err != nil {
		return "", nil, cli.Usagef("--theme: %s: %v", named.Path, named.Err)
	}
	return named.Name, files, nil
}
