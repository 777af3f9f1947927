package resource

import (
	"fmt"
	"slices"
	"strings"

	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// Naming returns what an account or a contract is called: a label of the user's own, after
// LabelMark, or else the name that it has in a registry; "" where neither is known. Both are
// untrusted text. A nil Naming has no names.
type Naming func(principal string) string

// LabelMark is before a label of the user's own. Names of the registries do not have it, so that
// none passes for a label.
const LabelMark = "@"

// labelSuffix ends the names of the columns of files that hold labels.
const labelSuffix = "_label"

// Of returns what a principal is called.
func (n Naming) Of(principal string) string {
	if n == nil || principal == "" {
		return ""
	}
	return n(principal)
}

// Label returns the label of the user's own, "" for none.
func (n Naming) Label(principal string) string {
	label, is := strings.CutPrefix(n.Of(principal), LabelMark)
	if !is {
		return ""
	}
	return label
}

// Beside returns a principal with what it is called.
func (n Naming) Beside(principal string) string {
	if called := n.Of(principal); called != "" {
		return principal + " " + called
	}
	return principal
}

// maxLabel limits how many cells a label has.
const maxLabel = 40

// ParseLabel reads what the user typed as a label, "" for none, and returns why it cannot be one.
func ParseLabel(typed string) (string, error) {
	label := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(typed), LabelMark))
	if text.Line(label) != label {
		return "", fmt.Errorf("the label has a character that cannot be seen: %s", text.Truncate(text.Line(label), maxLabel))
	}
	if n := text.Width(label); n > maxLabel {
		return "", fmt.Errorf("the label has %d characters: at most %d", n, maxLabel)
	}
	return label, nil
}

// Principal returns the account or the contract that a field names, "" for none.
func (f *Field) Principal() string {
	switch {
	case f.Type == Principal:
		return f.Value.text
	case f.LinkOnly:
		return ""
	}
	return PrincipalAt(f.To)
}

// PrincipalAt returns the account or the contract that a link leads to, "" for none.
func PrincipalAt(to *nav.Place) string {
	if to == nil || to.Part != "" || to.Kind != nav.KindAccount && to.Kind != nav.KindContract {
		return ""
	}
	return to.Principal
}

// Principals returns the accounts and contracts that a row of some widths shows.
func (k Kind[T]) Principals(of T, widths []int) (all []string) {
	for i := range k.Columns {
		if p := k.Columns[i].principal(of); p != "" && widths[i] > 0 && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// principal returns the account or the contract that a column names, "" for none.
func (c *Column[T]) principal(of T) string {
	switch {
	case c.Names != nil:
		return c.Names(of)
	case c.Type == Principal:
		return c.Value(of).text
	}
	return ""
}

// CalledIn returns what a column of a row names is called, "" for nothing.
func (k Kind[T]) CalledIn(c Column[T], of T) string { return k.Called.Of(c.principal(of)) }

// leastBeside is the least number of cells of an address beside what it is called.
const leastBeside = 9

// calledCell draws a cell with an address that has a name: the name comes before the address,
// where there is room for both, and in the place of the address in words. It returns "" for a name
// of a registry that has no room as a whole: a part of it could be another one.
func (c *Column[T]) calledCell(words, principal, called string, width int, th *theme.Theme) string {
	style := th.Text
	if c.Style != nil {
		style = c.Style(th)
	}
	called = text.Line(called)
	own := strings.HasPrefix(called, LabelMark)
	if c.Type != Principal {
		if short := shortAddress(principal); strings.Contains(words, short) {
			words = strings.Replace(words, short, called, 1)
		} else {
			words += "  " + called
		}
		if !own && text.Width(words) > width {
			return ""
		}
		return style.Render(text.Fill(text.TruncateWith(words, width, th.Glyphs.Ellipsis), width))
	}
	shown := text.TruncateWith(called, width, th.Glyphs.Ellipsis)
	switch {
	case own:
		style = th.Accent
	case shown != called:
		return ""
	}
	rest := width - text.Width(shown) - 1
	if rest < leastBeside {
		return style.Render(text.Fill(shown, width))
	}
	return style.Render(shown) + " " + th.Muted.Render(text.Fill(text.MiddleWith(principal, rest, th.Glyphs.Ellipsis), rest))
}

// labelColumns returns the columns that name principals, by the names of those for their labels.
func (k Kind[T]) labelColumns() (names []string, columns []*Column[T]) {
	for i := range k.Columns {
		if c := &k.Columns[i]; c.Type == Principal && c.exported() {
			names, columns = append(names, c.file()+labelSuffix), append(columns, c)
		}
	}
	return names, columns
}

// LabelColumns returns the names of the columns for the labels of the user's own, which a file has
// where there are any.
func (k Kind[T]) LabelColumns() []string {
	names, _ := k.labelColumns()
	return names
}

// exportLabels adds to rows of a file the labels of what they name, where there are any.
func (k Kind[T]) exportLabels(of []T, columns []string, rows [][]string) []string {
	names, from := k.labelColumns()
	for i, c := range from {
		labels, found := make([]string, len(of)), false
		for row, one := range of {
			labels[row] = k.Called.Label(c.principal(one))
			found = found || labels[row] != ""
		}
		if !found {
			continue
		}
		columns = append(columns, names[i])
		for row := range rows {
			rows[row] = append(rows[row], labels[row])
		}
	}
	return columns
}
