package blocks

import (
	"testing"

	"chainscope/tui/nav"
)

// Where the detail stands alone the list has no room yet when a height is opened
// before anything else was.
func TestAHeightThatIsOpenedFirstIsReachedInASmallWindow(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.open(nav.BlockAtHeight(900_000))
	s.sees("Block 900,000", "canonical")
}
