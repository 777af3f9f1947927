package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// LimitBody gives the rest of the request's body a time limit. net/http reads a
// body that no handler read before it writes the answer, so the limit has to
// be set before the first byte of the answer is written.
func (x *Exchange) LimitBody() {
	if x.R.ContentLength != 0 {
		// A recorder of net/http/httptest has no connection to limit.
		_ = http.NewResponseController(x.W).SetReadDeadline(time.Now().Add(x.Service.BodyTimeout))
	}
}

// Body reads what was posted; on false it is answered, here with 400, 408 or 413.
func (x *Exchange) Body(limit int64) ([]byte, bool) {
	if x.answered {
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(x.W, x.R.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return body, true
	case errors.As(err, &tooLarge):
		x.Thrown(http.StatusRequestEntityTooLarge, "", fmt.Sprintf("the body is larger than %d bytes", limit))
	case errors.Is(err, os.ErrDeadlineExceeded):
		// The deadline stays: what is left of the body is not waited for.
		x.W.Header()["Connection"] = []string{"close"}
		x.Thrown(http.StatusRequestTimeout, "", fmt.Sprintf("the body did not arrive within %s", x.Service.BodyTimeout))
	default:
		x.Thrown(http.StatusBadRequest, "", "the body cannot be read: "+err.Error())
	}
	return nil, false
}
