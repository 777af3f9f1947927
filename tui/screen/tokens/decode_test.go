package tokens

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"chainscope/apiclient"
)

// asked answers a body as the API does and returns a client that asks it.
func asked(t *testing.T, body json.RawMessage) *apiclient.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	client, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func decodeFungible(t *testing.T, body json.RawMessage) apiclient.FungibleToken {
	t.Helper()
	answer, err := asked(t, body).FungibleToken(context.Background(), somePrincipal, "")
	if err != nil {
		t.Fatal(err)
	}
	return answer.Value
}

func decodeNonFungible(t *testing.T, body json.RawMessage) apiclient.NonFungibleToken {
	t.Helper()
	answer, err := asked(t, body).NonFungibleToken(context.Background(), somePrincipal, "7", "")
	if err != nil {
		t.Fatal(err)
	}
	return answer.Value
}
