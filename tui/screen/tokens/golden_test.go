package tokens

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/mockserver/fault"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"

	"github.com/charmbracelet/colorprofile"
)

const (
	recordedAddress = "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS"
	dollar          = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar"
	hostile         = "SP2F4QJRVHR4DPRVMKHAPSS45EBVFPWXQ8Y3SY9V9."
)

// bodies hold what the frame leaves of windows of 80x24, 120x40 and 200x60.
var bodies = map[string][2]int{"80": {80, 20}, "120": {120, 36}, "200": {200, 56}}

func TestTheListAndATokenAtThreeSizes(t *testing.T) {
	for name, size := range bodies {
		u := setup{width: size[0], height: size[1]}
		d := start(t, u)
		d.open(nav.Tokens())
		uitest.Golden(t, "list-"+name, d.view(), size[0], size[1])
		d.open(nav.FT(recordedAddress+".ft-full", ""))
		uitest.Golden(t, "full-"+name, d.view(), size[0], size[1])
		d.open(nav.NFT(hostile+"hostile-nft", "1", ""))
		uitest.Golden(t, "hostile-"+name, d.view(), size[0], size[1])
		d.press("n")
		if name == "80" { // the box is the same in a larger window
			uitest.Golden(t, "form-"+name, d.view(), size[0], size[1])
		}
		uitest.Size(t, d.view(), size[0], size[1])
		d.sees("Open a token")
	}
}

func TestATokenInThreeThemes(t *testing.T) {
	for name, emphasis := range map[string]theme.Options{
		"dark": {Dark: true, Colors: colorprofile.TrueColor}, "light": {Colors: colorprofile.TrueColor}, "mono": {},
	} {
		d := start(t, setup{width: 100, height: 20, theme: name, emphasis: emphasis, opts: Options{Colors: colorprofile.TrueColor}})
		d.open(nav.FT(dollar, "es-MX"))
		uitest.GoldenStyled(t, "theme-"+name, d.view(), 100, 20)
	}
}

func TestTheStatesOfAToken(t *testing.T) {
	const width, height = 80, 20
	pending := nav.FT(recordedAddress+".ft-pending", "")
	for name, c := range map[string]struct {
		place  nav.Place
		config mockserver.Config
		do     func(d *driver)
	}{
		"in progress":         {place: pending},
		"contract not found":  {place: nav.FT(recordedAddress+".nothing", "")},
		"token not found":     {place: nav.NFT(recordedAddress+".nft", "99", "")},
		"locale not found":    {place: nav.FT(dollar, "xx")},
		"other locale stays":  {place: nav.FT(dollar, ""), do: func(d *driver) { d.open(nav.FT(dollar, "xx")) }},
		"token error":         {place: nav.FT(recordedAddress+".ft-invalid", "")},
		"refused by the API":  {place: nav.FT(dollar, ""), config: mockserver.Config{Faults: rules(t, "status=400")}},
		"too many requests":   {place: nav.FT(dollar, ""), config: mockserver.Config{Faults: rules(t, "status=429,retry_after=7")}},
		"server failure":      {place: nav.FT(dollar, ""), config: mockserver.Config{Faults: rules(t, "status=500")}},
		"offline":             {place: nav.FT(dollar, ""), config: mockserver.Config{Scenario: "down"}},
		"offline with data":   {place: nav.FT(dollar, ""), do: offline},
		"answer is no JSON":   {place: nav.FT(dollar, ""), config: mockserver.Config{Faults: rules(t, "fault=truncate")}},
		"picture":             {place: nav.FT(dollar, ""), do: func(d *driver) { d.press("p") }},
		"picture refused":     {place: nav.NFT(hostile+"hostile-nft", "1", ""), do: func(d *driver) { d.press("p") }},
		"choice of locales":   {place: nav.FT(dollar, "jp"), do: func(d *driver) { d.press("L") }},
		"form with a mistake": {place: nav.Tokens(), do: func(d *driver) { d.press("n", "SP2SYHRO4SDJJ") }},
		"form unfinished":     {place: nav.Tokens(), do: func(d *driver) { d.press("n", "SP2SYHR84SDJJ") }},
		"form with a fix":     {place: nav.Tokens(), do: func(d *driver) { d.press("n", dollar+"::harbor-dollar") }},
		"filter":              {place: nav.Tokens(), do: func(d *driver) { d.press("/", "harbor") }},
		"filter with nothing": {place: nav.Tokens(), do: func(d *driver) { d.press("/", "zzz", "enter") }},
	} {
		t.Run(name, func(t *testing.T) {
			d := start(t, setup{width: width, height: height, config: c.config})
			d.hold = true
			d.open(c.place)
			if c.do != nil {
				c.do(d)
			}
			uitest.Golden(t, "states#"+strings.ReplaceAll(name, " ", "-"), ports.ReplaceAllString(d.view(), "127.0.0.1:50000"), width, height)
		})
	}
	t.Run("loading", func(t *testing.T) {
		d := start(t, setup{width: width, height: height})
		cmd := d.s.Open(nav.FT(dollar, ""), nil)
		d.clock.now = d.clock.now.Add(3400 * time.Millisecond)
		uitest.Golden(t, "states#loading", d.view(), width, height)
		d.run(cmd)
		cmd = d.s.Refresh()
		if !d.s.Status().Busy {
			t.Error("nothing says that it is refreshing")
		}
		d.sees("Harbor Dollar")
		d.run(cmd)
	})
	t.Run("no tokens yet", func(t *testing.T) {
		d := start(t, setup{width: width, height: height, noCatalogue: true})
		d.open(nav.Tokens())
		uitest.Golden(t, "states#empty", d.view(), width, height)
	})
}

func rules(t *testing.T, texts ...string) []fault.Rule {
	t.Helper()
	var all []fault.Rule
	for _, one := range texts {
		r, err := fault.ParseRule(one)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// ports are those that the system chose, others every time.
var ports = regexp.MustCompile(`127\.0\.0\.1:[0-9]{5}`)

// offline has the server vanish and asks again a while later.
func offline(d *driver) {
	d.scenario("down")
	d.clock.now = d.clock.now.Add(90 * time.Second)
	d.press("r")
}
