package mockserver

import (
	"fmt"
	"time"
)

// clockHeader tells with every answer what time it is on the chain. While the clock runs
// it says how many seconds it is ahead of the machine's.
const clockHeader = "X-Mock-Clock"

// writeClock writes the clock of the world that answers.
func (s *Server) writeClock(x *exchange) {
	state := x.state()
	at := time.UnixMilli(state.View.NowMS())
	how := "frozen"
	if !state.Frozen() {
		how = fmt.Sprintf("ahead=%.3f", at.Sub(s.cfg.Now()).Seconds())
	}
	x.w.Header()[clockHeader] = []string{at.UTC().Format(clockLayout) + "; " + how}
}
