package node

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// route is one way to request something: its pattern and the path.
type route struct{ pattern, path string }

// getFirst reads the answer of the first of several routes that the server serves. Those
// of v1 are on their way out; what a server has retired, or never had, is not requested again.
func (c *Client) getFirst(ctx context.Context, op string, into any, routes ...route) error {
	var last error
	for _, r := range routes {
		if gone, there := c.gone.Load(r.pattern); there {
			last = gone.(error)
			continue
		}
		if last = c.get(ctx, op, r.path, into); !routeGone(last) {
			return last
		}
		c.gone.Store(r.pattern, last)
	}
	return last
}

// routeGone reports whether a server says that it does not serve a route: it has retired
// it (status 410), or does not know it (404 and "Route GET:… not found").
func routeGone(err error) bool {
	var answered *Error
	if !errors.As(err, &answered) {
		return false
	}
	return answered.Status == http.StatusGone || answered.Status == http.StatusNotFound &&
		strings.HasPrefix(answered.Detail, "Route ") && strings.HasSuffix(answered.Detail, " not found")
}
