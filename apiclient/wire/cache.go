package wire

import (
	"container/list"
	"encoding/json"
	"sync"
)

// Cache holds decoded answers by the URL and type of what was requested. When it is full, the least recently used
// answer goes first. It starts no goroutine.
type Cache struct {
	limit int64

	mu     sync.Mutex
	used   int64
	byKey  map[string]*list.Element
	recent *list.List
}

type cacheEntry struct {
	key string
	CachedAnswer
	size int64 // the entry's weight, see entrySize
}

// CachedAnswer is a cached value.
type CachedAnswer struct {
	ETag  string
	Value any
	Raw   json.RawMessage
}

// NewCache returns an empty cache of so many bytes.
func NewCache(limit int64) *Cache {
	return &Cache{limit: limit, byKey: map[string]*list.Element{}, recent: list.New()}
}

// decodedFactor estimates the memory of an answer in multiples of its body: the
// body, the decoded texts and the records.
const decodedFactor = 3

// entrySize estimates the memory of an entry in bytes.
func entrySize(key, etag string, raw json.RawMessage) int64 {
	const overhead = 256
	return int64(len(raw))*decodedFactor + int64(len(key)+len(etag)) + overhead
}

// Lookup returns a cached answer and makes it the most recently used.
func (c *Cache) Lookup(key string) (CachedAnswer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.byKey[key]
	if el == nil {
		return CachedAnswer{}, false
	}
	c.recent.MoveToFront(el)
	return el.Value.(*cacheEntry).CachedAnswer, true
}

// Store caches an answer in place of an older one. An answer larger than the whole cache
// is not kept.
func (c *Cache) Store(key string, a CachedAnswer) {
	e := &cacheEntry{key: key, CachedAnswer: a, size: entrySize(key, a.ETag, a.Raw)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.byKey[key]; old != nil {
		c.drop(old)
	}
	if e.size > c.limit {
		return
	}
	c.byKey[key] = c.recent.PushFront(e)
	c.used += e.size
	for c.used > c.limit {
		c.drop(c.recent.Back())
	}
}

// drop removes an entry. The caller must hold c.mu.
func (c *Cache) drop(el *list.Element) {
	e := c.recent.Remove(el).(*cacheEntry)
	delete(c.byKey, e.key)
	c.used -= e.size
}
