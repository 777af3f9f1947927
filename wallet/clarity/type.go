package clarity

import (
	"strconv"
	"strings"
)

// TypeOf writes the type of v as contract authors do, for example
// "(list 3 uint)". Lengths are those of the value; what the value cannot tell
// (the other side of a response, the items of an empty list) is "UnknownType".
func TypeOf(v Value) string {
	var text strings.Builder
	writeType(&text, v)
	return text.String()
}

func writeType(w *strings.Builder, v Value) {
	around := func(before string, v Value, after string) {
		w.WriteString(before)
		writeType(w, v)
		w.WriteString(after)
	}
	sized := func(name string, n int) { w.WriteString("(" + name + " " + strconv.Itoa(n) + ")") }
	switch v := v.(type) {
	case Int:
		w.WriteString("int")
	case UInt:
		w.WriteString("uint")
	case Bool:
		w.WriteString("bool")
	case Buffer:
		sized("buff", len(v))
	case ASCII:
		sized("string-ascii", len(v))
	case UTF8:
		sized("string-utf8", len(v))
	case Principal:
		w.WriteString("principal")
	case None:
		w.WriteString("(optional none)")
	case Some:
		around("(optional ", v.Value, ")")
	case OK:
		around("(response ", v.Value, " UnknownType)")
	case Err:
		around("(response UnknownType ", v.Value, ")")
	case List:
		w.WriteString("(list " + strconv.Itoa(len(v)) + " ")
		if len(v) == 0 {
			w.WriteString("UnknownType)")
		} else {
			around("", v[0], ")")
		}
	case Tuple:
		w.WriteString("(tuple ")
		for i, field := range v.Fields {
			if i > 0 {
				w.WriteByte(' ')
			}
			around("("+field.Name+" ", field.Value, ")")
		}
		w.WriteByte(')')
	}
}
