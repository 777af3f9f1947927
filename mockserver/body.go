package mockserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// limitBody gives the rest of the request's body a time limit. net/http reads a
// body that no handler read before it writes the answer, so the limit has to
// stand before the first byte of the answer is written.
func (x *exchange) limitBody() {
	if x.r.ContentLength != 0 {
		// A recorder of net/http/httptest has no connection to limit.
		_ = http.NewResponseController(x.w).SetReadDeadline(time.Now().Add(x.service.bodyTimeout))
	}
}

// body reads what was posted; on false it is answered, here with 400, 408 or 413.
func (x *exchange) body(limit int64) ([]byte, bool) {
	if x.answered {
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(x.w, x.r.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return body, true
	case errors.As(err, &tooLarge):
		x.thrown(http.StatusRequestEntityTooLarge, "", fmt.Sprintf("the body is larger than %d bytes", limit))
	case errors.Is(err, os.ErrDeadlineExceeded):
		// The deadline stays: what is left of the body is not waited for.
		x.w.Header()["Connection"] = []string{"close"}
		x.thrown(http.StatusRequestTimeout, "", fmt.Sprintf("the body did not arrive within %s", x.service.bodyTimeout))
	default:
		x.thrown(http.StatusBadRequest, "", "the body cannot be read: "+err.Error())
	}
	return nil, false
}
