package tokens

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// searchPause is the time that typing has to rest before the search is requested: it takes
// two requests.
const searchPause = 400 * time.Millisecond

// search holds what the server finds for a name or symbol.
type search struct {
	filtered    string // the filter at the last look
	wanted      string // what is searched for, ""  for nothing
	searchedFor string // what found is an answer to
	found       remote.Value[apiclient.FoundTokens]
}

// longestName is the number of characters that the contract of a token can give its name or symbol (SIP-010).
const longestName = 32

// searchable returns what the server can look for in a text that was typed: "" for what
// is no part of a name, such as a height, a hash, an address, a name with a dot or a literal that is
// not typed to its end. What is longer than a name never leaves this machine: it may be a signed
// transaction or a phrase.
func searchable(typed string) string {
	typed = strings.TrimSpace(strings.ReplaceAll(typed, `"`, ""))
	letters := strings.IndexFunc(typed, unicode.IsLetter) >= 0
	if n := utf8.RuneCountInString(typed); n < 2 || n > longestName || !letters || strings.HasPrefix(typed, "0x") || strings.ContainsAny(typed[:1], "({'") || strings.ContainsAny(typed, ".:/") || nav.LooksLikeAddress(typed) {
		return ""
	}
	return typed
}

// Search looks on the server for what is typed, when typing rests and the server's
// limit has room for it. Its answer joins the tokens to pick from.
func (s *Screen) Search(typed string) tea.Cmd {
	wanted := searchable(typed)
	if s.without() {
		wanted = ""
	}
	if wanted == s.search.wanted {
		return nil
	}
	s.search.wanted = wanted
	s.search.found.Cancel()
	if wanted == "" || wanted == s.search.searchedFor {
		return nil
	}
	return s.After(searchPause, func() tea.Cmd { return s.rested(wanted) })
}

// searchFilter looks on the server for the words of the filter, once they are others.
func (s *Screen) searchFilter() tea.Cmd {
	typed := s.Query()
	if typed == s.search.filtered {
		return nil
	}
	s.search.filtered = typed
	if !query.Plain(typed, s.Listing()) {
		typed = ""
	}
	return s.Search(typed)
}

// rested searches on the server for what was typed, unless more of its limit is used up than
// typing may take.
func (s *Screen) rested(wanted string) tea.Cmd {
	if wanted != s.search.wanted || !s.maySearch() {
		return nil
	}
	return screen.FetchAhead(s.env, &s.search.found, s.find())
}

// maySearch reports whether at least half of the server's limit is left.
func (s *Screen) maySearch() bool {
	b := s.env.Client.Gate().Budget()
	return b.Limit == 0 || b.Left > b.Limit/2
}

// needsPerson reports whether what is wanted is not looked for before the user says so.
func (s *Screen) needsPerson() bool {
	v := &s.search.found
	if s.search.searchedFor == s.search.wanted {
		return v.Err() != nil && !noSearch(v.Err())
	}
	return !v.Busy() && !s.maySearch()
}

// searchFor filters by a text and looks for it, because the user wants it.
func (s *Screen) searchFor(wanted string) tea.Cmd {
	s.search.wanted = wanted
	return tea.Batch(s.Narrow(wanted), s.searchNow())
}

// searchNow searches on the server, because the user wants it.
func (s *Screen) searchNow() tea.Cmd {
	if s.search.wanted == "" || s.search.found.Busy() {
		return nil
	}
	return screen.Fetch(s.env, &s.search.found, s.find())
}

// find returns the search for what is wanted now.
func (s *Screen) find() func(context.Context) (apiclient.FoundTokens, error) {
	client, wanted := s.env.Client, s.search.wanted
	return func(ctx context.Context) (apiclient.FoundTokens, error) { return client.FindTokens(ctx, wanted) }
}

// searched stores what the server found.
func (s *Screen) searched(msg screen.Fetched[apiclient.FoundTokens]) tea.Cmd {
	if !s.search.found.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	s.search.searchedFor = s.search.wanted
	s.relist()
	return tea.Batch(s.Changed(), s.RetryLater(&s.search.found, msg.Err, msg.At, s.searchNow))
}

// searchWords describes the progress of the search for the filter's words, "" for none.
func (s *Screen) searchWords() string {
	v := &s.search.found
	if s.search.wanted == "" || searchable(s.Query()) != s.search.wanted {
		return ""
	}
	quoted := "“" + text.Line(s.search.wanted) + "”"
	found, _ := v.Get()
	switch {
	case v.Busy():
		return "searching this API for " + quoted
	case s.search.searchedFor != s.search.wanted && s.maySearch():
		return "" // typing has not rested
	case s.search.searchedFor != s.search.wanted:
		return "searches this API for " + quoted + ", 2 requests"
	case noSearch(v.Err()):
		return "this API has no search by name"
	case v.Err() != nil:
		return "searches again: " + placeholder.Short(v.Err())
	case len(found.Tokens) == 0:
		return "nothing of that name on this API"
	case found.More:
		return "the first " + text.Count(len(found.Tokens)) + " found on this API; type more of the name"
	}
	return text.Count(len(found.Tokens)) + " found on this API"
}

// searchLine is searchWords with the key that searches, where it does something.
func (s *Screen) searchLine() string {
	words := s.searchWords()
	if rest, requests := strings.CutPrefix(words, "searches "); requests {
		return placeholder.Hint(s.Theme, s.env.Keys.Global.Refresh, "searches "+rest)
	}
	return s.Theme.Muted.Render(words)
}

// noSearch reports whether an error says that the server cannot search.
func noSearch(err error) bool {
	return apiclient.RouteGone(err) || apiclient.KindOf(err) == apiclient.NotFound
}
