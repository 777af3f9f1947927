package state

import "testing"

// What one program labels another one sees, by the version too.
func TestTwoProgramsSeeEachOthersLabels(t *testing.T) {
	dir := t.TempDir()
	var programs [2]*Store
	for i := range programs {
		var err error
		if programs[i], err = Open(Options{Dir: dir}); err != nil {
			t.Fatal(err)
		}
	}
	one, other := programs[0], programs[1]
	if _, err := one.SetLabel("SP1", "first"); err != nil {
		t.Fatal(err)
	}
	before := one.LabelsVersion()
	if all, err := other.SetLabel("SP2", "second"); err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if one.LabelsVersion() == before {
		t.Error("the version is the same")
	}
	if _, err := one.SetLabel("SP1", ""); err != nil {
		t.Fatal(err)
	}
	if all, err := other.Labels(); err != nil || len(all) != 1 || all["SP2"] != "second" {
		t.Errorf("%v (%v)", all, err)
	}
}
