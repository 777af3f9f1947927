package remote

import (
	"context"
	"errors"
	"testing"
	"time"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestAValueGoesThroughItsStates(t *testing.T) {
	var v Value[int]
	ctx, k := v.Start(context.Background(), noon)
	if v.State() != Loading || !v.Busy() {
		t.Fatal(v.State())
	}
	if !v.Settle(k, 7, nil, noon) || v.State() != Ready || ctx.Err() == nil {
		t.Fatal("not ready, or its context continues", v.State())
	}
	_, k = v.Start(context.Background(), noon)
	if v.State() != Refreshing {
		t.Fatal(v.State())
	}
	down := errors.New("down")
	if !v.Settle(k, 0, down, noon) || v.State() != Failed {
		t.Fatal(v.State())
	}
	if got, ok := v.Get(); got != 7 || !ok || !errors.Is(v.Err(), down) {
		t.Errorf("a failed refresh kept %d %v %v", got, ok, v.Err())
	}
}

func TestAnAnswerThatIsNotCurrentIsDropped(t *testing.T) {
	var v Value[int]
	first, old := v.Start(context.Background(), noon)
	_, k := v.Start(context.Background(), noon)
	if first.Err() == nil {
		t.Error("the request before continues")
	}
	var other Value[int]
	other.Start(context.Background(), noon)
	_, ofOther := other.Start(context.Background(), noon)
	if v.Settle(old, 1, nil, noon) || v.Settle(ofOther, 1, nil, noon) {
		t.Error("a stale answer was taken, or one for another value")
	}
	v.Settle(k, 2, nil, noon)
	if v.Settle(k, 3, nil, noon) {
		t.Error("an answer was taken twice")
	}
	v.Reset()
	if _, ok := v.Get(); ok || v.State() != Idle {
		t.Error("reset keeps the value")
	}
	if _, again := v.Start(context.Background(), noon); again == k {
		t.Error("a key came twice")
	}
}

func TestCancelKeepsWhatWasThere(t *testing.T) {
	var v Value[string]
	ctx, _ := v.Start(context.Background(), noon)
	v.Cancel()
	if v.State() != Idle || ctx.Err() == nil {
		t.Fatal(v.State())
	}
	_, k := v.Start(context.Background(), noon)
	v.Settle(k, "x", nil, noon)
	v.Start(context.Background(), noon)
	v.Cancel()
	if got, _ := v.Get(); v.State() != Ready || got != "x" {
		t.Error(v.State(), got)
	}
}

// What was requested before the chain was replaced is old when it comes.
func TestWhatIsUnderWayWhenItExpiresIsOld(t *testing.T) {
	var v Value[int]
	_, k := v.Start(context.Background(), noon)
	v.Expire()
	if v.Settle(k, 7, nil, noon); !v.RequestedAt().IsZero() {
		t.Error("it counts as new")
	}
	_, k = v.Start(context.Background(), noon)
	if v.Settle(k, 0, errors.New("down"), noon); !v.RequestedAt().Equal(noon) {
		t.Error("a failure does not say when it was requested")
	}
}

func TestAPartOfAnAnswerStaysWhenTheRestFails(t *testing.T) {
	var v Value[string]
	_, k := v.Start(context.Background(), noon)
	if v.Partial(Key{of: k.of, gen: k.gen + 1}, "stale", noon) {
		t.Error("a part of another request was taken")
	}
	if !v.Partial(k, "half", noon) || v.State() != Refreshing {
		t.Errorf("after a part the value is %v", v.State())
	}
	if !v.Settle(k, "", errors.New("cut off"), noon) {
		t.Error("the end was not taken")
	}
	if got, ok := v.Get(); got != "half" || !ok || v.State() != Failed || v.Err() == nil {
		t.Errorf("got %q, %v, %v", got, v.State(), v.Err())
	}
	if v.Partial(k, "late", noon) {
		t.Error("a part came after the end")
	}
}
