package query

import (
	"fmt"
	"strings"
	"testing"
)

// fruit is a small list: name, how many, seconds since.
var fruit = [][3]string{
	{"Apple", "12", "30"}, {"banana split", "3", "90"}, {"cherry", "", "7200"}, {"date", "1200", "86400"}, {"apple/pear", "3", ""},
}

func table() Table {
	at := func(n int) func(int) Value { return func(row int) Value { return Value{Text: fruit[row][n]} } }
	return Table{Len: len(fruit), Columns: []Column{
		{Name: "name", Head: "NAME", Value: at(0)},
		{Name: "number", Head: "NUMBER", Kind: Number, Value: at(1)},
		{Name: "age", Kind: Age, Value: at(2)},
		{Name: "tx", Hidden: true, Value: func(row int) Value { return Value{Text: strings.Repeat("f", row) + "0x"} }},
	}}
}

func TestFilters(t *testing.T) {
	for _, c := range []struct{ text, rows string }{
		{"", "0 1 2 3 4"},
		{"apple", "0 4"},
		{"APPLE pear", "4"},
		{`"banana split"`, "1"},
		{`"split banana"`, ""},
		{"!apple", "1 2 3"},
		{"!apple !date", "1 2"},
		{"name:an", "1"},
		{"na:an", "1"}, // the name of a column may be shortened
		{"name:=apple", "0"},
		{"name:cherry,date,", "2 3"}, // one of several
		{`name:="cherry,date"`, ""},
		{`name:="banana split"`, "1"},
		{"number:3", "1 4"},
		{"number:>3", "0 3"},
		{"number>3", "0 3"},
		{"number:>=12 number<1,200", "0"},
		{"number:3..12", "0 1 4"},
		{"number:..3", "1 4"},
		{"number:>1k", "3"},
		{"number:=", "2"}, // what is not known
		{"number:>", "0 1 2 3 4"},
		{"age:<2m", "0 1"},
		{"age:1d", "3"},
		{"age:1h..2h", "2"},
		{"/^.a/", "1 3"},
		{"/^a|y$/", "0 2 4"},
		{`/apple\/p/`, "4"},
		{"name:/e$/", "0 3"},
		{"!/e$/", "1 2 4"},
		{"/banana s/", "1"}, // a blank inside
		{"/^c", "2"},        // not closed yet
		{"fff", "3 4"},      // only searched
		{"1,200", "3"},
		{"apple:pear", ""}, // no such column: a text
	} {
		f, err := Parse(c.text, table())
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := fmt.Sprint(Select(table(), f, Order{})); got != "["+c.rows+"]" {
			t.Errorf("%s leaves %s, want [%s]", c.text, got, c.rows)
		}
	}
}

// What a filter wants by column is kept apart from its other words.
func TestWordsNameTheirColumns(t *testing.T) {
	var got []string
	for _, w := range Words(`na:"banana split" !name:x name:=x name:/x/ number:3 n:1 apple colour:red`, table()) {
		got = append(got, w.Column+"="+w.Value)
	}
	if want := "name=banana split|=|=|=|number=3|=|=|="; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatIsWrongWithAFilterIsSaid(t *testing.T) {
	for text, want := range map[string]string{
		"/(/":          "missing closing )",
		"number:>many": `"many" is not a number: want number:>5, 3..7 or 2k`,
		"age:<soon":    "want age:<90s",
		"name>3":       "name holds text",
	} {
		if _, err := Parse(text, table()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	f, err := Parse("colour:red", table())
	if err != nil || !strings.Contains(f.Remark, `no column "colour": name, number, age`) {
		t.Errorf("%+v, %v", f, err)
	}
	for _, address := range []string{"SP2.a::b", "http://x"} {
		if f, err := Parse(address, table()); err != nil || f.Remark != "" {
			t.Errorf("%s: %+v, %v", address, f, err)
		}
	}
}

func TestOrders(t *testing.T) {
	for _, c := range []struct {
		order Order
		rows  string
	}{
		{Order{}, "[0 1 2 3 4]"},
		{Order{"name", false}, "[0 4 1 2 3]"},
		{Order{"name", true}, "[3 2 1 4 0]"},
		{Order{"number", false}, "[1 4 0 3 2]"}, // unknown ones last, equal ones as they were
		{Order{"number", true}, "[3 0 1 4 2]"},
		{Order{"colour", true}, "[0 1 2 3 4]"},
	} {
		if got := fmt.Sprint(Select(table(), nil, c.order)); got != c.rows {
			t.Errorf("%+v: %s, want %s", c.order, got, c.rows)
		}
	}
}

// Numbers that differ only beyond the digits of a float are told apart.
func TestLongNumbersAreSorted(t *testing.T) {
	values := []string{"340282366920938463463374607431768211455", "340282366920938463463374607431768211454", "99"}
	all := Table{Len: 3, Columns: []Column{{Name: "n", Kind: Number, Value: func(i int) Value { return Value{Text: values[i]} }}}}
	if got := fmt.Sprint(Select(all, nil, Order{Column: "n"})); got != "[2 1 0]" {
		t.Error(got)
	}
}

func TestCountsAndTheWayToTheRows(t *testing.T) {
	column, _ := table().Find("number")
	counts := CountValues(column, []int{0, 1, 2, 3, 4})
	if got := fmt.Sprint(counts); got != "[{3 2} { 1} {12 1} {1200 1}]" {
		t.Error(got)
	}
	for _, c := range counts {
		f, err := Parse(Is(column, c.Value), table())
		if err != nil {
			t.Fatal(err)
		}
		if rows := Select(table(), f, Order{}); len(rows) != c.Rows {
			t.Errorf("%s finds %v, want %d rows", Is(column, c.Value), rows, c.Rows)
		}
	}
	name, _ := table().Find("name")
	for i := range fruit {
		f, err := Parse(Is(name, fruit[i][0]), table())
		if err != nil || !f.Match(i) {
			t.Errorf("%s does not find its row: %v", Is(name, fruit[i][0]), err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a:b", "/(/", "number:>1", "!", `"`, "age:1d", `name:="x`, "number:..", "a:/\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if filter, err := Parse(text, table()); err == nil {
			Select(table(), filter, Order{Column: "number", Descending: true})
		}
		Plain(text, table())
	})
}

// Of a number of which only a part is known one can say that it is at least so much, and
// nothing else; it is never ranked among known ones.
func TestAPartOfANumberNeverPassesForTheWhole(t *testing.T) {
	values := []Value{{Text: "5"}, {Text: "7", AtLeast: true}, {Text: "9"}, {}}
	table := Table{Len: 4, Columns: []Column{{
		Name: "txs", Kind: Number, Value: func(i int) Value { return values[i] },
	}}}
	for filter, want := range map[string]string{
		"": "[2 0 1 3]", "txs:>6": "[2 1]", "txs:6..": "[2 1]", "txs:<8": "[0]", "txs:7": "[]", "txs:6..8": "[]", "txs:=": "[1 3]", "7": "[1]",
	} {
		f, err := Parse(filter, table)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(Select(table, f, Order{"txs", true})); got != want {
			t.Errorf("%q leaves %s, want %s", filter, got, want)
		}
	}
	if got := fmt.Sprint(Select(table, nil, Order{"txs", false})); got != "[0 2 1 3]" {
		t.Errorf("ascending: %s", got)
	}
}

// A column that there is not, or that may be one of two, is said: nothing found has a reason.
func TestAFilterSaysWhichColumnItDoesNotKnow(t *testing.T) {
	for filter, want := range map[string]string{
		"foo:>3": `no column "foo": name, number, age`, "foo>3": `no column "foo": name, number, age`, "foo:=x": `no column "foo": name, number, age`,
		"n:1": "n may be name or number: type more of it", "n:>1": "n may be name or number: type more of it",
	} {
		f, err := Parse(filter, table())
		switch {
		case err != nil && err.Error() != want:
			t.Errorf("%s: %v, want %s", filter, err, want)
		case err == nil && f.Remark != want:
			t.Errorf("%s: %q, want %s", filter, f.Remark, want)
		}
	}
}
