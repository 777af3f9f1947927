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

// maxBody bounds a call, bodyTimeout the time that its body may take.
const (
	maxBody     = 1 << 20
	bodyTimeout = 10 * time.Second
)

// rpc takes one JSON-RPC 2.0 call. Whatever the origin, the answer can be read
// by the page that asked: the approval is the authority, not CORS.
func (s *Server) rpc(w http.ResponseWriter, r *http.Request) {
	origin, err := ParseOrigin(r.Header.Get("Origin"))
	if err != nil {
		http.Error(w, "a web page of an http or https origin is needed to call the wallet", http.StatusForbidden)
		return
	}
	allowOrigin(w.Header(), origin)
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
	// Only this type makes a browser ask first (a preflight) before it posts
	// across origins; a form or a text/plain post comes unasked.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "calls are application/json", http.StatusUnsupportedMediaType)
		return
	}
	body, status := readBody(w, r)
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

func allowOrigin(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, int) {
	control := http.NewResponseController(w)
	// Not every ResponseWriter of a test has a connection under it.
	_ = control.SetReadDeadline(time.Now().Add(bodyTimeout))
	defer func() { _ = control.SetReadDeadline(time.Time{}) }()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge
	case err != nil:
		return nil, http.StatusRequestTimeout
	}
	return body, 0
}

// answer takes a call through origin, queue and handler, and writes it down.
func (s *Server) answer(ctx context.Context, origin string, request jsonrpc.Request) Answer {
	call := Call{ID: s.calls.Add(1), Origin: origin, Method: request.Method, Params: request.Params, Arrived: s.options.Now()}
	answer := s.decide(ctx, call)
	s.log.write(call, answer, s.options.Now())
	return answer
}

func (s *Server) decide(ctx context.Context, call Call) Answer {
	// A blocked origin learns so at once and takes no place in the queue.
	access, err := s.access(call.Origin)
	if err != nil {
		return refuse(jsonrpc.InternalError, "what was decided about this origin cannot be read")
	}
	if access == Blocked || access == Unknown && !s.options.Attended {
		return denied(call.Origin)
	}
	ctx, done, err := s.queue.take(ctx, call)
	switch {
	case errors.Is(err, errQueueFull):
		return refuse(jsonrpc.InternalError, "too many requests wait for an answer in the terminal; try again when some are answered")
	case errors.Is(err, errDropped):
		return denied(call.Origin)
	case err != nil:
		return refuse(jsonrpc.InternalError, "the page has gone")
	}
	defer done()
	if answer, ok := s.admit(ctx, call); !ok {
		return answer
	}
	answer := s.options.Handler(ctx, call)
	if errors.Is(context.Cause(ctx), errDropped) {
		return denied(call.Origin)
	}
	return answer
}

// admit asks for an origin that nobody has decided about yet. It looks again
// when the call's turn has come: the call before it may have settled it.
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
	decision, err := s.options.AskOrigin(ctx, call.Origin)
	if err != nil {
		return refuse(jsonrpc.InternalError, "nobody could be asked about this origin"), false
	}
	switch decision {
	case AllowOrigin:
		err = s.options.Origins.SetAccess(call.Origin, Allowed)
	case BlockOrigin:
		err = s.Block(call.Origin)
	default:
		return refuse(jsonrpc.UserRejection, "User rejected the request"), false
	}
	if err != nil {
		return refuse(jsonrpc.InternalError, "what was decided about this origin cannot be kept"), false
	}
	if decision == BlockOrigin {
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
