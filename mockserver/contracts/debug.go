package contracts

import (
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// A node puts types and values into the cause of a failed call as its own program
// has them. These functions write the same, after its fmt::Debug
// (stacks-core, clarity-types/src/types).

var debugWords = map[abi.Kind]string{
	abi.UInt: "UIntType", abi.Int: "IntType", abi.Bool: "BoolType", abi.Principal: "PrincipalType", abi.Trait: "TraitReferenceType", abi.Unknown: "NoType",
}

func debugType(t abi.Type) string {
	switch t.Kind {
	case abi.Buffer:
		return fmt.Sprintf("SequenceType(BufferType(BufferLength(%d)))", t.Length)
	case abi.ASCII:
		return fmt.Sprintf("SequenceType(StringType(ASCII(BufferLength(%d))))", t.Length)
	case abi.UTF8:
		return fmt.Sprintf("SequenceType(StringType(UTF8(StringUTF8Length(%d))))", t.Length)
	case abi.Optional:
		return "OptionalType(" + debugType(t.Of[0]) + ")"
	case abi.Response:
		return "ResponseType((" + debugType(t.Of[0]) + ", " + debugType(t.Of[1]) + "))"
	case abi.List:
		return "SequenceType(ListType(" + debugListType(t) + "))"
	case abi.Tuple:
		return "TupleType(" + debugTupleType(t) + ")"
	}
	return debugWords[t.Kind]
}

func debugListType(t abi.Type) string {
	return fmt.Sprintf("ListTypeData { max_len: %d, entry_type: %s }", t.Length, debugType(t.Of[0]))
}

// debugTupleType writes the types of the fields as a source does.
func debugTupleType(t abi.Type) string {
	var b strings.Builder
	b.WriteString("TupleTypeSignature {")
	for _, f := range sortedFields(t) {
		fmt.Fprintf(&b, " %q: %s,", f.Name, Written(f.Type))
	}
	return b.String() + "}"
}

func sortedFields(t abi.Type) []abi.Field {
	fields := slices.Clone(t.Fields)
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	return fields
}

// Signature writes a function as its definition begins.
func Signature(f *abi.Function) string {
	text := "(define-public (" + f.Name
	for _, a := range f.Args {
		text += " (" + a.Name + " " + Written(a.Type) + ")"
	}
	return text + "))"
}

var sourceWords = map[abi.Kind]string{
	abi.UInt: "uint", abi.Int: "int", abi.Bool: "bool", abi.Principal: "principal", abi.Trait: "trait", abi.Unknown: "UnknownType",
	abi.Buffer: "buff", abi.ASCII: "string-ascii", abi.UTF8: "string-utf8",
}

// Written writes a type as a source does.
func Written(t abi.Type) string {
	switch t.Kind {
	case abi.Buffer, abi.ASCII, abi.UTF8:
		return fmt.Sprintf("(%s %d)", sourceWords[t.Kind], t.Length)
	case abi.Optional:
		return "(optional " + Written(t.Of[0]) + ")"
	case abi.Response:
		return "(response " + Written(t.Of[0]) + " " + Written(t.Of[1]) + ")"
	case abi.List:
		return fmt.Sprintf("(list %d %s)", t.Length, Written(t.Of[0]))
	case abi.Tuple:
		text := "(tuple"
		for _, f := range sortedFields(t) {
			text += " (" + f.Name + " " + Written(f.Type) + ")"
		}
		return text + ")"
	}
	return sourceWords[t.Kind]
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
