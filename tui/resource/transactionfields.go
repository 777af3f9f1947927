package resource

import (
	"cmp"
	"strconv"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
)

// fields returns all that is known of a transaction, in sections.
func (t Transaction) fields() []Field {
	if t.made != nil {
		return t.made
	}
	return t.makeFields()
}

// makeFields makes the fields.
func (t Transaction) makeFields() []Field {
	fields := append([]Field{{Section: t.Sentence()}, {Label: "status", Value: TextOf(t.State()), Mark: t.mark()}}, t.why()...)
	fields = append(fields, Field{Label: "id", Type: Hash, Value: TextOf(t.ID), Key: "h"})
	if t.Call != nil {
		fields = append(fields, Field{Label: "your call", Value: TextOf(t.Call.Method), Note: t.Call.By, To: nav.WalletCall(t.Call.Key).Link()})
	}
	if t.ReplacedBy != "" {
		fields = append(fields, Field{Label: "replaced by", Type: Hash, Value: TextOf(t.ReplacedBy), To: transactionPlace(t.ReplacedBy).Link()})
	}
	fields = append(append(fields, t.payer()...), t.position()...)
	fields = append(append(fields, t.payload()...), t.withdrawal()...)
	if t.Result != nil {
		result := clarityFields("result", "", *t.Result, t.most(maxParts))
		result[0].Key = "r"
		fields = append(append(fields, Field{Section: "Result"}), result...)
	}
	fields = append(append(append(fields, t.moved()...), t.conditions()...), t.prints()...)
	if t.Mined() {
		fields = append(fields, costFields(t.ExecutionCost, t.Lacks["execution_cost_runtime"])...)
	}
	return append(fields, extraFields(t.Extra)...)
}

// certainties are the words for how sure a reason is.
var certainties = map[string]string{"fact": "as the chain says", "likely": "likely; not said by the chain"}

// why returns why it failed, or what it waits for, and what would be right.
func (t Transaction) why() []Field {
	if !t.Failed() && !t.orphaned() && t.Status != apiclient.StatusPending {
		return nil
	}
	why := outcome.Explain(t.Ended())
	fields := []Field{{Label: "why", Value: TextOf(brief(why.Sentence)), Exact: t.VMError, Note: certainties[why.Certainty]}}
	switch {
	case !t.Failed() && !t.orphaned():
		fields[0].Label, fields[0].Note = "waiting", ""
	case strings.HasPrefix(t.Status, "dropped_"):
		fields[0].Note = "as the API says" // no block has it
	}
	fields = append(fields, t.sourceLine(why)...)
	if why.Fix != "" {
		fields = append(fields, Field{Label: "what helps", Value: TextOf(brief(why.Fix))})
	}
	return fields
}

// sourceLine returns the line of a contract that says why it failed: as it is there, where the
// source is known.
func (t Transaction) sourceLine(why outcome.Why) []Field {
	contract := cmp.Or(why.Contract, t.To())
	if why.Line <= 0 || t.ContractCall == nil && t.SmartContract == nil || apiclient.CheckPrincipal(contract) != nil {
		return nil
	}
	source, shown := "", contractName(contract)
	switch {
	case why.Contract != "":
	case t.SmartContract != nil:
		source = t.SmartContract.Source
	default:
		shown = cmp.Or(why.Constant, t.Function())
		if why.Constant == "" && t.Contract != nil {
			source = t.Contract.Source
		}
	}
	if lines := strings.Split(source, "\n"); source != "" && why.Line <= len(lines) {
		shown = strings.TrimSpace(lines[why.Line-1])
	}
	f := Field{Label: "in the source", Value: TextOf("line " + strconv.Itoa(why.Line) + "  " + shown)}
	if t.ContractCall != nil {
		f.To = nav.Source(contract).Link()
		if why.Contract == "" {
			f.To.Name = cmp.Or(why.Constant, t.Function())
		}
	}
	return []Field{f}
}

// payer returns the sender, the sponsor, and what they paid.
func (t Transaction) payer() []Field {
	fields := []Field{
		{Label: "sender", Type: Hash, Value: TextOf(t.Sender), Key: "f", To: accountPlace(t.Sender).Link()},
		{Label: "nonce", Type: Number, Value: NumberAt(t.Nonce)},
		{Label: "fee", Value: TextOf(STX(t.FeeRate)), Exact: t.FeeRate, Note: t.feeRate()},
	}
	if t.Impersonated {
		fields = append(fields, Field{Label: "signature", Value: TextOf("none: the mock impersonates who should have signed"), Mark: Bad})
	}
	if t.Sponsor != "" {
		fields = append(fields, Field{Label: "sponsor", Type: Hash, Value: TextOf(t.Sponsor), Note: "pays the fee", To: accountPlace(t.Sponsor).Link()}, Field{Label: "sponsor nonce", Type: Number, Value: NumberAt(t.SponsorNonce)})
	}
	return fields
}

// position returns the block, or the place in the queue of a transaction that waits.
func (t Transaction) position() []Field {
	if t.Mined() {
		fields := []Field{
			{Label: "block", Type: Number, Value: NumberAt(t.BlockHeight), To: nav.BlockAtHeight(*t.BlockHeight).Link()},
			{Label: "place in block", Type: Number, Value: NumberAt(t.Index)},
			{Label: "time", Type: Moment, Value: SecondsOf(t.BlockTime)},
		}
		if t.BurnBlockHeight != nil {
			fields = append(fields, Field{Label: "burn block", Type: Number, Value: NumberAt(t.BurnBlockHeight), To: nav.BurnBlockAtHeight(*t.BurnBlockHeight).Link()})
		}
		return fields
	}
	fields := []Field{{Label: "received", Type: Moment, Value: SecondsOf(t.ReceiptTime)}}
	if q := t.Queue; q != nil && t.Status == apiclient.StatusPending {
		place := Field{Label: "place by fee", Value: TextOf(text.Count(q.Place) + " of " + text.Count(q.Total)), To: nav.Mempool().Link()}
		if int64(q.Of) < q.Total {
			place.Value = TextOf(text.Count(q.Place) + " of the newest " + text.Count(q.Of) + "; " + text.Count(q.Total) + " wait")
		}
		fields = append(fields, place)
	}
	return fields
}

// modes say what a mode does with transfers that no condition names.
var modes = map[string]string{"deny": "are refused (deny)", "allow": "are allowed (allow)", "originator": "of the sender are refused (originator)"}

// payload returns the fields of what it does.
func (t Transaction) payload() []Field {
	switch {
	case t.TokenTransfer != nil:
		fields := []Field{
			{Section: "Transfer"},
			{Label: "recipient", Type: Hash, Value: TextOf(t.To()), Key: "t", To: accountPlace(t.To()).Link()},
			{Label: "amount", Value: TextOf(STX(t.TokenTransfer.Amount)), Exact: t.TokenTransfer.Amount},
		}
		if memo := memoText(t.TokenTransfer.Memo); memo != "" {
			fields = append(fields, Field{Label: "memo", Value: TextOf(brief(memo)), Exact: t.TokenTransfer.Memo})
		}
		return fields
	case t.ContractCall != nil:
		fields := []Field{
			{Section: "Call"},
			{Label: "contract", Type: Hash, Value: TextOf(t.To()), Key: "t", To: accountPlace(t.To()).Link()},
			{Label: "function", Value: TextOf(brief(t.Function())), To: t.definition(t.Function()).Link()},
		}
		if said := t.inWords(); said != "" {
			fields = append(fields, Field{Label: "in words", Value: TextOf(brief(said))})
		}
		for i, a := range t.ContractCall.Args {
			if i == t.most(maxArguments) {
				fields = append(fields, Field{Label: "and more", Value: TextOf(text.Plural(len(t.ContractCall.Args)-i, "argument") + ", in the raw JSON"), Mark: Remark})
				break
			}
			name, of := t.argument(t.Function(), i)
			label := cmp.Or(a.Name, name, "argument "+strconv.Itoa(i+1))
			fields = append(fields, clarityFields(label, cmp.Or(of, a.Type), a.ClarityValue, t.most(maxParts))...)
		}
		return fields
	case t.SmartContract != nil:
		return t.deploy()
	}
	return t.miners()
}

// miners returns the fields of what miners do.
func (t Transaction) miners() []Field {
	var fields []Field
	hash := func(label, of string) {
		if of != "" {
			fields = append(fields, Field{Label: label, Type: Hash, Value: TextOf(of)})
		}
	}
	switch {
	case t.Coinbase != nil:
		to := cmp.Or(t.Coinbase.AltRecipient, t.Sender)
		fields = []Field{
			{Section: "Miner's reward"},
			{Label: "goes to", Type: Hash, Value: TextOf(to), Key: "t", To: accountPlace(to).Link()},
		}
		if t.Failed() || t.orphaned() {
			fields[1].Label = "would go to"
		} else {
			fields = append(fields, Field{Label: "paid", Value: TextOf("100 tenures later, if the block is still in the chain then")})
		}
		if data := strings.TrimPrefix(t.Coinbase.Data, "0x"); strings.Trim(data, "0") != "" {
			fields = append(fields, Field{Label: "data", Value: TextOf(brief(memoText(data))), Exact: t.Coinbase.Data})
		}
	case t.TenureChange != nil:
		c := t.TenureChange
		fields = []Field{{Section: "Tenure"}, {Label: "cause", Value: TextOf(words(c.Cause)), Exact: c.Cause}}
		if c.PreviousBlocks != nil {
			fields = append(fields, Field{Label: "blocks before", Type: Number, Value: NumberOf(*c.PreviousBlocks), Note: "of the tenure that this one follows"})
		}
		if c.PreviousEnd != "" {
			fields = append(fields, Field{Label: "ended with", Type: Hash, Value: TextOf(c.PreviousEnd), To: nav.BlockByIndexHash(c.PreviousEnd).Link()})
		}
		hash("consensus hash", c.ConsensusHash)
		hash("before it", c.PreviousHash)
		hash("burn view", c.BurnView)
	case t.Poison != nil:
		fields = []Field{{Section: "Reported"}}
		hash("header 1", t.Poison.Header1)
		hash("header 2", t.Poison.Header2)
	}
	return fields
}

// inWords returns what a call of a contract of the network does, "" for any other.
func (t Transaction) inWords() string {
	var args []clarity.Value
	for _, a := range t.ContractCall.Args {
		v, err := clarity.DecodeHex(a.Hex)
		if err != nil {
			return ""
		}
		args = append(args, v)
	}
	return outcome.CallWords(t.To(), t.Function(), args)
}

// definition returns where the called contract defines a function.
func (t Transaction) definition(name string) nav.Place {
	if apiclient.CheckPrincipal(t.To()) != nil || apiclient.CheckName(name) != nil {
		return nav.Place{}
	}
	to := nav.Source(t.To())
	to.Name = name
	return to
}

// maxDeployLines limits how many lines of a source that is not on the chain are shown.
const maxDeployLines = 60

// deploy returns the fields of a deploy. Once it is on the chain its source is a link.
func (t Transaction) deploy() []Field {
	fields := []Field{
		{Section: "Deploy"},
		{Label: "contract", Type: Hash, Value: TextOf(t.To()), Key: "t", To: accountPlace(t.To()).Link()},
		{Label: "Clarity", Type: Number, Value: NumberAt(t.SmartContract.ClarityVersion)},
	}
	source := t.SmartContract.Source
	if source == "" {
		return fields
	}
	count := strings.Count(strings.TrimSuffix(source, "\n"), "\n") + 1
	f := Field{Label: "source", Value: TextOf(text.Plural(count, "line") + ", " + text.Bytes(int64(len(source)))), Exact: source, Key: "s"}
	if t.Status == apiclient.StatusSuccess && apiclient.CheckPrincipal(t.To()) == nil {
		f.To = nav.Source(t.To()).Link()
		return append(fields, f)
	}
	shown := strings.Join(strings.SplitN(source, "\n", maxDeployLines+1)[:min(count, maxDeployLines)], "\n")
	fields = append(fields, f, Field{Label: "text", Value: TextOf(brief(shown)), Exact: source})
	return fields
}

// These describe how many arguments, lines of what moved, locks and lines of prints are shown.
const (
	maxArguments  = 64
	maxMoves      = 200
	maxLocks      = 50
	maxPrintLines = 600
)

// RestOfEvents is the label of the field that says how many events were not read yet.
const RestOfEvents = "not read yet"

// moved returns what came to and went from each account, by asset, as far as the events are known.
func (t Transaction) moved() []Field {
	title := "What moved"
	missing := t.MissingEvents()
	if missing > 0 && len(t.Events) > 0 {
		title = "What moved in the first " + text.Count(len(t.Events)) + " of " + text.Plural(int(*t.EventCount), "event")
	}
	fields := []Field{{Section: title}}
	asset := ""
	all := t.moves()
	for i, m := range all {
		if i == t.most(maxMoves) {
			fields = append(fields, Field{Label: "and more", Value: TextOf(text.Plural(len(all)-i, "account") + ", in the raw JSON"), Mark: Remark})
			break
		}
		if asset != m.asset && m.asset != "" {
			contract, name, _ := strings.Cut(m.asset, "::")
			fields = append(fields, Field{Label: name, Type: Hash, Value: TextOf(m.asset), To: tokenPlace(contract, len(m.values) > 0).Link()})
		}
		asset = m.asset
		fields = append(fields, Field{Label: shortAddress(m.account), Value: TextOf(brief(t.moveWords(m))), Exact: m.account, To: accountPlace(m.account).Link()})
	}
	fields = append(append(fields, t.locks()...), t.others()...)
	if missing > 0 {
		fields = append(fields, Field{Label: RestOfEvents, Value: TextOf(text.Plural(int(missing), "event"))})
	}
	if len(fields) == 1 {
		return nil
	}
	return fields
}

// locks returns the fields of what was locked for stacking.
func (t Transaction) locks() []Field {
	var fields []Field
	for _, e := range t.Events {
		if e.Type == apiclient.EventLock && e.Lock != nil && len(fields) < t.most(maxLocks) {
			fields = append(fields, Field{Label: shortAddress(e.Lock.Address), Value: TextOf("locked " + STX(e.Lock.Amount)), Note: "until burn block " + text.Count(e.Lock.Unlock), Exact: e.Lock.Address, To: accountPlace(e.Lock.Address).Link()})
		}
	}
	return fields
}

// prints returns what contracts printed.
func (t Transaction) prints() []Field {
	var fields []Field
	left := 0
	for _, e := range t.Events {
		if e.Type != apiclient.EventLog || e.Log == nil {
			continue
		}
		if fields == nil {
			fields = []Field{{Section: "Prints"}}
		}
		if len(fields) > t.most(maxPrintLines) {
			left++
			continue
		}
		printed := clarityFields(contractName(e.Log.ContractID), "", e.Log.Value, t.most(maxParts))
		if printed[0].To == nil {
			printed[0].To = accountPlace(e.Log.ContractID).Link()
		}
		fields = append(fields, printed...)
	}
	if left > 0 {
		fields = append(fields, Field{Label: "and more", Value: TextOf(text.Plural(left, "print") + ", in the raw JSON"), Mark: Remark})
	}
	return fields
}
