package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/resource"
)

// chooseTransactions returns the words of a filter that go into the request, and the rest: each
// column once, where its value is whole. What is only a part of a type, an address or a contract
// is searched in the rows; a label of the user's own is the address that has it. The error says why no transaction can be as the filter wants it. The
// time is that of the chain.
func chooseTransactions(filter string, now time.Time, labelled func(string) string) (requested, rest string, wrong error) {
	kind := resource.Transactions()
	var wanted, others, names []string
	times := map[string]string{}
	for _, word := range query.Words(filter, kind.Table(0, nil, time.Time{})) {
		// A time may have a blank before its hour.
		value := strings.ReplaceAll(word.Value, " ", "T")
		if label, is := strings.CutPrefix(word.Value, resource.LabelMark); is && labelled != nil {
			value = labelled(label)
		}
		if word.Column == "type" && wrong == nil {
			wrong = apiclient.CheckPartOfType(value)
		}
		if times[word.Column] == "" {
			times[word.Column] = value
		}
		if slices.Contains(names, word.Column) || !wholeChoice(word.Column, value) {
			others = append(others, word.Text)
			continue
		}
		names, wanted = append(names, word.Column), append(wanted, word.Column+":"+value)
	}
	if wrong == nil {
		_, _, wrong = query.Between(times["since"], times["until"], now)
	}
	return strings.Join(wanted, " "), strings.Join(others, " "), wrong
}

// choosing returns chooseTransactions with the time of a clock and the labels of the user's own.
func choosing(now func() time.Time, labelled func(string) string) func(filter string) (requested, rest string, wrong error) {
	return func(filter string) (requested, rest string, wrong error) {
		return chooseTransactions(filter, now(), labelled)
	}
}

// wholeChoice reports whether a value says which transactions are wanted.
func wholeChoice(column, value string) bool {
	now := time.Time{}.AddDate(2000, 0, 0)
	var err error
	switch column {
	case "type":
		err = apiclient.Chosen{Types: value}.Check()
	case "from", "to":
		err = apiclient.Chosen{From: value}.Check()
		if err != nil {
			err = nav.CheckFullName(nav.Registered(strings.ToLower(value)))
		}
	case "contract":
		err = apiclient.Chosen{Contract: value}.Check()
	case "function":
	case "since":
		_, err = query.Since(value, now)
	case "until":
		_, err = query.Until(value, now)
	default:
		return false
	}
	return value != "" && err == nil
}

// chosenBy reads what the words of a place choose, with the owners of names and times as the
// chain has them.
func chosenBy(ctx context.Context, c *apiclient.Client, known *Backgrounds, filter string) (chosen apiclient.Chosen, err error) {
	since, until, now := "", "", time.Now()
	for word := range strings.FieldsSeq(filter) {
		name, value, _ := strings.Cut(word, ":")
		if err == nil && query.Relative(value) {
			now, err = c.TimeOnChain(ctx)
		}
		if err != nil {
			return chosen, err
		}
		switch name {
		case "type":
			chosen.Types = value
		case "from":
			chosen.From, err = known.owner(ctx, value)
		case "to":
			chosen.To, err = known.owner(ctx, value)
		case "contract":
			chosen.Contract = value
		case "function":
			chosen.Function = value
		case "since":
			since = value
		case "until":
			until = value
		}
	}
	if err == nil {
		var from, to time.Time
		from, to, err = query.Between(since, until, now)
		chosen.Since, chosen.Until = query.Seconds(from), query.Seconds(to)
	}
	return chosen, err
}
