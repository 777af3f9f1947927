package mockserver

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"chainscope/mockserver/api"
	"chainscope/mockserver/tape"
)

// notRecordedBody is the answer where a tape holds nothing. It keeps to the
// contract's error body and adds keys of its own.
type notRecordedBody struct {
	Error   string `json:"error"`
	Message string `json:"message"`
	Method  string `json:"method"`
	Path    string `json:"path"`
	Tape    string `json:"tape"`
	// Recorded names some requests that are on the tape, the most similar first.
	Recorded []string `json:"recorded"`
}

// maxNear bounds how many recorded requests notRecordedBody names.
const maxNear = 10

// tapeHeader describes what a replaying or recording server did: "replay", "joined"
// for a page that was put together from recorded ones, "not recorded", and
// "not kept" for an answer that could not be written.
const tapeHeader = "X-Mock-Tape"

// withoutMempool returns the routes that change something, on a server that
// replays or forwards: they are refused, since nothing is ever sent to a live API.
func (s *Server) withoutMempool() []api.Route {
	gone := func(x *api.Exchange) {
		source := "replays a recording"
		if s.live != nil {
			source = "is in front of a live API"
		}
		x.Thrown(http.StatusGone, "", "this server "+source+" and takes no transactions; nothing was sent. Start a mock chain without --upstream and --replay")
	}
	return []api.Route{{Method: "POST", Pattern: "/v2/transactions", Handle: gone}}
}

// readingRoutes returns those that read with a POST, from a tape or a live API. What a
// client requests is in the body.
func (s *Server) readingRoutes() (all []api.Route) {
	for _, r := range api.Routes() {
		if r.Method == http.MethodPost && (r.Pattern == "/v2/fees/transaction" || strings.HasPrefix(r.Pattern, "/v2/contracts/") || strings.HasPrefix(r.Pattern, "/v2/map_entry/")) {
			all = append(all, api.Route{Method: r.Method, Pattern: r.Pattern, Handle: s.read})
		}
	}
	return all
}

// read answers a request that has a body of JSON.
func (s *Server) read(x *api.Exchange) {
	body, ok := x.Body(api.MaxReadBody)
	if !ok {
		return
	}
	requested, err := tape.NormalBody(body)
	if err != nil {
		x.Thrown(http.StatusBadRequest, "", err.Error())
		return
	}
	s.fromTape(x, requested)
}

// fromTape answers out of the recording or from the live API. requested is the body of the
// request, "" for none.
func (s *Server) fromTape(x *api.Exchange, requested string) {
	if requested == "" && x.R.Method != http.MethodGet && x.R.Method != http.MethodHead {
		x.UnknownRoute()
		return
	}
	if s.live != nil {
		s.forward(x, requested)
		return
	}
	e, ok := s.tape.Find(x.R.Method, x.R.URL, requested)
	if !ok {
		s.notRecorded(x)
		return
	}
	x.W.Header()[tapeHeader] = []string{"replay"}
	if e.Joined {
		x.W.Header()[tapeHeader] = []string{"joined"}
	}
	replay(x, e)
}

// nearNamed is the number of requests of the tape that are named in a sentence.
const nearNamed = 3

// notRecorded answers 404 and says what is on the tape instead.
func (s *Server) notRecorded(x *api.Exchange) {
	target, near := x.Target(), s.tape.Near(x.R.URL, maxNear)
	named := near[:min(len(near), nearNamed)]
	message := "not on the tape " + s.tape.Dir() + "; recorded: " + strings.Join(named, ", ")
	if more := s.tape.Len() - len(named); more > 0 {
		message += " and " + strconv.Itoa(more) + " more"
	}
	x.W.Header()[tapeHeader] = []string{"not recorded"}
	x.Value(http.StatusNotFound, notRecordedBody{
		Error: "Not recorded", Message: message, Method: x.R.Method, Path: target, Tape: s.tape.Dir(), Recorded: near,
	})
}

func (s *Server) forward(x *api.Exchange, requested string) {
	e, err := s.live.Forward(x.R.Context(), x.R, requested)
	var unkept *tape.SaveError
	switch {
	case errors.As(err, &unkept):
		s.access.problem(err)
		x.W.Header().Set(tapeHeader, "not kept")
	case err != nil:
		x.Thrown(http.StatusBadGateway, "", "the upstream gave "+err.Error())
		return
	}
	replay(x, e)
}

// replay writes a recorded answer with its own headers.
func replay(x *api.Exchange, e *tape.Exchange) {
	h := x.W.Header()
	for name, values := range e.Header {
		h[name] = values
	}
	if etag := e.Header.Get("Etag"); etag != "" && e.Status == http.StatusOK && api.ETagMatches(x.R.Header["If-None-Match"], etag) {
		x.W.WriteHeader(http.StatusNotModified)
		return
	}
	if e.Method == x.R.Method && e.Method != http.MethodHead || len(e.Body) > 0 {
		h["Content-Length"] = []string{strconv.Itoa(len(e.Body))}
	}
	x.W.WriteHeader(e.Status)
	if e.Status != http.StatusNoContent && e.Status != http.StatusNotModified {
		_, _ = x.W.Write(e.Body) // the client may have gone
	}
}
