package fault

import (
	"slices"
	"strings"
	"testing"
)

// FuzzPrefer reads anything as a Prefer header: what is taken is within the
// bounds of a rule, and is named in Preference-Applied.
func FuzzPrefer(f *testing.F) {
	for _, s := range []string{"code=503", "delay=800, fault=truncate", `Code="404"; wait=3`, "code=999,delay=-1,fault=", "respond-async", ",;=,"} {
		f.Add(s, "")
	}
	f.Add("code=503", "code=404")
	f.Fuzz(func(t *testing.T, first, second string) {
		plan := New(Options{}).Decide("GET", "/x", []string{first, second}, start)
		if plan.Status != 0 && !errorStatus(plan.Status) {
			t.Errorf("status %d", plan.Status)
		}
		if plan.Delay < 0 || plan.Kind != None && !slices.Contains(kinds(), plan.Kind) {
			t.Errorf("delay %v, fault %q", plan.Delay, plan.Kind)
		}
		if (plan.Status != 0) != strings.Contains(plan.Applied, "code=") || (plan.Kind != None) != strings.Contains(plan.Applied, "fault=") {
			t.Errorf("%+v", plan)
		}
	})
}
