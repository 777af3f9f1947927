package mockserver

import (
	"errors"
	"net/http"
	"strconv"

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
}

// fromTape answers out of the recording or from the live API.
func (s *Server) fromTape(x *exchange) {
	if x.r.Method != http.MethodGet && x.r.Method != http.MethodHead {
		x.unknownRoute()
		return
	}
	if s.live != nil {
		s.forward(x)
		return
	}
	e, ok := s.tape.Find(x.r.Method, x.r.URL)
	if !ok {
		target := requestTarget(x.r)
		x.value(http.StatusNotFound, notRecordedBody{
			Error:   "Not recorded",
			Message: x.r.Method + " " + target + " was never recorded in " + s.tape.Dir(),
			Method:  x.r.Method, Path: target, Tape: s.tape.Dir(),
		})
		return
	}
	x.replay(e)
}

func (s *Server) forward(x *exchange) {
	e, err := s.live.Forward(x.r.Context(), x.r)
	var unkept *tape.KeepError
	switch {
	case errors.As(err, &unkept):
		s.access.problem(err)
		x.w.Header().Set("X-Mock-Tape", "not kept")
	case err != nil:
		x.thrown(http.StatusBadGateway, "", "the upstream gave "+err.Error())
		return
	}
	x.replay(e)
}

// replay writes a recorded answer with its own headers.
func (x *exchange) replay(e *tape.Exchange) {
	h := x.w.Header()
	for name, values := range e.Header {
		h[name] = values
	}
	if etag := e.Header.Get("Etag"); etag != "" && e.Status == http.StatusOK && etagMatches(x.r.Header["If-None-Match"], etag) {
		x.w.WriteHeader(http.StatusNotModified)
		return
	}
	if e.Method == x.r.Method && e.Method != http.MethodHead || len(e.Body) > 0 {
		h["Content-Length"] = []string{strconv.Itoa(len(e.Body))}
	}
	x.w.WriteHeader(e.Status)
	if e.Status != http.StatusNoContent && e.Status != http.StatusNotModified {
		_, _ = x.w.Write(e.Body) // the client may have gone
	}
}
