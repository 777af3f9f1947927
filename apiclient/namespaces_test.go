package apiclient

import (
	"testing"
)

func TestNamespacesAreListed(t *testing.T) {
	c := serve(t, newRecordedAPI(t, nil, "namespaces.json").ServeHTTP)
	a, err := c.Namespaces(t.Context())
	if err != nil || len(a.Value) != 12 || a.Value[0] != "a/b" || a.Value[11] != "名前" {
		t.Errorf("%q, %v", a.Value, err)
	}
	old := serve(t, newRecordedAPI(t, nil).ServeHTTP)
	if _, err := old.Namespaces(t.Context()); !RouteGone(err) {
		t.Errorf("got %v", err)
	}
}

func TestARefusalWithAnEmptyBodyIsWordedByItsStatus(t *testing.T) {
	s := newRecordedAPI(t, nil)
	s.answers["/v1/namespaces/id/names"] = recordedAnswer{Status: 400, Body: []byte(`{}`)}
	_, err := serve(t, s.ServeHTTP).Names(t.Context(), "id", NamesQuery{})
	if KindOf(err) != InvalidInput || err.Error() != "names: status 400 Bad Request" {
		t.Errorf("got %v", err)
	}
}
