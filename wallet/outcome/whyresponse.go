package outcome

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chainscope/wallet/facts"
)

// standard are the errors of transfer in SIP-010 and SIP-009.
var standard = map[string]string{
	"u1": "the sender does not have it", "u2": "the sender is the recipient", "u3": "the amount is 0, or there is no such token", "u4": "the caller is not the sender",
}

var unresolved = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("use of unresolved (?:function|variable) ['`]?([^\\s'`]+)")
})

// OtherVersion returns which version of Clarity has what a deploy did not find, and what to do; ""
// where that is not why it failed.
func OtherVersion(vmError string) (sentence, fix string) {
	m := unresolved().FindStringSubmatch(vmError)
	if m == nil {
		return otherEpoch(vmError)
	}
	word, known := facts.WordOf(m[1])
	switch {
	case !known:
		return "", ""
	case word.Last == 0:
		return fmt.Sprintf("%s is in Clarity %d and later", m[1], word.First), fmt.Sprintf("deploy it as Clarity %d", word.First)
	}
	sentence, fix = fmt.Sprintf("%s is in Clarity %d to %d only", m[1], word.First, word.Last), fmt.Sprintf("deploy it as Clarity %d", word.Last)
	if word.Instead != "" {
		fix += ", or write " + word.Instead
	}
	return sentence, fix
}

var unavailable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\(([a-z-]+) \.\.\.\) is not available in this epoch`)
})

// otherEpoch is OtherVersion for what no version of Clarity has since an epoch.
func otherEpoch(vmError string) (sentence, fix string) {
	m := unavailable().FindStringSubmatch(vmError)
	if m == nil {
		return "", ""
	}
	word, _ := facts.WordOf(m[1])
	for _, e := range slices.Backward(facts.Epochs) {
		if e.Clarity == word.Last {
			return m[1] + " ended with epoch " + e.Name, "a mock with --epoch " + e.Name + " has it"
		}
	}
	return "", ""
}

var placeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d+):\d+: `) })

// Undeployed returns why a deploy failed, with an error at run time in words.
func Undeployed(vmError string) string {
	place := placeForm().FindString(vmError)
	m := runtimeForm().FindStringSubmatch(vmError[len(place):])
	if m == nil || runtimeErrors[m[1]].meaning == "" {
		return vmError
	}
	return place + m[1] + " outside of any function, " + runtimeErrors[m[1]].meaning
}

// undeployed explains a deploy that failed, whose error may begin with line and column.
func (e Ended) undeployed(w *Why) {
	w.Sentence = "The contract could not be deployed: " + Undeployed(e.VMError) + "."
	if m := placeForm().FindStringSubmatch(e.VMError); m != nil {
		w.Line, _ = strconv.Atoi(m[1]) // 0 for one that is no line
	}
	if version, fix := OtherVersion(e.VMError); version != "" {
		w.Sentence = strings.TrimSuffix(w.Sentence, ".") + ": " + version + "."
		w.Fix = fix
	}
}

// response explains a call that answered an error, or failed at run time.
func (e Ended) response(w *Why) {
	switch {
	case e.Function == "" && e.VMError != "":
		e.undeployed(w)
	case e.Result == "(err none)" || e.Result == "":
		e.runtime(w, cmp.Or(e.Function, "It"))
	default:
		e.answered(w)
	}
}

// answered returns which error was answered, and how its contract calls it.
func (e Ended) answered(w *Why) {
	code, what := strings.TrimSuffix(strings.TrimPrefix(e.Result, "(err "), ")"), cmp.Or(e.Function, "It")
	w.Sentence = fmt.Sprintf("%s answered (err %s).", what, code)
	found := constants(e.Source, code)
	switch {
	case len(found) == 1:
		w.Constant, w.Line, w.Certainty = found[0].text, found[0].line, likely
		w.Sentence = fmt.Sprintf("%s answered (err %s), which the contract calls %s (line %d).", what, code, found[0].text, found[0].line)
	case len(found) > 1:
		w.Certainty = likely
		w.Sentence = fmt.Sprintf("%s answered (err %s); the contract has several names for it: %s.", what, code, listed(found))
	}
	if meaning := standard[code]; meaning != "" && e.Function == "transfer" && len(found) < 2 {
		w.Certainty = likely
		w.Sentence = strings.TrimSuffix(w.Sentence, ".") + ": " + meaning + "."
	}
}
