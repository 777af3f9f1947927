package resource

import (
	"testing"

	"chainscope/apiclient"
	"chainscope/apiclient/apitest"
)

// FuzzTransactionFields makes the fields of whatever a server calls a transaction: there are
// never more than a screen can be scrolled through, and none is longer than it can be drawn.
func FuzzTransactionFields(f *testing.F) {
	for _, e := range apitest.Exchanges(apitest.Version9) {
		if e.Status == 200 && len(e.Body) < 10_000 {
			f.Add([]byte(e.Body))
		}
	}
	f.Add([]byte(`{"tx_status":"abort_by_post_condition","vm_error":"Post-condition check failure on STX owned by SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J: 7 SentEq 8","tx_type":"contract_call","contract_call":{}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var listed apiclient.ListedTransaction
		if listed.UnmarshalJSON(body) != nil {
			return
		}
		of := Transaction{Transaction: &listed.Transaction}.With(Background{})
		fields := of.fields()
		most := 100 + 2*maxMoves + maxLocks + maxPrintLines + (maxArguments+1)*(maxParts+1) + maxConditions + len(listed.Extra)
		if len(fields) > most {
			t.Errorf("%d fields", len(fields))
		}
		for _, field := range fields {
			if words := field.Value.Text(field.Type); len(words) > len(body)+4096 {
				t.Errorf("%s has %d bytes", field.Label, len(words))
			}
		}
		for _, column := range Transactions().Columns {
			column.Value(of).Text(column.Type)
		}
	})
}
