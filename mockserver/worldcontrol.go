package mockserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chainscope/mockserver/api"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/world"
)

// worldPrefix holds what the paths of named worlds begin with.
const worldPrefix = "/w/"

// enterWorld chooses the world of a path under /w/NAME. On false it has answered
// 400 or 404.
func (s *Server) enterWorld(x *api.Exchange) bool {
	rest, found := strings.CutPrefix(x.Path, worldPrefix)
	if !found || s.replaced() {
		return true
	}
	if !s.hasWorlds(x) {
		return false
	}
	raw, rest, slash := strings.Cut(rest, "/")
	name, err := url.PathUnescape(raw)
	if err != nil {
		name = raw
	}
	w, err := s.worlds.Get(name)
	if err != nil {
		x.Thrown(http.StatusBadRequest, "", err.Error())
		return false
	}
	x.World, x.Base, x.Path = w, worldPrefix+raw, "/"
	if slash {
		x.Path = "/" + rest
	}
	return true
}

// hasWorlds answers 404 where there are no named worlds.
func (s *Server) hasWorlds(x *api.Exchange) bool {
	if s.worlds != nil {
		return true
	}
	x.Thrown(http.StatusNotFound, "", "this server has no worlds; start it with --worlds")
	return false
}

func (s *Server) listWorlds(x *api.Exchange) {
	if s.hasWorlds(x) {
		x.Value(http.StatusOK, s.worlds.List())
	}
}

// tipAfter returns a handler that changes a world and answers with its tip.
func tipAfter(change func(*world.World) (world.State, error)) func(*api.Exchange) {
	return func(x *api.Exchange) {
		state, err := change(x.World)
		if err != nil {
			refuse(x, err)
			return
		}
		x.Value(http.StatusOK, tipAnswer{state.Tip()})
	}
}

func refuse(x *api.Exchange, err error) {
	var unknown *world.UnknownError
	var body *world.BodyError
	status, text := http.StatusBadRequest, err.Error()
	switch {
	case errors.As(err, &unknown):
		status = http.StatusNotFound
	case errors.Is(err, world.ErrStateFile):
		status = http.StatusInsufficientStorage
	case errors.As(err, &body) && body.Field == "":
		text = "the body " + body.Problem
	case errors.As(err, &body):
		text = "body/" + text
	}
	x.Thrown(status, "", text)
}

// command returns the route of a command of the world, with what is answered when it is done.
func (s *Server) command(name world.Command, answer func(world.Done) any) api.Route {
	return api.Route{Method: "POST", Pattern: controlPrefix + "/" + string(name), Kind: api.ControlRoute, Handle: s.onChain(func(x *api.Exchange) {
		body, ok := x.Body(maxControlBody)
		if !ok {
			return
		}
		done, err := x.World.Do(name, body)
		var unreadable *world.UnreadableError
		switch {
		case errors.As(err, &unreadable):
			notJSON(x, unreadable.Example, unreadable.Err)
		case err != nil:
			refuse(x, err)
		default:
			x.Value(http.StatusOK, answer(done))
		}
	})}
}

// commands are the routes of what can be done to a world.
func (s *Server) commands() []api.Route {
	tip := func(d world.Done) any { return tipAnswer{d.Tip()} }
	return []api.Route{
		s.command(world.Mine, tip),
		s.command(world.Reorg, tip),
		s.command(world.Snapshot, func(d world.Done) any { return snapshotAnswer{d.Name, d.Tip()} }),
		s.command(world.MoveClock, func(d world.Done) any { return clockOf(d.State) }),
		s.command(world.Mempool, func(d world.Done) any { return mempoolAnswer{d.Tip(), d.OnHold(), len(d.Mempool())} }),
		s.command(world.SetAccount, func(d world.Done) any {
			a := d.State.Account(d.Account)
			return accountAnswer{d.Account.String(), strconv.FormatUint(a.Balance, 10), a.Nonce}
		}),
		s.command(world.Impersonations, func(d world.Done) any { return impersonatedAnswer{d.Impersonated()} }),
		s.command(world.AddAnswers, func(d world.Done) any { return contractAnswer{d.Name, d.Contracts().Len()} }),
	}
}

// snapshotAnswer is the answer of snapshot and revert.
type snapshotAnswer struct {
	Name string    `json:"name"`
	Tip  world.Tip `json:"tip"`
}

// courseAnswer is the state of the world; Contracts is the number of canned answers.
type courseAnswer struct {
	world.Course
	clockAnswer
	Contracts int           `json:"contracts"`
	Fork      *progressBody `json:"fork,omitempty"`
}

func (s *Server) listSnapshots(x *api.Exchange) {
	state := x.World.State()
	x.Value(http.StatusOK, courseAnswer{x.World.Course(), clockOf(state), state.Contracts().Len(), s.forkProgress()})
}

func revert(x *api.Exchange) {
	var requested struct {
		To json.RawMessage `json:"to"`
	}
	if !optionalBody(x, &requested, `{"to":"start"}`) {
		return
	}
	var to *string
	if requested.To != nil {
		if err := json.Unmarshal(requested.To, &to); err != nil || to == nil {
			x.Thrown(http.StatusBadRequest, "", `body/to must be the name of a snapshot, such as {"to":"start"}`)
			return
		}
	}
	name, state, err := revertTo(x, to)
	if err != nil {
		refuse(x, err)
		return
	}
	x.Value(http.StatusOK, snapshotAnswer{name, state.Tip()})
}

// revertTo goes back to a snapshot, nil for the last one, and returns its name.
func revertTo(x *api.Exchange, to *string) (string, world.State, error) {
	if to == nil {
		return x.World.RevertLast()
	}
	state, err := x.World.Revert(*to)
	return *to, state, err
}

// clockAnswer is the answer of clock.
type clockAnswer struct {
	Tip    world.Tip `json:"tip"`
	Clock  string    `json:"clock"` // RFC 3339
	Frozen bool      `json:"frozen"`
}

// clockLayout describes how the control interface writes a time.
const clockLayout = "2006-01-02T15:04:05.000Z"

func clockOf(state world.State) clockAnswer {
	at := time.UnixMilli(state.View.NowMS()).UTC()
	return clockAnswer{state.Tip(), at.Format(clockLayout), state.Frozen()}
}

// accountAnswer is the answer of accounts; the balance is in micro-STX.
type accountAnswer struct {
	Address string `json:"address"`
	Balance string `json:"balance"`
	Nonce   uint64 `json:"nonce"`
}

// contractAnswer is the answer of contracts; Answers counts those of all contracts.
type contractAnswer struct {
	Contract string `json:"contract"`
	Answers  int    `json:"answers"`
}

// impersonatedAnswer is the answer of impersonations: addresses, or all.
type impersonatedAnswer struct {
	Addresses []string `json:"addresses"`
}

func listImpersonated(x *api.Exchange) {
	x.Value(http.StatusOK, impersonatedAnswer{x.World.State().Impersonated()})
}

// endImpersonations ends those of the body, all of them without one.
func endImpersonations(x *api.Exchange) {
	var ended struct {
		Addresses *[]string `json:"addresses"`
	}
	const example = `{"addresses":["SP000000000000000000002Q6VF78"]}`
	body, ok := x.Body(maxControlBody)
	if !ok {
		return
	}
	var gone []string
	if len(bytes.TrimSpace(body)) > 0 {
		if !decodeBody(x, body, &ended, example) {
			return
		}
		if ended.Addresses == nil || len(*ended.Addresses) == 0 {
			x.Thrown(http.StatusBadRequest, "", `body/addresses must be a list of addresses, such as `+example+`; without a body all are ended`)
			return
		}
		gone = *ended.Addresses
	}
	state, err := x.World.EndImpersonations(gone)
	if err != nil {
		refuse(x, err)
		return
	}
	x.Value(http.StatusOK, impersonatedAnswer{state.Impersonated()})
}

// mempoolAnswer is the answer of mempool.
type mempoolAnswer struct {
	Tip     world.Tip `json:"tip"`
	Held    bool      `json:"held"`
	Pending int       `json:"pending"`
}

// contractsAnswer is a page of the canned answers.
type contractsAnswer struct {
	Limit   int `json:"limit"`
	Offset  int `json:"offset"`
	Total   int `json:"total"`
	Results any `json:"results"`
}

// maxAnswers is the most canned answers that are listed at once.
const maxAnswers = 200

func listContracts(x *api.Exchange) {
	limit, offset := int(controlNumber(x, "limit", 50, maxAnswers)), int(controlNumber(x, "offset", 0, math.MaxInt32))
	book := x.World.State().Contracts()
	x.Value(http.StatusOK, contractsAnswer{limit, offset, book.Len(), book.List(offset, limit)})
}

// controlNumber reads an integer from 0 of the query.
func controlNumber(x *api.Exchange, name string, fallback, most int64) int64 {
	value, given := api.QueryValue(x.R.URL.RawQuery, name)
	if given == 0 {
		return fallback
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 || n > most || given > 1 {
		x.Thrown(http.StatusBadRequest, "", fmt.Sprintf("querystring/%s must be one integer from 0 to %d, such as ?%s=%d", name, most, name, fallback))
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

func listRequests(x *api.Exchange) {
	all, next := x.World.Requests.After(controlNumber(x, "after", 0, math.MaxInt64))
	x.Value(http.StatusOK, requestsAnswer{all, next})
}

// undescribedAnswer is the answer of undescribed: contracts is a file for --contracts, next is
// what to give as after the next time, and invented and refused count transactions.
type undescribedAnswer struct {
	Undescribed []contracts.Lack `json:"undescribed"`
	Contracts   string           `json:"contracts"`
	Next        int64            `json:"next"`
	Invented    world.Count      `json:"invented"`
	Refused     world.Count      `json:"refused"`
}

func listUndescribed(x *api.Exchange) {
	all, next := x.World.Lacks.After(controlNumber(x, "after", 0, math.MaxInt64))
	x.Value(http.StatusOK, undescribedAnswer{all, contracts.Template(all), next, x.World.Invented.Count(), x.World.Refused.Count()})
}
