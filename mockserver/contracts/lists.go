package contracts

// List is a list in parentheses in the text of a contract, such as (+ a u1).
type List struct {
	At   int // of its first byte
	Text string
	// Words are its elements: a name or a literal as it is written, "" for a string, a list or a tuple.
	Words []string
	// Around is the list in which it is an element, or in a tuple that is one, and Index which one,
	// from 0; Around is nil of one that is in no list.
	Around *List
	Index  int
}

// Lists visits the lists of a text up to its first mistake, each after those within it, as they
// are evaluated.
func Lists(text string, visit func(*List)) {
	all, _ := readSource(text)
	for i := range all {
		all[i].lists(nil, 0, visit)
	}
}

func (e *expression) lists(around *List, index int, visit func(*List)) {
	if !e.isList() {
		for i := range e.elements {
			e.elements[i].lists(around, index, visit)
		}
		return
	}
	l := &List{At: e.at, Text: e.text, Around: around, Index: index}
	for i := range e.elements {
		l.Words = append(l.Words, e.elements[i].word())
	}
	for i := range e.elements {
		e.elements[i].lists(l, i, visit)
	}
	visit(l)
}

// word returns a name or a literal but for strings, "" for anything else.
func (e *expression) word() string {
	if n := len(e.atom); n > 0 && e.atom[n-1] == '"' {
		return ""
	}
	return e.atom
}
