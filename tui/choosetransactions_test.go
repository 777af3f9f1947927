package tui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// choosers is a mock that is served in a version of the API.
func choosers(t *testing.T, version string) *program {
	t.Helper()
	at := noon
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at, APIVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(mock)
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	return startWith(t, 120, 40, server.URL, plainOptions("mock"))
}

// chosenWords is what is typed after a slash, which transactions that are, and which of the words
// lists do not choose by after the sunset.
type chosenWords struct {
	typed string
	is    func(uitest.ListedTx) bool
	left  string
}

func wordsOf(t *testing.T, all []uitest.ListedTx) []chosenWords {
	t.Helper()
	at := func(is func(uitest.ListedTx) bool) uitest.ListedTx {
		i := slices.IndexFunc(all, is)
		if i < 0 {
			t.Fatalf("none of %d is of a kind", len(all))
		}
		return all[i]
	}
	call := at(func(x uitest.ListedTx) bool { return x.Call.Function != "" })
	sent := at(func(x uitest.ListedTx) bool { return x.Transfer.To != "" })
	since, until := all[120].Time, all[100].Time
	utc := func(s int64) string { return time.Unix(s, 0).UTC().Format("2006-01-02T15:04:05") }
	between := func(x uitest.ListedTx) bool { return x.Time >= since && x.Time <= until }
	return []chosenWords{
		{"type:contract_call", func(x uitest.ListedTx) bool { return x.Type == "contract_call" }, "type"},
		{"type:smart_contract,coinbase", func(x uitest.ListedTx) bool { return x.Type == "smart_contract" || x.Type == "coinbase" }, "type"},
		{"from:" + sent.Sender, func(x uitest.ListedTx) bool { return x.Sender == sent.Sender }, "from"},
		{"to:" + sent.Transfer.To, func(x uitest.ListedTx) bool { return x.Transfer.To == sent.Transfer.To }, "to"},
		{"contract:" + call.Call.Contract, func(x uitest.ListedTx) bool { return x.Call.Contract == call.Call.Contract }, "contract"},
		{"contract:" + call.Call.Contract + " function:" + call.Call.Function, func(x uitest.ListedTx) bool { return x.Call == call.Call }, "contract, function"},
		{"since:" + utc(since) + " until:" + utc(until), between, "since, until"},
		{"since:" + utc(since) + " until:" + utc(until) + " type:token_transfer", func(x uitest.ListedTx) bool { return between(x) && x.Type == "token_transfer" }, "type, since, until"},
		{"since:1d", func(x uitest.ListedTx) bool { return x.Time >= noon.Add(-24*time.Hour).Unix() }, "since"},
	}
}

// What is typed after a slash goes into the request where the API can choose, and is what the whole list
// of the chain has of it; else it is chosen from a bounded number of rows, which is said.
func TestAFilterOfTransactionsIsSentToTheAPI(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	whole := map[bool][]uitest.ListedTx{}
	for _, old := range []bool{true, false} { // since version 9 the chain has the calls of stakers
		whole[old] = uitest.ListedTxs(t, choosers(t, map[bool]string{true: "8", false: "9"}[old]).m.options.Client.BaseURL()+"/extended/v1/tx")
	}
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		p := choosers(t, version)
		log := p.m.options.Client.Log()
		all := whole[version == "8"]
		for _, c := range wordsOf(t, all) {
			p.run(p.m.visit(nav.Transactions()))
			p.write("/" + c.typed)
			before := log.Len()
			keysOf(p, "enter")
			here := version == "sunset" || version == "v3" && c.left != "type"
			left := c.left
			if version == "v3" {
				left = strings.TrimPrefix(left, "type, ") // by which v3 chooses since 9.8
			}
			among := all
			if here && !strings.Contains(c.typed, "since") {
				among = all[:500]
			}
			var want []string
			for _, x := range among {
				if c.is(x) {
					want = append(want, x.ID)
				}
			}
			got := p.column("id")
			if len(want) == 0 || len(got) < min(len(want), 40) || !slices.Equal(got, want[:min(len(got), len(want))]) {
				t.Errorf("%s: %s lists %d, want %d", version, c.typed, len(got), len(want))
			}
			most := map[bool]int{true: 10, false: 1}[here]
			if here && strings.Contains(c.typed, "until") { // which are among the first 150
				most = 3
			}
			if sent := log.Len() - before; sent > most {
				t.Errorf("%s: %s takes %d requests, want %d at most", version, c.typed, sent, most)
			}
			if says := map[bool]string{true: "; chosen here: " + left, false: "   " + text.Count(len(want)) + " on the chain"}[here]; !strings.Contains(p.frame(), says) {
				t.Errorf("%s: %s does not say %q\n%s", version, c.typed, says, strings.Join(strings.Split(p.frame(), "\n")[:8], "\n"))
			}
		}
	}
}

// historyOf reads the history of an account from the API, the newest first.
func historyOf(t *testing.T, p *program, account string) (all []uitest.ListedTx) {
	t.Helper()
	for {
		answer, err := http.Get(fmt.Sprintf("%s/extended/v2/addresses/%s/transactions?limit=50&offset=%d", p.m.options.Client.BaseURL(), account, len(all)))
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Total   int
			Results []struct{ Tx uitest.ListedTx }
		}
		err = json.NewDecoder(answer.Body).Decode(&page)
		_ = answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Results {
			all = append(all, row.Tx)
		}
		if len(all) >= page.Total || len(page.Results) == 0 {
			return all
		}
	}
}

// The history of an account takes none of the words: it is read down to the time that begins what
// is wanted, and no further, and what was chosen here is said.
func TestAFilterOfAHistoryIsAppliedToWhatIsRead(t *testing.T) {
	whole := historyOf(t, choosers(t, "9"), firstAccount)
	day := func(x uitest.ListedTx) string { return time.Unix(x.Time, 0).UTC().Format(time.DateOnly) }
	sender, since, until := whole[len(whole)-4].Sender, day(whole[len(whole)-3]), day(whole[len(whole)-5])
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		p := choosers(t, version)
		p.run(p.m.visit(nav.TransactionsOf(firstAccount)))
		for typed, c := range map[string]struct {
			is   func(uitest.ListedTx) bool
			left string
		}{
			"type:contract_call":                  {func(x uitest.ListedTx) bool { return x.Type == "contract_call" }, "type"},
			"since:" + since + " until:" + until:  {func(x uitest.ListedTx) bool { return day(x) >= since && day(x) <= until }, "since, until"},
			"type:token_transfer from:muneeb.btc": {func(uitest.ListedTx) bool { return false }, "type, from"},
			"from:" + sender + " until:" + until:  {func(x uitest.ListedTx) bool { return x.Sender == sender && day(x) <= until }, "from, until"},
		} {
			var want []string
			for _, x := range whole {
				if c.is(x) {
					want = append(want, x.ID)
				}
			}
			p.write("/" + typed)
			keysOf(p, "enter")
			if named := strings.Contains(typed, "muneeb"); named != (len(want) == 0) {
				t.Errorf("%s is tried with %d rows", typed, len(want))
			}
			if got := p.column("id"); !slices.Equal(got, want) {
				t.Errorf("%s: %s lists %q, want %q", version, typed, got, want)
			}
			p.sees(fmt.Sprintf("%d of %d read; chosen here: %s", len(want), len(whole), c.left))
		}
	}
}

// A filter that no transaction can pass is explained where it is typed, in the words of the command
// line, and nothing is sent.
func TestAFilterThatNothingPassesIsExplained(t *testing.T) {
	p := choosers(t, "9")
	p.run(p.m.visit(nav.Transactions()))
	log := p.m.options.Client.Log()
	before := log.Len()
	for typed, says := range map[string]string{
		"since:1h until:2h":                    "until 2h is before since 1h",
		"since:1h until:2020-01-01":            "until 2020-01-01 is before since 1h",
		"type:foo":                             `there is no type "foo"; it is one of coinbase, token_transfer`,
		"type:contract_call,foo function:mint": `there is no type "foo"`,
		"since:1 until:2h":                     `"1" is no time: want 90m`,
	} {
		p.write("/" + typed)
		p.sees(says)
		keysOf(p, "enter")
		p.sees(says)
		if sent := log.Len() - before; sent != 0 {
			t.Errorf("%s sends %d requests", typed, sent)
		}
		keysOf(p, "esc")
	}
	p.write("/type:call") // a part of a type is searched in the rows
	keysOf(p, "enter")
	if got := p.column("id"); len(got) == 0 || strings.Contains(p.frame(), "no type") {
		t.Errorf("a part of a type finds %d", len(got))
	}
}

// What a filter leaves of rows that were chosen here is counted once, of those that were read.
func TestAFilterOfChosenRowsCountsOnce(t *testing.T) {
	p := choosers(t, "9")
	p.run(p.m.visit(nav.TransactionsOf(firstAccount)))
	p.write("/type:contract_call status:waits")
	keysOf(p, "enter")
	read := len(historyOf(t, p, firstAccount))
	p.sees(fmt.Sprintf("   0 of %d read; chosen here: type   ", read))
	if strings.Contains(p.frame(), fmt.Sprintf("%d of %d\n", read, read)) {
		t.Errorf("the heading counts otherwise:\n%s", p.frame())
	}
}
