package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"chainscope/wallet/jsonrpc"
)

// Bounds of the body of a call.
const (
	maxBody            = 1 << 20
	defaultBodyTimeout = 10 * time.Second
)

// rpc takes one JSON-RPC 2.0 call. Whatever the origin, the answer can be read
// by the page that sent the request: the approval is the authority, not CORS.
func (s *Server) rpc(w http.ResponseWriter, r *http.Request) {
	origin, ok := allowPage(w, r.Header.Get("Origin"), " to call the wallet")
	if !ok {
		return
	}
	switch r.Method {
	case http.MethodOptions:
		w.Header().Set("Access-Control-Allow-Methods", "POST")
		w.Header().Set("Access-Control-Allow-Headers", "content-type")
		w.Header().Set("Access-Control-Allow-Private-Network", "true")
		w.Header().Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
		return
	case http.MethodPost:
	default:
		w.Header().Set("Allow", "POST, OPTIONS")
		http.Error(w, "calls are posted", http.StatusMethodNotAllowed)
		return
	}
	// Only this type makes a browser send a preflight before it posts
	// across origins; a form or a text/plain post comes unasked.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "calls are application/json", http.StatusUnsupportedMediaType)
		return
	}
	body, status := s.readBody(w, r)
	if status != 0 {
		http.Error(w, http.StatusText(status), status)
		return
	}
	request, err := jsonrpc.ParseRequest(body)
	var response jsonrpc.Response
	if err != nil {
		response = jsonrpc.Fail(request.ID, err)
	} else {
		answer := s.answer(r.Context(), origin, request)
		if r.Context().Err() != nil {
			return // the page has gone; nobody reads this
		}
		response = jsonrpc.Response{ID: request.ID, Result: answer.Result, Error: answer.Error}
	}
	data, err := json.Marshal(response)
	if err != nil {
		http.Error(w, "the answer cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(data) // the page may have gone
}

// allowPage lets the page of an origin read the answer; on false it has answered 403,
// and said for what an origin is needed.
func allowPage(w http.ResponseWriter, text, purpose string) (origin string, ok bool) {
	origin, err := ParseOrigin(text)
	if err != nil {
		http.Error(w, "a web page of an http or https origin is needed"+purpose, http.StatusForbidden)
		return "", false
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Add("Vary", "Origin")
	return origin, true
}

// readBody reads the body of a call. When it does not come whole, the deadline
// stays in force and the connection is closed after the answer: net/http would
// otherwise wait for the rest of the body before it sends the answer.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (body []byte, status int) {
	control := http.NewResponseController(w)
	// Not every ResponseWriter of a test has a connection under it.
	_ = control.SetReadDeadline(time.Now().Add(s.options.BodyTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
		return body, 0
	}
	w.Header().Set("Connection", "close")
	if _, is := errors.AsType[*http.MaxBytesError](err); is {
		return nil, http.StatusRequestEntityTooLarge
	}
	return nil, http.StatusRequestTimeout
}

// answer takes a call through origin, queue and handler, and records it.
func (s *Server) answer(ctx context.Context, origin string, request jsonrpc.Request) Answer {
	call := Call{ID: s.calls.Add(1), Origin: origin, Method: request.Method, Params: request.Params, Arrived: s.options.Now()}
	answer, handled := s.decide(ctx, call)
	s.record(call, answer, !handled)
	return answer
}

// decide answers a call; handled is false when the Handler never saw it.
func (s *Server) decide(ctx context.Context, call Call) (answer Answer, handled bool) {
	// A blocked origin learns so at once and takes no place in the queue.
	access, err := s.access(call.Origin)
	if err != nil {
		return refuse(jsonrpc.InternalError, "what was decided about this origin cannot be read"), false
	}
	if access == Blocked || access == Undecided && !s.options.Attended {
		return denied(call.Origin), false
	}
	ctx, done, err := s.queue.enter(ctx, call, access == Allowed)
	switch {
	case errors.Is(err, errQueueFull):
		return refuse(jsonrpc.InternalError, "too many requests wait for an answer in the terminal; try again when some are answered"), false
	case errors.Is(err, errDropped):
		return denied(call.Origin), false
	case err != nil:
		return refuse(jsonrpc.InternalError, "the page has gone"), false
	}
	defer done()
	if answer, ok := s.admit(ctx, call); !ok {
		return answer, false
	}
	answer = s.options.Handler(ctx, call)
	if errors.Is(context.Cause(ctx), errDropped) {
		return denied(call.Origin), true
	}
	return answer, true
}

// admit requests an origin that is undecided. It looks again when the call's
// turn has come, as the call before it may have settled it.
func (s *Server) admit(ctx context.Context, call Call) (Answer, bool) {
	access, err := s.access(call.Origin)
	switch {
	case err != nil:
		return refuse(jsonrpc.InternalError, "what was decided about this origin cannot be read"), false
	case access == Allowed:
		return Answer{}, true
	case access == Blocked || s.options.AskOrigin == nil:
		return denied(call.Origin), false
	}
	access, err = s.options.AskOrigin(ctx, call.Origin)
	if err != nil {
		return refuse(jsonrpc.InternalError, "no user could be asked about this origin"), false
	}
	switch access {
	case Allowed:
		err = s.options.Origins.SetAccess(call.Origin, Allowed)
	case Blocked:
		err = s.Block(call.Origin)
	default:
		return refuse(jsonrpc.UserRejection, "User rejected the request"), false
	}
	if err != nil {
		return refuse(jsonrpc.InternalError, "what was decided about this origin cannot be stored"), false
	}
	if access == Blocked {
		return denied(call.Origin), false
	}
	return Answer{}, true
}

func denied(origin string) Answer {
	return refuse(jsonrpc.MethodAccessDenied, "the origin "+origin+" may not call this wallet")
}

func refuse(code int, message string) Answer {
	return Answer{Error: &jsonrpc.Error{Code: code, Message: message}}
}
