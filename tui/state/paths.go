package state

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

const appName = "chainscope"

// ConfigFile is where the configuration is looked for unless told otherwise:
// chainscope/config.toml in the XDG config folder.
func ConfigFile() string { return filepath.Join(xdg.ConfigHome, appName, "config.toml") }

// Dir is where documents are kept unless told otherwise: chainscope in the
// XDG state folder.
func Dir() string { return filepath.Join(xdg.StateHome, appName) }
