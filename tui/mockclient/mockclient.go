// Package mockclient controls a mock server by its own HTTP interface
// (/mock/v1), which is never slowed down or made to fail.
package mockclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"chainscope/apiclient"
)

const (
	// timeout bounds one request. The mock answers these at once.
	timeout = 5 * time.Second
	// maxBody bounds an answer, in bytes.
	maxBody = 1 << 20
)

// ErrNotMock is returned when the server is not a mock.
var ErrNotMock = errors.New("the server is not a mock")

// Client talks to one mock server.
type Client struct {
	base   string
	client *http.Client
}

// New returns a client of the server at a base URL. It follows no redirect. A
// nil transport is http.DefaultTransport.
func New(base string, transport http.RoundTripper) *Client {
	return &Client{
		base: strings.TrimRight(base, "/"),
		client: &http.Client{
			Transport: transport, Timeout: timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Patient lets each request take as long as its context allows, and returns c: a mock on a fork may have to
// read much.
func (c *Client) Patient() *Client {
	c.client.Timeout = 0
	return c
}

// do sends a request with a JSON body, nil for none, and decodes the answer
// into a value, nil to ignore it.
func (c *Client) do(ctx context.Context, method, path string, body, into any) error {
	request, err := newRequest(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	response, err := c.client.Do(request)
	if err != nil {
		return apiclient.Unreachable(request.URL.Host, err, err)
	}
	defer response.Body.Close()
	if response.Header.Get("X-Mock-Scenario") == "" {
		return fmt.Errorf("%s %s: %w", method, path, ErrNotMock)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	switch {
	case err != nil:
		return err
	case len(data) > maxBody:
		return fmt.Errorf("%s %s: the answer is larger than %d MiB", method, path, maxBody>>20)
	case response.StatusCode >= http.StatusMultipleChoices:
		return fmt.Errorf("%s %s answered %d: %.200s", method, path, response.StatusCode, data)
	case into == nil:
		return nil
	}
	return json.Unmarshal(data, into)
}

func newRequest(ctx context.Context, method, url string, body any) (*http.Request, error) {
	if body == nil {
		return http.NewRequestWithContext(ctx, method, url, nil)
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(data))
	if err == nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, err
}

// Catalogue holds what a mock server has that is worth looking at.
type Catalogue struct {
	FT         []Token     `json:"ft"`
	NFT        []Token     `json:"nft"`
	Namespaces []Namespace `json:"namespaces"`
}

// Token is a token of the catalogue.
type Token struct {
	Principal string `json:"principal"`
	// TokenID is decimal, "" for a fungible token.
	TokenID string `json:"token_id,omitempty"`
	// Name is that of a non-fungible token, "" where it is not known.
	Name string `json:"name,omitempty"`
	// What says in a word why the mock has the token: full, localized, pending.
	What    string   `json:"what"`
	Locales []string `json:"locales"`
}

// Namespace is a namespace of the catalogue with its number of names.
type Namespace struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// Catalogue returns what the mock has.
func (c *Client) Catalogue(ctx context.Context) (Catalogue, error) {
	var all Catalogue
	err := c.do(ctx, http.MethodGet, "/mock/v1/catalog", nil, &all)
	return all, err
}

// Scenario returns the name of the scenario that is on.
func (c *Client) Scenario(ctx context.Context) (string, error) {
	var answer struct{ Scenario string }
	err := c.do(ctx, http.MethodGet, "/mock/v1/scenario", nil, &answer)
	return answer.Scenario, err
}

// SetScenario switches to a scenario.
func (c *Client) SetScenario(ctx context.Context, name string) error {
	return c.do(ctx, http.MethodPut, "/mock/v1/scenario", map[string]string{"scenario": name}, nil)
}

// Mine moves the mock's clock on by a number of blocks.
func (c *Client) Mine(ctx context.Context, blocks int) error {
	return c.do(ctx, http.MethodPost, "/mock/v1/mine", map[string]int{"blocks": blocks}, nil)
}

// Reset forgets what was mined and broadcast.
func (c *Client) Reset(ctx context.Context) error {
	return c.do(ctx, http.MethodPost, "/mock/v1/reset", nil, nil)
}

// Course is the position of a mock chain among its snapshots.
type Course struct {
	Snapshots []Snapshot `json:"snapshots"` // oldest first
	// At is the snapshot since which nothing was done, "" for none.
	At        string `json:"at"`
	Undone    int    `json:"undone"` // how often Redo can go forward
	Tip       Tip    `json:"tip"`
	Clock     string `json:"clock"` // RFC 3339
	Frozen    bool   `json:"frozen"`
	Contracts int    `json:"contracts"` // canned answers
	Runs      *Runs  `json:"runs"`      // nil where no contracts run
	Fork      *Fork  `json:"fork"`      // nil where the chain is no fork
}

// Fork says how far a mock's reading of a live chain is.
type Fork struct {
	Progress string `json:"progress"` // in words
	Reading  string `json:"reading"`  // what is being read, "" for nothing
}

// Runs returns the contracts that run.
type Runs struct {
	Contracts int    `json:"contracts"`
	Last      string `json:"last"`     // what ran last, "" for nothing
	Runtime   int64  `json:"runtime"`  // what that cost
	Failed    string `json:"failed"`   // what failed last and why, "" for nothing
	Memory    int64  `json:"memory"`   // bytes of the virtual machine's process, 0 if it does not tell
	Sessions  int    `json:"sessions"` // chains that it has, one of each world
	Awake     int    `json:"awake"`    // how many of them are in its memory
}

// Snapshot is a state to which the chain can go back.
type Snapshot struct {
	Name string `json:"name"`
	Tip  Tip    `json:"tip"`
}

// Tip is the newest block.
type Tip struct {
	Height int64 `json:"height"`
}

// Request is a request that the mock received.
type Request struct {
	N      int64     `json:"n"`
	Time   time.Time `json:"time"`
	Method string    `json:"method"`
	Path   string    `json:"path"`
	Status int       `json:"status"`
	Fault  string    `json:"fault"` // what changed the answer, "" for nothing
}

// Course returns where the chain is.
func (c *Client) Course(ctx context.Context) (Course, error) {
	var course Course
	err := c.do(ctx, http.MethodGet, "/mock/v1/snapshot", nil, &course)
	return course, err
}

// Canned is an answer that was given for a contract.
type Canned struct {
	Contract string `json:"contract"`
	// Kind holds what answers: reads, calls, maps, vars or constants.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Args hold what is answered to, as Clarity literals; nil for any arguments.
	// Of a map it is the key.
	Args   []string `json:"args"`
	Result string   `json:"result"`
}

// Canned returns the first canned answers of contracts, at most limit (a mock gives 200 at most),
// and how many there are in all.
func (c *Client) Canned(ctx context.Context, limit int) ([]Canned, int, error) {
	var answer struct {
		Results []Canned `json:"results"`
		Total   int      `json:"total"`
	}
	err := c.do(ctx, http.MethodGet, fmt.Sprintf("/mock/v1/contracts?limit=%d", limit), nil, &answer)
	return answer.Results, answer.Total, err
}

// Requests returns the requests to the mock after the one of a number, and
// the number for the next request.
func (c *Client) Requests(ctx context.Context, after int64) ([]Request, int64, error) {
	var answer struct {
		Requests []Request `json:"requests"`
		Next     int64     `json:"next"`
	}
	err := c.do(ctx, http.MethodGet, fmt.Sprintf("/mock/v1/requests?after=%d", after), nil, &answer)
	return answer.Requests, answer.Next, err
}

// Snapshot remembers the state of everything, and returns the name under which it did.
func (c *Client) Snapshot(ctx context.Context) (string, error) {
	var taken Snapshot
	err := c.do(ctx, http.MethodPost, "/mock/v1/snapshot", nil, &taken)
	return taken.Name, err
}

// Revert goes back to a snapshot.
func (c *Client) Revert(ctx context.Context, to string) error {
	return c.do(ctx, http.MethodPost, "/mock/v1/revert", map[string]string{"to": to}, nil)
}

// Redo goes forward to where the last Revert went back from.
func (c *Client) Redo(ctx context.Context) error {
	return c.do(ctx, http.MethodPost, "/mock/v1/redo", nil, nil)
}

// Advance moves the clock on.
func (c *Client) Advance(ctx context.Context, d time.Duration) error {
	return c.do(ctx, http.MethodPost, "/mock/v1/clock", map[string]string{"advance": d.String()}, nil)
}

// Freeze stops the clock, or lets it run on.
func (c *Client) Freeze(ctx context.Context, frozen bool) error {
	return c.do(ctx, http.MethodPost, "/mock/v1/clock", map[string]bool{"freeze": frozen}, nil)
}

// Reorg replaces the newest blocks.
func (c *Client) Reorg(ctx context.Context, depth int) error {
	return c.do(ctx, http.MethodPost, "/mock/v1/reorg", map[string]int{"depth": depth}, nil)
}

// Undescribed holds what was requested of a mock and is not described: of contracts, and of
// routes that it does not serve.
type Undescribed struct {
	Lacks []Lack `json:"undescribed"`
	// Contracts is the same as a file for --contracts, to be filled in; "" for nothing.
	Contracts string `json:"contracts"`
	// Next holds the number for the next request.
	Next int64 `json:"next"`
	// Invented are calls whose answers are invented, Refused transactions that were refused.
	Invented Tally `json:"invented"`
	Refused  Tally `json:"refused"`
}

// Tally counts something, and holds the last of it.
type Tally struct {
	Count int    `json:"count"`
	Last  string `json:"last"`
}

// Lack is one thing that is not described, or a route that is not served.
type Lack struct {
	Contract string `json:"contract"` // "" for a route
	Kind     string `json:"kind"`     // reads, calls, maps, vars, constants, source or route
	Name     string `json:"name"`     // "" for a source; method and path of a route
}

// Undescribed returns what was requested after a number and is not described; 0 is for all.
func (c *Client) Undescribed(ctx context.Context, after int64) (Undescribed, error) {
	var answer Undescribed
	err := c.do(ctx, http.MethodGet, fmt.Sprintf("/mock/v1/undescribed?after=%d", after), nil, &answer)
	return answer, err
}
