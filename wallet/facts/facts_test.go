package facts

import (
	"fmt"
	"strings"
	"testing"
)

// The rows are those of the releases that they name, written down a second time.
func TestTheNetworkIsAsItsReleasesSay(t *testing.T) {
	want := strings.Split(strings.TrimSpace(`
1.0 Epoch10 0 0 clarity1 pox 0/0
2.0 Epoch20 666050 0 clarity1 pox 7750/7750
2.05 Epoch2_05 713000 5 clarity1 pox 15000/15000
2.1 Epoch21 781551 6 clarity2 pox-2 15000/15000
2.2 Epoch22 787651 7 clarity2 pox-2 15000/15000
2.3 Epoch23 788240 8 clarity2 pox-2 15000/15000
2.4 Epoch24 791551 9 clarity2 pox-3 15000/15000
2.5 Epoch25 840360 10 clarity2 pox-4 15000/15000
3.0 Epoch30 867867 11 clarity3 pox-4 15000/15000
3.1 Epoch31 875000 12 clarity3 pox-4 15000/15000
3.2 Epoch32 907740 13 clarity3 pox-4 15000/15000
3.3 Epoch33 923222 14 clarity4 pox-4 15000/15000
3.4 Epoch34 943333 15 clarity5 pox-4 15000/15000
4.0 Epoch40 960230 16 clarity6 pox-5 30000/15000`), "\n")
	if len(Epochs) != len(want) {
		t.Fatalf("%d epochs, want %d", len(Epochs), len(want))
	}
	for i, e := range Epochs {
		got := fmt.Sprintf("%s %s %d %d clarity%d %s %d/%d", e.Name, e.ID, e.Start, e.Peer, e.Clarity, e.PoX, e.Limit.ReadCount, e.Limit.WriteCount)
		if got != want[i] || e.From == "" {
			t.Errorf("%s (%s), want %s", got, e.From, want[i])
		}
	}
	limit := Current().Limit
	if limit.ReadLength != 200_000_000 || limit.Runtime != 5_000_000_000 || limit.WriteLength != 15_000_000 {
		t.Errorf("%+v", limit)
	}
}

func TestEachReleaseOfTheAPINamesTheEpochsOfItsTime(t *testing.T) {
	want := []string{"8 v8.13.6 [3.3 3.4]", "9 v9.0.2 [4.0 3.4]", "sunset v9.0.2 [4.0]", "v3 v9.8.0 [4.0]"}
	for i, r := range Releases {
		if got := fmt.Sprintf("%s %s %v", r.Flag, r.Version, r.Epochs); got != want[i] || r.From == "" {
			t.Errorf("%s, want %s", got, want[i])
		}
		for _, name := range r.Epochs {
			if _, known := EpochOf(name); !known {
				t.Errorf("%s names epoch %s", r.Flag, name)
			}
		}
	}
	if fmt.Sprint(Playable) != "[4.0 3.4 3.3]" || DefaultRelease != "9" || Current().Name != "4.0" {
		t.Errorf("%v, %s in %s", Playable, DefaultRelease, Current().Name)
	}
}

func TestTheNetworksOwnContractsAreNamed(t *testing.T) {
	for got, want := range map[string]string{
		strings.Join(Offered(false), " "): "SP000000000000000000002Q6VF78.pox-5 SP000000000000000000002Q6VF78.bns",
		strings.Join(Offered(true), " "):  "ST000000000000000000002AMW42H.pox-5 ST000000000000000000002AMW42H.bns",
		SBTC(false):                       "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4",
		SBTC(true):                        "ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT",
		Current().Server():                "stacks-node 4.0.0.0.0",
		fmt.Sprint(Cycle(false)):          "2100 100",
		fmt.Sprint(Cycle(true)):           "1050 50",
		fmt.Sprint(Unlocks):               "[2.1 2.2 2.5]",
		fmt.Sprint(PoX5, BondLength, BondGap, MostCycles, LeastSigner): "pox-512 2 96 50000000000",
		fmt.Sprint(BurnIn2026, FirstBurnBlock, SupplyIn2050):           "930400 666050 2318000000000000",
		BNS2(false) + " " + BNS2(true):                                 "SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2 ST2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D9SZJQ0M.BNS-V2",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
