package tui

import (
	"chainscope/tui/nav"
	"chainscope/tui/screen/blocks"
)

// screens makes the screens of the explorer, in the order of their tabs.
func screens(m *Model) []tab {
	return append([]tab{
		{kind: nav.KindBlocks, title: "Blocks", short: "Blocks", screen: blocks.New(m.env, m.options.Client, m.theme)},
		burnBlocksTab(m),
		tokensTab(m),
		namesTab(m),
	}, walletTab(m)...)
}
