package text

// Window returns the first line of a window of some height on count lines, moved from top as little
// as shows the lines from first to last; the first of them where it cannot show all.
func Window(top, first, last, height, count int) int {
	return Scrolled(min(max(top, last-height+1), first), height, count)
}

// Scrolled returns the first line of a window of some height on count lines that was scrolled to top.
func Scrolled(top, height, count int) int { return max(0, min(top, count-height)) }
