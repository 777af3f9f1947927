package blocks

import (
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
)

// Subject returns the block under the cursor, or what came in its place.
func (s *Screen) Subject() screen.Subject {
	r := s.current()
	if r == nil || s.problem != nil {
		err := s.problem
		if err == nil {
			err = s.staleError()
		}
		return browser.FailedSubject("The answer", err)
	}
	subject := s.Block(s.Kind, r)
	subject.Export = s.Export
	return subject
}
