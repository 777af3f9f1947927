package clarity

import (
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chainscope/wallet/c32"
	"chainscope/wallet/internal/vectors"
)

type vector struct {
	Name, Hex, Repr, Type, Input string
	Valid                        bool
	JSON                         json.RawMessage
}

func valueVectors(t testing.TB) []vector { return vectors.Cases[vector](t, "clarity-values.json") }

func TestEveryVectorReadsAndWritesTheSameInAllForms(t *testing.T) {
	valid, invalid := 0, 0
	for _, c := range valueVectors(t) {
		t.Run(c.Name, func(t *testing.T) {
			if !c.Valid {
				invalid++
				if v, err := DecodeHex(c.Input); err == nil {
					t.Errorf("%s is read as %s, want an error", c.Input, Repr(v))
				}
				return
			}
			valid++
			fromJSON, err := ParseJSON(c.JSON)
			if err != nil {
				t.Fatal(err)
			}
			if got := TypeOf(fromJSON); got != c.Type {
				t.Errorf("type %s, want %s", got, c.Type)
			}
			if got, err := EncodeHex(fromJSON); err != nil || got != c.Hex {
				t.Errorf("hex %s, %v, want %s", got, err, c.Hex)
			}
			fromHex, err := DecodeHex(c.Hex)
			if err != nil {
				t.Fatal(err)
			}
			fromRepr, err := ParseLiteral(c.Repr)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range []Value{fromJSON, fromHex, fromRepr} {
				if got := Repr(v); got != c.Repr {
					t.Errorf("repr %s, want %s", got, c.Repr)
				}
				if got, _ := EncodeHex(v); got != c.Hex {
					t.Errorf("hex %s, want %s", got, c.Hex)
				}
				if got, err := JSON(v); err != nil || !sameJSON(t, got, c.JSON) {
					t.Errorf("JSON %s, %v, want %s", got, err, c.JSON)
				}
			}
		})
	}
	t.Logf("%d Clarity vectors, %d of them refused", valid+invalid, invalid)
	if valid+invalid != 53 || invalid != 9 {
		t.Errorf("%d valid and %d invalid vectors, want 44 and 9", valid, invalid)
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		t.Fatalf("no JSON: %s, %s", a, b)
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

// values draws any Clarity value.
func values(depth int) *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		kinds := 14
		if depth == 0 {
			kinds = 8
		}
		inner := func() Value { return values(depth-1).Draw(t, "inner") }
		number := func() *big.Int {
			return new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 15).Draw(t, "number"))
		}
		switch rapid.IntRange(0, kinds).Draw(t, "kind") {
		case 0:
			return UInt{number()}
		case 1:
			n := number()
			if rapid.Bool().Draw(t, "negative") {
				n.Neg(n)
			}
			return Int{n}
		case 2:
			return Bool(rapid.Bool().Draw(t, "bool"))
		case 3:
			return Buffer(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "buffer"))
		case 4:
			return ASCII(rapid.StringOfN(rapid.RuneFrom(nil, asciiTable), 0, 40, -1).Draw(t, "ascii"))
		case 5:
			return UTF8(rapid.String().Draw(t, "utf8"))
		case 6, 7:
			p := Principal{Address: c32.Address{Version: rapid.ByteRange(0, 31).Draw(t, "version"), Hash160: [20]byte(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "hash"))}}
			if rapid.Bool().Draw(t, "contract") {
				p.Contract = rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_-]{0,39}`).Draw(t, "name")
			}
			return p
		case 8:
			return None{}
		case 9:
			return Some{inner()}
		case 10:
			return OK{inner()}
		case 11:
			return Err{inner()}
		case 12, 13:
			list := List{}
			for range rapid.IntRange(0, 4).Draw(t, "items") {
				list = append(list, inner())
			}
			return list
		default:
			tuple := Tuple{}
			for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_!?+<>=/*-]{0,12}`), 0, 5, rapid.ID).Draw(t, "keys") {
				tuple.Fields = append(tuple.Fields, Field{name, inner()})
			}
			return tuple
		}
	})
}

func TestEveryFormReadsBackWhatItWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(4).Draw(t, "value")
		b, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		same := func(form string, got Value, err error) {
			if err != nil {
				t.Fatalf("%s of %s: %v", form, Repr(v), err)
			}
			if !equal(got, v) {
				t.Fatalf("%s gives %s, want %s", form, Repr(got), Repr(v))
			}
		}
		got, err := Decode(b)
		same("bytes", got, err)
		text, err := JSON(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err = ParseJSON(text)
		same("JSON", got, err)
		if TypeOf(got) != TypeOf(v) {
			t.Fatalf("type %s, want %s", TypeOf(got), TypeOf(v))
		}
		got, err = ParseLiteral(Repr(v))
		same("literal", got, err)
		if len(b) > 0 {
			cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut")
			if got, err := Decode(b[:cut]); err == nil {
				t.Fatalf("%d of %d bytes are read as %s", cut, len(b), Repr(got))
			}
		}
		if got, err := Decode(append(b, 0)); err == nil {
			t.Fatalf("a trailing byte is read: %s", Repr(got))
		}
	})
}

func TestLiteralsThatPeopleWriteAreRead(t *testing.T) {
	for literal, want := range map[string]string{
		"(tuple (b u1) (a -2))":              "{ a: -2, b: u1 }",
		"{a:u1,b:{c:none,},}":                "{ a: u1, b: { c: none } }",
		" ( list\n1 2 ;; two\n 3 ) ":         "(list 1 2 3)",
		`u"\u{1F680}"`:                       `u"🚀"`,
		`u"\ud83d\ude80 \u00e9"`:             `u"🚀 é"`,
		`"tab\t0\0"`:                         `"tab\t0\u0000"`,
		"(some (ok (err true)))":             "(some (ok (err true)))",
		"0xDEadBE":                           "0xdeadbe",
		"'SP000000000000000000002Q6VF78.pox": "'SP000000000000000000002Q6VF78.pox",
		"(tuple)":                            "{}",
		"u007":                               "u7",
	} {
		v, err := ParseLiteral(literal)
		if err != nil {
			t.Errorf("%s: %v", literal, err)
		} else if got := Repr(v); got != want {
			t.Errorf("%s is read as %s, want %s", literal, got, want)
		}
	}
}

func TestBadLiteralsAreRefusedWithPlaceAndReason(t *testing.T) {
	for _, c := range []struct {
		literal, want string
		offset        int
	}{
		{"", "ends where a value is expected", 0},
		{"u", "no literal", 0},
		{"(list u1 x)", "no literal", 9},
		{"u1 u2", "left over", 3},
		{"(some)", "a value is expected here", 5},
		{"(some u1 u2)", "where the ) of (some …) is expected", 9},
		{"(foo 1)", "(foo is no literal", 1},
		{"0x0", "in pairs", 0},
		{"0xzz", "'z' at 0", 0},
		{`"a`, "inside a string", 2},
		{`"é"`, "string-ascii", 4},
		{`"\q"`, `\q is unknown`, 1},
		{`u"\ud800"`, "surrogate", 2},
		{`u"\u{110000}"`, "no character", 2},
		{"{ a: u1, a: u2 }", "twice", 10},
		{"{ a u1 }", "the : after a key", 4},
		{"{ a: u1", "a , or }", 7},
		{"'SPX", "checksum", 0},
		{"340282366920938463463374607431768211456", "int must be", 0},
		{"u340282366920938463463374607431768211456", "uint must be", 0},
		{"u-1", "uint must be", 0},
		{strings.Repeat("(some ", 40), "nests deeper", 191},
		{"\xff", "not UTF-8", 0},
	} {
		v, err := ParseLiteral(c.literal)
		if err == nil {
			t.Errorf("%s is read as %s", c.literal, Repr(v))
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.literal, err, c.want)
		}
		var at *LiteralError
		if !errors.As(err, &at) || at.Offset != c.offset {
			t.Errorf("%s: %v, want the place %d", c.literal, err, c.offset)
		}
	}
}

func TestBadJSONIsRefusedWithPathAndReason(t *testing.T) {
	for _, c := range []struct{ text, path, want string }{
		{`{"type":"uint","value":1.5}`, ".value", "must be an integer"},
		{`{"type":"uint","value":-1}`, ".value", "0 to 2^128-1"},
		{`{"type":"uint"}`, ".value", "missing"},
		{`{"type":"int","value":"1e3"}`, ".value", "must be an integer"},
		{`{"type":"buffer","value":"0"}`, ".value", "in pairs"},
		{`{"type":"ascii","value":"é"}`, ".value", "below 0x80"},
		{`{"type":"utf8","value":"\ud800"}`, ".value", "surrogate"},
		{`{"type":"ascii","value":null}`, ".value", "must be a string"},
		{`{"type":"address","value":"SP000000000000000000002Q6VF78.x"}`, ".value", "type must be contract"},
		{`{"type":"contract","value":"SP000000000000000000002Q6VF78"}`, ".value", "type must be address"},
		{`{"type":"list","value":[{"type":"true"},{"type":"nope"}]}`, ".value[1].type", "unknown"},
		{`{"type":"tuple","value":{"a":{"type":"some"}}}`, ".value.a.value", "missing"},
		{`{"type":"tuple","value":{"a":{"type":"none"},"a":{"type":"none"}}}`, ".value", "twice"},
		{`{"type":"tuple","value":{"1":{"type":"none"}}}`, ".value", "must be a letter"},
		{`{"type":"tuple"}`, ".value", "must be an object"},
		{`{"type":1}`, ".type", "must be one of"},
		{`{}`, ".type", "must be one of"},
		{`1`, "", "must be an object"},
		{`{`, "", "not JSON"},
		{strings.Repeat(`{"type":"some","value":`, 40) + `{"type":"none"}` + strings.Repeat("}", 40), strings.Repeat(".value", 32), "nests deeper"},
	} {
		v, err := ParseJSON([]byte(c.text))
		if err == nil {
			t.Errorf("%s is read as %s", c.text, Repr(v))
			continue
		}
		var at *PathError
		if !errors.As(err, &at) || at.Path != c.path || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want the path %q and %q", c.text, err, c.path, c.want)
		}
	}
}

func TestHostileBytesAreRefusedWithoutAllocatingWhatTheyClaim(t *testing.T) {
	for name, text := range map[string]string{
		"a list of 4 billion":            "0bffffffff",
		"a tuple of 4 billion":           "0cffffffff",
		"a buffer of 4 GiB":              "02ffffffff00",
		"tuple keys twice":               "0c000000020161030161" + "03",
		"an empty tuple key":             "0c000000010003",
		"an address version of 32":       "0520" + strings.Repeat("00", 20),
		"a contract name with a space":   "0616" + strings.Repeat("00", 20) + "02" + "6120",
		"string-utf8 that is no UTF-8":   "0e00000001ff",
		"string-ascii above 0x7f":        "0d0000000180",
		"forty levels of some":           strings.Repeat("0a", 40) + "09",
		"a value and one more byte":      "0300",
		"trailing text that is no digit": "03g0",
	} {
		allocations := testing.AllocsPerRun(1, func() {
			if v, err := DecodeHex(text); err == nil {
				t.Errorf("%s is read as %s", name, Repr(v))
			}
		})
		if allocations > 200 {
			t.Errorf("%s: %v allocations", name, allocations)
		}
	}
}

func TestValuesOutOfRangeAreNotEncoded(t *testing.T) {
	for name, v := range map[string]Value{
		"uint of 2^128":    UInt{new(big.Int).Lsh(big.NewInt(1), 128)},
		"negative uint":    UInt{big.NewInt(-1)},
		"int of 2^127":     Int{new(big.Int).Lsh(big.NewInt(1), 127)},
		"uint without one": UInt{},
		"no value":         nil,
		"nothing in some":  Some{},
		"text in ascii":    ASCII("é"),
		"bad utf8":         UTF8("\xff"),
		"name":             Principal{Contract: "1"},
		"a huge buffer":    Buffer(make([]byte, MaxBytes)),
	} {
		if b, err := Encode(v); err == nil {
			t.Errorf("%s is encoded as %x", name, b[:min(len(b), 20)])
		}
		if _, err := JSON(v); err == nil {
			t.Errorf("%s is written as JSON", name)
		}
	}
}

func TestTupleKeysAreWrittenInTheOrderOfTheReferenceLibrary(t *testing.T) {
	// As JavaScript's localeCompare sorts them.
	want := []string{"_a", "-", "*", "/", "+", "<=", "a", "A", "a_b", "a-b", "a1", "aa", "AA", "ab", "aB", "Ab", "AB", "b", "B"}
	want = slices.DeleteFunc(want, func(name string) bool { return CheckName(name) != nil })
	rapid.Check(t, func(t *rapid.T) {
		tuple := Tuple{}
		for _, name := range rapid.Permutation(want).Draw(t, "keys") {
			tuple.Fields = append(tuple.Fields, Field{name, None{}})
		}
		b, err := Encode(tuple)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		for i, field := range v.(Tuple).Fields {
			if field.Name != want[i] {
				t.Fatalf("key %d is %s, want %s", i, field.Name, want[i])
			}
		}
	})
}

func TestBytesKeepTheOrderOfTheirTupleKeys(t *testing.T) {
	const byBytes = "0c00000003" + "0142" + "03" + "0161" + "03" + "0162" + "03"
	v, err := DecodeHex(byBytes)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := EncodeHex(Some{v}); err != nil || got != "0a"+byBytes {
		t.Errorf("written as %s, %v, want 0a%s", got, err, byBytes)
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range valueVectors(f) {
		if b, err := DecodeHex(c.Hex); err == nil {
			e, _ := Encode(b)
			f.Add(e)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := Decode(b)
		if err != nil {
			return
		}
		if again, err := Encode(v); err != nil || string(again) != string(b) {
			t.Fatalf("%x is written as %x, %v", b, again, err)
		}
		if again, err := ParseLiteral(Repr(v)); err != nil || !equal(again, v) {
			t.Fatalf("%s: %v", Repr(v), err)
		}
		text, err := JSON(v)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseJSON(text); err != nil || !equal(again, v) {
			t.Fatalf("%s: %v", text, err)
		}
		_ = TypeOf(v)
	})
}

func FuzzParseJSON(f *testing.F) {
	for _, c := range valueVectors(f) {
		f.Add([]byte(c.JSON))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON(text)
		if err != nil {
			return
		}
		out, err := JSON(v)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseJSON(out); err != nil || !equal(again, v) {
			t.Fatalf("%s: %v", out, err)
		}
	})
}

func FuzzParseLiteral(f *testing.F) {
	for _, c := range valueVectors(f) {
		f.Add(c.Repr)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseLiteral(text)
		if err != nil {
			return
		}
		if again, err := ParseLiteral(Repr(v)); err != nil || !equal(again, v) {
			t.Fatalf("%q gives %s: %v", text, Repr(v), err)
		}
	})
}

// A text is cut between characters, and says so.
func TestBriefCutsBetweenCharacters(t *testing.T) {
	for text, want := range map[string]string{"": "", "u123": "u123", "u1234": "u123…", "abcé": "abc…", "aé€": "aé…"} {
		if got := Brief(text, 4); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
