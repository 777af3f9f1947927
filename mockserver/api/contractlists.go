package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"chainscope/mockserver/internal/plainjson"
	"chainscope/mockserver/tokens"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// logs lists what a contract printed, the newest first.
func (t *transactions) logs(id clarity.Principal) []minedEvent {
	return eventsOf(t.Mined(id), func(e eventBody) bool { return e.Log != nil && e.Log.ContractID == id.String() })
}

// requestedContract reads the contract of a path and the window of its events; on false it has
// answered.
func (x *Exchange) requestedContract() (id clarity.Principal, w window, ok bool) {
	w = x.window()
	id, err := clarity.ParseContract(x.param(0))
	if err != nil { // of which the service says nothing
		id = nobody
	}
	return id, w, !x.done()
}

func serveContractEvents(x *Exchange) {
	if id, w, ok := x.requestedContract(); ok {
		results := part(w, x.transactions().logs(id), minedEvent.body)
		x.object(object{{"limit", w.limit}, {"offset", w.offset}, {"results", results}})
	}
}

// serveContractLogs is the same with cursors: the place of the transaction, and the index of
// the event.
func serveContractLogs(x *Exchange) {
	id, w, ok := x.requestedContract()
	if !ok {
		return
	}
	t := x.transactions()
	all, key := t.logs(id), func(e minedEvent) string { return t.placeKey(e.tx) + ":" + strconv.Itoa(e.Index) }
	from := func(cursor string) int {
		first := firstFrom(logOrder, all, key, cursor)
		if first+w.offset >= len(all) {
			x.Thrown(http.StatusNotFound, "", "Cursor not found")
		}
		return first
	}
	pageFrom(x, w, all, from, key, minedEvent.body)
}

// serveContractStatus reports which contracts are there, or about to be.
func serveContractStatus(x *Exchange) {
	var body object
	for i, text := range x.requiredList("contract_id") {
		id, err := clarity.ParseContract(text)
		if err != nil {
			x.invalid("querystring/contract_id/" + strconv.Itoa(i) + ` must match pattern "` + principalPattern + `"`)
			return
		}
		if !slices.ContainsFunc(body, func(f field) bool { return f.name == text }) {
			body = append(body, field{text, x.transactions().contractStatus(id)})
		}
	}
	x.object(body)
}

func (t *transactions) contractStatus(id clarity.Principal) object {
	if deploy, sent := t.Ledger(id).Contract(id); sent {
		body := t.body(deploy)
		result := object{{"status", body.Status}, {"tx_id", body.ID}, {"contract_id", id.String()}}
		if body.placeBody != nil {
			result = append(result, field{"block_height", body.BlockHeight})
		}
		return object{{"found", true}, {"result", result}}
	}
	if c, known := contractOf(t.State, id); known && c.source != nil {
		result := object{{"status", "success"}, {"tx_id", c.txid}, {"contract_id", id.String()}, {"block_height", c.height}}
		return object{{"found", true}, {"result", result}}
	}
	return object{{"found", false}}
}

// serveContractsByTrait lists the contracts that have what a trait requests, the newest first.
func serveContractsByTrait(x *Exchange) {
	w, text := x.window(), x.required("trait_abi")
	var trait struct {
		Functions []any `json:"functions"`
	}
	if err := json.Unmarshal([]byte(text), &trait); err != nil {
		x.Thrown(http.StatusBadRequest, "", "Invalid `trait_abi` parameter: it is no JSON object with a list called functions")
	}
	if x.done() {
		return
	}
	all := slices.DeleteFunc(x.transactions().contracts(x.Service.Tokens()), func(c contract) bool {
		return !holds(asJSON(c.source.Functions), trait.Functions)
	})
	if len(all) == 0 {
		x.Thrown(http.StatusNotFound, "", "cannot find contract for this trait")
		return
	}
	x.object(object{{"limit", w.limit}, {"offset", w.offset}, {"results", part(w, all, func(c contract) extendedContractBody { return c.record(x.Service.Epoch) })}})
}

// contracts lists the contracts whose text is known: those of blocks, the newest first, and
// those of the catalogue.
func (t *transactions) contracts(catalogue *tokens.Catalogue) (all []contract) {
	for _, tx := range t.AllMined() {
		if p, ok := tx.Payload.(stxtx.SmartContract); ok && !tx.Aborted() {
			id := tx.Principal()
			id.Contract = p.Name
			if c, known := contractOf(t.State, id); known && c.source != nil {
				all = append(all, c)
			}
		}
	}
	entries := slices.Concat(catalogue.Fungibles(), catalogue.NonFungibles()) // by token
	for _, entry := range slices.CompactFunc(entries, func(a, b tokens.Entry) bool { return a.Principal == b.Principal }) {
		if id, err := clarity.ParseContract(entry.Principal); err == nil {
			if c, known := contractOf(t.State, id); known && c.source != nil {
				all = append(all, c)
			}
		}
	}
	return all
}

// asJSON returns a value as JSON has it.
func asJSON(v any) (out any) {
	mustDecode(plainjson.Encode(v), &out)
	return out
}

// holds reports whether a JSON value has another one in it, as the service's database
// compares: the members of its objects, and each entry of its lists somewhere in the list.
func holds(have, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := have.(map[string]any)
		for key, one := range want {
			if !ok || !holds(object[key], one) {
				return false
			}
		}
		return ok
	case []any:
		list, ok := have.([]any)
		for _, one := range want {
			if !slices.ContainsFunc(list, func(h any) bool { return holds(h, one) }) {
				return false
			}
		}
		return ok
	}
	return have == want
}
