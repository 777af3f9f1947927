package mockserver

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/world"
)

const mempoolExample = `{"drop":"0x…","reason":"too_expensive"} or {"hold":true}`

// dropReasons are the reasons for which a transaction can be dropped on demand, the usual
// one first. One that is replaced by fee is dropped by sending the other.
var dropReasons = []ledger.Drop{ledger.StaleGarbageCollect, ledger.TooExpensive, ledger.Problematic}

// mempoolAnswer is the answer of mempool.
type mempoolAnswer struct {
	Tip     world.Tip `json:"tip"`
	Held    bool      `json:"held"`
	Pending int       `json:"pending"` // transactions that wait
}

// changeMempool drops a transaction that waits, or holds or releases all of them.
func changeMempool(x *exchange) {
	var asked struct {
		Drop   *string      `json:"drop"`
		Reason *ledger.Drop `json:"reason"`
		Hold   *bool        `json:"hold"`
	}
	if !x.jsonBody(&asked, mempoolExample) {
		return
	}
	var state world.State
	var err error
	switch {
	case (asked.Drop == nil) == (asked.Hold == nil):
		err = errors.New("body must have either drop or hold, such as " + mempoolExample)
	case asked.Drop != nil:
		state, err = x.dropOne(*asked.Drop, asked.Reason)
	case asked.Reason != nil:
		err = errors.New("body/reason belongs to drop")
	default:
		state, err = x.world.Hold(*asked.Hold)
	}
	if err != nil {
		x.refused(err)
		return
	}
	x.value(http.StatusOK, mempoolAnswer{state.Tip(), state.OnHold(), len(state.Mempool())})
}

func (x *exchange) dropOne(text string, why *ledger.Drop) (world.State, error) {
	id, ok := chain.ParseHash(text)
	if !ok {
		return world.State{}, fmt.Errorf("body/drop must be the id of a transaction, 64 hexadecimal digits with or without 0x, not %q", text)
	}
	if why == nil {
		why = &dropReasons[0]
	}
	if !slices.Contains(dropReasons, *why) {
		return world.State{}, fmt.Errorf("body/reason must be one of %q, not %q", dropReasons, *why)
	}
	return x.world.Drop(id.Bytes(), *why)
}
