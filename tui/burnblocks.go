package tui

import (
	"chainscope/tui/nav"
	"chainscope/tui/screen/burnblocks"
)

// burnBlocksTab makes the place of burn blocks.
func burnBlocksTab(m *Model) tab {
	return tab{nav.KindBurnBlocks, "Burn blocks", "Burn", burnblocks.New(m.env, m.theme, burnblocks.Options{})}
}
