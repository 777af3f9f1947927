package apiclient

import (
	"container/list"
	"encoding/json"
	"sync"
)

// cache holds decoded answers by URL, the ones used longest ago first to go.
// Its bound counts bytes exactly and it needs no goroutine, which a general
// cache with a background policy could not promise.
type cache struct {
	limit int64

	mu     sync.Mutex
	used   int64
	byURL  map[string]*list.Element
	recent *list.List
	// blocks finds a block in the held answer that brought it last.
	blocks map[string]knownBlock
}

type knownBlock struct {
	from  *list.Element
	block *Block
}

type cacheEntry struct {
	url  string
	etag string
	// value is an Answer's value; size is what the entry is counted as.
	value any
	raw   json.RawMessage
	size  int64
	hold  []string
}

// held is an entry with its type.
type held[T any] struct {
	etag  string
	value T
	raw   json.RawMessage
}

func (held[T]) fresh(etag string, value T, raw json.RawMessage) held[T] {
	return held[T]{etag: etag, value: value, raw: raw}
}

func newCache(limit int64) *cache {
	return &cache{
		limit: limit, byURL: map[string]*list.Element{}, recent: list.New(),
		blocks: map[string]knownBlock{},
	}
}

// decodedFactor is what an answer weighs in memory, in bodies: the body, its
// text, which the decoded strings share, and the records.
const decodedFactor = 3

func lookup[T any](c *cache, url string) (held[T], bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.byURL[url]
	if el == nil {
		return held[T]{}, false
	}
	e := el.Value.(*cacheEntry)
	v, ok := e.value.(T)
	if !ok {
		return held[T]{}, false
	}
	c.recent.MoveToFront(el)
	return held[T]{etag: e.etag, value: v, raw: e.raw}, true
}

func store[T any](c *cache, url string, h held[T]) {
	e := &cacheEntry{
		url: url, etag: h.etag, value: h.value, raw: h.raw,
		size: int64(len(h.raw))*decodedFactor + int64(len(url)+len(h.etag)) + 256,
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.byURL[url]; old != nil {
		c.drop(old)
	}
	if e.size > c.limit {
		return
	}
	el := c.recent.PushFront(e)
	c.byURL[url] = el
	c.used += e.size
	for _, b := range blocksIn(e.value) {
		c.blocks[b.IndexBlockHash] = knownBlock{el, b}
		e.hold = append(e.hold, b.IndexBlockHash)
	}
	for c.used > c.limit {
		c.drop(c.recent.Back())
	}
}

// drop forgets an entry and the blocks nobody else brought since.
func (c *cache) drop(el *list.Element) {
	e := c.recent.Remove(el).(*cacheEntry)
	delete(c.byURL, e.url)
	c.used -= e.size
	for _, h := range e.hold {
		if c.blocks[h].from == el {
			delete(c.blocks, h)
		}
	}
}

// blocksIn lists the blocks of a value that tell which they are.
func blocksIn(value any) []*Block {
	var out []*Block
	add := func(b *Block) {
		if b.IndexBlockHash != "" {
			out = append(out, b)
		}
	}
	switch v := value.(type) {
	case Block:
		add(&v)
	case BlockList[Block]:
		for i := range v.Results {
			add(&v.Results[i])
		}
	}
	return out
}

// KnownBlock gives the block of an index block hash, which is what makes a
// block unique, from the answers still held; its canonical flag is as old as
// the answer. Answers are held when the server gave them an ETag.
func (c *Client) KnownBlock(indexBlockHash string) (Block, bool) {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	k, ok := c.cache.blocks[indexBlockHash]
	if !ok {
		return Block{}, false
	}
	return *k.block, true
}
