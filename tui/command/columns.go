package command

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/resource"
)

// columnSet describes the columns of rows.
type columnSet struct {
	// first are those of csv, whichever version of the API answers; nil where answers differ.
	// Only says that it has no others, though the rows do.
	first []string
	only  bool
	// last are those of csv after all others.
	last []string
	// known are all that there can be, nil where the contract does not say.
	known []string
}

// with returns the set with more columns that are known.
func (s columnSet) with(names ...string) columnSet {
	s.known = slices.Clone(s.known)
	for _, name := range names {
		if !slices.Contains(s.known, name) {
			s.known = append(s.known, name)
		}
	}
	return s
}

// columnsOf returns the columns of rows of a kind. Those of csv are given, or are those of the
// description; members are what else the rows can have.
func columnsOf[T any](kind resource.Kind[T], first, members []string) columnSet {
	s := columnSet{first: first, only: first == nil}
	if s.only {
		s.first = kind.Files()
	}
	return s.with(first...).with(members...).with(kind.Names()...).with(kind.Files()...).with(kind.LabelColumns()...)
}

// columnsOfJSON returns the members that a value of the API always has as JSON.
func columnsOfJSON(of any) []string {
	raw, _ := json.Marshal(of)
	return columnsOfRow(raw)
}

// The columns of what commands print by itself and in lists.
func blockColumns() columnSet {
	return columnsOf(resource.Blocks(), columnsOfJSON(apiclient.Block{}), namedColumnsOf(apiclient.Block{}))
}

func transactionColumns() columnSet {
	return columnsOf(resource.Transactions(), nil, namedColumnsOf(apiclient.Transaction{}))
}

func tokenColumns(of any) columnSet {
	s := columnSet{known: namedColumnsOf(of)}
	if _, fungible := of.(apiclient.FungibleToken); fungible {
		s = s.with("total_supply")
	}
	return s
}

// described returns the columns of a value of the API, and what its description has under a
// name; nil for what has none.
func described(of any) (columnSet, func(name string) any) {
	switch of := of.(type) {
	case apiclient.Block:
		return blockColumns(), func(name string) any { return resource.Blocks().Member(resource.BlockOf(&of), name) }
	case apiclient.Transaction:
		return transactionColumns(), func(name string) any {
			return resource.Transactions().Member(resource.Transaction{Transaction: &of}, name)
		}
	case apiclient.FungibleToken, apiclient.NonFungibleToken:
		return tokenColumns(of), nil
	case interface {
		columns() columnSet
		member(name string) any
	}:
		return of.columns(), of.member
	}
	return columnSet{}, nil
}

func namedColumnsOf(row any) []string { return namedColumns(reflect.TypeOf(row)) }

// namedColumns returns the names that the fields of a struct have in JSON.
func namedColumns(t reflect.Type) []string {
	var names []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			names = append(names, namedColumns(f.Type)...)
		case name != "" && name != "-":
			names = append(names, name)
		}
	}
	return names
}

// checkColumns refuses columns that neither the contract nor a row has. A row is nil
// where there is none.
func (w *rowWriter) checkColumns(row json.RawMessage) error {
	w.checked = true
	known := w.columns.known
	if row != nil {
		known = w.columns.with(columnsOfRow(row)...).known
	}
	if known == nil {
		return nil
	}
	for _, path := range w.fields {
		if path != "." && !slices.ContainsFunc(known, func(name string) bool { return path == name || strings.HasPrefix(path, name+".") }) {
			if len(known) == 1 && known[0] == "." {
				return cli.Usagef("--fields: there is no column %q; each row is one value, which is called \".\"", path)
			}
			return unknownColumn(w.fields, path, known)
		}
	}
	return nil
}

// unknownColumn returns the error of a column that there is not. The line that it offers has the
// nearest one in its place, or is without it.
func unknownColumn(fields []string, wrong string, known []string) error {
	right := slices.Clone(fields)
	if suggestion := cli.Nearest(wrong, known); suggestion != "" {
		right[slices.Index(right, wrong)] = suggestion
	} else if right = slices.DeleteFunc(right, func(name string) bool { return name == wrong }); len(right) == 0 {
		right = known[:1]
	}
	return cli.Usagef("--fields: there is no column %q; the columns are %s", wrong, strings.Join(known, ", ")).
		TryFlag("fields", strings.Join(right, ","))
}
