package palette

import (
	"testing"

	"chainscope/tui/screen"
)

func TestTitlesComeBeforeOtherWords(t *testing.T) {
	all := []screen.Named{
		{Title: "other", Words: "mine"}, {Title: "remine"}, {Title: "to mine"}, {Title: "mine ten"}, {Title: "Mine"}, {Title: "nothing"},
	}
	for query, want := range map[string]string{
		"mine": "Mine,mine ten,to mine,remine,other,", "MINE t": "to mine,mine ten,other,", "zzz": "", "": "other,remine,to mine,mine ten,Mine,nothing,",
	} {
		got := ""
		for _, n := range matching(all, query) {
			got += n.Title + ","
		}
		if got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}
