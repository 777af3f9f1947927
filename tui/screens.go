package tui

import (
	"chainscope/tui/nav"
)

// screens makes the screens of the explorer, in the order of their tabs.
func screens(m *Model) []tab {
	_ = nav.KindBlocks
	return nil
}
