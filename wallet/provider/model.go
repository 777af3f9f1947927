package provider

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"chainscope/wallet/signer"
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

	methods map[string]row
}

// row holds what a wallet makes of one method: what it renames, ignores and refuses.
type row struct {
	// params are the params that are read, separated by blanks; "*" leaves it to the
	// signer, which refuses what it does not know.
	params string
	signs  string // the signer's method; "" is the one of the same name
	// permission says that the page must have connected first.
	permission bool
	array      bool // the params are an array, which is passed on as it is

	needs, needsRule string            // a param that must be given, and what is said without it
	shapes           map[string]shape  // that params must have; "list[].name" is of the entries of a list
	refuses          map[string]string // params that are refused, with the reason
	drops            string            // params that are ignored although takes names them
	defaults         map[string]any    // the values of params that are not given
	networks         map[string]string // names of networks that are others for the signer
	title            string            // the param that names a network as sats-connect does
	fillZero         bool              // a fee or nonce of 0 in a given transaction is filled in
	descriptors      bool              // addresses come with descriptors
	versionless      bool              // a deploy that names no version of Clarity has none
	// check does what no data says; nil for nothing.
	check func(c *call) error

	members string // the members of the result that are answered, "" for all
	// answer changes the result; nil leaves it.
	answer func(m *Mock, c *call, result json.RawMessage) (json.RawMessage, error)
	// own answers without the signer.
	own func(m *Mock, c *call) (json.RawMessage, error)
}

// shape is a form of JSON: what it begins with, and what would be right.
type shape struct{ begins, rule string }

func (s shape) fits(raw json.RawMessage) bool { return strings.Contains(s.begins, string(raw[:1])) }

// Model returns the table of the wallet that is played.
func (p Personality) Model() *Model {
	if m, known := models()[p]; known {
		return m
	}
	return models()[PlayChainscope]
}

// Methods returns the names of all methods that the wallet answers, sorted.
func (m *Model) Methods() []string { return slices.Sorted(maps.Keys(m.methods)) }

// Has reports whether the wallet answers a method.
func (m *Model) Has(method string) bool {
	_, known := m.methods[method]
	return known
}

// Reads reports whether the wallet reads a param of a method; the others it ignores or
// refuses.
func (m *Model) Reads(method, param string) bool {
	row := m.methods[method]
	if row.params != "*" {
		return slices.Contains(row.names(), param)
	}
	taken, known := signer.Lookup(cmp.Or(row.signs, method))
	return known && taken.Accepts(param)
}

// FillsZero reports whether the wallet replaces a fee or nonce of 0 in a transaction that a method is given.
func (m *Model) FillsZero(method string) bool { return m.methods[method].fillZero }

// names returns the params that are read.
func (r row) names() []string { return strings.Fields(r.params) }
