package clarity

import "bytes"

// equal reports whether two values have the same consensus bytes when the keys
// of every tuple are in the order of the reference library.
func equal(a, b Value) bool {
	x, errX := Encode(inOrder(a))
	y, errY := Encode(inOrder(b))
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// inOrder copies a value without the key order that it was read with.
func inOrder(v Value) Value {
	switch v := v.(type) {
	case Some:
		return Some{inOrder(v.Value)}
	case OK:
		return OK{inOrder(v.Value)}
	case Err:
		return Err{inOrder(v.Value)}
	case List:
		items := make(List, len(v))
		for i, item := range v {
			items[i] = inOrder(item)
		}
		return items
	case Tuple:
		fields := make([]Field, len(v.Fields))
		for i, f := range v.Fields {
			fields[i] = Field{f.Name, inOrder(f.Value)}
		}
		return Tuple{Fields: fields}
	}
	return v
}
