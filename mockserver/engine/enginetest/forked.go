package enginetest

import (
	"bufio"
	"encoding/json"
	"strings"
)

// forkPoint is the block of a live chain that a session continues.
type forkPoint struct {
	Height int64  `json:"height"`
	Burn   int64  `json:"burn"`
	Tip    string `json:"tip"`
}

// questions are the lines that came, those that came while an answer was waited for first.
type questions struct {
	lines *bufio.Scanner
	early [][]byte
}

func (q *questions) next() (line []byte, more bool) {
	if len(q.early) > 0 {
		line, q.early = q.early[0], q.early[1:]
		return line, true
	}
	more = q.lines.Scan()
	return q.lines.Bytes(), more
}

// reads reads the source of a contract of the live chain, as the virtual machine does. It reports whether
// that was answered; otherwise the question was.
func (q *questions) reads(report func(any), from *forkPoint, r request) bool {
	report(map[string]any{"read": r.ID, "path": "/v2/clarity/metadata/" + strings.Replace(r.Contract, ".", "/", 1) + "/vm-metadata::9::contract-src?tip=" + strings.TrimPrefix(from.Tip, "0x")})
	for q.lines.Scan() {
		var answer struct {
			Read   *int64            `json:"read"`
			Unread map[string]string `json:"unread"`
		}
		if json.Unmarshal(q.lines.Bytes(), &answer) != nil || answer.Read == nil {
			q.early = append(q.early, append([]byte{}, q.lines.Bytes()...))
			continue
		}
		if answer.Unread != nil {
			report(map[string]any{"id": r.ID, "error": map[string]any{"kind": "unread", "what": answer.Unread["what"], "why": answer.Unread["why"], "message": "unread"}})
		}
		return answer.Unread == nil
	}
	return false
}
