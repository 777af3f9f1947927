package provider

import (
	"fmt"
	"strings"
)

// Personality is the kind of wallet that a mock wallet plays.
type Personality string

// The personalities.
const (
	PlayChainscope Personality = "chainscope" // a plain wallet that follows SIP-030
	PlayLeather    Personality = "leather"
	PlayXverse     Personality = "xverse"
)

// Personalities returns all of them, in the order in which they are offered.
func Personalities() []Personality { return []Personality{PlayChainscope, PlayLeather, PlayXverse} }

// ParsePersonality reads a name.
func ParsePersonality(name string) (Personality, error) {
	names := make([]string, 0, len(Personalities()))
	for _, p := range Personalities() {
		if string(p) == name {
			return p, nil
		}
		names = append(names, string(p))
	}
	return "", fmt.Errorf("unknown wallet %q: must be one of %s", name, strings.Join(names, ", "))
}

// Ids under which the mock wallets are in the registry. Leather and Xverse
// take their models' ids, where pages look for them.
const (
	ChainscopeID = "ChainscopeProvider"
	LeatherID    = "LeatherProvider"
	XverseID     = "XverseProviders.BitcoinProvider"
)

// ID returns the personality's id in the registry of wallets.
func (p Personality) ID() string { return p.Model().ID }
