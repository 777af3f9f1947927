package mockserver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/wallet/stxtx"
)

// calendar holds what /v2/pox reports of epochs and contracts.
type calendar struct {
	Contract string `json:"contract_id"`
	Current  string `json:"current_epoch"`
	Height   int64  `json:"current_burnchain_block_height"`
	Epochs   []struct {
		ID    string `json:"epoch_id"`
		Start int64  `json:"start_height"`
		End   int64  `json:"end_height"`
	}
	Versions []struct {
		ID    string `json:"contract_id"`
		At    int64  `json:"activation_burnchain_block_height"`
		Cycle int64  `json:"first_reward_cycle_id"`
	} `json:"contract_versions"`
	SBTC     string `json:"pox_5_sbtc_contract"`
	Registry string `json:"pox_5_sbtc_registry_contract"`
}

func TestEveryRouteReportsTheEpochThatIsPlayed(t *testing.T) {
	for epoch, want := range map[string]struct {
		id, pox, clarity, sbtc string
		peer                   float64
	}{
		"":    {"Epoch40", "pox-5", "Clarity6", "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4", 0x18000010},
		"4.0": {"Epoch40", "pox-5", "Clarity6", "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4", 0x18000010},
		"3.4": {"Epoch34", "pox-4", "Clarity5", "", 0x1800000f},
		"3.3": {"Epoch33", "pox-4", "Clarity4", "", 0x1800000e},
	} {
		v := newVillage(t, func(c *Config) { c.Epoch = epoch })
		pox := read[calendar](t, get(v.s, "/v2/pox"))
		info := read[map[string]any](t, get(v.s, "/v2/info"))
		if pox.Current != want.id || pox.Contract != "SP000000000000000000002Q6VF78."+want.pox || pox.Epochs[len(pox.Epochs)-1].ID != want.id || pox.Versions[len(pox.Versions)-1].ID != pox.Contract {
			t.Errorf("--epoch %s: %+v", epoch, pox)
		}
		if want.sbtc != "" && (pox.SBTC != want.sbtc+".sbtc-token" || pox.Registry != want.sbtc+".sbtc-registry") || want.sbtc == "" && pox.SBTC+pox.Registry != "" {
			t.Errorf("--epoch %s: sBTC %q, %q", epoch, pox.SBTC, pox.Registry)
		}
		name := want.id[5:6] + "." + want.id[6:]
		if server := fmt.Sprint(info["server_version"]); !strings.HasPrefix(server, "stacks-node "+name+".") || info["peer_version"] != want.peer {
			t.Errorf("--epoch %s: %s, %v", epoch, server, info["peer_version"])
		}
		var token string
		for _, ft := range read[catalogBody](t, get(v.s, "/mock/v1/catalog")).FT {
			if ft.What == "full" {
				token = ft.Principal
			}
		}
		face := read[map[string]any](t, get(v.s, "/v2/contracts/interface/"+strings.Replace(token, ".", "/", 1)))
		if face["epoch"] != want.id || face["clarity_version"] != want.clarity {
			t.Errorf("--epoch %s: a contract of %v in %v", epoch, face["clarity_version"], face["epoch"])
		}
	}
}

// A client finds the epoch by the burn height, wherever the clock is.
func TestTheEpochThatIsPlayedHasBegunWhereverTheClockIs(t *testing.T) {
	for _, at := range []string{"2022-12-01T00:00:00Z", "2025-09-01T00:00:00Z", "2026-01-01T00:00:00Z", "2026-07-29T00:00:00Z", "2026-11-27T00:00:00Z", "2031-01-01T00:00:00Z"} {
		for _, epoch := range Epochs() {
			freeze, err := time.Parse(time.RFC3339, at)
			if err != nil {
				t.Fatal(err)
			}
			s, _ := newServer(t, Config{Seed: 1, Freeze: &freeze, Epoch: epoch})
			pox := read[calendar](t, get(s, "/v2/pox"))
			found := ""
			for i, e := range pox.Epochs {
				if i > 0 && (e.Start <= pox.Epochs[i-1].Start || pox.Epochs[i-1].End != e.Start) {
					t.Errorf("%s in %s: %+v after %+v", at, epoch, e, pox.Epochs[i-1])
				}
				if e.Start <= pox.Height && pox.Height < e.End {
					found = e.ID
				}
			}
			cycle := (pox.Height - pox.Epochs[1].Start) / 2100
			last := pox.Versions[len(pox.Versions)-1]
			if found != pox.Current || last.At > pox.Height || last.Cycle > cycle+1 {
				t.Errorf("%s in %s at %d: found %s, stacking by %+v in cycle %d", at, epoch, pox.Height, found, last, cycle)
			}
		}
	}
}

// Where mainnet is today an epoch begins where it began there.
func TestEpochsBeginWhereTheyBeganOnMainnet(t *testing.T) {
	freeze := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	s, _ := newServer(t, Config{Freeze: &freeze})
	pox := read[calendar](t, get(s, "/v2/pox"))
	var got []string
	for _, e := range pox.Epochs[2:] {
		got = append(got, fmt.Sprint(e.ID, " ", e.Start))
	}
	want := []string{
		"Epoch2_05 713000", "Epoch21 781551", "Epoch22 787651", "Epoch23 788240", "Epoch24 791551", "Epoch25 840360", "Epoch30 867867",
		"Epoch31 875000", "Epoch32 907740", "Epoch33 923222", "Epoch34 943333", "Epoch40 960230",
	}
	if !slices.Equal(got, want) || pox.Height < 977_000 || pox.Height > 979_000 {
		t.Errorf("at %d: %q", pox.Height, got)
	}
	got = nil
	for _, v := range pox.Versions {
		got = append(got, fmt.Sprint(strings.TrimPrefix(v.ID, "SP000000000000000000002Q6VF78."), " ", v.At, " ", v.Cycle))
	}
	if want := []string{"pox 666050 0", "pox-2 781551 56", "pox-3 791551 60", "pox-4 840360 84", "pox-5 960230 141"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestTheBurnHeightOfMainnetIsMetAtTheAnchorWhateverTheSeedAndThePace(t *testing.T) {
	freeze := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for seed := range uint64(5) {
		for _, burn := range []time.Duration{0, 20 * time.Second, time.Hour} {
			s, _ := newServer(t, Config{Seed: seed, BurnInterval: burn, Freeze: &freeze})
			if c := read[catalogBody](t, get(s, "/mock/v1/catalog")); c.Tip.Height != 1_000_000 || c.Tip.BurnHeight != 930_400 {
				t.Errorf("seed %d, %v: %+v", seed, burn, c.Tip)
			}
		}
	}
}

func TestAnAPIThatIsNamedAloneComesWithTheNetworkOfItsTime(t *testing.T) {
	for _, c := range []struct{ api, epoch, want, says string }{
		{"", "", "Epoch40", ""},
		{"8", "", "Epoch33", ""},
		{"9", "", "Epoch40", ""},
		{"sunset", "", "Epoch40", ""},
		{"v3", "", "Epoch40", ""},
		{"8", "3.4", "Epoch34", ""},
		{"8", "4.0", "Epoch40", "the API's 8.13.6 has never run in epoch 4.0; it is played all the same"},
		{"9", "3.4", "Epoch34", ""},
		{"v3", "3.3", "Epoch33", "the API's 9.8.0 has never run in epoch 3.3; it is played all the same"},
	} {
		var said []string
		s, err := New(Config{APIVersion: c.api, Epoch: c.epoch, Report: func(m string) { said = append(said, m) }})
		if err != nil {
			t.Fatal(err)
		}
		if got := read[calendar](t, get(s, "/v2/pox")).Current; got != c.want || strings.Join(said, "\n") != c.says {
			t.Errorf("--api-version %s --epoch %s: %s, %q", c.api, c.epoch, got, said)
		}
		_ = s.Close()
	}
	_, err := New(Config{Epoch: "4.1"})
	if err == nil || err.Error() != `--epoch: no epoch "4.1" that is played; it is one of 4.0, 3.4, 3.3` {
		t.Error(err)
	}
}

func TestADeployNamesAClarityThatTheEpochTakes(t *testing.T) {
	for epoch, newest := range map[string]byte{"4.0": 6, "3.4": 5, "3.3": 4} {
		v := newVillage(t, func(c *Config) { c.Epoch = epoch })
		for version := byte(0); version <= 7; version++ {
			deploy := stxtx.SmartContract{Name: fmt.Sprintf("c%d", version), Code: "(define-read-only (f) 1)", ClarityVersion: version}
			raw := v.bob.signed(t, v.bob.testnetTx(uint64(min(version, newest+1)), 500, deploy))
			if version > newest {
				if reason, data := refused(t, v.s, raw); reason != "SignatureValidation" || !strings.Contains(data, "epoch "+epoch) {
					t.Errorf("Clarity %d in %s: %s %s", version, epoch, reason, data)
				}
				continue
			}
			accepted(t, v.s, raw)
		}
		mine(t, v.s, 1)
		face := read[map[string]any](t, get(v.s, "/v2/contracts/interface/"+v.bob.address(false)+"/c0"))
		if want := fmt.Sprintf("Clarity%d", newest); face["clarity_version"] != want {
			t.Errorf("a deploy that names none in %s has %v, want %s", epoch, face["clarity_version"], want)
		}
	}
}
