package resource

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/apiclient/apitest"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/outcome"

	"chainscope/wallet/clarity"
	"github.com/charmbracelet/x/ansi"
)

// recordedTransaction reads a transaction of the recordings of version 9.
func recordedTransaction(t *testing.T, name string) Transaction {
	t.Helper()
	for _, e := range apitest.Exchanges(apitest.Version9) {
		if e.Name == name {
			var listed apiclient.ListedTransaction
			if err := listed.UnmarshalJSON(e.Body); err != nil {
				t.Fatal(err)
			}
			return Transaction{Transaction: &listed.Transaction}
		}
	}
	t.Fatalf("%s is not recorded", name)
	return Transaction{}
}

func TestATransactionIsDescribedInASentence(t *testing.T) {
	for name, want := range map[string]string{
		"v1-tx-transfer":      "STAW…BMBN sent 1.5 STX to ST11…8P2Y",
		"v1-tx-call_events":   "STAW…BMBN called transfer of demo-token with amount u2500, sender STAW…BMBN, recipient ST11…8P2Y, memo (some 0x6c756e6368)",
		"v1-tx-deploy":        "STAW…BMBN deployed demo-token",
		"v1-tx-coinbase":      "claimed a miner's reward",
		"v1-tx-tenure_change": "began a tenure",
	} {
		if got := recordedTransaction(t, name).Sentence(); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A row of a list begins with what distinguishes the transaction.
func TestRowsOfTransactionsDifferWhereTheyBegin(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	widths := make([]int, len(Transactions().Columns))
	widths[1] = 21 // of what it does
	for name, want := range map[string]string{"v1-tx-transfer": "1.5 STX → ST11…8P2Y", "v1-tx-call_events": "transfer · demo-token", "v1-tx-deploy": "deployed demo-token"} {
		of := recordedTransaction(t, name)
		if got := ansi.Strip(Transactions().Row(of, widths, th)); strings.TrimSpace(got) != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
		if c, _ := Transactions().Column("what"); c.Value(of).Plain(c.Type) != of.What() {
			t.Errorf("a file says %q", c.Value(of).Plain(c.Type))
		}
	}
}

// lines returns the fields of a section as text, marks first.
func lines(of Transaction, section string) []string {
	var out []string
	in := ""
	for _, f := range of.fields() {
		if f.Section != "" {
			in = f.Section
			continue
		}
		if in != section {
			continue
		}
		mark := map[Mark]string{Good: "+ ", Bad: "- "}[f.Mark]
		out = append(out, strings.TrimSuffix(mark+f.Label+": "+f.Value.Text(f.Type)+" | "+f.Note, " | "))
	}
	return out
}

// ended returns a transaction that succeeded and did what its events say.
func ended(conditions []apiclient.PostCondition, events ...apiclient.Event) Transaction {
	count := int64(len(events))
	return Transaction{Transaction: &apiclient.Transaction{
		Type: apiclient.TypeContractCall, Status: apiclient.StatusSuccess, Sender: staker, ContractCall: &apiclient.ContractCall{ContractID: "SP000000000000000000002Q6VF78.pox-5", Function: "stake"},
		PostConditions: conditions, Mode: "deny", Events: events, EventCount: &count,
	}}
}

const staker = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"

// A stake moves no STX: what is locked is beside a condition on staking, and what is done
// for stacking is called so. Kinds that are not known are named, and compared with nothing.
func TestEachKindOfConditionIsCalledWhatItIs(t *testing.T) {
	lock := func(amount string) apiclient.Event {
		return apiclient.Event{Type: apiclient.EventLock, Lock: &apiclient.STXLock{Address: staker, Amount: amount}}
	}
	origin := apiclient.ConditionPrincipal{Kind: "principal_origin"}
	for name, tt := range map[string]struct {
		condition apiclient.PostCondition
		want      string
	}{
		"locked exactly":         {apiclient.PostCondition{Type: "staking", Code: "sent_equal_to", Amount: "100000000000"}, "+ SPC5…H54J: locks exactly 100,000 STX | locked 100,000 STX"},
		"added to an old lock":   {apiclient.PostCondition{Type: "staking", Code: "sent_equal_to", Amount: "5000000"}, "SPC5…H54J: locks exactly 5 STX | locked 100,000 STX"},
		"stacking is changed":    {apiclient.PostCondition{Type: "pox", Code: "performed"}, "SPC5…H54J: changes its stacking state without locking STX"},
		"stacking is left":       {apiclient.PostCondition{Type: "pox", Code: "not_performed"}, "SPC5…H54J: does not change its stacking state without locking STX"},
		"stacking may change":    {apiclient.PostCondition{Type: "pox", Code: "maybe_performed"}, "SPC5…H54J: may change its stacking state without locking STX"},
		"of a type to come":      {apiclient.PostCondition{Type: "time_lock", Code: "sent_equal_to", Amount: "7"}, "SPC5…H54J: a condition of another kind: time lock sent equal to 7 | in the raw JSON"},
		"a code to come":         {apiclient.PostCondition{Type: "pox", Code: "twice"}, "SPC5…H54J: a condition of another kind: pox twice | in the raw JSON"},
		"a token without a name": {apiclient.PostCondition{Type: "fungible", Code: "sent_equal_to", Amount: "7"}, "SPC5…H54J: a condition of another kind: fungible sent equal to 7 | in the raw JSON"},
		"a code of amounts":      {apiclient.PostCondition{Type: "stx", Code: "sent_about", Amount: "7"}, "SPC5…H54J: a condition of another kind: stx sent about 7 | in the raw JSON"},
	} {
		tt.condition.Principal = origin
		if got := lines(ended([]apiclient.PostCondition{tt.condition}, lock("100000000000")), "Post-conditions"); len(got) != 2 || got[1] != tt.want {
			t.Errorf("%s:\n%q, want\n%q", name, got, tt.want)
		}
	}
	// A node says by how much a stake that was aborted missed its condition.
	aborted := ended([]apiclient.PostCondition{{Principal: origin, Type: "stx", Code: "sent_equal_to", Amount: "7"}, {Principal: origin, Type: "staking", Code: "sent_equal_to", Amount: "7"}})
	aborted.Status, aborted.VMError = apiclient.StatusAbortByPostCondition, "Post-condition check failure on staked STX owned by "+staker+": 7 SentEq 9"
	if got := strings.Join(lines(aborted, "Post-conditions")[1:], "\n"); got != "SPC5…H54J: sends exactly 0.000007 STX\n- SPC5…H54J: locks exactly 0.000007 STX | locked 0.000009 STX" {
		t.Errorf("of the one that was aborted:\n%s", got)
	}
	later := ended(nil)
	later.Mode = "some_later_mode"
	if got := lines(later, "Post-conditions"); len(got) != 1 || got[0] != "other transfers: some later mode" {
		t.Errorf("a mode to come: %q", got)
	}
}

// An event of a kind that is not known moves nothing that is counted: it is named.
func TestAnEventOfAnotherKindIsNamedAndNotCounted(t *testing.T) {
	later := apiclient.Event{Type: "vault_asset", Asset: &apiclient.AssetEvent{Sender: staker, Amount: "7"}}
	got := ended([]apiclient.PostCondition{{Principal: apiclient.ConditionPrincipal{Kind: "principal_origin"}, Type: "stx", Code: "sent_equal_to", Amount: "0"}}, later, later)
	if moved := lines(got, "What moved"); len(moved) != 1 || moved[0] != "vault asset: 2 events of another kind | in the raw JSON" {
		t.Errorf("what moved: %q", moved)
	}
	if c := lines(got, "Post-conditions"); c[1] != "+ SPC5…H54J: sends exactly 0 STX | sent 0 STX" {
		t.Errorf("its condition: %q", c)
	}
	for kind, events := range map[string][]apiclient.Event{"principal_origin": {later}, "principal_ghost": nil} {
		unsure := ended([]apiclient.PostCondition{{Principal: apiclient.ConditionPrincipal{Kind: kind}, Type: "stx", Code: "sent_equal_to", Amount: "5"}}, events...)
		if c := lines(unsure, "Post-conditions"); strings.HasPrefix(c[1], "-") || !strings.HasSuffix(c[1], "sends exactly 0.000005 STX") {
			t.Errorf("a condition of which nothing is known: %q", c)
		}
	}
	if e := got.EntriesOf(staker); len(e) != 1 || e[0].Amount != nil {
		t.Errorf("its entries: %+v", e)
	}
}

func TestATransactionOfOursLeadsToItsCall(t *testing.T) {
	of := ended(nil).With(Background{Call: &OwnCall{Method: "stx_callContract", Key: "17"}})
	for _, f := range of.fields() {
		if f.Label == "your call" && f.Value.Text(f.Type) == "stx_callContract" && *f.To == nav.WalletCall("17") {
			return
		}
	}
	t.Error("no row leads to the call")
}

// What waits with a nonce that is used already can be in no block: the account says so.
func TestAnAccountMarksNoncesThatAreUsedAlready(t *testing.T) {
	executed := int64(591)
	of := Account{Principal: staker, Nonces: &apiclient.Nonces{Next: 592, LastExecuted: &executed, Pending: []int64{8, 592}}}
	said := map[string]Field{}
	for _, f := range of.fields() {
		said[f.Label] = f
	}
	if used := said["used already"]; used.Value.Text(used.Type) != "8" || used.Mark != Bad {
		t.Errorf("used already: %+v", used)
	}
	if waiting := said["pending"]; waiting.Value.Text(waiting.Type) != "592" {
		t.Errorf("waiting: %+v", waiting)
	}
}

// A memo that is no text is shown as its bytes, without the zeros that fill it up.
func TestAMemoThatIsNoTextIsItsBytes(t *testing.T) {
	for memo, want := range map[string]string{
		"0xdeadbeef00ff" + strings.Repeat("0", 56): "0xdeadbeef00ff",
		"0x68690000":   "hi",
		"0xf09fa68b0a": "🦋\n",
		"0x1b5b33316d": "0x1b5b33316d",
		"0x61e280ae62": "a\u202eb",
		"0x":           "",
		"0x0102":       "0x0102",
	} {
		if got := memoText(memo); got != want {
			t.Errorf("%s is %q, want %q", memo, got, want)
		}
	}
}

// Beside each condition stands what was really sent. What was burned was sent too; the
// recording was made without a virtual machine, which would have aborted it.
func TestConditionsAreComparedWithWhatWasSent(t *testing.T) {
	got := strings.Join(lines(recordedTransaction(t, "v1-tx-call_events"), "Post-conditions"), "\n")
	want := `other transfers: are refused (deny)
- STAW…BMBN: sends exactly 2,500 demo (smallest unit) | sent 2,501 demo (smallest unit)
+ STAW…BMBN: sends at most 0.00001 STX | sent 0.000005 STX
+ STAW…BMBN: keeps u1 ticket`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Nothing is known to have been sent by a transaction that was aborted.
	for _, line := range lines(recordedTransaction(t, "v1-tx-call_abort_pc"), "Post-conditions") {
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			t.Errorf("of an aborted transaction it says %q", line)
		}
	}
}

func TestWhatMovedIsSummedUp(t *testing.T) {
	got := strings.Join(lines(recordedTransaction(t, "v1-tx-call_events"), "What moved"), "\n")
	want := "demo: STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN.demo-token::demo\nSTAW…BMBN: -2,501 demo (smallest unit)\nST11…8P2Y: +2,500 demo (smallest unit)\nSTAW…BMBN: -0.000005 STX\nST1H…PJKR: +0.000005 STX"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// While events are missing it is said that what moved is a part, and no condition is called
// held or broken.
func TestAPartOfTheEventsNeverPassesForTheWhole(t *testing.T) {
	for _, known := range []int{0, 2} {
		whole := recordedTransaction(t, "v1-tx-call_events")
		whole.Events = whole.Events[:known]
		title := map[int]string{0: "What moved", 2: "What moved in the first 2 of 4 events"}[known]
		got := lines(whole, title)
		if len(got) == 0 || got[len(got)-1] != fmt.Sprintf("%s: %d events", RestOfEvents, 4-known) {
			t.Errorf("with %d events it says %q", known, got)
		}
		conditions := lines(whole, "Post-conditions")
		for _, line := range conditions {
			if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") || strings.Contains(line, "| sent") {
				t.Errorf("with %d events it says %q", known, line)
			}
		}
		if last := conditions[len(conditions)-1]; !strings.HasPrefix(last, "not checked: ") {
			t.Errorf("with %d events the conditions end with %q", known, last)
		}
	}
}

// Decimals and symbols are those of the token, wherever an amount of it stands.
func TestAmountsAreInTheUnitsOfTheToken(t *testing.T) {
	known := Background{Units: map[string]Unit{"STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN.demo-token": {"DEMO", 3}}}
	whole := recordedTransaction(t, "v1-tx-call_events").With(known)
	got := strings.Join(append(lines(whole, "What moved"), lines(whole, "Post-conditions")...), "\n")
	for _, want := range []string{"STAW…BMBN: -2.501 DEMO\n", "- STAW…BMBN: sends exactly 2.5 DEMO | sent 2.501 DEMO\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// failed returns a call that ended with a status, for what a node and a contract say of it.
func failed(status, vmError, result string, b Background) Transaction {
	return Transaction{Transaction: &apiclient.Transaction{
		ID: "0x" + strings.Repeat("ab", 32), Sender: "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J", FeeRate: "180", Status: status, VMError: vmError,
		Result: &apiclient.ClarityValue{Hex: "0x08" + "0100000000000000000000000000000191", Repr: result},
		Type:   apiclient.TypeContractCall, ContractCall: &apiclient.ContractCall{ContractID: "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.vault", Function: "take", Args: []apiclient.Argument{{ClarityValue: apiclient.ClarityValue{Hex: "0x0100000000000000000000000000000005", Repr: "u5"}}}},
		PostConditions: []apiclient.PostCondition{{Principal: apiclient.ConditionPrincipal{Kind: "principal_origin"}, Code: "sent_equal_to", Amount: "7", Type: "stx"}, {Principal: apiclient.ConditionPrincipal{Kind: "principal_origin"}, Code: "sent_less_than", Amount: "9", Type: "stx"}},
	}}.With(b)
}

// What the chain says is told as a fact; what is read from the source is told as likely,
// with the line as a link.
func TestAFactIsDistinguishedFromAGuess(t *testing.T) {
	source := ";; a vault\n(define-constant ERR-NOT-OWNER (err u401))\n(define-public (take (amount uint)) ERR-NOT-OWNER)"
	contract := ContractOf(&apiclient.Contract{ID: "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.vault", Source: source, ABI: []byte(`{"functions":[{"name":"take","access":"public","args":[{"name":"amount","type":"uint128"}],"outputs":{"type":"bool"}}],"variables":[],"maps":[],"fungible_tokens":[],"non_fungible_tokens":[]}`)})
	guess := failed("abort_by_response", "", "(err u401)", Background{Contract: &contract})
	got := strings.Join(append(lines(guess, guess.Sentence()), lines(guess, "Call")...), "\n")
	for _, want := range []string{
		"why: take answered (err u401), which the contract calls ERR-NOT-OWNER (line 2). | likely",
		"in the source: line 2  ERR-NOT-OWNER", "amount: u5 | uint",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	broke := failed("abort_by_response", "ArithmeticUnderflow at vault:3:37 in ( - u0 u1 ); stack: SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.vault:take, _native_:native_sub", "(err none)", Background{Contract: &contract})
	if got := strings.Join(lines(broke, broke.Sentence()), "\n"); !strings.Contains(got, "in the source: line 3  (define-public (take (amount uint)) ERR-NOT-OWNER)") {
		t.Errorf("the line that failed is not in\n%s", got)
	}
	elsewhere := failed("abort_by_response", "ArithmeticUnderflow at bank:3:37 in ( - u0 u1 ); stack: SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.vault:take, SP000000000000000000002Q6VF78.bank:take", "(err none)", Background{Contract: &contract})
	if got := strings.Join(lines(elsewhere, elsewhere.Sentence()), "\n"); !strings.Contains(got, "in the source: line 3  bank") {
		t.Errorf("a line of another contract is not in\n%s", got)
	}
	if to := leads(elsewhere.sourceLine(outcome.Explain(elsewhere.Ended()))[0]); to != nav.Source("SP000000000000000000002Q6VF78.bank") {
		t.Errorf("it leads to %+v", to)
	}
	reason := "Transaction 1 aborted by post-condition. Post-condition check failure on STX owned by SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J: 7 SentEq 8"
	told := failed("abort_by_post_condition", reason, "(ok true)", Background{})
	got = strings.Join(append(lines(told, told.Sentence()), lines(told, "Post-conditions")...), "\n")
	for _, want := range []string{"| as the chain says", "what helps: require instead that", "- SPC5…H54J: sends exactly 0.000007 STX | sent 0.000008 STX", "\nSPC5…H54J: sends less than 0.000009 STX"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// An error moves nothing: without a sentence of the node the screen says why the call failed,
// which condition could not hold, and that the other did.
func TestAnErrorUnderConditionsIsExplainedFromTheSource(t *testing.T) {
	contract := ContractOf(&apiclient.Contract{ID: "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.vault", Source: "(define-constant ERR-NOT-OWNER (err u401))"})
	tx := failed("abort_by_post_condition", "", "(err u401)", Background{Contract: &contract})
	got := strings.Join(append(lines(tx, tx.Sentence()), lines(tx, "Post-conditions")...), "\n")
	for _, want := range []string{
		"ERR-NOT-OWNER (line 1)", "sends exactly 0.000007 STX could not hold", "| as the chain says", "what helps: mend what made the call fail",
		"- SPC5…H54J: sends exactly 0.000007 STX | sent 0 STX", "+ SPC5…H54J: sends less than 0.000009 STX | sent 0 STX", "in the source: line 1",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if !tx.AnsweredError() {
		t.Error("its contract is not read")
	}
}

// The length of a transfer that one key signed is 180 bytes, as its encoding has it.
func TestTheFeeIsShownByTheByte(t *testing.T) {
	of := recordedTransaction(t, "v1-tx-transfer")
	if got := of.length(); got != 180 {
		t.Errorf("%d bytes", got)
	}
}

func TestTheKindsOfTheLedgerFitEveryWidth(t *testing.T) {
	for _, name := range []string{"v1-tx-call_events", "v1-tx-transfer", "v1-tx-pending", "v1-tx-dropped", "v1-tx-sponsored"} {
		checkKind(t, Transactions(), recordedTransaction(t, name))
	}
	checkKind(t, Accounts(), Account{Principal: "SP2X2Z28NXZVJFCJPBR9Q3NBVYBK3GPX8PXA3R83C", STX: &apiclient.STXBalance{Balance: "-2270762", Locked: "0"}, Nonces: &apiclient.Nonces{Next: 7}})
}

// What an account sent and received is drawn with its sign, in exactly the width that there
// is, whatever a server says.
func TestWhatWasSentAndReceivedIsDrawnWithItsSign(t *testing.T) {
	kind := TransactionsOf("SP2X2Z28NXZVJFCJPBR9Q3NBVYBK3GPX8PXA3R83C", false)
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ amount, sent, received string }{
		{"1500000", "-1.5", "+1.5"},
		{"0", "", ""},
		{"", "", ""},
		{"-2000000", "-2", "-2"},
		{"50000002000", "-50,000.002", "+50,000.002"},
		{"\x1b[2J", "", ""},
		{strings.Repeat("9", 500), "-1.0000e494", "+1.0000e494"},
		{"-" + strings.Repeat("9", 500), "-1.0000e494", "-1.0000e494"},
	} {
		of := Transaction{Transaction: &apiclient.Transaction{}, Sent: c.amount, Received: c.amount}
		for name, want := range map[string]string{"sent": c.sent, "received": c.received} {
			column, _ := kind.Column(name)
			for _, width := range []int{11, 16} {
				if got := column.Draw(of, width, th); text.Width(got) != width || strings.TrimSpace(got) != want {
					t.Errorf("%s of %.20q is %q, want %q", name, c.amount, got, want)
				}
			}
		}
	}
	for _, c := range Transactions().Columns {
		if c.Head != "" && (c.Name == "sent" || c.Name == "received") {
			t.Errorf("%s is drawn in every list", c.Name)
		}
	}
}

// A narrow column says that a transaction failed, and leaves out what refused it.
func TestAStateIsCutBetweenItsWords(t *testing.T) {
	th, err := theme.New("mono", theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tx := failed("abort_by_post_condition", "", "(ok true)", Background{})
	for width, want := range map[int]string{24: "✗ failed: post-condition", 23: "✗ failed", 11: "✗ failed", 5: "✗ fa…"} {
		if got := strings.TrimRight(ansi.Strip(transactionState(tx, width, th)), " "); got != want {
			t.Errorf("in %d cells it is %q, not %q", width, got, want)
		}
	}
}

func TestAStakeIsSaidInWordsAboveItsArguments(t *testing.T) {
	stake := ended(nil)
	for _, literal := range []string{"'" + staker + ".pool", "u100000000000", "u12", "u977000", "none"} {
		v, err := clarity.ParseLiteral(literal)
		if err != nil {
			t.Fatal(err)
		}
		digits, err := clarity.EncodeHex(v)
		if err != nil {
			t.Fatal(err)
		}
		stake.ContractCall.Args = append(stake.ContractCall.Args, apiclient.Argument{ClarityValue: apiclient.ClarityValue{Hex: digits, Repr: literal}})
	}
	want := "in words: stake 100000 STX for 12 reward cycles with the signer " + staker + ".pool"
	if got := lines(stake, "Call"); !slices.Contains(got, want) {
		t.Errorf("%q, want %q among them", got, want)
	}
	stake.ContractCall.Function = "something-else"
	if got := strings.Join(lines(stake, "Call"), "\n"); strings.Contains(got, "in words") {
		t.Errorf("an unknown call has words:\n%s", got)
	}
}
