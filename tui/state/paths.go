package state

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

const appName = "chainscope"

// ConfigFile returns the default configuration file: chainscope/config.toml in the
// XDG config folder.
// It is "" where no folder of the user is known: without HOME the XDG folders
// would be in the root folder.
func ConfigFile() string { return underHome("XDG_CONFIG_HOME", xdg.ConfigHome, "config.toml") }

// Dir returns the default folder of documents: chainscope in the XDG state folder.
// It is "" where no folder of the user is known.
func Dir() string { return underHome("XDG_STATE_HOME", xdg.StateHome) }

func underHome(variable, folder string, names ...string) string {
	if _, err := os.UserHomeDir(); err != nil && os.Getenv(variable) == "" {
		return ""
	}
	return filepath.Join(append([]string{folder, appName}, names...)...)
}
