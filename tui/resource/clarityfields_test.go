package resource

import (
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/wallet/clarity"
)

// clarityOf returns a value as the API writes it.
func clarityOf(t *testing.T, v clarity.Value) apiclient.ClarityValue {
	t.Helper()
	digits, err := clarity.EncodeHex(v)
	if err != nil {
		t.Fatal(err)
	}
	return apiclient.ClarityValue{Hex: "0x" + strings.TrimPrefix(digits, "0x"), Repr: clarity.Repr(v)}
}

func literal(t *testing.T, text string) clarity.Value {
	t.Helper()
	v, err := clarity.ParseLiteral(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A tuple or a list has a line for each part, which leads where it names something.
func TestAValueIsTakenApart(t *testing.T) {
	v := clarityOf(t, literal(t, `{to: 'SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J, memo: (some 0x6c756e6368), pairs: (list {a: u1} {a: u2})}`))
	var got []string
	fields := clarityFields("order", "", v, maxParts)
	for _, f := range fields {
		got = append(got, strings.TrimRight(f.Label+"|"+f.Value.Text(f.Type)+"|"+f.Note, "|"))
	}
	want := "order|tuple of 3\n  memo|(some 0x6c756e6368)|\"lunch\"\n  pairs|list of 2\n    1|tuple of 1\n      a|u1\n    2|tuple of 1\n      a|u2\n  to|'SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if to := fields[len(fields)-1].To; to == nil || fields[0].Exact != v.Hex {
		t.Errorf("the address leads to %v", to)
	}
	if one := clarityFields("x", "uint", clarityOf(t, literal(t, "(ok u5)")), maxParts); len(one) != 1 || one[0].Value.Text(Text) != "(ok u5)" || one[0].Note != "uint" {
		t.Errorf("a plain value is %+v", one)
	}
}

// However large or deep a value is, a screen has to draw a few lines only, and says how much
// is left out.
func TestALargeValueIsBounded(t *testing.T) {
	list := make(clarity.List, 65_000)
	for i := range list {
		list[i] = clarity.Bool(true)
	}
	fields := clarityFields("flags", "", clarityOf(t, list), maxParts)
	last := fields[len(fields)-1]
	if len(fields) != maxParts+1 || fields[0].Value.Text(Text) != "list of 65,000" || !strings.Contains(last.Value.Text(Text), "64,961 parts") {
		t.Errorf("%d fields, the first %q, the last %q", len(fields), fields[0].Value.Text(Text), last.Value.Text(Text))
	}
	var deep clarity.Value = clarity.Bool(true)
	for range clarity.MaxDepth - 1 {
		deep = clarity.Tuple{Fields: []clarity.Field{{Name: "in", Value: deep}}}
	}
	if fields := clarityFields("deep", "", clarityOf(t, deep), maxParts); len(fields) != maxPartDepth+1 {
		t.Errorf("%d fields", len(fields))
	}
	huge := clarityFields("huge", "", apiclient.ClarityValue{Hex: "0x" + strings.Repeat("00", maxUnfolded+1), Repr: strings.Repeat("9", 1<<20)}, maxParts)
	if len(huge) != 1 || len(huge[0].Value.Text(Text)) > 1000 || !strings.Contains(huge[0].Note, "raw JSON") {
		t.Errorf("%d fields, %d bytes, note %q", len(huge), len(huge[0].Value.Text(Text)), huge[0].Note)
	}
}
