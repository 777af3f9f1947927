package contracts

import (
	"sync"

	"chainscope/wallet/clarity"
)

// maxSourceText limits how many bytes of texts Sources keeps. One text may have 1 MiB.
const maxSourceText = 8 << 20

// Sources keeps the texts that were read last, so that a contract that is called often is read
// once. A Source that it returns must not be changed. It is safe for concurrent use.
type Sources struct {
	mu   sync.Mutex
	read map[sourceText]*Source
	size int // bytes of their texts
}

type sourceText struct {
	id      clarity.Principal
	text    string
	version byte
}

// Read is ReadSource.
func (s *Sources) Read(id clarity.Principal, text string, version byte) *Source {
	of := sourceText{id, text, version}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.read[of]; ok {
		return known
	}
	if s.read == nil || s.size+len(text) > maxSourceText {
		s.read, s.size = map[sourceText]*Source{}, 0
	}
	s.size += len(text)
	s.read[of] = ReadSource(id, text, version)
	return s.read[of]
}
