package burnblocks

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/apiclient/apitest"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// recorded replays what the real service answered.
func recorded(t *testing.T, tape string) *driver {
	t.Helper()
	return drive(t, uitest.Mock(t, mockserver.Config{Replay: "../../../mockserver/testdata/" + tape}), "mono")
}

func TestRecordedListingsAreShownAsTheyAre(t *testing.T) {
	for tape, heights := range map[string]string{"tape-epoch3": "burn-listings-epoch3", "tape-mainnet-2021": "burn-listings-mainnet-2021"} {
		t.Run(tape, func(t *testing.T) {
			var listings map[string]struct {
				Total   int64
				Results []apiclient.ListedBlock
			}
			d := recorded(t, tape)
			recording := readRecording(t, heights)
			if err := json.Unmarshal(recording, &listings); err != nil {
				t.Fatal(err)
			}
			for height, want := range listings {
				d.Open(nav.BurnBlockAtHeight(want.Results[0].BurnBlockHeight))
				l, ok := d.screen.one.value.Get()
				if !ok || l.total != want.Total || len(l.blocks) != len(want.Results) || fmt.Sprint(l.height) != height {
					t.Fatalf("burn block %s: %d of %d", height, len(l.blocks), l.total)
				}
				for i, b := range want.Results {
					if l.blocks[i].IndexBlockHash != b.IndexBlockHash || txs(&l.blocks[i]) != b.TxCount {
						t.Errorf("burn block %s, row %d: %+v", height, i, l.blocks[i])
					}
					d.Sees(text.Count(b.Height))
				}
				if raw := d.Screen.Subject().Raw; !strings.Contains(string(raw), want.Results[0].IndexBlockHash) || strings.Contains(string(raw), `"results"`) {
					t.Errorf("the raw JSON is %s", raw)
				}
			}
			uitest.Golden(t, tape+"-120x36", d2(t, tape).Frame(), 120, 36)
		})
	}
}

func readRecording(t *testing.T, name string) []byte {
	t.Helper()
	data, err := apitest.Recorded.ReadFile("recorded/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}
