package state

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

const appName = "chainscope"

// ConfigFile returns the default configuration file: chainscope/config.toml in the
// XDG config folder.
func ConfigFile() string { return filepath.Join(xdg.ConfigHome, appName, "config.toml") }

// Dir returns the default folder of documents: chainscope in the XDG state folder.
func Dir() string { return filepath.Join(xdg.StateHome, appName) }
