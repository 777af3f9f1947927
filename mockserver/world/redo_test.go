package world

import (
	"errors"
	"path/filepath"
	"testing"

	"chainscope/mockserver/chain"
)

func TestGoingForwardAgainAfterGoingBack(t *testing.T) {
	w, _ := newTestWorld(t, frozen)
	path := filepath.Join(t.TempDir(), "state")
	file, err := OpenStateFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := w.Keep(file, NewHeader(chain.Params{}, 1, nil, "4.0")); err != nil {
		t.Fatal(err)
	}
	take := func(name string) {
		t.Helper()
		if _, _, err := w.Snapshot(name); err != nil {
			t.Fatal(err)
		}
	}
	height := func() int64 { return w.State().Tip().Height }
	if _, err := w.Redo(); !errors.Is(err, ErrNothingUndone) {
		t.Errorf("at first: %v", err)
	}
	take("a")
	must(t)(w.Mine(2))
	take("b")
	must(t)(w.Mine(3))
	must(t)(w.Revert("b"))
	must(t)(w.Revert("a"))
	if c := w.Course(); height() != 1_000_000 || c.At != "a" || c.Undone != 2 || len(c.Snapshots) != 1 {
		t.Errorf("back: %d %+v", height(), c)
	}
	must(t)(w.Redo())
	if c := w.Course(); height() != 1_000_002 || c.At != "b" || c.Undone != 1 || len(c.Snapshots) != 2 || c.Snapshots[1].Tip.Height != 1_000_002 {
		t.Errorf("once forward: %d %+v", height(), c)
	}
	must(t)(w.Redo())
	if c := w.Course(); height() != 1_000_005 || c.At != "" || c.Undone != 0 {
		t.Errorf("twice forward: %d %+v", height(), c)
	}
	if file, err = readStateFile(path); err != nil || len(file.Entries) != 4 {
		t.Fatalf("the state file: %v, %+v", err, file.Entries)
	}
	must(t)(w.Revert("a"))
	must(t)(w.Mine(1))
	if _, err := w.Redo(); !errors.Is(err, ErrNothingUndone) || height() != 1_000_001 {
		t.Errorf("after a change: %v, %d", err, height())
	}
	for range 2 * maxUndone {
		must(t)(w.Revert("a"))
	}
	if n := w.Course().Undone; n != maxUndone {
		t.Errorf("%d are kept", n)
	}
}
