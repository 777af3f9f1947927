package api

import (
	"testing"

	"chainscope/wallet/stxtx"
)

// The words of a condition of PoX are those of the published schema.
func TestConditionsOfPoXHaveTheWordsOfTheService(t *testing.T) {
	for code, want := range map[stxtx.ConditionCode]string{
		stxtx.PoXWillPerform: "performed", stxtx.PoXMayPerform: "maybe_performed", stxtx.PoXWillNotPerform: "not_performed",
	} {
		if got := postConditionOf(stxtx.PostCondition{Asset: stxtx.AssetPoX, Condition: code}); got.Type != "pox" || got.Condition != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}
