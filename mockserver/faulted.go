package mockserver

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"chainscope/mockserver/api"
	"chainscope/mockserver/fault"
)

// serveFaulted carries out what the fault engine decided.
func (s *Server) serveFaulted(x *api.Exchange, plan *fault.Plan) {
	if plan.Applied != "" {
		x.W.Header().Set("Preference-Applied", plan.Applied)
	}
	if plan.Delay > 0 {
		if s.cfg.Sleep(x.R.Context(), plan.Delay) != nil {
			panic(http.ErrAbortHandler) // the client has gone
		}
		x.LimitBody() // the delay is not the client's
	}
	if plan.Kind == fault.Reset {
		resetConnection(x.W)
		return
	}
	if plan.Kind == fault.None {
		s.faultedAnswer(x, plan)
		return
	}
	w := x.W
	held := &heldAnswer{w: w, header: w.Header()}
	x.W = held
	s.faultedAnswer(x, plan)
	held.release(plan)
}

// faultedAnswer is the answer with the plan's status, or the ordinary one.
func (s *Server) faultedAnswer(x *api.Exchange, plan *fault.Plan) {
	if plan.Status == 0 {
		s.answer(x)
		return
	}
	if plan.RetryAfter != nil {
		x.W.Header().Set("Retry-After", strconv.Itoa(*plan.RetryAfter))
	}
	switch tokenPath := strings.HasPrefix(x.Path, "/metadata/"); {
	case tokenPath && plan.Status == http.StatusNotFound:
		x.Bare(plan.Status, "Contract not found") // the contract allows no other text
	case tokenPath && plan.Status == http.StatusUnprocessableEntity:
		x.TokenError("Unknown error")
	default:
		x.Thrown(plan.Status, "", "injected by "+plan.Cause)
	}
}

// resetConnection ends the connection with a TCP reset.
func resetConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // no connection of its own, as under HTTP/2 or a recorder
	}
	if tcp, ok := conn.(interface{ SetLinger(seconds int) error }); ok {
		_ = tcp.SetLinger(0) // without it the end is an ordinary one
	}
	_ = conn.Close() // it is gone either way
}

// heldAnswer keeps an answer back until it is damaged.
type heldAnswer struct {
	w      http.ResponseWriter
	header http.Header
	status int
	body   bytes.Buffer
}

func (h *heldAnswer) Header() http.Header { return h.header }

func (h *heldAnswer) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

func (h *heldAnswer) Write(p []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	return h.body.Write(p)
}

// release damages the answer and writes it.
func (h *heldAnswer) release(plan *fault.Plan) {
	w := h.w
	body := h.body.Bytes()
	switch plan.Kind {
	case fault.Truncate:
		body = fault.Cut(body)
	case fault.Type:
		body = fault.Retype(body, plan.Draw)
	case fault.ContentType:
		h.header["Content-Type"] = []string{"text/html; charset=utf-8"}
	}
	if h.status == http.StatusNotModified {
		w.WriteHeader(h.status)
		return
	}
	h.header["Content-Length"] = []string{strconv.Itoa(len(body))}
	delete(h.header, "Etag") // a damaged body must not be kept as the good one
	w.WriteHeader(h.status)
	_, _ = w.Write(body) // the client may have gone
}
