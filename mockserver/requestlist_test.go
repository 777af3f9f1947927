package mockserver

import (
	"net/http/httptest"
	"testing"
)

// watchedAnswer looks at the list of requests when an answer begins to leave.
type watchedAnswer struct {
	*httptest.ResponseRecorder
	server *Server
	listed []string
}

func (w *watchedAnswer) WriteHeader(status int) {
	requests, _ := w.server.world.Requests.After(0)
	for _, one := range requests {
		w.listed = append(w.listed, one.Path)
	}
	w.ResponseRecorder.WriteHeader(status)
}

// Whoever has an answer finds its request in the list, and finds it once.
func TestARequestIsListedBeforeItsAnswerLeaves(t *testing.T) {
	server, _ := newServer(t, Config{Seed: 1})
	for _, path := range []string{"/extended/v2/blocks?limit=30", "/extended/v1/nothing"} {
		w := &watchedAnswer{ResponseRecorder: httptest.NewRecorder(), server: server}
		before, at := server.world.Requests.After(0)
		request := httptest.NewRequest("GET", path, nil)
		request.Host = "127.0.0.1"
		server.ServeHTTP(w, request)
		if len(w.listed) != len(before)+1 || w.listed[len(before)] != path {
			t.Errorf("%s: when the answer leaves, the list is %q", path, w.listed)
		}
		if after, _ := server.world.Requests.After(at); len(after) != 1 || after[0].Status != w.Code {
			t.Errorf("%s: listed as %+v, answered with %d", path, after, w.Code)
		}
	}
}
