package nav

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Greatest lengths in the name system, in bytes.
const (
	maxNamespace = 20
	maxName      = 48
)

// checkNamespace returns what keeps s from being a namespace, or nil. The API
// takes any text; this is what the name system can hold.
func checkNamespace(s string) error { return checkLabel("namespace", s, maxNamespace) }

// CheckFullName returns what keeps s from being a name of a namespace, such as muneeb.btc.
func CheckFullName(s string) error {
	dot := strings.LastIndexByte(s, '.')
	if dot < 0 {
		return fmt.Errorf("a name has a dot before its namespace")
	}
	for _, label := range strings.Split(s[:dot], ".") {
		if err := checkName(label); err != nil {
			return err
		}
	}
	return checkNamespace(s[dot+1:])
}

func checkName(s string) error { return checkLabel("name", s, maxName) }

func checkLabel(what, s string, max int) error {
	if s == "" {
		return fmt.Errorf("%s is empty", what)
	}
	for i, r := range s {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_':
		case 'A' <= r && r <= 'Z':
			return fmt.Errorf("%s has the capital letter %q at position %d; %ss are lower case", what, r, i+1, what)
		default:
			return fmt.Errorf("%s has the character %q at position %d; a-z, 0-9, - and _ are allowed", what, r, i+1)
		}
	}
	if len(s) > max {
		return fmt.Errorf("%s has %d characters, at most %d are allowed", what, len(s), max)
	}
	return nil
}

// Registered returns a name as it is registered: labels with other letters than those of ASCII,
// such as pictures, are there in punycode. ("🦋.btc" is "xn--bt9h.btc".)
func Registered(name string) string {
	if registered, err := idna.Punycode.ToASCII(name); err == nil && registered != "" {
		return registered
	}
	return name
}

// Pictured returns a name as it was meant where it is registered in punycode, "" for others. It
// is to be shown beside the name itself: many letters look alike.
func Pictured(name string) string {
	if !strings.Contains(name, "xn--") {
		return ""
	}
	meant, err := idna.Punycode.ToUnicode(name)
	hidden := func(r rune) bool { return !unicode.IsPrint(r) && r != joiner }
	if err != nil || meant == name || Registered(meant) != name || strings.ContainsFunc(meant, hidden) {
		return ""
	}
	return meant
}

// joiner joins pictures to one.
const joiner = '\u200d'

// recogniseNames reads a namespace, .namespace, name.namespace and
// subdomain.name.namespace.
func (r *recogniser) recogniseNames(in string) {
	note := ""
	if registered := Registered(in); registered != in {
		in, note = registered, "as it is registered"
	}
	labels := strings.Split(strings.TrimPrefix(in, "."), ".")
	namespace := labels[len(labels)-1]
	lowered := strings.ToLower(in)
	fix := ""
	if lowered != in && allLabels(strings.Split(strings.TrimPrefix(lowered, "."), ".")) {
		fix = lowered
	}
	if len(labels) == 1 {
		rank := rankGood
		if onlyDigits(ungroup(namespace)) {
			rank = rankLast
		}
		if err := checkNamespace(namespace); err != nil {
			r.fail(rankFailedFar, "namespace", in, err.Error(), fix)
			return
		}
		r.ok(rank, "namespace", namespace, Names(namespace), "")
		if !strings.HasPrefix(in, ".") {
			r.readings[len(r.readings)-1].Guess = true
			r.guessName(namespace)
		}
		return
	}
	name := labels[len(labels)-2]
	for _, l := range labels[:len(labels)-1] {
		if err := checkName(l); err != nil {
			r.fail(rankFailedFar, "name", in, err.Error(), fix)
			return
		}
	}
	if err := checkNamespace(namespace); err != nil {
		r.fail(rankFailedNear, "name", in, err.Error(), fix)
		return
	}
	rank := rankGood
	if LooksLikeAddress(labels[0]) {
		rank = rankLast
	}
	list := ""
	if len(labels) > 2 {
		list = "the name that the subdomain belongs to"
	}
	r.ok(rank, "name", in, Name(in), note)
	p := Names(namespace)
	p.Filter = name
	r.ok(max(rank, rankThird), "names", "those of ."+namespace+" with "+name, p, list)
}

// guessName reads a word as a name of the namespace that nearly all names are in.
func (r *recogniser) guessName(word string) {
	if word == common || onlyDigits(ungroup(word)) {
		return
	}
	r.ok(rankSecond, "name", word+"."+common, Name(word+"."+common), "")
	r.readings[len(r.readings)-1].Guess = true
}

const common = "btc"

func allLabels(labels []string) bool {
	for i, l := range labels {
		if i == len(labels)-1 {
			return checkNamespace(l) == nil
		}
		if checkName(l) != nil {
			return false
		}
	}
	return false
}
