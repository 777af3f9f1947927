package blocks

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/screen"
	"chainscope/tui/text"

	"github.com/charmbracelet/bubbles/key"
)

// Typing implements screen.Screen.
func (s *Screen) Typing() bool { return s.filter.Typing() }

// Scopes implements screen.Screen.
func (s *Screen) Scopes() []string {
	if s.focus == onDetail {
		return []string{"detail", "blocks"}
	}
	return []string{"list", "blocks"}
}

// Subject implements screen.Screen.
func (s *Screen) Subject() screen.Subject {
	r := s.current()
	if r == nil || s.problem != nil {
		return s.failed()
	}
	subject := screen.Subject{
		Title: "Block " + text.Count(r.Height), Raw: r.raw, ExchangeID: r.exchange, Export: s.table,
		Copies: []screen.Copy{
			{Key: "h", Label: "hash", Text: r.Hash},
			{Key: "x", Label: "index block hash", Text: r.IndexBlockHash},
			{Key: "n", Label: "height", Text: strconv.FormatInt(r.Height, 10)},
			{Key: "b", Label: "burn block hash", Text: r.BurnBlockHash},
			{Key: "j", Label: "JSON", Text: string(r.raw)},
		},
	}
	if s.env.Web != "" {
		subject.Web = s.env.Web + "/block/" + r.Hash + s.env.WebQuery
	}
	if s.focus == onDetail {
		if row, ok := s.detail.Cursor(); ok {
			subject.Copies = append([]screen.Copy{{Key: "v", Label: "this field: " + row.Label, Text: row.Text()}}, subject.Copies...)
			if row.URL != "" {
				subject.Web = row.URL
			}
		}
	}
	subject.Copies = append(subject.Copies, s.request(r.exchange)...)
	return subject
}

// request are the copies of the request behind what is shown.
func (s *Screen) request(id uint64) []screen.Copy {
	if s.env.Client == nil {
		return nil
	}
	e, ok := s.env.Client.Log().Get(id)
	if !ok {
		return nil
	}
	return []screen.Copy{{Key: "u", Label: "URL of the request", Text: e.URL}, {Key: "c", Label: "curl", Text: e.Curl()}}
}

// failed is the subject where there is an error instead of a block: what came.
func (s *Screen) failed() screen.Subject {
	err := s.problem
	if err == nil {
		err = s.trouble()
	}
	var api *apiclient.Error
	if !errors.As(err, &api) {
		return screen.Subject{}
	}
	return screen.Subject{Title: "The answer", Raw: json.RawMessage(api.Body), ExchangeID: api.ExchangeID, Copies: s.request(api.ExchangeID)}
}

// table is what export writes: the loaded blocks that the filter lets through.
func (s *Screen) table() screen.Table {
	t := screen.Table{Name: "blocks", Columns: []string{"height", "hash", "index_block_hash", "block_time", "burn_block_height", "burn_block_hash", "tenure_height", "txs", "state"}}
	records := s.source.filtered
	if !s.source.filter {
		records = s.known.loaded()
	}
	for _, r := range records {
		tenure, state := "", "canonical"
		if r.TenureHeight != nil {
			tenure = strconv.FormatInt(*r.TenureHeight, 10)
		}
		if r.orphaned {
			state = "orphaned"
		}
		t.Rows = append(t.Rows, []string{
			strconv.FormatInt(r.Height, 10), r.Hash, r.IndexBlockHash, strconv.FormatInt(r.BlockTime, 10),
			strconv.FormatInt(r.BurnBlockHeight, 10), r.BurnBlockHash, tenure, strconv.Itoa(len(r.Txs)), state,
		})
		t.JSON = append(t.JSON, r.raw)
	}
	return t
}

// Status implements screen.Screen.
func (s *Screen) Status() screen.Status {
	st := screen.Status{
		FetchedAt: s.tip.FetchedAt(), Busy: s.tip.Busy() || s.more.Busy() || s.block.Busy(),
		Since: s.tip.Since(), Err: s.trouble(), Failures: s.tip.Failures(), Hint: s.hint(),
	}
	if v, ok := s.tip.Get(); ok {
		st.ExchangeID = v.exchange
	}
	if v, ok := s.more.Get(); ok && v.exchange > st.ExchangeID {
		st.ExchangeID = v.exchange
	}
	var api *apiclient.Error
	if errors.As(st.Err, &api) {
		st.ExchangeID = max(st.ExchangeID, api.ExchangeID)
	}
	i, ok := s.list.Cursor()
	if !ok {
		return st
	}
	st.Position = text.Count(s.list.Position()+1) + "/" + text.Count(s.list.Len())
	if s.focus == onDetail && s.problem == nil {
		st.Crumb = text.Count(s.source.height(i))
	}
	if s.known.started && s.seen > 0 {
		st.NewRows = int(max(0, s.known.tip-s.seen))
	}
	return st
}

// hint names the keys that matter here.
func (s *Screen) hint() string {
	k := s.env.Keys
	bindings := []key.Binding{k.List.Open, k.List.Filter, k.Global.Grow}
	if s.focus == onDetail {
		bindings = []key.Binding{k.Detail.Follow, k.Global.Up}
	}
	var words []string
	for _, b := range bindings {
		shown, _, _ := strings.Cut(b.Help().Key, " ")
		words = append(words, shown+" "+b.Help().Desc)
	}
	return strings.Join(words, "  ")
}
