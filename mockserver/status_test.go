package mockserver

import "testing"

// The status and /v2/pox tell of one history of stacking.
func TestStackingIsUnlockedWhenTheNextContractTakesOver(t *testing.T) {
	s := anchored(t)
	pox := read[struct {
		Versions []struct {
			At int64 `json:"activation_burnchain_block_height"`
		} `json:"contract_versions"`
	}](t, get(s, "/v2/pox"))
	status := read[map[string]any](t, get(s, "/extended"))
	for i, name := range []string{"pox_v1_unlock_height", "pox_v2_unlock_height", "pox_v3_unlock_height"} {
		if got, want := status[name], float64(pox.Versions[i+1].At+1); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
