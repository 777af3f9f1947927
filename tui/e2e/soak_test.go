//go:build unix && (monkey || outages)

package e2e

import (
	"flag"
	"time"
)

// The flags of the tests that run for as long as one likes.
var (
	soakTime = flag.Duration("duration", time.Minute, "how long the test goes on")
	soakSeed = flag.Uint64("seed", 0, "what happens; 0 is another seed each time")
)

// seedOfRun returns the seed to take.
func seedOfRun() uint64 {
	if *soakSeed == 0 {
		return uint64(time.Now().UnixNano())
	}
	return *soakSeed
}
