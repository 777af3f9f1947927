package wire

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

func TestTheLeastRecentlyUsedAnswerLeavesTheCacheFirst(t *testing.T) {
	raw := json.RawMessage(strings.Repeat("x", 100))
	c := NewCache(3 * entrySize("/1", "", raw))
	put := func(url string) { c.Store(url, CachedAnswer{Value: 1, Raw: raw}) }
	put("/1")
	put("/2")
	put("/3")
	c.Lookup("/1")
	put("/4")
	for url, want := range map[string]bool{"/1": true, "/2": false, "/3": true, "/4": true} {
		if _, ok := c.Lookup(url); ok != want {
			t.Errorf("%s is held: %t, want %t", url, ok, want)
		}
	}
	// An answer that is stored again weighs once.
	put("/4")
	if c.used != 3*entrySize("/1", "", raw) {
		t.Errorf("%d bytes are counted", c.used)
	}
	c.Store("/5", CachedAnswer{Raw: make(json.RawMessage, 2000)})
	if _, ok := c.Lookup("/5"); ok || c.recent.Len() != 3 {
		t.Errorf("an answer larger than the cache was kept: %t, %d left", ok, c.recent.Len())
	}
}

func TestTheCacheKeepsToItsBytes(t *testing.T) {
	raw := json.RawMessage(strings.Repeat("x", 1000))
	c := NewCache(3*3*1000 + 2000)
	for i := range 10 {
		c.Store("/"+strconv.Itoa(i), CachedAnswer{Raw: raw})
	}
	if n := len(c.byKey); n != 3 || c.recent.Len() != 3 || c.used > c.limit {
		t.Errorf("%d answers, %d bytes of %d", n, c.used, c.limit)
	}
	for range 3 {
		c.drop(c.recent.Back())
	}
	if c.used != 0 {
		t.Errorf("empty, but %d bytes", c.used)
	}
}

func TestAnEntryWeighsItsBodyThreeTimesAndItsKeys(t *testing.T) {
	if n := entrySize("/12345", `"e"`, json.RawMessage("0123456789")); n != 3*10+6+3+256 {
		t.Errorf("%d bytes", n)
	}
}
