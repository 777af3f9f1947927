package resource

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/wallet/clarity/abi"
)

// Contract is a contract, and its interface where it was read.
type Contract struct {
	*apiclient.Contract
	Face abi.Interface
	// Why reports why it is listed, "" for one that is not.
	Why string
	// Wrong reports why its interface cannot be read.
	Wrong error

	made []Field // fields, once they are made
}

// ContractOf reads the interface of a contract.
func ContractOf(c *apiclient.Contract) Contract {
	of := Contract{Contract: c}
	if raw := c.Interface(); raw != nil {
		of.Face, of.Wrong = abi.Parse(raw)
	}
	of.made = of.makeFields() // once: an interface can be large
	return of
}

// ListedAs returns the contract with the reason why it is listed.
func (c Contract) ListedAs(why string) Contract {
	c.Why = why
	c.made = c.makeFields()
	return c
}

// read reports whether all of it was read, and not only that there is one.
func (c Contract) read() bool { return c.Source != "" || c.ABI != nil }

// Contracts describes contracts.
func Contracts() Kind[Contract] {
	return Kind[Contract]{Name: "contract", Fields: Contract.fields, Columns: []Column[Contract]{
		{Name: "name", Head: "CONTRACT", Least: 16, Most: 40, Keep: 9, Value: func(c Contract) Value { return TextOf(contractName(c.ID)) }, Names: func(c Contract) string { return c.ID }},
		{Name: "address", Head: "OF", Type: Principal, Least: 11, Most: 41, Keep: 6, Value: func(c Contract) Value { return TextOf(strings.TrimSuffix(c.ID, "."+contractName(c.ID))) }},
		{Name: "why", Head: "LISTED AS", Least: 14, Most: 32, Keep: 7, Style: Muted, Value: func(c Contract) Value { return TextOf(c.Why) }},
		{Name: "contract", Field: "contract_id", Type: Principal, Value: func(c Contract) Value { return TextOf(c.ID) }},
		{Name: "functions", Type: Number, Value: func(c Contract) Value { return c.count(len(c.Face.Functions)) }},
		{Name: "lines", Type: Number, Value: func(c Contract) Value { return c.count(c.Lines()) }},
		{Name: "block", Field: "block_height", Type: Number, Value: func(c Contract) Value { return c.count(int(c.BlockHeight)) }},
		{Name: "clarity", Field: "clarity_version", Type: Number, Value: func(c Contract) Value { return NumberAt(c.ClarityVersion) }},
		{Name: "tx", Field: "tx_id", Type: Hash, Value: func(c Contract) Value { return TextOf(c.TxID) }},
	}}
}

func (c Contract) count(n int) Value {
	if !c.read() {
		return Value{}
	}
	return NumberOf(int64(n))
}

// Lines returns how many lines its source has.
func (c Contract) Lines() int {
	if c.Source == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(c.Source, "\n"), "\n") + 1
}

// fields returns all that is known of a contract, in sections.
func (c Contract) fields() []Field {
	if c.made != nil {
		return c.made
	}
	return c.makeFields()
}

// makeFields makes the fields; what can be done with a contract comes first.
func (c Contract) makeFields() []Field {
	fields := []Field{{Section: "Contract"}, {Label: "contract", Type: Principal, Value: TextOf(c.ID), Key: "h"}}
	if c.Wrong != nil {
		fields = append(fields, Field{Label: "interface", Value: TextOf(c.Wrong.Error()), Mark: Bad})
	}
	if c.Source != "" {
		fields = append(fields, Field{Label: "source", Value: TextOf(text.Plural(c.Lines(), "line") + ", " + text.Bytes(int64(len(c.Source)))), Exact: c.Source, Key: "s", To: nav.Source(c.ID).Link()})
	}
	if c.read() {
		fields = append(fields, c.functions("Read-only functions", abi.ReadOnly)...)
		fields = append(fields, c.functions("Public functions", abi.Public)...)
		fields = append(fields, c.state()...)
		fields = append(fields, c.tokens()...)
		fields = append(fields, c.traits()...)
		fields = append(fields, c.functions("Private functions", abi.Private)...)
	}
	if about := c.about(); len(about) > 0 {
		fields = append(append(fields, Field{Section: "About"}), about...)
	}
	return append(fields, extraFields(c.Extra)...)
}

// about returns the fields that say where it comes from.
func (c Contract) about() []Field {
	var fields []Field
	if c.Why != "" {
		fields = append(fields, Field{Label: "listed as", Value: TextOf(c.Why)})
	}
	if !c.read() {
		return fields
	}
	if id, err := nav.ParseHash(c.TxID); err == nil {
		fields = append(fields, Field{Label: "deployed by", Type: Hash, Value: TextOf(c.TxID), Key: "t", To: nav.Transaction(id).Link()})
	}
	if c.BlockHeight > 0 {
		fields = append(fields, Field{Label: "block", Type: Number, Value: NumberOf(c.BlockHeight), To: nav.BlockAtHeight(c.BlockHeight).Link()})
	}
	if version := cmp.Or(c.Face.ClarityVersion, clarityWords(c.ClarityVersion)); version != "" {
		fields = append(fields, Field{Label: "language", Value: TextOf(strings.TrimSpace(version + "  " + c.Face.Epoch))})
	}
	fields = append(fields, Field{Label: "its account", Value: TextOf("STX, tokens"), To: nav.Account(c.ID).Link(), LinkOnly: true})
	return append(fields,
		Field{Label: "its transactions", Value: TextOf("calls of it, and what concerns it"), To: nav.TransactionsOf(c.ID).Link(), LinkOnly: true},
		Field{Label: "its prints", Value: TextOf("what its functions printed"), To: nav.Prints(c.ID).Link(), LinkOnly: true})
}

// traitLine finds what a source says of traits: that it has one, uses one, or defines one.
var traitLine = regexp.MustCompile(`(?m)^\s*\((impl-trait|use-trait|define-trait)\s+([^\s()]+)(?:\s+([^\s()]+))?`)

// maxTraits limits how many traits are listed.
const maxTraits = 20

// traits returns the traits that its source mentions: an interface does not list them.
func (c Contract) traits() []Field {
	var fields []Field
	for _, m := range traitLine.FindAllStringSubmatch(c.Source[:min(len(c.Source), 200<<10)], maxTraits) {
		f := Field{Label: map[string]string{"impl-trait": "has", "use-trait": "uses", "define-trait": "defines"}[m[1]], Value: TextOf(m[2])}
		name := m[2]
		if m[1] == "use-trait" {
			f.Note, name = m[2], m[3]
			f.Value = TextOf(m[3])
		}
		// 'ADDRESS.contract.trait
		if last := strings.LastIndexByte(name, '.'); last > 0 {
			if of := strings.TrimPrefix(name[:last], "'"); apiclient.CheckPrincipal(of) == nil {
				f.To = nav.Contract(of).Link()
			}
		}
		if fields == nil {
			fields = []Field{{Section: "Traits"}}
		}
		fields = append(fields, f)
	}
	return fields
}

// maxListed bounds each list of a contract: no contract that the user writes has more.
const maxListed = 400

func moreFields(n int) Field {
	return Field{Label: "and more", Value: TextOf(text.Count(n) + " others, in the interface")}
}

// brief cuts words that no line has room for.
func brief(words string) string {
	const most = 800
	if len(words) <= most {
		return words
	}
	return strings.ToValidUTF8(words[:most], "") + text.Ellipsis
}

func clarityWords(version *int64) string {
	if version == nil {
		return ""
	}
	return "Clarity" + strconv.FormatInt(*version, 10)
}

// signatureWords returns the arguments of a function with their types.
func signatureWords(f *abi.Function) string {
	var b strings.Builder
	for i, a := range f.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(a.Name + " " + a.Type.String())
	}
	return b.String()
}

func (c Contract) functions(section string, access abi.Access) []Field {
	var fields []Field
	all := c.Face.Callable(access)
	for i, f := range all {
		if fields == nil {
			fields = []Field{{Section: section}}
		}
		if i == maxListed {
			return append(fields, moreFields(len(all)-i))
		}
		field := Field{Label: f.Name, Value: TextOf(brief(cmp.Or(signatureWords(&f), "()"))), Note: "returns " + brief(f.Outputs.Type.String()), Exact: f.Signature(), To: c.definition(f.Name).Link()}
		if access != abi.Private && apiclient.CheckName(f.Name) == nil {
			field.To = nav.Function(c.ID, f.Name).Link()
		}
		fields = append(fields, field)
	}
	return fields
}

// state returns the fields of its variables and maps.
func (c Contract) state() []Field {
	var fields []Field
	for _, access := range []abi.Access{abi.Mutable, abi.Constant} {
		n := 0
		for _, v := range c.Face.Variables {
			if v.Access != access {
				continue
			}
			if n++; n == 1 {
				fields = append(fields, Field{Section: map[abi.Access]string{abi.Mutable: "Variables", abi.Constant: "Constants"}[access]})
			}
			if n > maxListed {
				continue
			}
			fields = append(fields, c.stateField(v.Name, v.Type.String()))
		}
	}
	for i, m := range c.Face.Maps {
		if i == 0 {
			fields = append(fields, Field{Section: "Maps"})
		}
		if i == maxListed {
			return append(fields, moreFields(len(c.Face.Maps)-i))
		}
		f := c.stateField(m.Name, m.Key.String())
		f.Note = "holds " + brief(m.Value.String())
		fields = append(fields, f)
	}
	return fields
}

// stateField returns the field of a variable, a constant or a map.
func (c Contract) stateField(name, words string) Field {
	f := Field{Label: name, Value: TextOf(brief(words)), Exact: name, To: c.definition(name).Link()}
	if apiclient.CheckName(name) == nil {
		f.To = nav.Kept(c.ID, name).Link()
	}
	return f
}

// definition returns where a name is defined in the source.
func (c Contract) definition(name string) nav.Place {
	to := nav.Source(c.ID)
	to.Name = name
	return to
}

// tokens returns the fields of the tokens that it defines.
func (c Contract) tokens() []Field {
	var fields []Field
	add := func(name, words string, to nav.Place) {
		if len(fields) > maxListed {
			return
		}
		if fields == nil {
			fields = []Field{{Section: "Tokens"}}
		}
		fields = append(fields, Field{Label: name, Value: TextOf(words), Exact: c.ID + "::" + name, To: to.Link()})
	}
	for _, t := range c.Face.FungibleTokens {
		add(t.Name, "fungible", nav.FT(c.ID, ""))
	}
	for _, t := range c.Face.NonFungibleTokens {
		add(t.Name, "non-fungible, by "+t.Type.String(), nav.NFT(c.ID, "", ""))
	}
	return fields
}

// RefusedCall says in words why a node did not run a read-only call to its end.
func RefusedCall(function, cause string) string {
	const most = 600
	if len(cause) > most {
		cause = strings.ToValidUTF8(cause[:most], "") + text.Ellipsis
	}
	switch {
	case strings.Contains(cause, "NotReadOnly"):
		return function + " changes the chain: it takes a transaction"
	case strings.Contains(cause, "NoSuchContract"):
		return function + ": the node has no such contract: " + cause
	case strings.Contains(cause, "Unchecked("):
		return function + ": the node refuses the call: " + cause
	}
	return function + " ended with an error: " + cause
}
