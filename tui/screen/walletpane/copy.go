package walletpane

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/snippet"
	"chainscope/tui/text"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// snippetOf returns a request in words of other tools.
func snippetOf(r service.Request) snippet.Call {
	c := snippet.Call{Method: r.Method, Params: r.Params, Options: r.Options}
	if r.Raw != "" {
		c.Kind, c.Raw = snippet.Raw, r.Raw
	}
	return c
}

// snippetOfCall returns a call of the timeline in words of other tools.
func snippetOfCall(c service.Call) (snippet.Call, error) {
	switch c.Kind {
	case service.KindConnect:
		return snippet.Call{Kind: snippet.Connect, Method: c.Method, Params: c.Params, Options: c.Options}, nil
	case service.KindDisconnect:
		return snippet.Call{Kind: snippet.Disconnect}, nil
	case service.KindRepair:
		return snippet.Call{}, errNotOfAPage
	}
	r, err := c.Request()
	return snippetOf(r), err
}

// errNotOfAPage says that no page can request a repair.
var errNotOfAPage = errors.New("no page asks for this")

// asSigned returns the params with the fee and the nonce that were signed, and with the
// post-conditions where the user changed them: the same request again is the same transaction.
func asSigned(c service.Call, params json.RawMessage) json.RawMessage {
	if len(c.Result) == 0 && c.TxID == "" {
		return asEdited(c, params)
	}
	return withParts(c, params, append([]string{"fee", "nonce"}, c.Edits...))
}

// asEdited returns the params with what the user changed of them in the dialog.
func asEdited(c service.Call, params json.RawMessage) json.RawMessage {
	return withParts(c, params, c.Edits)
}

// withParts returns the params with parts of the transaction of the call.
func withParts(c service.Call, params json.RawMessage, parts []string) json.RawMessage {
	m, known := signer.Lookup(c.Method)
	tx, of := c.Transaction(), map[string]json.RawMessage{}
	if !known || tx == nil || len(parts) == 0 || len(params) > 0 && json.Unmarshal(params, &of) != nil {
		return params
	}
	changed := false
	put := func(name string, raw json.RawMessage) {
		if strings.Trim(string(of[name]), `"`) != strings.Trim(string(raw), `"`) {
			of[name], changed = raw, true
		}
	}
	set := func(part, name string, v any) {
		if raw, err := json.Marshal(v); err == nil && slices.Contains(parts, part) && m.Accepts(name) && reads(c, name) {
			put(name, raw)
		}
	}
	set("fee", "fee", strconv.FormatUint(tx.Auth.Origin.Fee, 10))
	set("nonce", "nonce", strconv.FormatUint(tx.Auth.Origin.Nonce, 10))
	conditions := []string{}
	for _, one := range tx.PostConditions {
		text, err := stxtx.PostConditionHex(one)
		if err != nil {
			return params
		}
		conditions = append(conditions, text)
	}
	set("post-conditions", "postConditions", conditions)
	set("post-conditions", "postConditionMode", tx.PostConditionMode.String())
	for _, name := range []string{"transaction", "txHex"} {
		if given, there := of[name]; there {
			put(name, preparedAs(given, tx, parts))
		}
	}
	raw, err := json.Marshal(of)
	if err != nil || !changed {
		return params
	}
	return raw
}

// preparedAs returns a transaction that a request gives with those parts of it as they were signed. One that
// has a signature already stays as it is.
func preparedAs(given json.RawMessage, signed *stxtx.Transaction, parts []string) json.RawMessage {
	var digits string
	_ = json.Unmarshal(given, &digits)
	tx, err := stxtx.DecodeHex(digits)
	if err != nil || tx.Auth.Origin.Signatures() > 0 {
		return given
	}
	if slices.Contains(parts, "fee") {
		tx.Auth.Origin.Fee = signed.Auth.Origin.Fee
	}
	if slices.Contains(parts, "nonce") {
		tx.Auth.Origin.Nonce = signed.Auth.Origin.Nonce
	}
	if slices.Contains(parts, "post-conditions") {
		tx.PostConditionMode, tx.PostConditions = signed.PostConditionMode, signed.PostConditions
	}
	whole, err := tx.Hex()
	if err != nil || strings.EqualFold(whole, strings.TrimPrefix(digits, "0x")) {
		return given
	}
	return json.RawMessage(strconv.Quote(whole))
}

// lost says what was signed that no param can carry to the wallet again, "" for nothing.
func lost(c service.Call) string {
	filled := prepared(c) && (c.Fee == "0" || c.Nonce == "0") && c.Wallet.Model().FillsZero(c.Sent().Method)
	var parts []string
	if !carries(c, "fee") || filled {
		parts = append(parts, "fee "+c.Fee+" micro-STX", "nonce "+c.Nonce)
	}
	if slices.Contains(c.Edits, "post-conditions") && !carries(c, "post-conditions") {
		parts = append(parts, "the edited post-conditions")
	}
	if c.Fee == "" || len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("not in the params, as %s would not take it: %s", c.Wallet, strings.Join(parts, ", "))
}

// prepared reports whether a call is given what it signs as a transaction.
func prepared(c service.Call) bool {
	m, _ := signer.Lookup(c.Method)
	return m.Accepts("transaction") || m.Accepts("transactions")
}

// carries reports whether the params of a call can name a part of a transaction.
func carries(c service.Call, part string) bool {
	param := map[string]string{"fee": "fee", "nonce": "nonce", "post-conditions": "postConditions"}[part]
	m, _ := signer.Lookup(c.Method)
	return prepared(c) || m.Accepts(param) && reads(c, param)
}

// reads reports whether the wallet of a call reads a param: Xverse fills in fee and nonce itself.
func reads(c service.Call, param string) bool {
	return c.Wallet == "" || c.Wallet.Model().Reads(c.Sent().Method, param)
}

// walletOf returns the wallet with keys of that name as a command line names it.
func (s *Screen) walletOf(n service.KeyName) snippet.Wallet {
	w := snippet.Wallet{API: s.opt.API, Passphrase: n.PassphrasePath}
	switch n.Source {
	case service.FromKeystore:
		w.Keystore = n.Path
	case service.MnemonicFile:
		w.Mnemonic = n.Path
	case service.WatchedOnly:
		w.Watch = n.Fingerprint
	case service.Environment, service.ProjectFile:
		w.Lost = "signed by keys that no flag names: " + n.String()
	}
	return w
}

// subjectOf returns what can be copied of a request, and of its result, with the wallet that it
// goes to.
func (s *Screen) subjectOf(title string, c snippet.Call, w snippet.Wallet, wallet string, result json.RawMessage) screen.Subject {
	sub := screen.Subject{Title: title, Raw: result}
	if _, v := value(result); v != "" {
		sub.Copies = append(sub.Copies, screen.Copy{Key: "v", Label: "value", Text: v})
	}
	sub.Copies = append(sub.Copies,
		screen.Copy{Key: "s", Label: "JavaScript", Text: snippet.JavaScript(c, w, wallet)},
		screen.Copy{Key: "l", Label: "command line", Text: snippet.Command(c, w, wallet)})
	if len(c.Params) > 0 {
		sub.Copies = append(sub.Copies, screen.Copy{Key: "p", Label: "params", Text: text.IndentJSON(c.Params)})
	}
	return sub
}

// value returns what one wants of a result first, with its name: the signature, the id, the
// PSBT. Of a list it is that of the first entry.
func value(result json.RawMessage) (name, v string) {
	if entries := entriesOf(result); len(entries) > 0 {
		if address := stacksEntry(entries); address != "" {
			return "address", address
		}
		return value(entries[0])
	}
	var r struct {
		Signature, TxID, PSBT, Transaction, Total string
		Transactions                              []string
		Addresses                                 []json.RawMessage
	}
	if json.Unmarshal(result, &r) != nil {
		return "", ""
	}
	for _, v := range [][2]string{
		{"address", stacksEntry(r.Addresses)},
		{"signature", r.Signature},
		{"txid", r.TxID},
		{"psbt", r.PSBT},
		{"transaction", r.Transaction},
		{"satoshis", r.Total},
		{"transaction", strings.Join(r.Transactions[:min(1, len(r.Transactions))], "")},
	} {
		if v[1] != "" {
			return v[0], v[1]
		}
	}
	return "", ""
}

// entriesOf returns the entries of a result that is a list: an array, or the object
// that the library makes of one, whose members are numbers. It returns none for
// other results.
func entriesOf(result json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(result, &list) == nil {
		return list
	}
	var numbered map[string]json.RawMessage
	if json.Unmarshal(result, &numbered) != nil {
		return nil
	}
	for i := range len(numbered) {
		entry, there := numbered[strconv.Itoa(i)]
		if !there {
			return nil
		}
		list = append(list, entry)
	}
	return list
}

// stacksEntry returns the Stacks address among addresses, "" for none.
func stacksEntry(entries []json.RawMessage) string {
	for _, raw := range entries {
		var e struct{ Symbol, Purpose, Address string }
		if json.Unmarshal(raw, &e) == nil && (e.Symbol == "STX" || e.Purpose == "stacks") {
			return e.Address
		}
	}
	return ""
}
