package apiclient

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Chosen says which transactions of a list are wanted. What is "" or 0 chooses nothing.
type Chosen struct {
	// Types are the API's words for types of transactions, with commas between them.
	Types string
	// From is the sender, To the recipient of a transfer of STX.
	From, To string
	// Contract is the one that is called, and Function its function.
	Contract, Function string
	// Since and Until bound the time of the block, or when a pending one was received, in Unix
	// seconds; both are among the times that are wanted.
	Since, Until int64
}

// TransactionTypes are the API's words for the types of transactions.
func TransactionTypes() []string {
	return []string{"coinbase", "token_transfer", "smart_contract", "contract_call", "poison_microblock", "tenure_change"}
}

// Matches reports whether a transaction is wanted.
func (c Chosen) Matches(t *Transaction) bool {
	var call ContractCall
	if t.ContractCall != nil {
		call = *t.ContractCall
	}
	at := t.when()
	return (c.Types == "" || slices.Contains(strings.Split(c.Types, ","), t.Type)) &&
		(c.From == "" || t.Sender == c.From) &&
		(c.To == "" || t.TokenTransfer != nil && t.TokenTransfer.Recipient == c.To) &&
		(c.Contract == "" || call.ContractID == c.Contract) && (c.Function == "" || call.Function == c.Function) &&
		(c.Since == 0 || at >= c.Since) && (c.Until == 0 || at <= c.Until)
}

// Ends reports whether a transaction is older than those that are wanted, as are all below it in
// a list that begins with the newest.
func (c Chosen) Ends(t *Transaction) bool {
	at := t.when()
	return c.Since != 0 && at != 0 && at < c.Since
}

// when returns the time of its block, or when it was received, in Unix seconds; 0 is unknown.
func (t *Transaction) when() int64 { return cmp.Or(t.BlockTime, t.ReceiptTime) }

// CheckPartOfType returns what is wrong with words of which each is a part of a type, with commas
// between them.
func CheckPartOfType(types string) error {
	for word := range strings.SplitSeq(strings.ToLower(types), ",") {
		if !slices.ContainsFunc(TransactionTypes(), func(t string) bool { return strings.Contains(t, word) }) {
			return CheckType(word)
		}
	}
	return nil
}

// CheckType returns what is wrong with a type.
func CheckType(word string) error {
	if slices.Contains(TransactionTypes(), word) {
		return nil
	}
	return fmt.Errorf("there is no type %q; it is one of %s", word, strings.Join(TransactionTypes(), ", "))
}

// Check returns what is wrong with what is chosen.
func (c Chosen) Check() error {
	var wrong error
	for word := range strings.SplitSeq(c.Types, ",") {
		if c.Types != "" {
			wrong = errors.Join(wrong, CheckType(word))
		}
	}
	for _, principal := range []string{c.From, c.To} {
		if principal != "" {
			wrong = errors.Join(wrong, CheckAccount(principal))
		}
	}
	if c.Contract != "" {
		wrong = errors.Join(wrong, CheckPrincipal(c.Contract))
	}
	if c.Since != 0 && c.Until != 0 && c.Since > c.Until {
		wrong = errors.Join(wrong, errors.New("the end of the time is before its beginning"))
	}
	return wrong
}

// chosenNames hold the parameters of a route that choose; "" is for what it does not take.
type chosenNames struct{ types, from, to, contract, function, since, until string }

// The parameters of the routes that take any.
var (
	minedNames   = chosenNames{"type", "from_address", "to_address", "contract_id", "function_name", "start_time", "end_time"}
	pendingNames = chosenNames{from: "sender_address", to: "recipient_address"}
	namesOfV3    = chosenNames{types: "type"} // since 9.8; before it is ignored
)

// requested returns what is chosen as the query of a route, and what is left to be chosen from its
// answer.
func (c Chosen) requested(n chosenNames) (query string, left Chosen) {
	left = c
	for _, p := range []struct {
		name  string
		value *string
	}{{n.types, &left.Types}, {n.from, &left.From}, {n.to, &left.To}, {n.contract, &left.Contract}, {n.function, &left.Function}} {
		if p.name == "" || *p.value == "" {
			continue
		}
		for one := range strings.SplitSeq(*p.value, ",") { // only types are several
			query = addQuery(query, p.name, one)
		}
		*p.value = ""
	}
	for _, p := range []struct {
		name  string
		value *int64
	}{{n.since, &left.Since}, {n.until, &left.Until}} {
		if p.name != "" && *p.value != 0 {
			query, *p.value = addQuery(query, p.name, strconv.FormatInt(*p.value, 10)), 0
		}
	}
	return query, left
}

// typesFrom is the release since which the routes of v3 take a type.
var typesFrom = [2]int{9, 8}

// ignores reports whether a server ignores the types that were requested of its routes of v3: it
// says that it is older than those that take them, or lists another one.
func (c *Client) ignores(types string, rows []ListedTransaction) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(c.InForce().Version, "v%d.%d", &major, &minor); n == 2 && slices.Compare([]int{major, minor}, typesFrom[:]) < 0 {
		return true
	}
	return slices.ContainsFunc(rows, func(t ListedTransaction) bool { return !Chosen{Types: types}.Matches(&t.Transaction) })
}

// Names returns the words for what is chosen, as flags and filters have them.
func (c Chosen) Names() (names []string) {
	for _, p := range []struct {
		name string
		is   bool
	}{
		{"type", c.Types != ""},
		{"from", c.From != ""},
		{"to", c.To != ""},
		{"contract", c.Contract != ""},
		{"function", c.Function != ""},
		{"since", c.Since != 0},
		{"until", c.Until != 0},
	} {
		if p.is {
			names = append(names, p.name)
		}
	}
	return names
}
