package fork

import (
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"chainscope/wallet/c32"
)

// names says in words what a path reads. A value of the state is requested by the hash of its key
// (SHA-512/256), so it has a name only where its key can be guessed: from what its contract declares,
// and from the principals and values that were mentioned.
type names struct {
	mu         sync.Mutex
	known      map[string]string   // by the hash of the key
	tokens     map[string][]string // by contract
	maps       map[string][]string // by contract
	nfts       map[string][]string // non-fungible tokens by contract
	principals map[string]bool
	values     map[string]bool // hexadecimal, without 0x
	absent     map[string]bool // contracts that are not there
}

// mostMentioned bounds the principals and the values from which keys are guessed.
const mostMentioned = 200

// Mention notes principals, and values in hexadecimal, of which something is likely to be read.
func (s *Source) Mention(principals, values []string) {
	n := &s.names
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range principals {
		if len(n.principals) < mostMentioned && !n.principals[p] {
			n.principals = set(n.principals, p, true)
			n.learnKey("vm-account::"+p+"::19", "the STX balance of "+p)
			n.learnKey("vm-account::"+p+"::18", "the nonce of "+p)
			n.guess(slices.Collect(maps.Keys(n.tokens)), []string{p}, nil)
		}
	}
	for _, v := range values {
		if v = strings.TrimPrefix(v, "0x"); len(n.values) < mostMentioned && !n.values[v] {
			n.values = set(n.values, v, true)
			n.guess(slices.Collect(maps.Keys(n.maps)), nil, []string{v})
		}
	}
}

func set[K comparable, V any](m map[K]V, k K, v V) map[K]V {
	if m == nil {
		m = map[K]V{}
	}
	m[k] = v
	return m
}

// learnKey notes what a key of the state is.
func (n *names) learnKey(key, words string) {
	h := sha512.Sum512_256([]byte(key))
	n.known = set(n.known, hex.EncodeToString(h[:]), words)
}

// guess notes the keys of tokens and maps of contracts for principals and values.
func (n *names) guess(contracts, principals, values []string) {
	for _, c := range contracts {
		for _, p := range principals {
			for _, t := range n.tokens[c] {
				n.learnKey("vm::"+c+"::2::"+t+"::"+principalKey(p), fmt.Sprintf("the balance of %s in the token %s of %s", p, t, c))
			}
		}
		for _, v := range values {
			for _, m := range n.maps[c] {
				n.learnKey("vm::"+c+"::0::"+m+"::"+v, fmt.Sprintf("an entry of the map %s of %s", m, c))
			}
			for _, t := range n.nfts[c] {
				n.learnKey("vm::"+c+"::4::"+t+"::"+v, fmt.Sprintf("the owner of a token %s of %s", t, c))
			}
		}
	}
}

// principalKey writes a principal as it is in a key of a token, "" for none.
func principalKey(p string) string {
	address, name, contract := strings.Cut(p, ".")
	a, err := c32.ParseAddress(address)
	if err != nil {
		return ""
	}
	hash := strings.ReplaceAll(fmt.Sprint(a.Hash160), " ", ",")
	if contract {
		return fmt.Sprintf(`{"Contract":{"issuer":[%d,%s],"name":%q}}`, a.Version, hash, name)
	}
	return fmt.Sprintf(`{"Standard":[%d,%s]}`, a.Version, hash)
}

// learn notes what the declaration of a contract says of its keys.
func (n *names) learn(path string, a Answer) {
	contract, key := metadataOf(path)
	if strings.HasPrefix(key, "vm-metadata::9::") && a.Status == 404 {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.absent = set(n.absent, contract, true)
	}
	if key != "vm-metadata::9::contract" || a.Status != 200 {
		return
	}
	var body struct{ Data string }
	var declared struct {
		Context struct {
			Variables map[string]any `json:"meta_data_var"`
			Maps      map[string]any `json:"meta_data_map"`
			Tokens    map[string]any `json:"meta_ft"`
			NFTs      map[string]any `json:"meta_nft"`
		} `json:"contract_context"`
	}
	if json.Unmarshal(a.Body, &body) != nil || json.Unmarshal([]byte(body.Data), &declared) != nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for name := range declared.Context.Variables {
		n.learnKey("vm::"+contract+"::1::"+name, fmt.Sprintf("the variable %s of %s", name, contract))
	}
	for name := range declared.Context.Tokens {
		n.learnKey("vm::"+contract+"::3::"+name, fmt.Sprintf("the supply of the token %s of %s", name, contract))
	}
	n.tokens = set(n.tokens, contract, slices.Collect(maps.Keys(declared.Context.Tokens)))
	n.maps = set(n.maps, contract, slices.Collect(maps.Keys(declared.Context.Maps)))
	n.nfts = set(n.nfts, contract, slices.Collect(maps.Keys(declared.Context.NFTs)))
	n.guess([]string{contract}, slices.Collect(maps.Keys(n.principals)), slices.Collect(maps.Keys(n.values)))
}

// isAbsent reports whether a contract is not there, "" never.
func (n *names) isAbsent(contract string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.absent[contract]
}

// metadataOf returns the contract and the key of a path that reads what is known of a contract, "" for
// any other path.
func metadataOf(path string) (contract, key string) {
	route, _, _ := strings.Cut(path, "?")
	rest, ok := strings.CutPrefix(route, metadataRoute)
	parts := strings.SplitN(rest, "/", 3)
	if !ok || len(parts) < 3 {
		return "", ""
	}
	if key, err := url.PathUnescape(parts[2]); err == nil {
		parts[2] = key
	}
	return parts[0] + "." + parts[1], parts[2]
}

const (
	metadataRoute = "/v2/clarity/metadata/"
	marfRoute     = "/v2/clarity/marf/"
)

// kindsOfMetadata are the kinds of what a contract declares, by their numbers in keys.
var kindsOfMetadata = map[string]string{"5": "the map", "6": "the variable", "7": "the token", "8": "the non-fungible token"}

// of says what a path reads.
func (n *names) of(path string) string {
	route, _, _ := strings.Cut(path, "?")
	if contract, key := metadataOf(path); contract != "" {
		parts := strings.SplitN(key, "::", 3)
		switch {
		case key == "analysis":
			return "the types of " + contract
		case strings.HasSuffix(key, "::contract-src"):
			return "the source of " + contract
		case len(parts) == 3 && kindsOfMetadata[parts[1]] != "":
			return "the type of " + kindsOfMetadata[parts[1]] + " " + parts[2] + " of " + contract
		}
		return "the contract " + contract
	}
	last := route[strings.LastIndexByte(route, '/')+1:]
	switch {
	case strings.HasPrefix(route, marfRoute):
		n.mu.Lock()
		defer n.mu.Unlock()
		if words, known := n.known[last]; known {
			return words
		}
		return "the value of the state with the key hash " + last[:min(len(last), 16)]
	case route == "/v2/info":
		return "the height of the chain"
	case strings.HasPrefix(route, "/extended/v2/blocks/") && strings.Count(route, "/") == 4:
		return "the block " + last
	case strings.HasPrefix(route, "/v3/sortitions/burn_height/"):
		return "the burn block " + last
	case strings.HasPrefix(route, "/v2/accounts/"):
		return "the account " + last
	}
	return path
}
