package apiclient

import (
	"context"
	"net/http"

	"github.com/go-resty/resty/v2"
)

// Raw is an answer as it came.
type Raw struct {
	Status      int
	ContentType string
	Body        []byte
}

// Raw reads a path, with its query, of the server. Where the server has no such thing, that is an
// answer (404); any other status but 2xx is an error, after the retries of a call, with what the server said.
func (c *Client) Raw(ctx context.Context, op, path string) (Raw, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opt.Timeout)
	defer cancel()
	k := &call{client: c, op: op, url: c.base + path, attempts: attemptsOf(ctx, c.opt.MaxAttempts), record: c.transport.Record(op, http.MethodGet, c.base+path)}
	resp, failure := k.run(ctx)
	if failure != nil && (resp == nil || failure.Status != http.StatusNotFound) {
		k.record.End(fullText(failure))
		return rawOf(resp), failure
	}
	k.record.End("")
	return rawOf(resp), nil
}

func rawOf(resp *resty.Response) Raw {
	if resp == nil {
		return Raw{}
	}
	return Raw{resp.StatusCode(), resp.Header().Get("Content-Type"), resp.Body()}
}
