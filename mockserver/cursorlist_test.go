package mockserver

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Each page begins where the one before it ends, and the pages before it lead back.
func TestPagesAreWalkedByTheirCursors(t *testing.T) {
	v := newVillage(t, func(c *Config) { c.APIVersion = "9" })
	seen, cursor := []string{}, ""
	for range 4 {
		target := "/extended/v3/principals/" + v.alice.address(false) + "/transactions?limit=1&cursor=" + cursor
		var page struct {
			Total   int
			Cursor  struct{ Next, Previous, Current *string }
			Results []struct {
				Transaction struct {
					ID string `json:"tx_id"`
				}
			}
		}
		w := get(v.s, strings.TrimSuffix(target, "&cursor="))
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || len(page.Results) != 1 || page.Total != 4 {
			t.Fatalf("%s: %v %s", target, err, w.Body)
		}
		if seen = append(seen, page.Results[0].Transaction.ID); (page.Cursor.Previous == nil) != (len(seen) == 1) || (page.Cursor.Next == nil) != (len(seen) == 4) {
			t.Errorf("page %d leads to %s", len(seen), w.Body)
		}
		if page.Cursor.Next != nil {
			cursor = *page.Cursor.Next
		}
	}
	if want := []string{v.failed, v.paid, v.moved, v.deploy}; !slices.Equal(seen, want) {
		t.Errorf("walked %v, want %v", seen, want)
	}
}
