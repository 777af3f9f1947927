package resource

import (
	"slices"
	"strconv"

	"chainscope/apiclient"
	"chainscope/wallet/clarity"
)

// Print is something that a contract printed.
type Print struct {
	*apiclient.ContractEvent
	words, what string
	made        []Field
}

// PrintOf takes apart what an event says that a contract printed.
func PrintOf(e *apiclient.ContractEvent) Print {
	p := Print{ContractEvent: e, words: e.Type}
	if e.Log == nil {
		p.made = p.makeFields()
		return p
	}
	p.words = e.Log.Value.Repr
	if len(e.Log.Value.Hex)/2 <= maxUnfolded {
		if v, err := clarity.DecodeHex(e.Log.Value.Hex); err == nil {
			p.words, p.what = clarity.Repr(v), happening(v)
		}
	}
	p.made = p.makeFields() // once: values can be large
	return p
}

// ID tells prints apart.
func (p Print) ID() string {
	id := p.TxID + ":"
	if p.Index != nil {
		id += strconv.FormatInt(*p.Index, 10)
	}
	return id
}

// happenings hold what contracts call the entry of a tuple that says what happened.
var happenings = []string{"event", "topic", "op", "action", "notification", "type"}

// happening returns the text of such an entry of a print, "" where it has none.
func happening(v clarity.Value) string {
	_, v = wrapped(v)
	tuple, _ := v.(clarity.Tuple)
	for _, name := range happenings {
		at := slices.IndexFunc(tuple.Fields, func(f clarity.Field) bool { return f.Name == name })
		if at < 0 {
			continue
		}
		switch words := tuple.Fields[at].Value.(type) {
		case clarity.ASCII:
			return string(words)
		case clarity.UTF8:
			return string(words)
		}
	}
	return ""
}

// Prints describes what contracts print.
func Prints() Kind[Print] {
	return Kind[Print]{Name: "print", Fields: func(p Print) []Field { return p.made }, Columns: []Column[Print]{
		{Name: "what", Head: "WHAT", Least: 8, Most: 12, Keep: 6, Blank: true, Value: func(p Print) Value { return TextOf(p.what) }},
		{Name: "value", Field: "repr", Head: "PRINTED", Least: 24, Most: 200, Keep: 9, Value: func(p Print) Value { return TextOf(p.words) }},
		{Name: "tx", Field: "tx_id", Head: "TRANSACTION", Type: Hash, Least: 13, Most: 14, Keep: 7, Value: func(p Print) Value { return TextOf(p.TxID) }},
		{Name: "event", Field: "event_index", Head: "EVENT", Type: Number, Least: 5, Most: 5, Keep: 4, Style: Muted, Value: func(p Print) Value { return NumberAt(p.Index) }},
		{Name: "topic", Field: "topic", Value: func(p Print) Value { return TextOf(p.log().Topic) }},
	}}
}

// log returns what was printed, empty for an event of another kind.
func (p Print) log() apiclient.ContractLog {
	if p.Log == nil {
		return apiclient.ContractLog{}
	}
	return *p.Log
}

// makeFields makes the fields of a print.
func (p Print) makeFields() []Field {
	log := p.log()
	fields := []Field{
		{Section: "Print"},
		{Label: "transaction", Type: Hash, Value: TextOf(p.TxID), Key: "t", To: transactionPlace(p.TxID).Link()},
		{Label: "event", Type: Number, Value: NumberAt(p.Index)},
		{Label: "topic", Value: TextOf(brief(log.Topic))},
		{Label: "contract", Type: Principal, Value: TextOf(brief(log.ContractID)), Key: "h", To: accountPlace(log.ContractID).Link()},
	}
	if p.Log == nil {
		return append(fields, Field{Label: "type", Value: TextOf(brief(p.Type))})
	}
	return append(append(fields, Field{Section: "Value"}), clarityFields("value", "", log.Value, maxParts)...)
}
