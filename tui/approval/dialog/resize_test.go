package dialog

import (
	"testing"
	"time"
)

// Text that a larger window brings into view could not be read before.
func TestKeysWaitForTextThatAResizeBringsIntoView(t *testing.T) {
	for name, c := range map[string]struct {
		from, to [2]int
		waits    bool
	}{
		"higher":                   {[2]int{80, 16}, [2]int{80, 40}, true},
		"wider":                    {[2]int{60, 16}, [2]int{120, 16}, true},
		"readable again":           {[2]int{20, 6}, [2]int{80, 24}, true},
		"the same":                 {[2]int{80, 50}, [2]int{80, 50}, false},
		"lower":                    {[2]int{80, 40}, [2]int{80, 16}, false},
		"with room for all before": {[2]int{80, 50}, [2]int{80, 60}, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, mono, "mono", c.from[0], c.from[1])
			d.ask(transfer(t))
			d.wait(2 * time.Second)
			d.SetSize(c.to[0], c.to[1], d.now)
			d.wait(100 * time.Millisecond)
			if waits := d.press("a").Kind == None; waits != c.waits {
				t.Fatalf("keys wait: %t\n%s", waits, d.screen())
			}
			if !c.waits {
				return
			}
			for range 10 { // page by page
				d.wait(1100 * time.Millisecond)
				if d.press("a").Decision.Approved {
					return
				}
			}
			t.Errorf("it cannot be approved any more:\n%s", d.screen())
		})
	}
}

func TestKeysWaitAfterAResizeOfAScrolledDialog(t *testing.T) {
	d := open(t, mono, "mono", 80, 16)
	d.ask(transfer(t))
	d.wait(2 * time.Second)
	d.press("end")
	d.SetSize(80, 20, d.now)
	d.wait(100 * time.Millisecond)
	if d.press("a").Kind != None {
		t.Error("a resize brought lines above into view, and a key counted at once")
	}
}
