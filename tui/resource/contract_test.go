package resource

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
)

const bookID = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.book"

func contractWith(t testing.TB, source, face string) Contract {
	t.Helper()
	text, err := json.Marshal(face)
	if err != nil {
		t.Fatal(err)
	}
	return ContractOf(&apiclient.Contract{ID: bookID, TxID: "0x" + strings.Repeat("ab", 32), BlockHeight: 5, Source: source, ABI: text})
}

// labelled returns the fields of a contract by their labels.
func labelled(c Contract) map[string]Field {
	all := map[string]Field{}
	for _, f := range Contracts().Fields(c) {
		all[f.Label+f.Section] = f
	}
	return all
}

// What a contract offers leads to where it is called or read, and the rest to what it names.
func TestAContractLeadsOn(t *testing.T) {
	c := contractWith(t, `(use-trait ft 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-trait-ft-standard.sip-010-trait)
(impl-trait .own.thing)
(define-trait mine ((f (uint) (response bool uint))))`, `{"functions":[
		{"name":"get","access":"read_only","args":[{"name":"who","type":"principal"}],"outputs":{"type":"uint128"}},
		{"name":"put","access":"public","args":[],"outputs":{"type":"bool"}},
		{"name":"hide","access":"private","args":[],"outputs":{"type":"bool"}}],
		"variables":[{"name":"last","access":"variable","type":"uint128"},{"name":"MOST","access":"constant","type":"uint128"}],
		"maps":[{"name":"notes","key":"uint128","value":"bool"}],"fungible_tokens":[{"name":"coin"}],"non_fungible_tokens":[{"name":"ticket","type":"uint128"}]}`)
	fields := labelled(c)
	hide := nav.Source(bookID)
	hide.Name = "hide"
	for label, want := range map[string]struct {
		words string
		to    nav.Place
	}{
		"source":           {"3 lines, 175 B", nav.Source(bookID)},
		"get":              {"who principal", nav.Function(bookID, "get")},
		"put":              {"()", nav.Function(bookID, "put")},
		"hide":             {"()", hide},
		"last":             {"uint", nav.Kept(bookID, "last")},
		"MOST":             {"uint", nav.Kept(bookID, "MOST")},
		"notes":            {"uint", nav.Kept(bookID, "notes")},
		"coin":             {"fungible", nav.FT(bookID, "")},
		"ticket":           {"non-fungible, by uint", nav.NFT(bookID, "", "")},
		"has":              {".own.thing", nav.Place{}},
		"uses":             {"'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-trait-ft-standard.sip-010-trait", nav.Contract("SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-trait-ft-standard")},
		"defines":          {"mine", nav.Place{}},
		"deployed by":      {"0x" + strings.Repeat("ab", 32), nav.Transaction("0x" + strings.Repeat("ab", 32))},
		"block":            {"5", nav.BlockAtHeight(5)},
		"its account":      {"STX, tokens", nav.Account(bookID)},
		"its transactions": {"calls of it, and what concerns it", nav.TransactionsOf(bookID)},
		"its prints":       {"what its functions printed", nav.Prints(bookID)},
	} {
		f, there := fields[label]
		if got := f.Value.Plain(f.Type); !there || got != want.words || leads(f) != want.to {
			t.Errorf("%s is %q and leads to %q, not %q and %q", label, got, f.To, want.words, want.to)
		}
	}
	if f := fields["get"]; f.Exact != "(get (who principal)) uint" || f.Note != "returns uint" {
		t.Errorf("%+v", f)
	}
}

// An interface that lies says why it cannot be read, and one of any size is listed in part.
func TestAnInterfaceThatLiesIsListedInPart(t *testing.T) {
	if f := labelled(contractWith(t, "(ok 1)", "[]"))["interface"]; f.Mark != Bad || !strings.Contains(f.Value.Text(Text), "no JSON object") {
		t.Errorf("%+v", f)
	}
	var many []string
	for i := range 20_000 {
		many = append(many, fmt.Sprintf(`{"name":"f%d","access":"read_only","args":[{"name":"%s","type":"bool"}],"outputs":{"type":"bool"}}`, i, strings.Repeat("w", 3000)))
	}
	c := contractWith(t, "", `{"functions":[`+strings.Join(many, ",")+`]}`)
	best := time.Hour
	var fields []Field
	for range 5 {
		began := time.Now()
		fields = Contracts().Fields(c)
		best = min(best, time.Since(began))
	}
	if len(fields) > 450 || best > 5*time.Millisecond {
		t.Errorf("%d fields in %v", len(fields), best)
	}
	for _, f := range fields {
		if n := len(f.Value.Text(f.Type)); n > 1000 {
			t.Fatalf("%s has %d bytes", f.Label, n)
		}
	}
}

// leads returns where a field leads, the zero place for nowhere.
func leads(f Field) nav.Place {
	if f.To == nil {
		return nav.Place{}
	}
	return *f.To
}
