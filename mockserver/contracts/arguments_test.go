package contracts

import (
	"testing"

	"chainscope/wallet/clarity"
)

func literals(t *testing.T, texts []string) (out []clarity.Value) {
	t.Helper()
	for _, text := range texts {
		v, err := clarity.ParseLiteral(text)
		if err != nil {
			t.Fatal(text, err)
		}
		out = append(out, v)
	}
	return out
}

const sp = "SP000000000000000000002Q6VF78"

// The causes are what the Debug of the node's own types makes of them.
func TestArgumentsAreCheckedAsANodeDoes(t *testing.T) {
	for _, c := range []struct {
		params string
		args   []string
		cause  string // "" where they fit
	}{
		{"", []string{"u1"}, "IncorrectArgumentCount(0, 1)"},
		{"(a uint)", nil, "IncorrectArgumentCount(1, 0)"},
		{"(a uint) (b int)", []string{"u1", "-1"}, ""},
		{"(a uint)", []string{"5"}, "TypeValueError(UIntType, Int(5))"},
		{"(a int)", []string{"u340282366920938463463374607431768211455"}, "TypeValueError(IntType, UInt(340282366920938463463374607431768211455))"},
		{"(a bool)", []string{"none"}, "TypeValueError(BoolType, Optional(OptionalData { data: None }))"},
		{"(a principal)", []string{"'" + sp + ".c"}, ""},
		{"(a uint)", []string{"'" + sp}, "TypeValueError(UIntType, Principal(Standard(StandardPrincipalData(" + sp + "))))"},
		{"(a bool)", []string{"'" + sp + ".c"}, "TypeValueError(BoolType, Principal(Contract(QualifiedContractIdentifier { issuer: StandardPrincipalData(" + sp + "), name: ContractName(\"c\") })))"},
		{"(a <tok>)", []string{"'" + sp + ".c"}, ""},
		{"(a (buff 2))", []string{"0x0aff"}, ""},
		{"(a (buff 2))", []string{"0x0aff01"}, "TypeValueError(SequenceType(BufferType(BufferLength(2))), Sequence(Buffer(0aff01)))"},
		{"(a (string-ascii 3))", []string{`"abc"`}, ""},
		{"(a (string-ascii 3))", []string{`"a'\"\\\n"`}, `TypeValueError(SequenceType(StringType(ASCII(BufferLength(3)))), Sequence(String("a\'\"\\\n")))`},
		{"(a (string-ascii 3))", []string{`u"abc"`}, `TypeValueError(SequenceType(StringType(ASCII(BufferLength(3)))), Sequence(String(u"abc")))`},
		{"(a (string-utf8 1))", []string{`u"é"`}, ""},
		{"(a (string-utf8 1))", []string{`u"éb"`}, `TypeValueError(SequenceType(StringType(UTF8(StringUTF8Length(1)))), Sequence(String(u"\u{c3a9}b")))`},
		{"(a (optional uint))", []string{"none"}, ""},
		{"(a (optional uint))", []string{"(some u1)"}, ""},
		{"(a (optional uint))", []string{"(some 1)"}, "TypeValueError(OptionalType(UIntType), Optional(OptionalData { data: Some(Int(1)) }))"},
		{"(a (response uint bool))", []string{"(err true)"}, ""},
		{"(a (response uint bool))", []string{"(err u1)"}, "TypeValueError(ResponseType((UIntType, BoolType)), Response(ResponseData { committed: false, data: UInt(1) }))"},
		{"(a (list 2 uint))", []string{"(list)"}, ""},
		{"(a (list 2 uint))", []string{"(list u1 u2)"}, ""},
		{"(a (list 1 uint))", []string{"(list u1 u2)"}, "TypeValueError(SequenceType(ListType(ListTypeData { max_len: 1, entry_type: UIntType })), " +
			"Sequence(List(ListData { data: [UInt(1), UInt(2)], type_signature: ListTypeData { max_len: 2, entry_type: UIntType } })))"},
		{"(a {y: uint, x: (buff 2)})", []string{"{x: 0x01, y: u1}"}, ""},
		{"(a {y: uint})", []string{"{x: u1}"}, "TypeValueError(TupleType(TupleTypeSignature { \"y\": uint,}), " +
			"Tuple(TupleData { type_signature: TupleTypeSignature { \"x\": uint,}, data_map: {ClarityName(\"x\"): UInt(1)} }))"},
		{"(a {y: uint})", []string{"{x: true, y: u1}"}, "TypeValueError(TupleType(TupleTypeSignature { \"y\": uint,}), " +
			"Tuple(TupleData { type_signature: TupleTypeSignature { \"x\": bool, \"y\": uint,}, data_map: {ClarityName(\"x\"): Bool(true), ClarityName(\"y\"): UInt(1)} }))"},
		{"(a {y: uint, x: (optional (list 2 {z: (response int (buff 3))}))})", []string{"{y: u1}"}, "TypeValueError(TupleType(TupleTypeSignature { " +
			"\"x\": (optional (list 2 (tuple (z (response int (buff 3)))))), \"y\": uint,}), Tuple(TupleData { type_signature: TupleTypeSignature { \"y\": uint,}, data_map: {ClarityName(\"y\"): UInt(1)} }))"},
	} {
		id, err := clarity.ParseContract(counter)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := ReadSource(id, "(define-read-only (f "+c.params+") u1)", 0).Function("f")
		if !ok {
			t.Fatal(c.params)
		}
		want := ""
		if c.cause != "" {
			want = "Unchecked(" + c.cause + ")"
		}
		if got := CheckArguments(f, literals(t, c.args)); got != want {
			t.Errorf("%s of %s:\n%s, want\n%s", c.args, c.params, got, want)
		}
	}
}

func TestCannedAnswersReportTheTypesOfArguments(t *testing.T) {
	book, err := ParseYAML([]byte(`- contract: ` + counter + `
  reads:
    typed: [{args: [u1, '"ab"'], result: u1}, {args: [u2, '"c"'], result: u1}]
    several: [{args: [u1], result: u1}, {args: [], result: u1}]
    open: [{args: [u1], result: u1}, {result: u1}]
    deep: {args: ["{a: (some (list 0x01)), b: (ok u\"x\")}"], result: u1}
`))
	if err != nil {
		t.Fatal(err)
	}
	id, err := clarity.ParseContract(counter)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"several", "open", "nope"} {
		if cause := book.CheckArguments(id, name, literals(t, []string{"true", "true", "true"})); cause != "" {
			t.Errorf("%s reports: %s", name, cause)
		}
	}
	for _, c := range []struct {
		name  string
		args  []string
		cause string
	}{
		{"typed", []string{"u7", `"much longer"`}, ""},
		{"typed", []string{"7", `"ab"`}, "Unchecked(TypeValueError(UIntType, Int(7)))"},
		{"typed", []string{"u7", `0x01`}, "Unchecked(TypeValueError(SequenceType(StringType(ASCII(BufferLength(2)))), Sequence(Buffer(01))))"},
		{"typed", []string{"u7"}, "Unchecked(IncorrectArgumentCount(2, 1))"},
		{"deep", []string{`{a: (some (list 0x0102 0x03)), b: (ok u"longer")}`}, ""},
	} {
		if got := book.CheckArguments(id, c.name, literals(t, c.args)); got != c.cause {
			t.Errorf("%s of %s: %s, want %s", c.args, c.name, got, c.cause)
		}
	}
}
