package tokens

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Entry is a token that can be picked.
type Entry struct {
	Principal string `json:"principal"`
	// TokenID is decimal, "" for a fungible token.
	TokenID string `json:"token_id,omitempty"`
	// What says in a word why the mock has the token: full, localized, pending.
	What    string   `json:"what"`
	Locales []string `json:"locales"`
}

// Catalogue is what a mock server says it has.
type Catalogue struct {
	FT  []Entry `json:"ft"`
	NFT []Entry `json:"nft"`
}

// Limits of a catalogue's fetch.
const (
	maxCatalogue  = 1 << 20
	catalogueTime = 5 * time.Second
)

// FetchCatalogue returns a function that asks the server at a base URL what
// tokens it has. One that is no mock has no catalogue: that is an empty one.
// The transport is nil for the usual one.
func FetchCatalogue(base string, transport http.RoundTripper) func(context.Context) (Catalogue, error) {
	client := &http.Client{
		Transport:     transport,
		Timeout:       catalogueTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return func(ctx context.Context) (Catalogue, error) {
		var c Catalogue
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(base, "/")+"/mock/v1/catalog", nil)
		if err != nil {
			return c, fmt.Errorf("catalogue: %w", err)
		}
		response, err := client.Do(request)
		if err != nil {
			return c, fmt.Errorf("catalogue: %w", err)
		}
		defer response.Body.Close()
		if response.Header.Get("X-Mock-Scenario") == "" {
			return c, nil // no mock says that it has no such path in many ways
		}
		if response.StatusCode != http.StatusOK {
			return c, fmt.Errorf("catalogue: the server answered %d", response.StatusCode)
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, maxCatalogue+1))
		if err != nil {
			return c, fmt.Errorf("catalogue: %w", err)
		}
		if len(body) > maxCatalogue {
			return c, fmt.Errorf("catalogue: the answer is larger than %d MiB", maxCatalogue>>20)
		}
		if err := json.Unmarshal(body, &c); err != nil {
			return c, fmt.Errorf("catalogue: %w", err)
		}
		return c, nil
	}
}
