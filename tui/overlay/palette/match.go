package palette

import (
	"cmp"
	"slices"
	"strings"

	"chainscope/tui/screen"
)

// How well a word fits, smaller is better.
const (
	fitsWhole = iota
	fitsStart
	fitsWord
	fitsInside
	fitsElsewhere
	fitsNot
)

// matching returns the things that have every word of a query, those first whose
// titles are the query or begin with it. Otherwise their order stays.
func matching(all []screen.Named, query string) []screen.Named {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return slices.Clone(all)
	}
	type scored struct {
		subject screen.Named
		score   int
	}
	var found []scored
	for _, n := range all {
		if score := fit(n, words); score < fitsNot {
			found = append(found, scored{n, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	out := make([]screen.Named, len(found))
	for i, f := range found {
		out[i] = f.subject
	}
	return out
}

// fit returns how well all the words fit, the worst of them counting.
func fit(n screen.Named, words []string) int {
	title, rest := strings.ToLower(n.Title), strings.ToLower(n.Kind+" "+n.Words+" "+n.Note)
	worst := fitsWhole
	for i, w := range words {
		at := strings.Index(title, w)
		score := fitsNot
		switch {
		case title == w:
			score = fitsWhole
		case at == 0 && i == 0:
			score = fitsStart
		case at >= 0 && (at == 0 || !letter(title[at-1])):
			score = fitsWord
		case at > 0:
			score = fitsInside
		case strings.Contains(rest, w):
			score = fitsElsewhere
		}
		worst = max(worst, score)
	}
	return worst
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c >= 0x80 }
