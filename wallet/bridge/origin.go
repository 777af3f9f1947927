package bridge

import (
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
)

// Access is what an origin may do.
type Access string

// An origin is unknown until the user, or a flag, decides.
const (
	Unknown Access = ""
	Allowed Access = "allowed"
	Blocked Access = "blocked"
)

// Origins remembers what was decided. It is read again for every call, so that
// what another chainscope decided, or a revocation, holds at once.
type Origins interface {
	Access(origin string) (Access, error)
	SetAccess(origin string, access Access) error
}

// OriginDecision is what the user says when a new origin is asked for.
type OriginDecision int

// An origin that is refused is asked for again next time; a blocked one never.
const (
	RefuseOrigin OriginDecision = iota
	AllowOrigin
	BlockOrigin
)

var errOrigin = errors.New("an origin is a scheme, a host and maybe a port, as in http://localhost:3000")

// ParseOrigin checks an origin as browsers send it (RFC 6454 section 7): http
// or https, a host, a port only when it is not the scheme's own, nothing more.
// "null" is none.
func ParseOrigin(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return "", errOrigin
	}
	if u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
		return "", errOrigin
	}
	origin := u.Scheme + "://" + strings.ToLower(u.Host)
	if origin != text || strings.ContainsFunc(u.Host, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errOrigin
	}
	return origin, nil
}

// onLoopback tells whether pages of the origin come from this machine.
func onLoopback(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}

// access is what an origin may do, by flags first and then by memory.
func (s *Server) access(origin string) (Access, error) {
	remembered, err := s.options.Origins.Access(origin)
	if err != nil || remembered == Blocked {
		return remembered, err
	}
	if slices.Contains(s.options.AllowOrigin, origin) {
		return Allowed, nil
	}
	if s.options.Attended {
		return remembered, nil
	}
	// Without a person only flags count: what a person allowed once is no
	// consent to answers that nobody sees.
	if onLoopback(origin) && !s.options.NameEveryOrigin {
		return Allowed, nil
	}
	return Unknown, nil
}
