package mockserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// A call that answers an error is compared with its post-conditions in every mode: nothing
// was sent. The forecast says the same before.
func TestACallThatAnswersAnErrorIsComparedWithItsConditions(t *testing.T) {
	d := newTrade(t, Config{})
	token, light := asset(t, usda), asset(t, lights)
	codes := map[stxtx.ConditionCode]func(n uint64) bool{ // whether nothing fulfils it
		stxtx.SentEqual: func(n uint64) bool { return n == 0 }, stxtx.SentGreater: func(uint64) bool { return false },
		stxtx.SentGreaterOrEqual: func(n uint64) bool { return n == 0 }, stxtx.SentLess: func(n uint64) bool { return n > 0 },
		stxtx.SentLessOrEqual: func(uint64) bool { return true },
	}
	type row struct {
		condition stxtx.PostCondition
		holds     bool
	}
	var rows []row
	for code, holds := range codes {
		for _, n := range []uint64{0, 1, 5} {
			rows = append(rows, row{stxtx.PostCondition{Asset: stxtx.AssetFT, Condition: code, Amount: n, Token: token}, holds(n)},
				row{stxtx.PostCondition{Asset: stxtx.AssetSTX, Condition: code, Amount: n}, holds(n)})
		}
	}
	for code, holds := range map[stxtx.ConditionCode]bool{stxtx.NFTSent: false, stxtx.NFTNotSent: true, stxtx.NFTMaybeSent: true} {
		rows = append(rows, row{stxtx.PostCondition{Asset: stxtx.AssetNFT, Condition: code, Token: light, TokenID: clarity.NewUInt(7)}, holds})
	}
	for i, r := range rows {
		mode := []stxtx.PostConditionMode{stxtx.ModeAllow, stxtx.ModeDeny, stxtx.ModeOriginator}[i%3]
		name := fmt.Sprintf("%s %+v", mode, r.condition)
		want := "abort_by_response"
		if !r.holds {
			want = "abort_by_post_condition"
		}
		tx := d.sends(0, 1, 1_000_000)
		tx.PostConditionMode, tx.PostConditions = mode, []stxtx.PostCondition{r.condition}
		var forecast struct {
			Status     string
			Conditions []struct{ Holds bool } `json:"post_conditions"`
		}
		raw := fmt.Sprintf(`{"tx":"%x"}`, d.people[0].signed(t, tx))
		if w := post(d.s, "/mock/v1/forecast", "application/json", []byte(raw)); json.Unmarshal(w.Body.Bytes(), &forecast) != nil ||
			forecast.Status != want || len(forecast.Conditions) != 1 || forecast.Conditions[0].Holds != r.holds {
			t.Errorf("%s: the forecast is %s", name, w.Body)
		}
		m := d.mined(0, tx)
		if m.Status != want || m.Result.Repr != "(err u1)" || m.Count != 0 || (m.Error != nil) == r.holds {
			t.Errorf("%s: it ends as %+v, want %s", name, m, want)
		}
		var why outcome.Why
		if err := json.Unmarshal(get(d.s, "/mock/v1/tx/0x"+d.last+"/why").Body.Bytes(), &why); err != nil {
			t.Fatal(err)
		}
		if !r.holds && (why.Certainty != "fact" || why.Condition == "" || !strings.Contains(why.Sentence, "(err u1)") || strings.Contains(why.Fix, "require instead")) {
			t.Errorf("%s: why: %+v", name, why)
		}
	}
}
