package resource

import (
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// RegisteredName is a name with who owns it. What was not read is "" or nil.
type RegisteredName struct {
	Name      string // with its namespace, as it is registered
	Namespace string
	Owner     string // an address or a contract principal
	Registry  Registry
	// Expires is the burn block at which it expires, nil where it never does.
	Expires *int64
}

// Registry is one of the two registries of names.
type Registry string

// The registries, as `chainscope name -o json` names them.
const (
	RegistryV1 Registry = "bns-v1"
	RegistryV2 Registry = "bns-v2"
)

// RegisteredNames describes names with their owners.
func RegisteredNames() Kind[RegisteredName] {
	return Kind[RegisteredName]{Name: "name", Fields: RegisteredName.fields, Columns: []Column[RegisteredName]{
		{Name: "name", Head: "NAME", Least: 12, Most: 48, Keep: 9, Value: func(n RegisteredName) Value { return TextOf(n.Name) }, Draw: drawRegistered},
		{Name: "owner", Head: "OWNER", Type: Principal, Least: 13, Most: 82, Keep: 8, Blank: true, Value: func(n RegisteredName) Value { return TextOf(n.Owner) }},
		{Name: "registry", Head: "REGISTRY", Least: 8, Most: 8, Keep: 4, Style: Muted, Blank: true, Value: func(n RegisteredName) Value { return TextOf(string(n.Registry)) }},
		{Name: "expires", Head: "EXPIRES", Type: Number, Least: 9, Most: 12, Keep: 6, Blank: true, Value: func(n RegisteredName) Value { return NumberAt(n.Expires) }},
	}}
}

func drawRegistered(n RegisteredName, width int, th *theme.Theme) string {
	return drawName(Name{Name: n.Name}, width, th)
}

// fields returns all that is known of a name.
func (n RegisteredName) fields() []Field {
	fields := []Field{
		{Section: "Name"},
		{Label: "name", Value: TextOf(n.Name), Key: "n"},
	}
	if meant := nav.Pictured(n.Name); meant != "" {
		fields = append(fields, Field{Label: "in Unicode", Value: TextOf(meant)})
	}
	if n.Owner == "" {
		return fields
	}
	expires := Field{Label: "expires", Value: TextOf("never")}
	if n.Expires != nil {
		expires = Field{Label: "expires at", Type: Number, Value: NumberAt(n.Expires), Note: "burn block"}
	}
	return append(
		fields,
		Field{Label: "owner", Type: Principal, Value: TextOf(n.Owner), To: nav.Account(n.Owner).Link(), Key: "h"},
		expires,
		Field{Label: "registry", Value: TextOf(map[Registry]string{RegistryV1: "BNS v1", RegistryV2: "BNS v2"}[n.Registry])},
		Field{Label: "namespace", Value: TextOf(n.Namespace), To: nav.Names(n.Namespace).Link()},
	)
}
