package fork

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/apiclient/wire"
)

// Answer is the API's answer to a path: with 2xx, or with 404 that there is no such thing.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte
}

// UnreadError says that something of the chain could not be read, so that it is not known. It is
// never the same as that there is no such thing.
type UnreadError struct {
	What, Why string
	// Err is the cause, nil for none that is an error of the client.
	Err error
	// Refusal is the API's answer instead, where it is not going to answer otherwise: the route is retired,
	// or the request is wrong. Its Status is 0 for none.
	Refusal Answer
}

func (e *UnreadError) Error() string { return "could not be read: " + e.What + ": " + e.Why }

// Unwrap returns the cause.
func (e *UnreadError) Unwrap() error { return e.Err }

// Request is one request to the API, when it is over.
type Request struct {
	Path, What string
	Took       time.Duration
	Err        error // nil where it was answered
}

// value is the answer to a path, or what reads it.
type value struct {
	came   chan struct{} // closed when answer and err are there
	answer Answer
	err    error
}

// Read returns what the API says of a path, which has its query. Equal paths are read once: who
// comes while one is read waits for it, and an answer stays. An error does not: the next reader
// tries again. Errors are *UnreadError, or that of ctx.
func (s *Source) Read(ctx context.Context, path string) (Answer, error) {
	v := s.start(path)
	select {
	case <-v.came:
		return v.answer, v.err
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// start returns the value of a path, which is being read if it was not.
func (s *Source) start(path string) *value {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, known := s.values[path]; known {
		return v
	}
	v := &value{came: make(chan struct{})}
	s.values[path] = v
	go func() {
		defer close(v.came)
		defer func() {
			if cause := recover(); cause != nil {
				v.err = &UnreadError{What: s.names.of(path), Why: fmt.Sprint("internal error: ", cause)}
			}
			if v.err != nil {
				s.mu.Lock()
				delete(s.values, path)
				s.mu.Unlock()
			}
		}()
		v.answer, v.err = s.find(path)
	}()
	return v
}

// find takes an answer from the folder, else from the API.
func (s *Source) find(path string) (Answer, error) {
	a, err := s.kept(path)
	if err == nil {
		s.names.learn(path, a)
		s.count(func(c *counters) { c.Cached++ })
		return a, nil
	}
	if s.opt.Offline {
		why := "it is not kept in " + quoted(s.folder())
		if !errors.Is(err, fs.ErrNotExist) {
			why = "the file " + quoted(s.file(path)) + ": " + err.Error()
		}
		return a, &UnreadError{What: s.names.of(path), Why: why + ", and no request is to be sent"}
	}
	if errors.Is(err, errDamaged) {
		s.opt.Report(fmt.Sprintf("the file %s is damaged; %s is read again", quoted(s.file(path)), s.names.of(path)))
	}
	if contract, _ := metadataOf(path); s.names.isAbsent(contract) {
		a = Answer{Status: http.StatusNotFound} // nothing is known of a contract that is not there
	} else if a, err = s.request(path); err != nil {
		return a, err
	}
	s.names.learn(path, a)
	if s.folder() != "" {
		if err := s.keep(path, a); err != nil {
			s.opt.Report(fmt.Sprintf("%s cannot be kept: %v", s.names.of(path), err))
		}
	}
	return a, nil
}

// tries is the number of times that a request is sent which fails otherwise than for the server's limit, the tries of
// the client not counted.
const tries = 4

// request reads a path of the API: it waits while the server's limit makes it wait, and tries again
// where it fails otherwise.
func (s *Source) request(path string) (Answer, error) {
	ctx, cancel := context.WithTimeout(s.ctx, s.opt.Patience)
	defer cancel()
	what, began, pause := s.names.of(path), time.Now(), s.opt.Pause
	s.begin(what)
	defer s.end(what)
	for n := 1; ; {
		raw, err := s.opt.Client.Raw(apiclient.WithFewAttempts(ctx), what, path)
		if err == nil {
			err = check(path, raw)
		}
		if err == nil {
			s.opt.OnRead(Request{path, what, time.Since(began), nil})
			s.count(func(c *counters) { c.read(time.Now()) })
			s.progress()
			return Answer(raw), nil
		}
		wait := pause
		if e, is := errors.AsType[*apiclient.Error](err); is && e.Kind == apiclient.RateLimited {
			wait = max(e.RetryAfter, pause)
		} else {
			n, pause = n+1, 2*pause
		}
		deadline, _ := ctx.Deadline()
		if n > tries || !mayPass(err) || time.Until(deadline) < wait || s.pause(ctx, wait, err) != nil {
			s.opt.OnRead(Request{path, what, time.Since(began), err})
			unread := &UnreadError{What: what, Why: reason(err), Err: err}
			if kind := apiclient.KindOf(err); kind == apiclient.Gone || kind == apiclient.InvalidInput {
				unread.Refusal = Answer(raw)
			}
			return Answer{}, unread
		}
	}
}

// mayPass reports whether a request that failed may be answered when it is sent again.
func mayPass(err error) bool {
	var other *otherFormError
	return errors.As(err, &other) || apiclient.MayPass(err)
}

// reason returns an error of a request without the words of what was requested.
func reason(err error) string {
	if e, is := errors.AsType[*apiclient.Error](err); is {
		e := *e
		e.Op = ""
		return e.Error()
	}
	return err.Error()
}

// pause waits, and says why meanwhile.
func (s *Source) pause(ctx context.Context, d time.Duration, err error) error {
	s.wait(time.Now().Add(d), err)
	defer s.resume()
	s.progress()
	return wire.Sleep(ctx, d)
}

// otherFormError says that a body is not what the route answers with.
type otherFormError struct{ says string }

func (e *otherFormError) Error() string { return e.says }

// check returns an error if an answer cannot be believed: a body of another form, or a 404 that does
// not say that there is no such value.
func check(path string, a apiclient.Raw) error {
	if a.Status == http.StatusNotFound {
		if says, absent := saysAbsent(path, a.Body); !absent {
			return &otherFormError{fmt.Sprintf("status 404, which says otherwise than that it is absent: %q", wire.Short(says))}
		}
		return nil
	}
	route, _, _ := strings.Cut(path, "?")
	var wrong string
	var body struct {
		Data    *string `json:"data"`
		Height  *int64  `json:"height"`
		Index   string  `json:"index_block_hash"`
		Network *int64  `json:"network_id"`
		Tip     *int64  `json:"stacks_tip_height"`
		Balance string  `json:"balance"`
		Nonce   *uint64 `json:"nonce"`
	}
	object := json.Unmarshal(a.Body, &body) == nil
	switch {
	case strings.HasPrefix(route, "/v2/clarity/"):
		wrong = unless(object && body.Data != nil, "an object with data")
	case route == "/v2/info":
		wrong = unless(object && body.Network != nil && body.Tip != nil, "an object with network_id and stacks_tip_height")
	case strings.HasPrefix(route, "/extended/v2/blocks/") && strings.Count(route, "/") == 4:
		requested := route[strings.LastIndexByte(route, '/')+1:]
		wrong = unless(object && body.Height != nil && (fmt.Sprint(*body.Height) == requested || strings.EqualFold(strings.TrimPrefix(body.Index, "0x"), strings.TrimPrefix(requested, "0x")) || requested == "latest"), "the block that was requested")
	case strings.HasPrefix(route, "/v3/sortitions/"):
		var list []struct {
			Consensus string `json:"consensus_hash"`
		}
		wrong = unless(json.Unmarshal(a.Body, &list) == nil && len(list) > 0 && list[0].Consensus != "", "a list of sortitions")
	case strings.HasPrefix(route, "/v2/accounts/"):
		wrong = unless(object && body.Balance != "" && body.Nonce != nil, "an object with balance and nonce")
	default:
		wrong = unless(json.Valid(a.Body), "JSON")
	}
	if wrong == "" {
		return nil
	}
	return &otherFormError{fmt.Sprintf("the answer is not %s, but %q", wrong, wire.Short(string(a.Body)))}
}

func unless(right bool, want string) string {
	if right {
		return ""
	}
	return want
}

// saysAbsent returns what a body of 404 says, and reports whether that is that there is no such value.
// A node says that in plain text ("Marf key hash not found", "Metadata not found"), and so it says
// that it does not know the block (stacks-core 4.0.2); a gateway says that it has no such route.
func saysAbsent(path string, body []byte) (says string, absent bool) {
	var object struct {
		Error   string `json:"error"`
		Message string `json:"message"`
	}
	says = strings.TrimSpace(string(body))
	inJSON := json.Unmarshal(body, &object) == nil
	if inJSON {
		says = strings.TrimSpace(object.Error + " " + object.Message)
	}
	text := strings.ToLower(says)
	if !strings.HasPrefix(path, "/v2/") {
		return says, inJSON && object.Error != "" && !strings.Contains(text, "route")
	}
	absent = len(text) < 100 && strings.HasSuffix(text, "not found") && !strings.ContainsAny(text, "<{")
	for _, other := range []string{"tip", "route", "block", "host", "page", "path", "404"} {
		absent = absent && !strings.Contains(text, other)
	}
	return says, absent
}
