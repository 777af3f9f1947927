package provider

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Model describes a wallet as pages meet it. It is a table, so that a new
// release of a wallet changes data and no code.
type Model struct {
	ID      string // in the registry, a dotted path on window
	Name    string
	Version string // of the wallet that is played
	Source  string // where its behavior was read
	Traits  Traits
	// Rejects says that the provider rejects with the envelope of an error; the
	// others resolve with it.
	Rejects bool
	// Globals are the names on window where pages look for the wallet, beside
	// its id. They are set only where no other wallet has set them.
	Globals []string
	// Listen says which function takes listeners of events: "addListener",
	// "listen", both or none.
	Listen []string
	// Unsupported is the message of an unknown method; %q is its name.
	Unsupported string
	// NeedsParams says that a method with params is refused without any.
	NeedsParams bool
	// Strict refuses params that a method does not take. Otherwise they are
	// ignored, as the wallet does, and the description names them.
	Strict bool

	methods map[string]methodModel
}

// methodModel is what a wallet makes of one method.
type methodModel struct {
	// takes are the params that are read, separated by blanks; "*" leaves it to the
	// signer, which refuses what it does not know.
	takes string
	// as is the signer's method; "" is the one of the same name.
	as string
	// permission says that the page must have connected first.
	permission bool
	// silent methods answer without a prompt.
	silent bool
	// params changes the params to those of the signer's method; nil leaves them.
	params func(m *Mock, c *call) error
	// answer changes the result; nil leaves it.
	answer func(m *Mock, c *call, result json.RawMessage) (json.RawMessage, error)
	// own answers without the signer.
	own func(m *Mock, c *call) (json.RawMessage, error)
	// array methods take an array, which is handed on as it is.
	array bool
}

// Model returns the table of the wallet that is played.
func (p Personality) Model() *Model {
	if m, known := models[p]; known {
		return m
	}
	return models[PlayChainscope]
}

// Methods returns the names of all methods that the wallet answers, sorted.
func (m *Model) Methods() []string { return slices.Sorted(maps.Keys(m.methods)) }

// Silent reports whether a method is answered without a prompt.
func (m *Model) Silent(method string) bool { return m.methods[method].silent }

// Has reports whether the wallet answers a method.
func (m *Model) Has(method string) bool {
	_, known := m.methods[method]
	return known
}

// names returns the params that are read.
func (m methodModel) names() []string { return strings.Fields(m.takes) }
