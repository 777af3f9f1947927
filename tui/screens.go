package tui

// screens makes the screens of the explorer, in the order of their tabs.
func screens(m *Model) []tab {
	return []tab{
		tokensTab(m),
		namesTab(m),
	}
}
