package c32

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chainscope/wallet/internal/vectors"
)

type vector struct {
	Kind, Address, Data, Encoded, Hash160, Input, Canonical, Why string
	Version                                                      byte
	AcceptedByC32check                                           bool
}

func c32Vectors(t testing.TB) []vector { return vectors.Cases[vector](t, "c32check.json") }

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryVectorIsEncodedAndDecodedAsTheReferenceDoes(t *testing.T) {
	count := map[string]int{}
	for _, v := range c32Vectors(t) {
		count[v.Kind]++
		switch v.Kind {
		case "address":
			want := Address{v.Version, [20]byte(unhex(t, v.Hash160))}
			if got := want.String(); got != v.Address {
				t.Errorf("address of %d %s = %s, want %s", v.Version, v.Hash160, got, v.Address)
			}
			if got, err := ParseAddress(v.Address); err != nil || got != want {
				t.Errorf("ParseAddress(%s) = %v, %v", v.Address, got, err)
			}
		case "c32check":
			data := unhex(t, v.Data)
			if got, err := checkEncode(v.Version, data); err != nil || got != v.Encoded {
				t.Errorf("checkEncode(%d, %s) = %s, %v, want %s", v.Version, v.Data, got, err, v.Encoded)
			}
			version, got, err := checkDecode(v.Encoded)
			if err != nil || version != v.Version || !bytes.Equal(got, data) {
				t.Errorf("checkDecode(%s) = %d, %x, %v", v.Encoded, version, got, err)
			}
		case "c32":
			data := unhex(t, v.Data)
			if got := encode(data); got != v.Encoded {
				t.Errorf("encode(%s) = %s, want %s", v.Data, got, v.Encoded)
			}
			if got, err := decode(v.Encoded); err != nil || !bytes.Equal(got, data) {
				t.Errorf("decode(%s) = %x, %v, want %s", v.Encoded, got, err, v.Data)
			}
		case "variant":
			got, err := ParseAddress(v.Input)
			if (err == nil) != v.AcceptedByC32check {
				t.Errorf("ParseAddress(%s): %v, accepted by the reference: %v", v.Input, err, v.AcceptedByC32check)
			}
			if err == nil && got.String() != v.Canonical {
				t.Errorf("ParseAddress(%s) = %s, want %s", v.Input, got, v.Canonical)
			}
		case "invalid":
			if got, err := ParseAddress(v.Input); err == nil {
				t.Errorf("%s: ParseAddress(%q) = %v, want an error", v.Why, v.Input, got)
			}
		default:
			t.Errorf("unknown kind %q", v.Kind)
		}
	}
	total := 0
	for _, n := range count {
		total += n
	}
	t.Logf("%d c32 vectors: %v", total, count)
	if total != 90 {
		t.Errorf("%d vectors, want 90", total)
	}
}

func TestWhatIsEncodedIsDecodedAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := append(make([]byte, rapid.IntRange(0, 4).Draw(t, "zeros")), rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "data")...)
		if got, err := decode(encode(data)); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("decode(encode(%x)) = %x, %v", data, got, err)
		}
		version := rapid.Byte().Draw(t, "version")
		text, err := checkEncode(version, data)
		if (err == nil) != (version < 32) {
			t.Fatalf("checkEncode(%d): %v", version, err)
		}
		if err == nil {
			v, got, err := checkDecode(text)
			if err != nil || v != version || !bytes.Equal(got, data) {
				t.Fatalf("checkDecode(%s) = %d %x %v", text, v, got, err)
			}
		}
	})
}

func TestOneMistypedCharacterIsRefused(t *testing.T) {
	const address = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	for i := range address {
		for _, c := range alphabet {
			if wrong := address[:i] + string(c) + address[i+1:]; wrong != address {
				if got, err := ParseAddress(wrong); err == nil {
					t.Errorf("%s is read as %v", wrong, got)
				}
			}
		}
	}
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	for input, want := range map[string]string{
		"":                         "must begin with S",
		"SPU":                      `character 'U' at byte 0`,
		"SP\u00e9":                 `character 'é' at byte 0`,
		"SP" + string([]byte{255}): "at byte 0",
		"SP00":                     "too short",
		"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54K": "mistyped",
	} {
		if _, err := ParseAddress(input); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseAddress(%q): %v, want %q in it", input, err, want)
		}
	}
	if _, err := decode(strings.Repeat("0", maxInput+1)); err == nil {
		t.Error("a text over the bound is read")
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, v := range c32Vectors(f) {
		f.Add(v.Address + v.Input)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err != nil {
			return
		}
		if again, err := ParseAddress(a.String()); err != nil || again != a {
			t.Fatalf("%q is read as %v, which is read as %v, %v", text, a, again, err)
		}
	})
}

func BenchmarkParseAddress(b *testing.B) {
	for b.Loop() {
		if _, err := ParseAddress("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"); err != nil {
			b.Fatal(err)
		}
	}
}
