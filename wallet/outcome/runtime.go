package outcome

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// runtimeErrors are the errors at run time: what they mean, and which expressions they are of.
var runtimeErrors = map[string]struct {
	meaning string
	of      []string
}{
	"ArithmeticUnderflow": {"a number fell below the least that there is, for uint 0", []string{"-"}},
	"ArithmeticOverflow":  {"a number rose above the greatest that there is", []string{"+", "*", "pow"}},
	"DivisionByZero":      {"something was divided by zero", []string{"/", "mod"}},
	"UnwrapFailure":       {"there was nothing to unwrap, or the wrong side of a response", []string{"unwrap-panic", "unwrap-err-panic"}},
	"BadTypeConstruction": {"a value does not fit its type", nil},
	"SupplyOverflow":      {"more tokens would be minted than there may be", []string{"ft-mint?"}},
	"UnknownBlockHeaderHash": {
		"there is no block with that hash", []string{"at-block"},
	},
	"EarlyReturn":          {"try!, unwrap! or asserts! ended the contract", nil},
	"MaxStackDepthReached": {"too many calls lie within each other", nil},
	"NoSuchToken":          {"there is no such token", nil},
	"TransferNonPositiveAmount": {
		"nothing can be transferred", nil,
	},
}

var runtimeForm = sync.OnceValue(func() *regexp.Regexp {
	// As a node writes it, with a stack after it; or with the place, as an engine of the mock does.
	return regexp.MustCompile(`^(?:Runtime\()?(\w+)\b(?:[^\n]*? at (\S+?):(\d+):\d+)?(?: in ([^;\n]+))?`)
})

// runtime explains an error at run time. What the chain reports about the place is fact; else the
// expressions of the function that can fail so are likely.
func (e Ended) runtime(w *Why, what string) {
	w.Sentence = what + " failed at run time."
	if e.VMError == "" {
		return
	}
	sentence := strings.TrimSpace(e.VMError)
	w.Sentence = fmt.Sprintf("%s failed at run time: %s.", what, sentence)
	m := runtimeForm().FindStringSubmatch(sentence)
	if m == nil {
		return
	}
	known, isKnown := runtimeErrors[m[1]]
	if !isKnown {
		return
	}
	w.Sentence = fmt.Sprintf("%s failed at run time: %s, %s", what, m[1], known.meaning)
	if line, err := strconv.Atoi(m[3]); err == nil {
		w.Line, w.Contract = line, e.elsewhere(sentence, m[2])
		w.Sentence += fmt.Sprintf(", in %sline %d of %s.", inExpression(m[4]), line, m[2])
		return
	}
	found := expressions(e.Source, e.Function, known.of)
	switch len(found) {
	case 0:
		w.Sentence += "."
	case 1:
		w.Line, w.Certainty = found[0].line, likely
		w.Sentence += fmt.Sprintf(", likely in %sline %d.", inExpression(found[0].text), found[0].line)
	default:
		w.Certainty = likely
		w.Sentence += ", likely in one of " + listed(found) + "."
	}
}

// elsewhere returns the contract of a name, which the stack reports in full, "" for the one that was
// called.
func (e Ended) elsewhere(sentence, name string) string {
	if strings.HasSuffix(e.Contract, "."+name) {
		return ""
	}
	_, stack, _ := strings.Cut(sentence, "; stack: ")
	for _, function := range strings.Split(stack, ", ") {
		if contract, _, ok := strings.Cut(function, ":"); ok && strings.HasSuffix(contract, "."+name) {
			return contract
		}
	}
	return ""
}

func inExpression(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return shortened(text) + ", "
}

// listed names places, the first few of many.
func listed(all []place) string {
	const most = 5
	var parts []string
	for i, p := range all {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(all)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s (line %d)", shortened(p.text), p.line))
	}
	return strings.Join(parts, ", ")
}
