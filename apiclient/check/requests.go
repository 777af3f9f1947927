package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"

	"chainscope/apiclient/wire"
)

// Server is a server that is checked.
type Server struct {
	// BaseURL has no slash at its end.
	BaseURL string
	// Transport sends the requests.
	Transport http.RoundTripper
	// Timeout bounds one request with its repetitions.
	Timeout time.Duration
}

// Checker holds servers and recordings against a contract.
type Checker struct{ contract *contract }

// New returns a Checker of a contract, an OpenAPI document.
func New(document []byte) (*Checker, error) {
	c, err := readContract(document)
	if err != nil {
		return nil, err
	}
	return &Checker{c}, nil
}

// Server sends a valid and a faulty request for each route to a server, some 17 in
// all, and returns the answers. What it requests (a height, a token, a namespace) it
// finds out from the server.
func (k *Checker) Server(ctx context.Context, s Server) ([]Answer, error) {
	a := &prober{server: s, values: map[string]string{"height_or_hash": "latest", "tld": "btc"}}
	// Routes without an unknown value come first: their answers have the values of
	// the others.
	for _, known := range []bool{true, false} {
		if !known {
			if err := a.findValues(ctx); err != nil {
				return nil, err
			}
		}
		for _, op := range k.contract.operations {
			unknown := func(p parameter) bool { return p.In == "path" && p.Name != "height_or_hash" }
			if slices.ContainsFunc(op.parameters, unknown) == known {
				continue
			}
			if err := a.probe(ctx, op); err != nil {
				return nil, err
			}
		}
	}
	return a.answers, nil
}

// Repeat sends a server the requests of a recording, and returns the answers.
func (k *Checker) Repeat(ctx context.Context, s Server, recorded []Answer) ([]Answer, error) {
	a := &prober{server: s}
	for _, r := range recorded {
		if err := a.send(ctx, r.route, r.purpose, r.Target); err != nil {
			return nil, err
		}
	}
	return a.answers, nil
}

// Recorded returns of recorded answers those that are worth requesting again: for each
// route the first that was given and the first that was refused.
func (k *Checker) Recorded(all []Answer) []Answer {
	sort.Slice(all, func(i, j int) bool { return all[i].Target < all[j].Target })
	var kept []Answer
	for _, op := range k.contract.operations {
		seen := map[bool]bool{}
		for _, a := range all {
			path, _, _ := strings.Cut(a.Target, "?")
			refused := a.Status >= 400
			if !op.matches(path) || seen[refused] {
				continue
			}
			seen[refused] = true
			a.route, a.purpose = op.path, valid
			if a.Status == http.StatusBadRequest && !a.aboutSubject() {
				a.purpose = faulty
			}
			kept = append(kept, a)
		}
	}
	return kept
}

// Judge compares answers with the contract.
func (k *Checker) Judge(answers []Answer) Report { return k.contract.judge(answers) }

// prober sends requests to one server.
type prober struct {
	server Server
	values map[string]string
	// nft are the values of routes that have a token id.
	nft     map[string]string
	answers []Answer
	// down is true after a request that was refused as often as it was sent, as while
	// a server's database is away.
	down bool
}

// valuesFor returns what an operation may be requested, as a map of its own.
func (a *prober) valuesFor(op operation) map[string]string {
	values := maps.Clone(a.values)
	if strings.Contains(op.path, "{token_id}") {
		maps.Copy(values, a.nft)
	}
	return values
}

// probe sends the requests of one route.
func (a *prober) probe(ctx context.Context, op operation) error {
	values := a.valuesFor(op)
	path, known := op.at(values)
	if !known {
		return fmt.Errorf("nothing is known to request from %s", op.path)
	}
	if err := a.send(ctx, op.path, valid, path+query("limit", "2", op)); err != nil {
		return err
	}
	if a.answers[len(a.answers)-1].retired() || strings.HasSuffix(op.path, "/") {
		return nil
	}
	for _, p := range op.parameters {
		// Other lists may grow between two requests.
		if p.Name == "page" && p.Schema != nil && p.Schema.Default != nil {
			if err := a.send(ctx, op.path, explicit, path+query(p.Name, fmt.Sprint(p.Schema.Default), op)); err != nil {
				return err
			}
		}
	}
	p, value, found := op.refused()
	switch {
	case !found:
		return nil
	case p.In == "query":
		return a.send(ctx, op.path, faulty, path+query(p.Name, value, op))
	}
	values[p.Name] = value
	path, _ = op.at(values)
	return a.send(ctx, op.path, faulty, path)
}

// query returns a query of one parameter, "" when the operation does not have it.
func query(name, value string, op operation) string {
	if !slices.ContainsFunc(op.parameters, func(p parameter) bool { return p.Name == name && p.In == "query" }) {
		return ""
	}
	return "?" + name + "=" + url.QueryEscape(value)
}

// send sends a request and keeps its answer.
func (a *prober) send(ctx context.Context, route string, why purpose, target string) error {
	answer, err := a.get(ctx, target)
	if err != nil {
		return err
	}
	answer.route, answer.purpose = route, why
	a.answers = append(a.answers, answer)
	return nil
}

// A request that a gateway refuses, or that has no answer, is repeated.
const (
	attempts = 4
	pause    = 250 * time.Millisecond
)

// maxBody is the size in bytes above which an answer is not read.
const maxBody = 8 << 20

// get sends a request until it is answered. A refusal that came before the time ran out
// is returned as the answer, since it says why. While a server is down, each request is
// sent once: the repetitions of the first one have shown that it stays so.
func (a *prober) get(ctx context.Context, target string) (answer Answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, a.server.Timeout)
	defer cancel()
	for attempt := range attempts {
		if attempt > 0 && wire.Sleep(ctx, pause<<(attempt-1)) != nil {
			break
		}
		next, failed := a.once(ctx, target)
		if failed == nil || answer.Status == 0 {
			answer, err = next, failed
		}
		if a.down || failed == nil && !busy(next.Status) {
			break
		}
	}
	a.down = err == nil && answer.Status != http.StatusTooManyRequests && busy(answer.Status)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		err = ctx.Err()
	}
	return answer, err
}

// busy reports whether a status is that of a gateway that requests another try later.
func busy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusBadGateway ||
		status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

func (a *prober) once(ctx context.Context, target string) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.server.BaseURL+target, nil)
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "chainscope")
	resp, err := a.server.Transport.RoundTrip(req)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = fmt.Errorf("%s: the answer has more than %d bytes", target, maxBody)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // a cut body is one that is not JSON
	}
	return Answer{Target: target, Status: resp.StatusCode, Header: resp.Header, Body: body}, err
}

// findValues finds out what may be requested: a burn block from the lists that were
// answered, a namespace, and tokens from the catalog of a mock or the list of tokens.
func (a *prober) findValues(ctx context.Context) error {
	a.values["burn_block_height"], a.values["burn_block_hash"] = "0", "0x"+strings.Repeat("0", 64)
	isMock := false
	for _, answer := range a.answers {
		var list struct {
			Results []struct {
				Height int64  `json:"burn_block_height"`
				Hash   string `json:"burn_block_hash"`
			} `json:"results"`
		}
		if json.Unmarshal(answer.Body, &list) == nil && len(list.Results) > 0 && list.Results[0].Hash != "" {
			a.values["burn_block_height"] = fmt.Sprint(list.Results[0].Height)
			a.values["burn_block_hash"] = url.PathEscape(list.Results[0].Hash)
		}
		isMock = isMock || answer.Header.Get("X-Mock-Seed") != ""
	}
	if err := a.findNamespace(ctx); err != nil {
		return err
	}
	return a.findTokens(ctx, isMock)
}

func (a *prober) findNamespace(ctx context.Context) error {
	answer, err := a.get(ctx, "/v1/namespaces")
	var known struct {
		Namespaces []string `json:"namespaces"`
	}
	if err == nil && json.Unmarshal(answer.Body, &known) == nil && len(known.Namespaces) > 0 && !slices.Contains(known.Namespaces, "btc") {
		a.values["tld"] = url.PathEscape(known.Namespaces[0])
	}
	return err
}

// A contract of the main network, requested where a server lists no token. Even the
// answer that it is unknown shows whether the route is served.
const someToken = "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-token"

func (a *prober) findTokens(ctx context.Context, isMock bool) error {
	a.values["principal"], a.values["token_id"] = someToken, "1"
	target := "/metadata/v1/ft?limit=1"
	if isMock {
		target = "/mock/v1/catalog"
	}
	answer, err := a.get(ctx, target)
	if err != nil {
		return err
	}
	type token struct {
		Principal string `json:"principal"`
		Listed    string `json:"contract_principal"`
		TokenID   string `json:"token_id"`
	}
	var known struct {
		FT      []token `json:"ft"`
		NFT     []token `json:"nft"`
		Results []token `json:"results"`
	}
	_ = json.Unmarshal(answer.Body, &known) // a server without a list knows no token
	for _, t := range known.NFT {
		a.nft = map[string]string{"principal": url.PathEscape(t.Principal), "token_id": url.PathEscape(t.TokenID)}
		break
	}
	for _, t := range append(known.FT, known.Results...) {
		if principal := t.Principal + t.Listed; principal != "" {
			a.values["principal"] = url.PathEscape(principal)
			return nil
		}
	}
	return nil
}
