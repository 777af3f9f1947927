package tape

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"chainscope/wallet/atomicfile"
)

// RecorderOptions of a Recorder.
type RecorderOptions struct {
	Upstream string // base URL of the live API, http or https
	Dir      string // folder of the tape, made when missing; "" records nothing
	Now      func() time.Time
	// Header is sent to the upstream, but for what a client sends itself.
	Header http.Header
	// Transport is the connection to the upstream, nil for a new one.
	Transport http.RoundTripper
}

// Recorder forwards requests to a live API and keeps the answers.
type Recorder struct {
	base   *url.URL
	dir    string
	header http.Header
	now    func() time.Time
	client *http.Client

	saved map[string]bool // the files that were written

	mu sync.Mutex // one writer: what is in a file is looked at before it is replaced
}

// NewRecorder makes the folder and the connection.
func NewRecorder(o RecorderOptions) (*Recorder, error) {
	base, err := url.Parse(o.Upstream)
	if err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	if o.Dir != "" {
		if err := os.MkdirAll(o.Dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of the tape: %w", err)
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Transport == nil {
		o.Transport = &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 16, ResponseHeaderTimeout: 30 * time.Second}
	}
	r := &Recorder{base: base, dir: o.Dir, header: o.Header, now: o.Now, saved: map[string]bool{}}
	r.client = &http.Client{Transport: o.Transport, CheckRedirect: r.follow}
	return r, nil
}

// Saved returns how many answers were recorded.
func (r *Recorder) Saved() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.saved)
}

// Close closes idle connections.
func (r *Recorder) Close() { r.client.CloseIdleConnections() }

// withheld are request headers that stay here: those of the connection, those
// that describe the requesting page, and those that would make the answer
// depend on what this client has cached.
var withheld = map[string]bool{
	"Accept-Encoding": true, "Connection": true, "Content-Length": true, "Cookie": true, "Host": true, "If-Match": true,
	"If-Modified-Since": true, "If-None-Match": true, "If-Range": true, "If-Unmodified-Since": true, "Keep-Alive": true,
	"Origin": true, "Prefer": true, "Proxy-Authorization": true, "Proxy-Connection": true, "Range": true, "Referer": true,
	"Te": true, "Trailer": true, "Transfer-Encoding": true, "Upgrade": true,
}

// credentialHeaders are forwarded, and removed from every body that repeats them.
var credentialHeaders = []string{"Authorization", "X-Api-Key"}

// Forward requests the upstream and keeps its answer. requested is the body as NormalBody returns it,
// "" for none. An error means that there is no whole answer; then nothing was kept. An
// answer that could not be kept comes with an error that is a *SaveError.
func (r *Recorder) Forward(ctx context.Context, req *http.Request, requested string) (*Exchange, error) {
	req = req.Clone(ctx)
	for name, values := range r.header {
		if _, given := req.Header[name]; !given {
			req.Header[name] = values
		}
	}
	target := *r.base
	target.Path = strings.TrimSuffix(r.base.Path, "/") + req.URL.Path
	target.RawPath = strings.TrimSuffix(r.base.EscapedPath(), "/") + req.URL.EscapedPath()
	target.RawQuery = req.URL.RawQuery
	out, err := http.NewRequestWithContext(ctx, req.Method, target.String(), strings.NewReader(requested))
	if err != nil {
		return nil, err
	}
	for name, values := range req.Header {
		if !withheld[name] && !strings.HasPrefix(name, "Sec-") {
			out.Header[name] = values
		}
	}
	answer, err := r.client.Do(out)
	if err != nil {
		if cause, is := errors.AsType[*url.Error](err); is {
			err = cause.Err // the URL may hold a key
		}
		return nil, fmt.Errorf("no answer: %w", err)
	}
	defer func() { _ = answer.Body.Close() }() // read to its end or canceled
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("the answer broke off after %d bytes: %w", len(body), err)
	}
	if len(body) > maxBody {
		return nil, fmt.Errorf("the answer is larger than %d MiB", maxBody>>20)
	}
	e := &Exchange{
		Method: req.Method, Target: Target(req.URL), NormalBody: requested, Status: answer.StatusCode, Recorded: r.now(),
		Upstream: r.base.Scheme + "://" + r.base.Host + strings.TrimSuffix(r.base.EscapedPath(), "/"),
		Header:   recordedHeader(answer.Header), Body: body,
	}
	if req.Method == http.MethodHead && answer.ContentLength >= 0 {
		e.Header.Set("Content-Length", strconv.FormatInt(answer.ContentLength, 10))
	}
	r.localLocation(e, answer)
	saved := *e
	saved.removeCredentials(req)
	if err := r.save(&saved); err != nil {
		return e, &SaveError{err}
	}
	return e, nil
}

// SaveError reports that an answer could not be written to the tape.
type SaveError struct{ Err error }

func (e *SaveError) Error() string { return "keep the answer: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *SaveError) Unwrap() error { return e.Err }

// maxRedirects bounds how often an upstream may send one request on.
const maxRedirects = 10

// follow lets a redirect that leads out of the upstream be followed here: its client
// would be sent to the network, and a replay with it. One within the upstream is the
// client's. What the client sent as credentials is for the upstream alone.
func (r *Recorder) follow(next *http.Request, via []*http.Request) error {
	switch {
	case r.within(next.URL):
		return http.ErrUseLastResponse
	case len(via) > maxRedirects:
		return fmt.Errorf("%d redirects", maxRedirects)
	case next.Method != via[0].Method:
		return fmt.Errorf("a redirect of %s to another host, %s", via[0].Method, next.URL.Host)
	}
	next.Header.Del("Referer") // the URL may hold a key
	for _, name := range credentialHeaders {
		next.Header.Del(name)
	}
	return nil
}

// within reports whether a URL is one of the upstream's.
func (r *Recorder) within(u *url.URL) bool {
	base := strings.TrimSuffix(r.base.EscapedPath(), "/")
	return u.Scheme == r.base.Scheme && u.Host == r.base.Host && (u.EscapedPath() == base || strings.HasPrefix(u.EscapedPath(), base+"/"))
}

// localLocation makes a redirect within the upstream one within this server.
func (r *Recorder) localLocation(e *Exchange, answer *http.Response) {
	location, err := answer.Location()
	if err != nil || !r.within(location) {
		return
	}
	path := strings.TrimPrefix(location.EscapedPath(), strings.TrimSuffix(r.base.EscapedPath(), "/"))
	if location.RawQuery != "" {
		path += "?" + location.RawQuery
	}
	e.Header.Set("Location", path)
}

// removeCredentials takes the values that the client sent as credentials out of
// what is written.
func (e *Exchange) removeCredentials(req *http.Request) {
	var secrets []string
	for _, name := range credentialHeaders {
		for _, value := range req.Header.Values(name) {
			secrets = append(secrets, value)
			if _, token, ok := strings.Cut(value, " "); ok {
				secrets = append(secrets, token)
			}
		}
	}
	for name, values := range req.URL.Query() {
		for _, known := range credentialParams {
			if strings.EqualFold(name, known) {
				secrets = append(secrets, values...)
			}
		}
	}
	const removed = "[removed]"
	e.Header = e.Header.Clone()
	for _, secret := range secrets {
		if len(secret) < 6 {
			continue // too short to tell from ordinary text
		}
		e.Body = bytes.ReplaceAll(e.Body, []byte(secret), []byte(removed))
		for _, values := range e.Header {
			for i := range values {
				values[i] = strings.ReplaceAll(values[i], secret, removed)
			}
		}
	}
}

// save writes the exchange unless a good answer would be lost to a bad one.
func (r *Recorder) save(e *Exchange) error {
	if r.dir == "" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	file := filepath.Join(r.dir, FileName(e.Method, e.Target, e.NormalBody))
	if unwell(e.Status) {
		if old, err := read(file); err == nil && !unwell(old.Status) {
			return nil
		}
	}
	if err := atomicfile.Replace(file, e.Encode(), 0o600); err != nil {
		return err
	}
	r.saved[file] = true
	return nil
}

func unwell(status int) bool { return status == http.StatusTooManyRequests || status >= 500 }
