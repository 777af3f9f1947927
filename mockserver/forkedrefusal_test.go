package mockserver

import (
	"testing"

	"chainscope/mockserver/fork/forktest"
)

// A route that the live chain's API has retired answers as it does there, and so does a request that it refuses:
// neither is something that could not be read.
func TestWhatTheLiveAPIRefusesIsItsOwnAnswer(t *testing.T) {
	node := forktest.New(t)
	s, _ := newServer(t, onFork(node))
	const gone = `{"statusCode":410,"error":"Gone","message":"This endpoint has been retired"}`
	node.Set("/extended/v2/pox/cycles", 410, gone)
	if w := get(s, "/extended/v2/pox/cycles"); w.Code != 410 || w.Body.String() != gone || w.Header().Get("X-Mock-Forwarded") != node.URL {
		t.Errorf("a retired route: %d %s %v", w.Code, w.Body, w.Header())
	}
	const wrong = `{"statusCode":400,"error":"Bad Request","message":"querystring/limit is refused"}`
	node.Set("/extended/v2/pox/cycles?limit=20", 400, wrong)
	if w := get(s, "/extended/v2/pox/cycles?limit=20"); w.Code != 400 || w.Body.String() != wrong {
		t.Errorf("a wrong request: %d %s", w.Code, w.Body)
	}
	node.Set("/v2/accounts/"+forktest.Deployer+"?proof=0&tip="+forktest.IndexHash[2:], 410, gone)
	answered(t, s, "/v2/accounts/"+forktest.Deployer+"?proof=0", 503) // of which the mock needs to know more
}
