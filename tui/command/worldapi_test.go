package command

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"chainscope/tui/mockclient"
)

// The explorer controls a mock that another process serves, and a world of it alone.
func TestAWorldOfAMockIsControlledAsTheMockIs(t *testing.T) {
	mock := serveMock(t, "--worlds")
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for url, want := range map[string]bool{
		mock.address: true, mock.address + "/w/mine": true, mock.address + "/w/a b": false,
		other.URL: false, "http://127.0.0.1:1": false, "https://api.hiro.so": false,
	} {
		if got := servesMock(t.Context(), mockclient.New(url, nil), url); got != want {
			t.Errorf("%s: %t", url, got)
		}
	}
	world := mockclient.New(mock.address+"/w/mine", nil)
	if err := world.Mine(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	here, err := world.Course(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	there, err := mockclient.New(mock.address, nil).Course(t.Context())
	if err != nil || here.Tip.Height != there.Tip.Height+3 {
		t.Errorf("%v: the world is at %d, the server at %d", err, here.Tip.Height, there.Tip.Height)
	}
}
