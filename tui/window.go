package tui

// window is the size of the terminal in cells.
type window struct{ width, height int }

// Frame lines around the body: tabs, crumb, status, hints.
const (
	headLines = 2
	footLines = 2
)

// fullDialog is the height of a window below which the approval dialog has all of
// it.
const fullDialog = 14

// Below this size only a word is shown; keys still work.
const (
	minWidth  = 36
	minHeight = 10
)

func (w window) tooSmall() bool { return w.width < minWidth || w.height < minHeight }

// body returns the cells of a screen.
func (w window) body() (width, height int) {
	return max(w.width, minWidth), max(w.height, minHeight) - headLines - footLines
}
