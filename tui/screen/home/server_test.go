package home

import (
	"net/http"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
)

// at opens home at 140 columns on a server.
func at(t *testing.T, h http.Handler) *uitest.Driver {
	t.Helper()
	d := uitest.NewDriver(t, uitest.Client(t, h))
	s := New(d.Env, uitest.Theme(t, "mono"), Options{})
	d.Screen = s
	s.SetSize(140, 36)
	d.Open(nav.Home())
	return d
}

func TestARetiredRouteAndAMissingTokenAreNoFailures(t *testing.T) {
	m := uitest.Mock(t, mockserver.Config{Seed: 1, APIVersion: "sunset", Freeze: &uitest.Noon})
	d := at(t, m)
	if _, err := d.Env.Client.FungibleToken(t.Context(), "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.nobody", ""); apiclient.KindOf(err) != apiclient.NotFound {
		t.Fatal(err)
	}
	d.Do(d.Screen.Refresh())
	d.Settle()
	retired := 0
	for _, e := range d.Env.Client.Log().Snapshot() {
		if e.Status == http.StatusGone {
			retired++
		}
	}
	if retired == 0 {
		t.Error("no retired route was asked")
	}
	d.Sees("median", "API 9")
	d.SeesNot("failed")
}

func TestAnAnswerThatCannotBeReadIsAFailure(t *testing.T) {
	d := at(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"results": "none"}`))
	}))
	d.Sees("of 1 failed")
	d.SeesNot("nothing was asked")
}

func TestHowManyRequestsFailedIsNotCutOff(t *testing.T) {
	down := false
	m := uitest.Mock(t, mockserver.Config{Seed: 1, Freeze: &uitest.Noon})
	d := at(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		m.ServeHTTP(w, r)
	}))
	down = true
	for range 12 {
		d.Do(d.Screen.Refresh())
		d.Settle()
	}
	for _, width := range []int{110, 120, 140, 200} {
		d.Screen.SetSize(width, 36)
		if frame := d.Frame(); !strings.Contains(frame, "12 of 1") || !strings.Contains(frame, " failed") {
			t.Errorf("%d columns do not tell that 12 requests failed:\n%s", width, frame)
		}
	}
}
