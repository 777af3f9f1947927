package mockserver

import "testing"

// The status of API 8 and /v2/pox tell of one history of stacking.
func TestCoinsOfOlderContractsOfStackingAreReleasedOnABlockAfterTheirEpoch(t *testing.T) {
	s := anchored(t, version("8"))
	pox := read[struct {
		Epochs []struct {
			ID string `json:"epoch_id"`
			At int64  `json:"start_height"`
		}
	}](t, get(s, "/v2/pox"))
	at := map[string]int64{}
	for _, e := range pox.Epochs {
		at[e.ID] = e.At
	}
	status := read[map[string]any](t, get(s, "/extended"))
	for name, epoch := range map[string]string{"pox_v1_unlock_height": "Epoch21", "pox_v2_unlock_height": "Epoch22", "pox_v3_unlock_height": "Epoch25"} {
		if got, want := status[name], float64(at[epoch]+1); got != want || at[epoch] == 0 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
