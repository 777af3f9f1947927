package burnblocks

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
)

// d2 returns the newest recorded burn block with the cursor in the detail.
func d2(t *testing.T, tape string) *driver {
	d := recorded(t, tape)
	d.Open(nav.LatestBurnBlock())
	d.Press("enter", "j", "j")
	return d
}

func TestGoldenScreens(t *testing.T) {
	newest := func(d *driver) { d.Open(nav.BurnBlocks()) }
	latest := func(d *driver) { d.Open(nav.LatestBurnBlock()); d.Press("j", "j") }
	for _, c := range []struct {
		name, theme string
		w, h        int
		act         func(*driver)
	}{
		{"newest-80x24", "mono", 80, 20, newest},
		{"newest-120x40", "mono", 120, 36, newest},
		{"newest-200x60", "mono", 200, 56, newest},
		{"one-80x24", "mono", 80, 20, latest},
		{"one-120x40", "mono", 120, 36, latest},
		{"one-200x60", "mono", 200, 56, latest},
		{"one-dark-120x40", "dark", 120, 36, latest},
		{"detail-80x24", "mono", 80, 20, func(d *driver) { latest(d); d.Press("enter") }},
		{"below-80x44", "mono", 80, 40, latest},
		{"states#loading", "mono", 80, 20, func(d *driver) {
			d.Do(d.Screen.Open(nav.LatestBurnBlock(), nil))
			d.Drop()
			d.Clock = d.Clock.Add(4 * time.Second)
		}},
		{"states#no-block", "mono", 80, 20, func(d *driver) { d.Open(nav.BurnBlockAtHeight(99_999_999)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mock(t, func() time.Time { return uitest.Noon })
			d := drive(t, m, c.theme)
			d.screen.SetSize(c.w, c.h)
			c.act(d)
			if c.theme == "mono" {
				uitest.Golden(t, c.name, d.Frame(), c.w, c.h)
			} else {
				uitest.GoldenStyled(t, c.name, d.Frame(), c.w, c.h)
			}
		})
	}
}

func TestEveryStateOfTheServerIsDrawn(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"rate-limited": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "30")
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write([]byte(`{"error":"Too many requests"}`))
		},
		"broken": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"limit":20,"offset":0,"total":1,"results":[{"height":"tall"}]}`))
		},
		"no-results": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"limit":20,"offset":0,"total":0,"results":[]}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, answer, "mono")
			d.screen.SetSize(80, 20)
			d.Open(nav.LatestBurnBlock())
			uitest.Golden(t, "states#"+name, d.Frame(), 80, 20)
			d.Open(nav.BurnBlocks())
			d.FitsEverySize()
		})
	}
	t.Run("offline", func(t *testing.T) {
		server := httptest.NewServer(http.NotFoundHandler())
		url := server.URL
		server.Close()
		client, err := apiclient.New(apiclient.Options{BaseURL: url, MaxAttempts: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		d := drive(t, http.NotFoundHandler(), "mono")
		d.Env.Client = client
		d.Open(nav.BurnBlocks())
		d.Sees("Offline", "Can't reach the server")
	})
}

func TestEverySizeIsFilledExactly(t *testing.T) {
	d := live(t)
	for _, keys := range [][]string{nil, {"tab"}} {
		d.Open(nav.BurnBlocks())
		d.Press(keys...)
		d.FitsEverySize()
		d.Open(nav.LatestBurnBlock())
		d.Press(keys...)
		d.FitsEverySize()
	}
	for _, keys := range [][]string{{"esc", "/", "7"}, {"enter", "+"}, {"_", "_"}} {
		d.Press(keys...)
		d.FitsEverySize()
	}
}

func BenchmarkKeyAndView(b *testing.B) {
	d := drive(b, mock(b, func() time.Time { return uitest.Noon }), "dark")
	d.Open(nav.LatestBurnBlock())
	for b.Loop() {
		d.screen.Key(uitest.Key("j"))
		d.screen.View(uitest.Noon)
		d.screen.Key(uitest.Key("k"))
		d.screen.View(uitest.Noon)
	}
}
