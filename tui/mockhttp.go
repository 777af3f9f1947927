package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// HTTPMock controls a mock server by its own interface (/mock/v1).
type HTTPMock struct {
	base   string
	client *http.Client
}

// NewHTTPMock returns the control of the mock at a base URL.
func NewHTTPMock(base string, transport http.RoundTripper) *HTTPMock {
	return &HTTPMock{base: base, client: &http.Client{Transport: transport}}
}

func (h *HTTPMock) do(ctx context.Context, method, path string, body, into any) error {
	var payload io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, h.base+path, payload)
	if err != nil {
		return err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := h.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s answered %d: %.200s", method, path, response.StatusCode, data)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(data, into)
}

// Catalogue is what a mock server has that is worth looking at.
type Catalogue struct {
	Namespaces []struct {
		Name  string `json:"name"`
		Count int64  `json:"count"`
	} `json:"namespaces"`
}

// Catalogue reads what the mock has.
func (h *HTTPMock) Catalogue(ctx context.Context) (Catalogue, error) {
	var c Catalogue
	err := h.do(ctx, http.MethodGet, "/mock/v1/catalog", nil, &c)
	return c, err
}

// Scenario reads which scenario is on.
func (h *HTTPMock) Scenario(ctx context.Context) (string, error) {
	var answer struct{ Scenario string }
	err := h.do(ctx, http.MethodGet, "/mock/v1/scenario", nil, &answer)
	return answer.Scenario, err
}

// SetScenario switches the scenario.
func (h *HTTPMock) SetScenario(ctx context.Context, name string) error {
	return h.do(ctx, http.MethodPut, "/mock/v1/scenario", map[string]string{"scenario": name}, nil)
}

// Mine moves the mock's clock on by blocks.
func (h *HTTPMock) Mine(ctx context.Context, blocks int) error {
	return h.do(ctx, http.MethodPost, "/mock/v1/mine", map[string]int{"blocks": blocks}, nil)
}

// Reset forgets what was mined and broadcast.
func (h *HTTPMock) Reset(ctx context.Context) error {
	return h.do(ctx, http.MethodPost, "/mock/v1/reset", nil, nil)
}
