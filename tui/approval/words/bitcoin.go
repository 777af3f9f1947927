package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/text"
	"chainscope/wallet/bitcoin"
)

// lockTimeIsTime is the least lock time that is a time and no height (BIP65).
const lockTimeIsTime = 500_000_000

func bitcoinTransaction(method string, d bitcoin.Description, now time.Time) []Section {
	title := "Sign a Bitcoin transaction"
	if method == "sendTransfer" {
		title = "Send BTC"
	}
	summary := bitcoinSummary(title, d, now)
	summary.Rows = append([]Row{spends(d.Spends)}, summary.Rows...)
	return []Section{summary, bitcoinInputs(d.Inputs, true), bitcoinOutputs(d.Outputs)}
}

// spends returns what an account loses or gains, in satoshis.
func spends(satoshis int64) Row {
	r := Row{Label: "spends"}
	if satoshis < 0 {
		r.Label, satoshis = "gains", -satoshis
	}
	r.Value, r.Note = btc(satoshis)
	return r
}

func bitcoinSummary(title string, d bitcoin.Description, now time.Time) Section {
	fee := Row{Label: "fee", Value: text.Unknown, Note: "the amount of an input is unknown", Warn: true}
	if d.Fee != nil {
		fee.Value, fee.Note = btc(*d.Fee)
		fee.Warn = *d.Fee < 0
		if d.FeeRate != nil {
			fee.Note += fmt.Sprintf(", %s sat/vB", strconv.FormatFloat(*d.FeeRate, 'f', 1, 64))
		}
	}
	s := Section{Title: title, Rows: []Row{
		fee,
		{Label: "size", Value: text.Count(d.VSize) + " vB", Note: "virtual bytes when signed"},
		{Label: "txid", Value: line(d.TxID), Note: "version " + strconv.Itoa(int(d.Version))},
		{Label: "bitcoin network", Value: line(d.Network)},
	}}
	if d.LockTime > 0 {
		s.Rows = append(s.Rows, lockTime(d.LockTime, now))
	}
	return s
}

func lockTime(t uint32, now time.Time) Row {
	if t < lockTimeIsTime {
		return Row{Label: "lock time", Value: "burn block " + text.Count(t)}
	}
	at := time.Unix(int64(t), 0)
	return Row{Label: "lock time", Value: text.UTC(at), Note: text.Age(now, at)}
}

// bitcoinInputs describes inputs, which are to be signed where that is asked.
func bitcoinInputs(list []bitcoin.Input, requested bool) Section {
	s := Section{Title: "Inputs"}
	for _, in := range list {
		amount := text.Unknown
		if in.Amount != nil {
			amount, _ = btc(*in.Amount)
		}
		what := []string{amount}
		if in.Address != "" {
			what = append(what, line(in.Address))
		}
		state := "not ours"
		if in.Ours {
			state = "ours"
		}
		switch {
		case in.Sign:
			state += ", to be signed"
		case in.Signed:
			state += ", signed already"
		case requested:
			state += ", not signed by this request"
		}
		for _, use := range in.Uses {
			state += ", " + line(use.Words())
		}
		notes := joined(state, line(string(in.Type)), sighash(in), fmt.Sprintf("spends %s:%d", line(in.TxID), in.Vout))
		s.Rows = append(s.Rows, Row{Label: numbered("input", in.Index), Value: strings.Join(what, " of "), Note: notes, Warn: in.Amount == nil})
	}
	return s
}

func sighash(in bitcoin.Input) string {
	if in.Sighash == "" {
		return ""
	}
	return "sighash " + line(in.Sighash)
}

func bitcoinOutputs(list []bitcoin.Output) Section {
	s := Section{Title: "Outputs"}
	for _, out := range list {
		amount, satoshis := btc(out.Amount)
		row := Row{Label: numbered("output", out.Index), Value: amount, Note: joined(satoshis, line(string(out.Type)))}
		switch {
		case out.Address != "":
			row.Value += " to " + line(out.Address)
		case out.Data != "":
			row.Value += " with data " + strings.Join(whole(out.Data), "")
		}
		if out.Change {
			row.Note = joined("change, back to us", row.Note)
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}
