package burnblocks

import (
	"net/http"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/mockserver/fault"
	"chainscope/tui/internal/uitest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// driver is a user of the burn blocks screen.
type driver struct {
	*uitest.Driver
	screen *Screen
}

func drive(t testing.TB, h http.Handler, theme string) *driver {
	t.Helper()
	d := &driver{Driver: uitest.NewDriver(t, uitest.Client(t, h))}
	d.screen = New(d.Env, uitest.Theme(t, theme), Options{ReadAhead: true})
	d.Screen = d.screen
	d.screen.SetSize(120, 36)
	return d
}

// mock returns a mock chain whose clock is the driver's.
func mock(t testing.TB, now func() time.Time, rules ...string) *mockserver.Server {
	t.Helper()
	cfg := mockserver.Config{Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Now: now}
	for _, r := range rules {
		rule, err := fault.ParseRule(r)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Faults = append(cfg.Faults, rule)
	}
	return uitest.Mock(t, cfg)
}

// live makes a driver and a mock chain that share a clock.
func live(t testing.TB, rules ...string) *driver {
	t.Helper()
	var d *driver
	m := mock(t, func() time.Time {
		if d == nil {
			return uitest.Noon
		}
		return d.Clock
	}, rules...)
	d = drive(t, m, "mono")
	return d
}

func (d *driver) tip() int64 {
	d.Helper()
	a, err := d.Env.Client.BurnBlockBlocks(d.Env.Context, "latest", apiclient.Page{})
	if err != nil {
		d.Fatal(err)
	}
	return a.Value.Results[0].BurnBlockHeight
}
