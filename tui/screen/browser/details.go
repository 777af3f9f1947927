package browser

import (
	"slices"
	"strings"
	"time"

	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"

	tea "github.com/charmbracelet/bubbletea"
)

// Details makes the rows of a detail from the fields of a thing.
func (f *Frame) Details(fields []resource.Field) []detail.Row {
	rows := make([]detail.Row, 0, len(fields))
	for i := range fields {
		rows = append(rows, f.row(&fields[i]))
	}
	return rows
}

func (f *Frame) row(of *resource.Field) detail.Row {
	row := detail.Row{Label: of.Label, Note: of.Note, To: of.To, Short: of.Type.Middle(), Principal: of.Principal(), Role: f.role(of)}
	switch {
	case of.Section != "":
		return detail.Row{Label: of.Section, Heading: true}
	case of.Unreported:
		return Unreported(of.Label)
	case of.Limit > 0:
		used, _ := of.Value.Number()
		share := resource.CostDimension{Name: of.Label, Used: used, Limit: of.Limit}
		return detail.Row{Label: of.Label, Draw: func(width int) []string { return []string{resource.CostGauge(share, width, f.Theme)} }}
	case !of.Value.Known() && of.Type != resource.Text && !of.Type.Middle():
		return detail.Row{Label: of.Label, Value: text.Unknown, Role: detail.Muted}
	case of.Type == resource.Moment:
		at := of.Value.Time()
		row.When = func(time.Time) string { return f.Env.Times.Long(f.Env.ChainNow(), at) }
		row.Copy = text.UTC(at)
	case of.Type == resource.Number:
		row.Value, row.Copy = of.Value.Text(of.Type), of.Value.File(of.Type)
	default:
		row.Value = f.mark(of) + of.Value.Text(of.Type)
	}
	if of.Exact != "" {
		row.Copy = of.Exact
	}
	return row
}

// NameRows says in the rows of a detail what the accounts and contracts in them are called.
func NameRows(rows []detail.Row, names resource.Naming) {
	for i := range rows {
		r := &rows[i]
		if to := resource.PrincipalAt(r.To); r.Principal == "" && to != "" && strings.Contains(r.Value, to) {
			r.Principal = to
		}
		if called := names.Of(r.Principal); called != "" {
			r.Note = strings.TrimSpace(called + "  " + r.Note)
		}
	}
}

// mostPrincipals bounds the addresses of a thing that one can choose from.
const mostPrincipals = 12

// Principals returns the account or the contract under the cursor of the detail, else all that the
// detail names, the first ones.
func (f *Frame) Principals() (all []string) {
	if row, ok := f.Detail.Cursor(); ok && f.InDetail && row.Principal != "" {
		return []string{row.Principal}
	}
	for _, r := range f.Detail.Rows() {
		if r.Principal != "" && !slices.Contains(all, r.Principal) && len(all) < mostPrincipals {
			all = append(all, r.Principal)
		}
	}
	return all
}

// PrincipalsInSight returns the accounts and contracts of the detail, where it is drawn.
func (f *Frame) PrincipalsInSight() (all []string) {
	for _, r := range f.Detail.Rows() {
		if f.area.Detail.Height > 0 && r.Principal != "" {
			all = append(all, r.Principal)
		}
	}
	return all
}

// mark returns the glyph that is before a state: color is not the only sign.
func (f *Frame) mark(of *resource.Field) string {
	switch of.Mark {
	case resource.Good:
		return f.Theme.Glyphs.Check + " "
	case resource.Bad:
		return f.Theme.Glyphs.Cross + " "
	}
	return ""
}

func (f *Frame) role(of *resource.Field) detail.Role {
	switch of.Mark {
	case resource.Good:
		return detail.OK
	case resource.Bad:
		return detail.Bad
	case resource.Struck:
		return detail.Struck
	case resource.Remark:
		return detail.Muted
	}
	if of.Type == resource.Number && of.To == nil {
		return detail.Number
	}
	return detail.Text
}

// Copies returns the fields that the copy menu has.
func Copies(fields []resource.Field) (all []screen.Copy) {
	for _, field := range fields {
		words := field.Exact
		if words == "" {
			words = field.Value.Plain(field.Type)
		}
		if field.Key != "" && words != "" {
			all = append(all, screen.Copy{Key: field.Key, Label: field.Label, Text: words})
		}
	}
	return all
}

// OnEnter lets a row of the detail do something when enter is pressed on it.
func OnEnter(rows []detail.Row, label, action string, do func(value string) tea.Cmd) {
	for i := range rows {
		row := &rows[i]
		if row.Label == label && row.Role != detail.Muted && !row.Heading {
			value := row.Text()
			row.Action, row.Do = action, func() tea.Cmd { return do(value) }
		}
	}
}
