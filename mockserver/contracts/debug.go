package contracts

import (
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"

	"chainscope/wallet/clarity"
)

// A node puts types and values into the cause of a failed call as its own program
// has them. These functions write the same, after its fmt::Debug
// (stacks-core, clarity-types/src/types).

var debugWords = map[Type]string{
	"uint128": "UIntType", "int128": "IntType", "bool": "BoolType", "principal": "PrincipalType", "trait_reference": "TraitReferenceType", noType: "NoType",
}

func debugType(t Type) string {
	if name, ok := t.(string); ok {
		return debugWords[name]
	}
	if _, is := inside(t, "buffer"); is {
		return fmt.Sprintf("SequenceType(BufferType(BufferLength(%d)))", lengthIn(t, "buffer"))
	}
	if _, is := inside(t, "string-ascii"); is {
		return fmt.Sprintf("SequenceType(StringType(ASCII(BufferLength(%d))))", lengthIn(t, "string-ascii"))
	}
	if _, is := inside(t, "string-utf8"); is {
		return fmt.Sprintf("SequenceType(StringType(UTF8(StringUTF8Length(%d))))", lengthIn(t, "string-utf8"))
	}
	if inner, is := inside(t, "optional"); is {
		return "OptionalType(" + debugType(inner) + ")"
	}
	if ok, failed, is := sides(t); is {
		return "ResponseType((" + debugType(ok) + ", " + debugType(failed) + "))"
	}
	if _, is := itemOf(t); is {
		return "SequenceType(ListType(" + debugListType(t) + "))"
	}
	return "TupleType(" + debugTupleType(t) + ")"
}

func debugListType(t Type) string {
	of, _ := itemOf(t)
	return fmt.Sprintf("ListTypeData { max_len: %d, entry_type: %s }", lengthIn(t, "list"), debugType(of))
}

// debugTupleType writes the types of the fields as a source does.
func debugTupleType(t Type) string {
	var b strings.Builder
	b.WriteString("TupleTypeSignature {")
	for _, f := range sortedFields(t) {
		fmt.Fprintf(&b, " %q: %s,", f.Name, sourceType(f.Type))
	}
	return b.String() + "}"
}

func sortedFields(t Type) []Arg {
	fields, _ := fieldsOf(t)
	fields = slices.Clone(fields)
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	return fields
}

// Signature writes a function as its definition begins.
func (f *Function) Signature() string {
	text := "(define-public (" + f.Name
	for _, a := range f.Args {
		text += " (" + a.Name + " " + a.Written() + ")"
	}
	return text + "))"
}

// Written is the type of a parameter as a source writes it.
func (a Arg) Written() string { return sourceType(a.Type) }

var sourceWords = map[Type]string{"uint128": "uint", "int128": "int", "bool": "bool", "principal": "principal", "trait_reference": "trait", noType: "UnknownType"}

// sourceType writes a type as a source does.
func sourceType(t Type) string {
	if name, ok := t.(string); ok {
		return sourceWords[name]
	}
	for name, word := range map[string]string{"buffer": "buff", "string-ascii": "string-ascii", "string-utf8": "string-utf8"} {
		if _, is := inside(t, name); is {
			return fmt.Sprintf("(%s %d)", word, lengthIn(t, name))
		}
	}
	if inner, is := inside(t, "optional"); is {
		return "(optional " + sourceType(inner) + ")"
	}
	if ok, failed, is := sides(t); is {
		return "(response " + sourceType(ok) + " " + sourceType(failed) + ")"
	}
	if of, is := itemOf(t); is {
		return fmt.Sprintf("(list %d %s)", lengthIn(t, "list"), sourceType(of))
	}
	text := "(tuple"
	for _, f := range sortedFields(t) {
		text += " (" + f.Name + " " + sourceType(f.Type) + ")"
	}
	return text + ")"
}

func debugValue(v clarity.Value) string {
	switch v := v.(type) {
	case clarity.UInt:
		return "UInt(" + strings.TrimPrefix(clarity.Repr(v), "u") + ")"
	case clarity.Int:
		return "Int(" + clarity.Repr(v) + ")"
	case clarity.Bool:
		return "Bool(" + clarity.Repr(v) + ")"
	case clarity.Buffer:
		return "Sequence(Buffer(" + hex.EncodeToString(v) + "))"
	case clarity.ASCII:
		return "Sequence(String(" + debugText(string(v)) + "))"
	case clarity.UTF8:
		return "Sequence(String(u" + debugText(string(v)) + "))"
	case clarity.Principal:
		issuer := "StandardPrincipalData(" + v.Address.String() + ")"
		if v.Contract == "" {
			return "Principal(Standard(" + issuer + "))"
		}
		return fmt.Sprintf("Principal(Contract(QualifiedContractIdentifier { issuer: %s, name: ContractName(%q) }))", issuer, v.Contract)
	case clarity.None:
		return "Optional(OptionalData { data: None })"
	case clarity.Some:
		return "Optional(OptionalData { data: Some(" + debugValue(v.Value) + ") })"
	case clarity.OK:
		return "Response(ResponseData { committed: true, data: " + debugValue(v.Value) + " })"
	case clarity.Err:
		return "Response(ResponseData { committed: false, data: " + debugValue(v.Value) + " })"
	case clarity.List:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = debugValue(item)
		}
		return "Sequence(List(ListData { data: [" + strings.Join(items, ", ") + "], type_signature: " + debugListType(TypeOf(v)) + " }))"
	case clarity.Tuple:
		fields := make([]string, len(v.Fields))
		for i, f := range v.Fields {
			fields[i] = fmt.Sprintf("ClarityName(%q): %s", f.Name, debugValue(f.Value))
		}
		slices.Sort(fields)
		return "Tuple(TupleData { type_signature: " + debugTupleType(TypeOf(v)) + ", data_map: {" + strings.Join(fields, ", ") + "} })"
	}
	return ""
}

// debugText quotes a string: what is no plain ASCII as its bytes.
func debugText(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case strings.ContainsRune(`\'"`, r):
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0x7f:
			fmt.Fprintf(&b, `\u{%x}`, string(r))
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}
