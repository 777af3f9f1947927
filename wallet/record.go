package wallet

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// recordVersion is the version written into a new record.
const recordVersion = "0.0.1"

// maxRecordHex bounds the stored text that is read: browsers keep no more than
// about ten million characters for a page.
const maxRecordHex = 10 << 20

// Record is the connection record: the addresses that wallets gave, kept under
// [keyAddresses] as lower-case hex of the UTF-8 JSON text. It holds no keys.
type Record struct {
	Addresses Addresses
	Version   string
	UpdatedAt time.Time       // milliseconds; zero when absent
	Raw       json.RawMessage // the JSON text as stored, unknown keys included
}

// Addresses are the addresses of a record by chain.
type Addresses struct {
	STX []AddressEntry `json:"stx"`
	BTC []AddressEntry `json:"btc"`
}

// AddressEntry is one address of a record. Which fields are filled depends on
// the wallet; Raw is the entry as the wallet gave it, without public keys.
type AddressEntry struct {
	Address     string          `json:"address"`
	Symbol      string          `json:"symbol,omitempty"`
	Type        string          `json:"type,omitempty"`
	Purpose     string          `json:"purpose,omitempty"`
	AddressType string          `json:"addressType,omitempty"`
	Raw         json.RawMessage `json:"-"`
}

// MarshalJSON returns the record as it is stored.
func (r *Record) MarshalJSON() ([]byte, error) {
	if r == nil || r.Raw == nil {
		return []byte("null"), nil
	}
	return r.Raw, nil
}

// Connected reports whether the record has an address.
func (r *Record) Connected() bool {
	return r != nil && len(r.Addresses.STX)+len(r.Addresses.BTC) > 0
}

// errNoRecord holds what an empty storage decodes to.
var errNoRecord = errors.New("nothing is stored")

// parseRecord reads a stored record: hex of UTF-8 JSON, with an object that
// has an object addresses. Unknown keys are kept in Raw.
func parseRecord(stored string) (*Record, error) {
	o, err := decodeRecord(stored)
	if err != nil {
		return nil, err
	}
	raw, err := write(o)
	if err != nil {
		return nil, err
	}
	r := &Record{Raw: raw}
	r.Version, _ = o.values["version"].(string)
	if n, ok := o.values["updatedAt"].(json.Number); ok {
		if ms, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			r.UpdatedAt = time.UnixMilli(ms)
		}
	}
	if addresses, ok := o.values["addresses"].(*object); ok {
		r.Addresses.STX = entries(addresses.values["stx"])
		r.Addresses.BTC = entries(addresses.values["btc"])
	}
	return r, nil
}

func decodeRecord(stored string) (*object, error) {
	if stored == "" {
		return nil, errNoRecord
	}
	if len(stored) > maxRecordHex {
		return nil, fmt.Errorf("the stored record has %d characters, at most %d are read", len(stored), maxRecordHex)
	}
	text, err := hex.DecodeString(stored)
	if err != nil {
		return nil, fmt.Errorf("the stored record is not hex: %w", err)
	}
	if !utf8.Valid(text) {
		return nil, errors.New("the stored record is not UTF-8")
	}
	v, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("the stored record is not JSON: %w", err)
	}
	o, ok := v.(*object)
	if !ok {
		return nil, errors.New("the stored record is not a JSON object")
	}
	return o, nil
}

func entries(v any) []AddressEntry {
	list, _ := v.([]any)
	out := make([]AddressEntry, 0, len(list))
	for _, item := range list {
		o, ok := item.(*object)
		if !ok {
			continue
		}
		var e AddressEntry
		e.Address, _ = o.values["address"].(string)
		e.Symbol, _ = o.values["symbol"].(string)
		e.Type, _ = o.values["type"].(string)
		e.Purpose, _ = o.values["purpose"].(string)
		e.AddressType, _ = o.values["addressType"].(string)
		e.Raw, _ = write(o)
		out = append(out, e)
	}
	return out
}

// mergeRecord adds the addresses of a wallet's answer to the stored record, as
// the library does: payment addresses first, those that begin with S to stx and
// all others to btc, old and new joined and made unique by address. The first
// position stays, the later entry wins; public keys and paths are left out.
//
// The first error is an exception that reaches the caller. Whatever goes wrong
// after the addresses were sorted is a reason to store nothing, given as the
// second error.
func mergeRecord(stored *object, addresses any, now time.Time) (merged *object, exception, failure error) {
	stx, btc, exception := sortAddresses(addresses)
	if exception != nil {
		return nil, exception, nil
	}
	if stored == nil {
		stored = emptyRecord()
	}
	current, ok := stored.values["addresses"].(*object)
	if !ok {
		return nil, nil, errors.New("the stored record has no addresses")
	}
	oldSTX, okSTX := current.values["stx"].([]any)
	oldBTC, okBTC := current.values["btc"].([]any)
	if !okSTX || !okBTC {
		return nil, nil, errors.New("the stored record has no lists of addresses")
	}
	joined := current.clone()
	joined.set("stx", unique(oldSTX, stx))
	joined.set("btc", unique(oldBTC, btc))
	merged = stored.clone()
	merged.set("updatedAt", json.Number(strconv.FormatInt(now.UnixMilli(), 10)))
	merged.set("addresses", joined)
	return merged, nil, nil
}

// emptyRecord returns the record of a page that has connected to no wallet.
func emptyRecord() *object {
	lists := newObject()
	lists.set("stx", []any{})
	lists.set("btc", []any{})
	o := newObject()
	o.set("addresses", lists)
	o.set("version", recordVersion)
	return o
}

// sortAddresses splits the addresses of a wallet's answer into Stacks addresses
// and all others, payment addresses first. The error is the exception that the
// library throws.
func sortAddresses(addresses any) (stx, btc []any, exception error) {
	list, ok := addresses.([]any)
	if !ok {
		if addresses == nil {
			return nil, nil, cannotRead(nil, "slice")
		}
		if s, isString := addresses.(string); isString && s == "" {
			return nil, nil, typeError("addresses.slice(...).sort is not a function")
		}
		return nil, nil, typeError("addresses.slice is not a function")
	}
	var front, rest []any
	for _, item := range list {
		o, ok := item.(*object)
		if purpose, _ := valueOf(o, "purpose").(string); ok && purpose == "payment" {
			front = append(front, o)
			continue
		}
		rest = append(rest, item)
	}
	stx, btc = []any{}, []any{}
	for _, item := range append(front, rest...) {
		stacks, exception := isStacksAddress(item)
		switch {
		case exception != nil:
			return nil, nil, exception
		case stacks:
			stx = append(stx, item)
		default:
			btc = append(btc, item)
		}
	}
	return stx, btc, nil
}

// isStacksAddress reports whether the address of an entry begins with S.
func isStacksAddress(item any) (bool, error) {
	o, ok := item.(*object)
	if !ok {
		if item == nil {
			return false, cannotRead(nil, "address")
		}
		return false, cannotRead(Undefined{}, "startsWith")
	}
	address, there := o.get("address")
	switch address := address.(type) {
	case string:
		return strings.HasPrefix(address, "S"), nil
	case nil:
		if !there {
			return false, cannotRead(Undefined{}, "startsWith")
		}
		return false, cannotRead(nil, "startsWith")
	}
	return false, typeError("addr.address.startsWith is not a function")
}

func unique(older, newer []any) []any {
	position := map[string]int{}
	out := []any{}
	for _, item := range append(append([]any{}, older...), newer...) {
		o, ok := item.(*object)
		if !ok {
			continue
		}
		o = o.clone()
		for _, secret := range []string{"publicKey", "derivationPath", "tweakedPublicKey"} {
			o.delete(secret)
		}
		address := show(valueOf(o, "address"))
		if i, seen := position[address]; seen {
			out[i] = o
			continue
		}
		position[address] = len(out)
		out = append(out, o)
	}
	return out
}

// valueOf reads a member; a missing object or member is undefined.
func valueOf(o *object, key string) any {
	if o == nil {
		return Undefined{}
	}
	if v, there := o.get(key); there {
		return v
	}
	return Undefined{}
}
