package mockserver

import (
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"

	"chainscope/mockserver/api"
	"chainscope/mockserver/internal/plainjson"
)

// allowedHosts are the names under which the server may be called. A page whose
// own name was rebound to a loopback address sends that name, and is refused.
type allowedHosts struct {
	listener atomic.Pointer[string] // host of the listen address
	anyIP    atomic.Bool            // it listens on every address of the machine
}

func (a *allowedHosts) listen(addr net.Addr) {
	host, _, err := net.SplitHostPort(addr.String())
	if err != nil {
		return
	}
	a.listener.Store(&host)
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		a.anyIP.Store(true)
	}
}

// allows reports whether a Host header names this server: a loopback name, the
// listen address, or any numeric address if the server listens on all of them.
func (a *allowedHosts) allows(hostport string) bool {
	host := hostport
	if h, port, err := net.SplitHostPort(hostport); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		host = h
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	if ip, err := netip.ParseAddr(host); err == nil && (ip.Unmap().IsLoopback() || a.anyIP.Load()) {
		return true
	}
	listener := a.listener.Load()
	return listener != nil && strings.EqualFold(host, *listener)
}

func refuseHost(x *api.Exchange) {
	x.W.Header()["Cache-Control"] = []string{"no-store"}
	x.Send(http.StatusForbidden, plainjson.Encode(api.ErrorBody{
		Error: "Forbidden", Message: "the Host header names another server; use 127.0.0.1 or localhost",
	}))
}

// fromLoopback reports whether the client is on this machine.
func fromLoopback(r *http.Request) bool {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && ap.Addr().Unmap().IsLoopback()
}

// preflight answers OPTIONS as the real services' CORS layer does.
func (s *Server) preflight(x *api.Exchange) {
	h := x.W.Header()
	if s.cfg.Upstream != "" {
		x.UnknownRoute()
		return
	}
	if x.R.Header.Get("Origin") == "" || x.R.Header.Get("Access-Control-Request-Method") == "" {
		h.Set("Content-Type", "text/plain; charset=utf-8")
		x.W.WriteHeader(http.StatusBadRequest)
		_, _ = x.W.Write([]byte("Invalid Preflight Request")) // the client may have gone
		return
	}
	h.Set("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
	if requested := x.R.Header.Get("Access-Control-Request-Headers"); requested != "" {
		h.Set("Access-Control-Allow-Headers", requested)
		h.Add("Vary", "Access-Control-Request-Headers")
	}
	x.W.WriteHeader(http.StatusNoContent)
}
