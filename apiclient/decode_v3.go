package apiclient

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// guess describes how records of v3 are read as those of REST. For blocks it is a guess: no
// published document has the fields of v3's routes of blocks, so these are the words that
// its other routes use for the same things.
type guess struct {
	// names are REST's names of fields by those of v3.
	names map[string]string
	// objects have fields that are in the record itself in REST: what goes before
	// their names there.
	objects map[string]string
	// needs are fields of which a record must have one, unless there are none.
	needs []string
}

var blockGuess = guess{
	names: map[string]string{
		"block_height": "height", "block_hash": "hash", "time": "block_time", "time_iso": "block_time_iso",
		"index_hash": "index_block_hash", "parent_hash": "parent_block_hash",
		"parent_index_hash": "parent_index_block_hash", "parent_block_index_hash": "parent_index_block_hash",
		"miner_tx_id": "miner_txid", "transaction_count": "tx_count",
	},
	objects: map[string]string{
		"block": "", "bitcoin_block": "burn_block_", "burn_block": "burn_block_",
		"parent": "parent_block_", "parent_block": "parent_block_", "execution_cost": "execution_cost_",
	},
	needs: []string{"height", "hash", "index_block_hash"},
}

var burnBlockGuess = guess{
	names: map[string]string{
		"height": "burn_block_height", "hash": "burn_block_hash", "time": "burn_block_time", "time_iso": "burn_block_time_iso",
		"block_height": "burn_block_height", "block_hash": "burn_block_hash", "block_time": "burn_block_time",
		"tx_count": "total_tx_count", "transaction_count": "total_tx_count",
		"block_count": "stacks_block_count", "stacks_blocks_count": "stacks_block_count",
	},
	objects: map[string]string{"bitcoin_block": ""},
	needs:   []string{"burn_block_height", "burn_block_hash"},
}

// lenientV3 describes how answers of v3's routes of blocks are read. A block that does not say
// whether it is canonical is taken for canonical, since these routes serve the canonical
// chain; see Lacks.
var lenientV3 = leniently(0,
	guessed(blockGuess, lenient, func(b *Block, lacks Lacks, strange map[string]json.RawMessage) {
		b.Canonical, b.Lacks, b.Extra = b.Canonical || lacks["canonical"], lacks, joined(b.Extra, strange)
	}),
	guessed(blockGuess, lenient, func(b *ListedBlock, lacks Lacks, strange map[string]json.RawMessage) {
		b.Canonical, b.Lacks, b.Extra = b.Canonical || lacks["canonical"], lacks, joined(b.Extra, strange)
	}),
	guessed(burnBlockGuess, lenient, func(b *BurnBlock, lacks Lacks, strange map[string]json.RawMessage) {
		b.Lacks, b.Extra = lacks, joined(b.Extra, strange)
	}),
	guessed(transactionNames, payloadsV3, func(t *Transaction, lacks Lacks, strange map[string]json.RawMessage) {
		t.Lacks, t.Extra = lacks, joined(t.Extra, strange)
	}),
	guessed(eventNames, payloadsV3, func(e *Event, _ Lacks, strange map[string]json.RawMessage) {
		e.Type, e.Extra = cmp.Or(eventTypes[e.Type], e.Type), joined(e.Extra, strange)
	}),
	guessed(stxBalanceNames, lenient, func(b *STXBalance, _ Lacks, strange map[string]json.RawMessage) {
		b.Locked, b.Extra = cmp.Or(b.Locked, "0"), joined(b.Extra, strange) // null where nothing is locked
	}),
	guessed(nonceNames, lenient, func(n *Nonces, _ Lacks, strange map[string]json.RawMessage) { n.Extra = joined(n.Extra, strange) }))

// guessed reads records of v3; what is inside of them is read by inner. It passes on what
// they lack, and the fields that have a value of an unexpected type, which are taken as
// unknown.
func guessed[T any](g guess, inner jsonv2.Options, finish func(v *T, lacks Lacks, strange map[string]json.RawMessage)) *jsonv2.Unmarshalers {
	return jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, v *T) error {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		fields, strange := map[string]json.RawMessage{}, map[string]json.RawMessage{}
		if !g.collect("", json.RawMessage(raw), fields) {
			return fmt.Errorf("want an object, found %s", kinds[raw.Kind()])
		}
		for again := true; again; {
			text, _ := jsonv2.Marshal(fields) // of what was read from JSON
			*v, err = decodeWith[T](text, inner)
			var where *decodeError
			if again = errors.As(err, &where); again {
				name, _, _ := strings.Cut(strings.ReplaceAll(where.Path, "[", "."), ".")
				if fields[name] == nil {
					return err
				}
				strange[name] = fields[name]
				delete(fields, name)
			}
		}
		if len(g.needs) > 0 && !slices.ContainsFunc(g.needs, func(name string) bool { return fields[name] != nil }) {
			return fmt.Errorf("the record has none of %s", strings.Join(g.needs, ", "))
		}
		finish(v, lacking(reflect.TypeFor[T](), fields), strange)
		return nil
	})
}

func joined(a, b map[string]json.RawMessage) map[string]json.RawMessage {
	if a == nil && len(b) > 0 {
		return b
	}
	maps.Copy(a, b)
	return a
}

// collect adds the fields of an object that are known, under REST's names. It returns
// false when raw is no object.
func (g guess) collect(before string, raw json.RawMessage, to map[string]json.RawMessage) bool {
	var members map[string]json.RawMessage
	if jsonv2.Unmarshal(raw, &members, lenient) != nil {
		return false
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		value, name := members[key], before+key
		if prefix, isObject := g.objects[name]; isObject && g.collect(prefix, value, to) || string(value) == "null" || string(value) == `""` {
			continue
		}
		other, renamed := g.names[name]
		if !renamed {
			to[name] = value // its own name goes before a guessed one
		} else if to[other] == nil {
			to[other] = value
		}
	}
	return true
}

// lacking returns the fields of a record that are not among those that it has.
func lacking(record reflect.Type, has map[string]json.RawMessage) Lacks {
	out := Lacks{}
	for _, field := range reflect.VisibleFields(record) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" && has[name] == nil {
			out[name] = true
		}
	}
	return out
}
