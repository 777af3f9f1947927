package mockserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"chainscope/mockserver/contracts"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
)

// worldPrefix is what the paths of named worlds begin with.
const worldPrefix = "/w/"

// enterWorld chooses the world of a path under /w/NAME. On false it has answered
// 400 or 404.
func (x *exchange) enterWorld() bool {
	rest, found := strings.CutPrefix(x.path, worldPrefix)
	if !found || x.s.replaced() {
		return true
	}
	if !x.hasWorlds() {
		return false
	}
	raw, rest, slash := strings.Cut(rest, "/")
	name, ok := unescapeSegment(raw)
	if !ok {
		name = raw
	}
	w, err := x.s.worlds.Get(name)
	if err != nil {
		x.thrown(http.StatusBadRequest, "", err.Error())
		return false
	}
	x.world, x.base, x.path = w, worldPrefix+raw, "/"
	if slash {
		x.path = "/" + rest
	}
	return true
}

// hasWorlds answers 404 where there are no named worlds.
func (x *exchange) hasWorlds() bool {
	if x.s.worlds != nil {
		return true
	}
	x.thrown(http.StatusNotFound, "", "this server has no worlds; start it with --worlds")
	return false
}

func listWorlds(x *exchange) {
	if x.hasWorlds() {
		x.value(http.StatusOK, x.s.worlds.List())
	}
}

// changed answers with the tip of a state, or says what was wrong.
func (x *exchange) changed(state world.State, err error) {
	if err != nil {
		x.refused(err)
		return
	}
	x.value(http.StatusOK, tipAnswer{state.Tip()})
}

func (x *exchange) refused(err error) {
	var unknown *world.UnknownError
	status := http.StatusBadRequest
	switch {
	case errors.As(err, &unknown):
		status = http.StatusNotFound
	case errors.Is(err, world.ErrStateFile):
		status = http.StatusInsufficientStorage
	}
	x.thrown(status, "", err.Error())
}

// snapshotAnswer is the answer of snapshot and revert.
type snapshotAnswer struct {
	Name string    `json:"name"`
	Tip  world.Tip `json:"tip"`
}

func snapshot(x *exchange) {
	var asked struct {
		Name string `json:"name"`
	}
	if !x.optionalBody(&asked, `{"name":"start"}`) {
		return
	}
	name, state, err := x.world.Snapshot(asked.Name)
	if err != nil {
		x.refused(fmt.Errorf("body/%w", err))
		return
	}
	x.value(http.StatusOK, snapshotAnswer{name, state.Tip()})
}

// courseAnswer is the state of the world; Contracts is the number of canned answers.
type courseAnswer struct {
	world.Course
	clockAnswer
	Contracts int `json:"contracts"`
}

func listSnapshots(x *exchange) {
	state := x.world.State()
	x.value(http.StatusOK, courseAnswer{x.world.Course(), clockOf(state), state.Contracts().Len()})
}

func redo(x *exchange) { x.changed(x.world.Redo()) }

func revert(x *exchange) {
	var asked struct {
		To json.RawMessage `json:"to"`
	}
	if !x.optionalBody(&asked, `{"to":"start"}`) {
		return
	}
	var to *string
	if asked.To != nil {
		if err := json.Unmarshal(asked.To, &to); err != nil || to == nil {
			x.thrown(http.StatusBadRequest, "", `body/to must be the name of a snapshot, such as {"to":"start"}`)
			return
		}
	}
	name, state, err := x.revertTo(to)
	if err != nil {
		x.refused(err)
		return
	}
	x.value(http.StatusOK, snapshotAnswer{name, state.Tip()})
}

// revertTo goes back to a snapshot, nil for the last one, and returns its name.
func (x *exchange) revertTo(to *string) (string, world.State, error) {
	if to == nil {
		return x.world.RevertLast()
	}
	state, err := x.world.Revert(*to)
	return *to, state, err
}

// clockAnswer is the answer of clock.
type clockAnswer struct {
	Tip    world.Tip `json:"tip"`
	Clock  string    `json:"clock"` // RFC 3339
	Frozen bool      `json:"frozen"`
}

const clockExample = `{"advance":"3h"}, {"set":"2026-01-01T00:00:00Z"} or {"freeze":true}`

func moveClock(x *exchange) {
	var asked struct {
		Advance *string `json:"advance"`
		Set     *string `json:"set"`
		Freeze  *bool   `json:"freeze"`
	}
	if !x.jsonBody(&asked, clockExample) {
		return
	}
	given := 0
	for _, one := range []bool{asked.Advance != nil, asked.Set != nil, asked.Freeze != nil} {
		if one {
			given++
		}
	}
	var state world.State
	var err error
	switch {
	case given != 1:
		err = errors.New("body must have one of advance, set and freeze, such as " + clockExample)
	case asked.Advance != nil:
		var d time.Duration
		if d, err = time.ParseDuration(*asked.Advance); err != nil || d < 0 {
			err = fmt.Errorf("body/advance must be a duration from 0 to 2562047h, such as 3h or 90s, not %q", *asked.Advance)
		} else {
			state, err = x.world.Advance(d)
		}
	case asked.Set != nil:
		var to time.Time
		if to, err = time.Parse(time.RFC3339Nano, *asked.Set); err != nil {
			err = fmt.Errorf("body/set must be a time of RFC 3339, such as 2026-01-01T00:00:00Z, not %q", *asked.Set)
		} else {
			state, err = x.world.SetClock(to)
		}
	default:
		state, err = x.world.FreezeClock(*asked.Freeze)
	}
	if err != nil {
		x.refused(err)
		return
	}
	x.value(http.StatusOK, clockOf(state))
}

// clockLayout is how the control interface writes a time.
const clockLayout = "2006-01-02T15:04:05.000Z"

func clockOf(state world.State) clockAnswer {
	at := time.UnixMilli(state.View.NowMS()).UTC()
	return clockAnswer{state.Tip(), at.Format(clockLayout), state.Frozen()}
}

func reorg(x *exchange) {
	var asked struct {
		Depth *int64 `json:"depth"`
	}
	if !x.jsonBody(&asked, `{"depth":2}`) {
		return
	}
	if asked.Depth == nil {
		x.thrown(http.StatusBadRequest, "", `body must have "depth", the number of blocks to replace, such as {"depth":2}`)
		return
	}
	state, err := x.world.Reorg(*asked.Depth)
	if err != nil && !errors.Is(err, world.ErrStateFile) {
		err = fmt.Errorf("body/%w", err)
	}
	x.changed(state, err)
}

// amount is an integer that may be in a string too.
type amount uint64

// UnmarshalJSON reads a decimal number, with or without quotes.
func (a *amount) UnmarshalJSON(data []byte) error {
	text := string(data)
	if len(text) > 1 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no integer from 0 to %d", data, uint64(math.MaxUint64))
	}
	*a = amount(n)
	return nil
}

// digits is an integer of any size that may be in a string too.
type digits string

// UnmarshalJSON takes the text of a number, with or without quotes.
func (d *digits) UnmarshalJSON(data []byte) error {
	*d = digits(strings.Trim(string(data), `"`))
	return nil
}

// accountAnswer is the answer of accounts; the balance is in micro-STX.
type accountAnswer struct {
	Address string `json:"address"`
	Balance string `json:"balance"`
	Nonce   uint64 `json:"nonce"`
}

const accountExample = `{"address":"SP000000000000000000002Q6VF78","balance":"5000000","nonce":0}`

func setAccount(x *exchange) {
	var asked struct {
		Address *string           `json:"address"`
		Balance *amount           `json:"balance"`
		Nonce   *amount           `json:"nonce"`
		Tokens  map[string]digits `json:"tokens"`
	}
	if !x.jsonBody(&asked, accountExample) {
		return
	}
	if asked.Address == nil {
		x.thrown(http.StatusBadRequest, "", `body must have "address", such as `+accountExample)
		return
	}
	principal, err := clarity.ParsePrincipal(*asked.Address)
	if err != nil {
		x.thrown(http.StatusBadRequest, "", fmt.Sprintf("body/address %q: %v; give one such as %s", *asked.Address, err, accountExample))
		return
	}
	tokens := map[string]string{}
	for asset, amount := range asked.Tokens {
		tokens[asset] = string(amount)
	}
	state, err := x.world.SetAccount(principal, (*uint64)(asked.Balance), (*uint64)(asked.Nonce), tokens)
	if err != nil {
		x.refused(err)
		return
	}
	a := state.Account(principal)
	x.value(http.StatusOK, accountAnswer{principal.String(), decimal(a.Balance), a.Nonce})
}

func addContract(x *exchange) {
	var raw json.RawMessage
	if !x.jsonBody(&raw, contracts.Example) {
		return
	}
	entry, err := contracts.ParseJSON(raw)
	if err != nil {
		x.thrown(http.StatusBadRequest, "", "the body is "+err.Error())
		return
	}
	state, err := x.world.AddContract(entry)
	if err != nil {
		x.refused(err)
		return
	}
	x.value(http.StatusOK, struct {
		Contract string `json:"contract"`
		Answers  int    `json:"answers"` // of all contracts
	}{entry.Contract, state.Contracts().Len()})
}

// maxAnswers is the most canned answers that are listed at once.
const maxAnswers = 200

func listContracts(x *exchange) {
	w := window{int(x.controlNumber("limit", 50, maxAnswers)), int(x.controlNumber("offset", 0, math.MaxInt32))}
	book := x.state().Contracts()
	x.object(w.page(book.Len(), book.List(w.offset, w.limit)))
}

// controlNumber reads an integer from 0 of the query.
func (x *exchange) controlNumber(name string, fallback, most int64) int64 {
	value, given := queryValue(x.r.URL.RawQuery, name)
	if given == 0 {
		return fallback
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 || n > most || given > 1 {
		x.thrown(http.StatusBadRequest, "", fmt.Sprintf("querystring/%s must be one integer from 0 to %d, such as ?%s=%d", name, most, name, fallback))
		return 0
	}
	return n
}

// requestsAnswer is the answer of requests; next is what to give as after the
// next time.
type requestsAnswer struct {
	Requests []world.Request `json:"requests"`
	Next     int64           `json:"next"`
}

func listRequests(x *exchange) {
	all, next := x.world.Requests.After(x.controlNumber("after", 0, math.MaxInt64))
	x.value(http.StatusOK, requestsAnswer{all, next})
}
