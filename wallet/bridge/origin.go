package bridge

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Access holds what was decided about an origin.
type Access string

// An origin is undecided until the user, or a flag, decides.
const (
	Undecided Access = ""
	Allowed   Access = "allowed"
	Blocked   Access = "blocked"
)

// Origins remembers decisions. It is read again for every call, so that what
// another chainscope decided, or a revocation, takes effect at once.
type Origins interface {
	Access(origin string) (Access, error)
	SetAccess(origin string, access Access) error
}

var errOrigin = errors.New("an origin is a scheme, a host and possibly a port, such as http://localhost:3000")

// ParseOrigin checks an origin as browsers send it (RFC 6454 section 7): http
// or https, a host in lower case, a port from 1 to 65535 only when it is not the
// scheme's default, and nothing else. "null" is refused. Where another way to
// write it would match, the error says so.
func ParseOrigin(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || !validHost(u.Hostname()) {
		return "", errOrigin
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" || u.Path != "" && u.Path != "/" {
		return "", errOrigin
	}
	if strings.ContainsFunc(u.Host, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errOrigin
	}
	origin := u.Scheme + "://" + strings.ToLower(u.Host)
	if port := u.Port(); port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return "", fmt.Errorf("%s is not a port: give 1 to 65535", port)
		}
		origin = strings.TrimSuffix(origin, port)
		if canonical := strconv.FormatUint(n, 10); canonical != defaultPorts[u.Scheme] {
			origin += canonical
		}
	}
	origin = strings.TrimSuffix(origin, ":")
	if origin != text {
		return "", fmt.Errorf("browsers send this origin as %s", origin)
	}
	return origin, nil
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// validHost reports whether no label of a host is empty; a dot may end it.
func validHost(host string) bool {
	host = strings.TrimSuffix(host, ".")
	return host != "" && !strings.HasPrefix(host, ".") && !strings.Contains(host, "..")
}

// onLoopback reports whether pages of the origin come from this machine.
func onLoopback(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}

// access returns what an origin may do: by what is remembered if it is blocked,
// then by flags, then by what is remembered.
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
	// Without the user only flags count: what the user allowed once is no
	// consent to answers that nobody sees.
	if onLoopback(origin) && !s.options.NameEveryOrigin {
		return Allowed, nil
	}
	return Undecided, nil
}
