//go:build unix

package engine_test

import (
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/engine"
	"chainscope/wallet/stxtx"
)

// A program that opens a session and reads no more is given up, though it is sent more than a
// pipe holds.
func TestAProgramThatStopsReadingIsGivenUp(t *testing.T) {
	const deaf = `echo '{"chainscope-clarity":1,"vm":"deaf"}'; read -r line; echo '{"id":1,"ok":{"at":0,"stacks":1,"burn":1}}'; exec sleep 60`
	s := newStage(t, engine.Options{Command: []string{"sh", "-c", deaf}, CallTime: 300 * time.Millisecond})
	deploy := stxtx.SmartContract{Name: "big", Code: strings.Repeat(";; a line\n", 100_000)}
	does, _ := s.session.Run(nil, &s.ledger, s.tx(12, deploy))
	if want := "gave no answer to mine within 300ms"; !strings.Contains(does.Error, want) {
		t.Errorf("%q, want %s", does.Error, want)
	}
}
