package apiclient

import (
	"container/list"
	"encoding/json"
	"sync"
)

// cache holds decoded answers by URL. When it is full, the least recently used
// answer goes first. It starts no goroutine.
type cache struct {
	limit int64

	mu     sync.Mutex
	used   int64
	byURL  map[string]*list.Element
	recent *list.List
}

type cacheEntry struct {
	url string
	cachedAnswer
	size int64 // the entry's weight, see entrySize
}

// cachedAnswer is a cached value.
type cachedAnswer struct {
	etag  string
	value any
	raw   json.RawMessage
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, byURL: map[string]*list.Element{}, recent: list.New()}
}

// decodedFactor estimates the memory of an answer in multiples of its body: the
// body, its text, which the decoded strings share, and the records.
const decodedFactor = 3

// entrySize estimates the memory of an entry in bytes.
func entrySize(url, etag string, raw json.RawMessage) int64 {
	const overhead = 256
	return int64(len(raw))*decodedFactor + int64(len(url)+len(etag)) + overhead
}

// lookup returns the cached answer of a URL whose value fits, and makes it the most
// recently used.
func (c *cache) lookup(url string, fits func(v any) bool) (cachedAnswer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.byURL[url]
	if el == nil {
		return cachedAnswer{}, false
	}
	e := el.Value.(*cacheEntry)
	if !fits(e.value) {
		return cachedAnswer{}, false
	}
	c.recent.MoveToFront(el)
	return e.cachedAnswer, true
}

// store caches the answer of a URL in place of an older one. An answer larger
// than the whole cache is not kept.
func (c *cache) store(url string, a cachedAnswer) {
	e := &cacheEntry{url: url, cachedAnswer: a, size: entrySize(url, a.etag, a.raw)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.byURL[url]; old != nil {
		c.drop(old)
	}
	if e.size > c.limit {
		return
	}
	c.byURL[url] = c.recent.PushFront(e)
	c.used += e.size
	for c.used > c.limit {
		c.drop(c.recent.Back())
	}
}

// drop removes an entry. The caller must hold c.mu.
func (c *cache) drop(el *list.Element) {
	e := c.recent.Remove(el).(*cacheEntry)
	delete(c.byURL, e.url)
	c.used -= e.size
}
