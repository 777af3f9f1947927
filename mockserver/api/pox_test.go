package api

import (
	"encoding/json"
	"testing"

	"chainscope/wallet/facts"
)

// stackingState holds what the test of stacking reads.
type stackingState struct {
	ContractID  string `json:"contract_id"`
	CycleID     int64  `json:"reward_cycle_id"`
	NextCycleIn int64  `json:"next_reward_cycle_in"`
	MinAmount   int64  `json:"min_amount_ustx"`
	NextCycle   struct {
		ID           int64
		MinThreshold int64 `json:"min_threshold_ustx"`
		PrepareStart int64 `json:"prepare_phase_start_block_height"`
		UntilPrepare int64 `json:"blocks_until_prepare_phase"`
		RewardStart  int64 `json:"reward_phase_start_block_height"`
		UntilReward  int64 `json:"blocks_until_reward_phase"`
	} `json:"next_cycle"`
	Versions []struct {
		ContractID string `json:"contract_id"`
		Activation int64  `json:"activation_burnchain_block_height"`
	} `json:"contract_versions"`
}

func TestStackingAddsUpAtEveryHeight(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it")
	}
	const first = 666_050
	for _, testnet := range []bool{false, true} {
		length, prepare := int64(2100), int64(100)
		if testnet {
			length, prepare = 1050, 50
		}
		for height := int64(first + 13); height < first+320_000; height += 97 {
			var p stackingState
			if err := json.Unmarshal(eraAt(facts.Current(), height, 1).stacking(testnet, stackedNow, stackedNext).appendJSON(nil), &p); err != nil {
				t.Fatal(err)
			}
			left := length - (height-first)%length
			if p.CycleID != (height-first)/length || p.NextCycleIn != left || p.NextCycle.UntilReward != left || p.NextCycle.ID != p.CycleID+1 ||
				p.NextCycle.RewardStart != height+left || (p.NextCycle.RewardStart-first)%length != 0 ||
				p.NextCycle.UntilPrepare != left-prepare || p.NextCycle.PrepareStart != p.NextCycle.RewardStart-prepare || p.MinAmount != p.NextCycle.MinThreshold {
				t.Fatalf("at %d: %+v", height, p)
			}
			current := ""
			for _, v := range p.Versions {
				if v.Activation <= height {
					current = v.ContractID
				}
			}
			if p.ContractID != current {
				t.Fatalf("at %d the contract is %s, and the newest that is active %s", height, p.ContractID, current)
			}
		}
	}
}

// A young chain, on which contracts run, is in the epoch that is played from its beginning.
func TestANewChainIsInItsEpochFromTheBeginning(t *testing.T) {
	for _, name := range facts.Playable {
		played, _ := facts.EpochOf(name)
		for height := int64(1); height < 30; height++ {
			e := eraAt(played, height, 1)
			last := e.epochs[len(e.epochs)-1]
			if last.Name != name || last.Start != 0 || e.first() != 0 {
				t.Fatalf("%s at %d: %+v, the first cycle at %d", name, height, last, e.first())
			}
		}
	}
}
