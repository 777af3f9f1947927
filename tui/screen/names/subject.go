package names

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/screen/names/find"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"
)

// pageAt returns the page of the API, from 1, that has the name at a place.
func (c *collection) pageAt(i int) int {
	if c.page > 0 {
		return c.page
	}
	return sort.Search(len(c.starts), func(p int) bool { return int(c.starts[p]) > i })
}

// pageRaw returns a page as JSON. Of all names the bytes are not kept; the text is
// made of the names again.
func (c *collection) pageRaw(page int) []byte {
	if c.page > 0 {
		return c.raw
	}
	if page < 1 || page > len(c.starts) {
		return nil
	}
	from, to := int(c.starts[page-1]), c.list.Len()
	if page < len(c.starts) {
		to = int(c.starts[page])
	}
	names := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		names = append(names, c.list.At(i))
	}
	return text.EncodeJSON(names)
}

// current returns the name under the cursor, with its place among all names.
func (s *Screen) current() (name string, index int, ok bool) {
	at, ok := s.List.Cursor()
	if !ok {
		return "", 0, false
	}
	return s.name(at), s.index(at), true
}

// Describe returns what the detail shows: the name under the cursor.
func (s *Screen) Describe() (string, []detail.Row) {
	name, index, ok := s.current()
	if !ok {
		return "", nil
	}
	return strconv.Itoa(index), s.details(name, index)
}

// details returns the rows of the detail of a name.
func (s *Screen) details(name string, index int) []detail.Row {
	c, ok := s.names.Get()
	if !ok {
		return nil
	}
	label, namespace := name, ""
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		label, namespace = name[:dot], name[dot+1:]
	}
	rows := []detail.Row{
		{Label: name, Heading: true},
		{Label: "name", Value: name},
		{Label: "owner", Value: "the account, and when the name expires", To: nav.Name(name).Link()},
		{Label: "label", Value: label, Note: text.Plural(utf8.RuneCountInString(label), "character")},
	}
	if namespace != "" {
		to := s.place
		to.Filter, to.Page = "", 0
		row := detail.Row{Label: "namespace", Value: namespace}
		if namespace == c.namespace && s.place != to {
			row.To = &to
		}
		rows = append(rows, row)
	}
	of := ""
	if c.whole {
		of = "of " + text.Count(c.list.Len())
	}
	if c.page == 0 {
		rows = append(rows, detail.Row{Label: "position", Value: text.Count(index + 1), Role: detail.Number, Note: of, Copy: fmt.Sprint(index + 1)})
		page := s.place
		page.Page, page.Filter = c.pageAt(index), ""
		rows = append(rows, detail.Row{Label: "page", Value: text.Count(page.Page), Note: "of the API", To: &page})
	} else {
		rows = append(rows, detail.Row{Label: "position", Value: text.Count(index + 1), Role: detail.Number, Note: "on page " + text.Count(c.page)})
	}
	if c.unanchored {
		rows = append(rows, detail.Row{Label: "read", Value: "with unanchored names", Role: detail.Warn})
	}
	if from, to := find.Highlight(name, s.search.shown().query); to > from && to <= len(name) {
		rows = append(rows, detail.Row{Label: "found", Value: name[from:to], Note: "at character " + text.Count(utf8.RuneCountInString(name[:from])+1)})
	}
	if hidden := text.Hidden(name); len(hidden) > 0 {
		rows = append(rows, detail.Row{Label: "Hidden characters", Heading: true},
			detail.Row{Label: "warning", Role: detail.Warn, Value: "This name is not what it looks like: it holds characters that cannot be seen, shown here as escapes."})
	}
	return rows
}

// Subject returns the name under the cursor.
func (s *Screen) Subject() screen.Subject {
	c, there := s.names.Get()
	if !there {
		return browser.FailedSubject("."+s.place.Namespace, s.names.Err())
	}
	sub := screen.Subject{Title: "." + c.namespace, Raw: c.raw, ExchangeID: c.id, Export: s.export}
	name, index, ok := s.current()
	if !ok {
		return sub
	}
	sub.Title, sub.Raw = name, c.pageRaw(c.pageAt(index))
	sub.Copies = []screen.Copy{
		{Key: "n", Label: "name", Text: name},
		{Key: "b", Label: "label without the namespace", Text: strings.TrimSuffix(name, "."+c.namespace)},
	}
	return s.WithField(sub)
}

// export makes a table of the names that the list shows.
func (s *Screen) export() screen.Table {
	t := s.Export()
	t.Name += "-" + fileWord(s.place.Namespace)
	if s.search.shown().query != "" {
		t.Name += "-" + fileWord(s.search.shown().query)
	}
	if s.place.Page > 0 {
		t.Name += fmt.Sprintf("-page-%d", s.place.Page)
	}
	return t
}

// fileWord keeps what may be in a file's name.
func fileWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, s)
}

// Status returns what the status line shows.
func (s *Screen) Status() screen.Status {
	var id uint64
	if c, ok := s.names.Get(); ok {
		id = c.id
	}
	st := s.StatusOf(id, &s.names)
	st.Follows = true
	st.Crumb = "." + s.place.Namespace
	if s.place.Page > 0 {
		st.Crumb += fmt.Sprintf(" %s page %s", s.Theme.Glyphs.Separator, text.Count(s.place.Page))
	}
	return st
}
