//go:build unix

package e2e

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// opened describes what the explorer shows when it is opened at a thing that a page names.
var opened = map[string][]string{
	"":           {"Burn blocks, newest first"},
	"872114":     {"burn block    872,114"},
	"3819050":    {"height        3,819,050"},
	"muneeb.btc": {"Name muneeb.btc", "owner      SP3XHES5990FYDV5BHB"},
	"SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token": {"Contract", "Read-only functions", "fungible"},
	"alice.btc": {"alice.btc"},
}

// Each line of README and of the guide that opens the explorer at something is opened.
func TestTheExplorerOpensAtWhatThePagesSay(t *testing.T) {
	t.Parallel()
	line := regexp.MustCompile(`(?m)^    chainscope( \S+)?( +#.*)?$`)
	tried := 0
	for _, page := range []string{"../../README.md", "../../docs/explorer.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range line.FindAllStringSubmatch(string(text), -1) {
			thing := strings.TrimSpace(found[1])
			if strings.HasPrefix(thing, "-") || isCommand(t, thing) {
				continue
			}
			shows, known := opened[thing]
			if !known {
				t.Errorf("%s opens %q, of which this test does not know what it shows", page, thing)
				continue
			}
			tried++
			args := []string{"--mock-freeze", "2026-11-23T06:45:00Z", "--mock-seed", "1", "--restore=false"}
			if thing != "" {
				args = append(args, thing)
			}
			s := open(t, 120, 40, args...)
			s.shows(shows...)
			s.quit()
		}
	}
	if tried < 6 {
		t.Errorf("%d lines were tried: the pages have changed their form", tried)
	}
}

func TestAThingOpensWhatTheBoxThatFindsThingsOpens(t *testing.T) {
	t.Parallel()
	for thing, shows := range map[string][]string{
		"0xbb94a42f0329341f8e8c8df10d97ab99a5d1a62526636f57a4bfdfcf62fd2f89": {"height        3,819,070"}, // a block's hash
		"3,819,050": {"height        3,819,050"},
		"btc":       {"Names › .btc", "250,000"},
		"usda":      {"Go to anything", "> usda", "▸ token     usda-token"},
		"muneeb":    {"Go to anything", "> muneeb", "▸ name      muneeb.btc"},
	} {
		s := open(t, 120, 40, "--mock-freeze", "2026-11-23T06:45:00Z", "--mock-seed", "1", thing)
		s.shows(shows...)
		if strings.HasPrefix(shows[0], "Go to") {
			s.press(escapeKey)
			s.press(escapeKey)
			s.hides("Go to anything")
		}
		s.quit()
	}
}
