package names

import (
	"fmt"
	"runtime"
	"testing"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
)

const many = 500_000

// BenchmarkLoad reads 500,000 names from the mock server into the screen.
func BenchmarkLoad(b *testing.B) {
	server := uitest.Mock(b, mockserver.Config{Seed: 7, Names: many, Freeze: &uitest.Noon})
	for b.Loop() {
		client := uitest.Client(b, server)
		d := drive(b, client, Options{})
		messages := 0
		d.Do(d.Screen.Open(nav.Names("btc"), nil))
		for d.Pending() > 0 {
			d.Step()
			messages++
		}
		if c, _ := d.screen.names.Get(); c == nil || c.list.Len() != many {
			b.Fatal("not all names came")
		}
		b.ReportMetric(float64(messages), "messages/op")
	}
}

// BenchmarkKey is a key typed into the search over 500,000 names, with what it
// finds drawn at 120x40.
func BenchmarkKey(b *testing.B) {
	d := drive(b, mock(b, many, ""), Options{})
	d.screen.SetTheme(uitest.Theme(b, "dark"))
	d.screen.SetSize(120, 36)
	d.Open(nav.Names("btc"))
	d.Press("/")
	for _, query := range []string{"s", "sa", "sat", "sato", "zqx"} {
		b.Run(fmt.Sprintf("%q", query), func(b *testing.B) {
			last := uitest.Key(query[len(query)-1:])
			for b.Loop() {
				b.StopTimer()
				d.Press("ctrl+u")
				d.Type(query[:len(query)-1])
				b.StartTimer()
				cmd, _ := d.screen.Key(last)
				d.Do(cmd)
				d.Settle()
				d.screen.View(d.Clock)
			}
			if d.screen.search.shown().query != query {
				b.Fatalf("the hits are of %q", d.screen.search.shown().query)
			}
		})
	}
	d.Press("esc", "esc")
	b.Run("a row down", func(b *testing.B) {
		for b.Loop() {
			d.screen.Key(uitest.Key("j"))
			d.screen.View(d.Clock)
		}
	})
}

// TestNamesAreHeldInFewBytes weighs what the screen keeps of 500,000 names.
func TestNamesAreHeldInFewBytes(t *testing.T) {
	uitest.NotRaced(t)
	client := mock(t, many, "")
	d := drive(t, client, Options{})
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	d.Open(nav.Names("btc"))
	d.Press("/")
	d.Type("a")
	grown := heap() - before
	c, _ := d.screen.names.Get()
	if each := float64(c.list.Weight()) / float64(c.list.Len()); each > 22 {
		t.Errorf("%.1f bytes a name", each)
	}
	t.Logf("%.1f MB more on the heap", float64(grown)/1e6)
	if grown > 40e6 {
		t.Errorf("the heap grew by %.1f MB", float64(grown)/1e6)
	}
}
