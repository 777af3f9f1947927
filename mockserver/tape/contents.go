package tape

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Contents holds what the answers of a tape are about.
type Contents struct {
	TipHeight, TipBurnHeight int64 // of the highest canonical block, 0 without one
	Tokens                   []Token
	Namespaces               []Namespace
	Heights                  []Height // newest first
}

// Token is a recorded token; TokenID is "" for a fungible one.
type Token struct {
	Principal, TokenID string
	Locales            []string // never nil
}

// Namespace is a recorded namespace with the number of names that were seen.
type Namespace struct {
	Name  string
	Count int64
}

// Height is a Stacks block that was recorded by its burn block.
type Height struct{ Height, BurnHeight int64 }

type recordedBlock struct {
	Canonical  bool  `json:"canonical"`
	Height     int64 `json:"height"`
	BurnHeight int64 `json:"burn_block_height"`
}

// Contents reads the successful answers.
func (p *Player) Contents() Contents {
	c := collector{tokens: map[[2]string][]string{}, names: map[string]map[string]bool{}, heights: map[Height]bool{}}
	p.All(func(e *Exchange) {
		if u, err := url.Parse(e.Target); err == nil && e.Status == 200 {
			c.add(u, e.Body)
		}
	})
	return c.contents()
}

type collector struct {
	tip     recordedBlock
	tokens  map[[2]string][]string
	names   map[string]map[string]bool
	heights map[Height]bool
}

func (c *collector) add(u *url.URL, body []byte) {
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	switch {
	case strings.HasPrefix(u.Path, "/metadata/"):
		c.addToken(u, parts)
	case strings.HasPrefix(u.Path, "/v1/namespaces/") && len(parts) == 4:
		var names []string
		if json.Unmarshal(body, &names) == nil {
			c.addNames(parts[2], names)
		}
	case strings.Contains(u.Path, "/by_burn_block_"):
		var b recordedBlock
		if json.Unmarshal(body, &b) == nil {
			c.heights[Height{b.Height, b.BurnHeight}] = true
			c.addTip(b)
		}
	case strings.HasPrefix(u.Path, "/extended/"):
		var page struct {
			Results []recordedBlock `json:"results"`
		}
		if json.Unmarshal(body, &page) == nil {
			for _, b := range page.Results {
				c.addTip(b)
			}
		}
	}
}

func (c *collector) addTip(b recordedBlock) {
	if b.Canonical && b.Height > c.tip.Height {
		c.tip = b
	}
}

func (c *collector) addToken(u *url.URL, parts []string) {
	for i, part := range parts {
		rest := parts[i+1:]
		var key [2]string
		switch {
		case part == "ft" && len(rest) == 1:
			key = [2]string{rest[0]}
		case part == "nft" && len(rest) == 2:
			key = [2]string{rest[0], rest[1]}
		default:
			continue
		}
		locales := c.tokens[key]
		if code := u.Query().Get("locale"); code != "" && !slices.Contains(locales, code) {
			locales = append(locales, code)
		}
		c.tokens[key] = locales
		return
	}
}

func (c *collector) addNames(namespace string, names []string) {
	seen := c.names[namespace]
	if seen == nil {
		seen = map[string]bool{}
		c.names[namespace] = seen
	}
	for _, n := range names {
		seen[n] = true
	}
}

func (c *collector) contents() Contents {
	out := Contents{TipHeight: c.tip.Height, TipBurnHeight: c.tip.BurnHeight}
	for key, locales := range c.tokens {
		slices.Sort(locales)
		out.Tokens = append(out.Tokens, Token{key[0], key[1], append([]string{}, locales...)})
	}
	slices.SortFunc(out.Tokens, func(a, b Token) int {
		return cmp.Or(cmp.Compare(a.Principal, b.Principal), cmp.Compare(a.TokenID, b.TokenID))
	})
	for name, seen := range c.names {
		out.Namespaces = append(out.Namespaces, Namespace{name, int64(len(seen))})
	}
	slices.SortFunc(out.Namespaces, func(a, b Namespace) int { return cmp.Compare(a.Name, b.Name) })
	out.Heights = slices.SortedFunc(maps.Keys(c.heights), func(a, b Height) int {
		return cmp.Or(cmp.Compare(b.Height, a.Height), cmp.Compare(b.BurnHeight, a.BurnHeight))
	})
	return out
}
