package contracts

import (
	"sync"

	"chainscope/wallet/clarity"
)

// Limits of what Sources keeps.
const (
	maxSources    = 128
	maxSourceText = 64 << 10 // bytes of one
)

// Sources keeps the texts that were read last, so that a contract that is called often is
// read once. Who gets a Source must not change it. It is safe for concurrent use.
type Sources struct {
	mu   sync.Mutex
	read map[sourceText]*Source
}

type sourceText struct {
	id      clarity.Principal
	text    string
	version byte
}

// Read is ReadSource.
func (s *Sources) Read(id clarity.Principal, text string, version byte) *Source {
	if len(text) > maxSourceText {
		return ReadSource(id, text, version)
	}
	of := sourceText{id, text, version}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.read[of]; ok {
		return known
	}
	if s.read == nil || len(s.read) >= maxSources {
		s.read = map[sourceText]*Source{}
	}
	s.read[of] = ReadSource(id, text, version)
	return s.read[of]
}
