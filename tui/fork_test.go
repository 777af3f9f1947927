package tui

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"chainscope/mockserver"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// A mock that is a fork says so in the header, on every place, with network and height; what is no
// network and no height is not believed.
func TestTheHeaderSaysOfWhatTheMockIsAFork(t *testing.T) {
	for says, want := range map[string]string{
		"mainnet 8700000":          "FORK mainnet 8700000 ",
		"testnet 12":               "FORK testnet 12 ",
		"":                         "MOCK ",
		"othernet 5":               "MOCK ",
		"mainnet 5\u202e6":         "MOCK ",
		"mainnet 5555555555555555": "MOCK ",
	} {
		mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &noon})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Mock-Fork", says)
			mock.ServeHTTP(w, r)
		}))
		p := startWith(t, 120, 40, server.URL, Options{Network: "MOCK", Mock: mockclient.New(server.URL, nil), Theme: "mono", Look: theme.Options{Plain: true}, Now: func() time.Time { return noon }})
		for _, place := range []nav.Place{nav.Home(), nav.Blocks()} {
			p.run(p.m.visit(place))
			if head, _, _ := strings.Cut(p.frame(), "\n"); !strings.Contains(head, want) {
				t.Errorf("%q: the header is %q, without %q", says, head, want)
			}
		}
		server.Close()
		_ = mock.Close()
	}
}

// FORK, network and height have one color, that of the mock, in every theme and place: nothing alarming,
// since no real coin can move.
func TestTheHeaderOfAForkHasTheColorOfTheMockEverywhere(t *testing.T) {
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &noon})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Mock-Fork", "mainnet 8700000")
		mock.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	look := theme.Options{Dark: true, Colors: colorprofile.TrueColor}
	for _, name := range []string{"dark", "light", "ansi", "high-contrast"} {
		th, err := theme.New(name, look)
		if err != nil {
			t.Fatal(err)
		}
		for _, controlled := range []bool{true, false} { // by the explorer: one elsewhere is not
			o := Options{Network: "MOCK", Theme: name, Look: look, Now: func() time.Time { return noon }}
			if controlled {
				o.Mock = mockclient.New(server.URL, nil)
			}
			p := startWith(t, 120, 40, server.URL, o)
			for _, place := range []nav.Place{nav.Home(), nav.Blocks(), nav.BurnBlocks(), nav.Transactions(), nav.Transaction(minedTxID)} {
				p.run(p.m.visit(place))
				head, _, _ := strings.Cut(p.m.View(), "\n")
				if want := th.Mock.Render(" FORK mainnet 8700000 "); !strings.Contains(head, want) {
					t.Errorf("%s, %s, %v: the header is %q, without %q", name, place, controlled, head, want)
				}
			}
		}
		for _, alarm := range []theme.Style{th.Bad, th.Warn, th.Badge} {
			if alarm.Render("x") == th.Mock.Render("x") {
				t.Errorf("%s: the color of the mock is that of something else", name)
			}
		}
	}
}
