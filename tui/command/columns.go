package command

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/resource"
)

// rowOf returns a row of a value of the API, nil where it has no columns.
func rowOf(of any) any {
	switch of.(type) {
	case apiclient.Block, apiclient.List[apiclient.Block]:
		return apiclient.Block{}
	case apiclient.List[apiclient.ListedBlock]:
		return apiclient.ListedBlock{}
	case apiclient.List[apiclient.BurnBlock]:
		return apiclient.BurnBlock{}
	case apiclient.Transaction, apiclient.TransactionPage:
		return apiclient.Transaction{}
	case apiclient.FungibleToken, apiclient.NonFungibleToken:
		return of
	}
	return nil
}

// contractColumns returns the columns that the rows of a value have whichever version of
// the API answers; nil where answers differ.
func contractColumns(of any) []string {
	if sheet, ok := of.(resource.Sheet); ok {
		return sheet.Columns
	}
	row := rowOf(of)
	switch row.(type) {
	case nil, apiclient.FungibleToken, apiclient.NonFungibleToken:
		return nil
	}
	if mixed(of) {
		return kindOf(of).files()
	}
	raw, _ := json.Marshal(row)
	return columnsOf(raw)
}

// mixed reports whether the rows of a value have different fields, by their types.
func mixed(of any) bool {
	_, isTransaction := rowOf(of).(apiclient.Transaction)
	return isTransaction
}

// knownColumns returns all columns that the rows of a value can have.
func knownColumns(of any) []string {
	if sheet, ok := of.(resource.Sheet); ok {
		return sheet.Columns
	}
	row := rowOf(of)
	if row == nil {
		return nil
	}
	names := namedColumnsOf(row)
	if _, fungible := row.(apiclient.FungibleToken); fungible {
		names = append(names, "total_supply")
	}
	return names
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
	known := slices.Clone(w.known)
	if w.kind != nil && known != nil {
		for _, name := range slices.Concat(w.kind.names(), w.kind.files()) {
			if !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
	}
	if row != nil {
		for _, name := range columnsOf(row) {
			if !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
	}
	if known == nil {
		return nil
	}
	for _, path := range w.fields {
		if path != "." && !slices.ContainsFunc(known, func(name string) bool { return path == name || strings.HasPrefix(path, name+".") }) {
			if len(known) == 1 && known[0] == "." {
				return usagef("--fields: there is no column %q; each row is one value, which is called \".\"", path)
			}
			return unknownColumn(w.fields, path, known)
		}
	}
	return nil
}

// unknownColumn is the error of a column that there is not. The line that it offers has the
// nearest one in its place, or is without it.
func unknownColumn(fields []string, wrong string, known []string) error {
	right := slices.Clone(fields)
	if meant := nearest(wrong, known); meant != "" {
		right[slices.Index(right, wrong)] = meant
	} else if right = slices.DeleteFunc(right, func(name string) bool { return name == wrong }); len(right) == 0 {
		right = known[:1]
	}
	return usagef("--fields: there is no column %q; the columns are %s", wrong, strings.Join(known, ", ")).
		tryFlag("fields", strings.Join(right, ","))
}

// withCount adds the number of a block's transactions to a row that only lists them, as
// the first version of the API does.
func withCount(row any) any {
	block, isObject := row.(map[string]any)
	if !isObject {
		return row
	}
	if txs, listed := block["txs"].([]any); listed && block["tx_count"] == nil {
		block["tx_count"] = len(txs)
	}
	return row
}
