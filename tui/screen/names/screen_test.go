package names

import (
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// driver is a user of the names screen.
type driver struct {
	*uitest.Driver
	screen *Screen
}

func drive(t testing.TB, api API, opt Options) *driver {
	t.Helper()
	client, _ := api.(*apiclient.Client) // nil where the API is made for the test
	d := &driver{Driver: uitest.NewDriver(t, client)}
	opt.ReadAll = true
	d.screen = New(d.Env, uitest.Theme(t, "mono"), opt)
	d.screen.api, d.screen.batchEvery = api, 1
	d.Screen = d.screen
	d.screen.SetSize(120, 30)
	return d
}

// mock serves the mock chain with so many names in the namespace btc.
func mock(t testing.TB, names int, scenario string) *apiclient.Client {
	t.Helper()
	return uitest.Client(t, uitest.Mock(t, mockserver.Config{Seed: 7, Names: names, Freeze: &uitest.Noon, Scenario: scenario}))
}

func TestAUserReadsANamespaceAndSearchesIt(t *testing.T) {
	client := mock(t, 12_345, "")
	var remembered []string
	d := drive(t, client, Options{
		Remember: func(n string) { remembered = append(remembered, n) },
	})
	d.Open(nav.Names("btc"))
	d.Sees(".btc", "12,345 names, all of them")
	if len(remembered) != 1 || remembered[0] != "btc" {
		t.Errorf("remembered %v", remembered)
	}
	d.Press("/")
	d.Type("sa")
	d.Sees("found", "at the start")
	if name, _, ok := d.screen.current(); !ok || !strings.HasPrefix(name, "sa") {
		t.Errorf("the first hit is %q", name)
	}
	if got := d.screen.Place(); got.Filter != "sa" || got.Namespace != "btc" {
		t.Errorf("the place is %s", got)
	}
	d.Press("enter")
	if d.screen.Typing() {
		t.Error("typing goes on after enter")
	}
	d.Press("enter")
	d.Sees("found", "at character 1")
	d.Press("esc", "esc")
	d.Sees("1/12,345"[2:])
	if d.screen.Place().Filter != "" {
		t.Error("esc keeps the search")
	}
}

func TestThePlaceHasItsSearch(t *testing.T) {
	d := drive(t, mock(t, 3000, ""), Options{})
	place := nav.Names("btc")
	place.Filter = "sa"
	d.Open(place)
	d.Sees("/ sa", "found")
	d.Press("j", "j", "j")
	name, _, _ := d.screen.current()
	st := d.screen.State()
	d.screen.Leave()
	d.Open(nav.Names("id"))
	d.Back(place, st)
	if got, _, _ := d.screen.current(); got != name || name == "" {
		t.Errorf("came back to %q, left %q", got, name)
	}
}

func TestUnanchoredNamesAreReadOnDemand(t *testing.T) {
	d := drive(t, mock(t, 10_230, ""), Options{})
	d.Open(nav.Names("btc"))
	d.Sees("10,230 names")
	d.Press("u")
	d.Sees("10,240 names", "with unanchored")
	if !d.screen.Place().Unanchored {
		t.Error("the place does not say so")
	}
	d.Press("u")
	d.Sees("10,230 names")
}

func TestSinglePagesCountFromOne(t *testing.T) {
	d := drive(t, mock(t, 250, ""), Options{})
	place := nav.Names("btc")
	place.Page = 1
	d.Open(place)
	d.Sees("page 1", "100 names")
	first, _, _ := d.screen.current()
	if raw := string(d.screen.Subject().Raw); !strings.HasPrefix(raw, `["`+first) {
		t.Errorf("the raw JSON is %.60s", raw)
	}
	d.Press("[")
	if len(d.Notices) != 1 {
		t.Errorf("before page 1: %v", d.Notices)
	}
	d.Press("]", "]")
	d.Sees("page 3", "50 names")
	d.Press("]")
	d.Sees("No names on page 4", "the page before")
	d.Press("[")
	d.Sees("page 3", "50 names")
	last, _, _ := d.screen.current()
	d.Press("a")
	d.Sees("250 names, all of them")
	d.Press("]", "]")
	if name, index, _ := d.screen.current(); index != 200 || name != last {
		t.Errorf("] goes to %d %s, want %s", index, name, last)
	}
	d.Press("a")
	d.Sees("page 3")
	d.Press("a")
	d.Sees("250 names, all of them")
}

func TestAnUnknownNamespaceIsCalledThat(t *testing.T) {
	d := drive(t, mock(t, 100, ""), Options{})
	d.Open(nav.Names("bct"))
	d.Sees("No such namespace")
	d.Press("N")
	if len(d.Went) != 1 || d.Went[0] != nav.Listed(nav.KindNamespaces, "") {
		t.Errorf("another namespace leads to %v", d.Went)
	}
}

func TestANamespaceWithoutNamesIsNoError(t *testing.T) {
	d := drive(t, mock(t, 100, ""), Options{})
	d.Open(nav.Names("graphite"))
	d.Sees("No names in .graphite", "no name is registered")
}

func TestExportIsWhatIsShown(t *testing.T) {
	d := drive(t, mock(t, 2000, ""), Options{})
	d.Open(nav.Names("btc"))
	if table := d.screen.Subject().Export(); len(table.Rows) != 2000 || len(table.JSON) != 2000 || table.Name != "names-btc" {
		t.Errorf("%d rows of %s", len(table.Rows), table.Name)
	}
	d.Press("/")
	d.Type("sa")
	table := d.screen.Subject().Export()
	if len(table.Rows) == 0 || len(table.Rows) == 2000 || table.Name != "names-btc-sa" {
		t.Errorf("%d rows of %s", len(table.Rows), table.Name)
	}
	for _, row := range table.Rows {
		if !strings.Contains(row[0], "sa") {
			t.Errorf("%v is exported", row)
		}
	}
}
