package contracts

import (
	"fmt"
	"slices"
	"strings"

	"chainscope/wallet/facts"
)

// Check returns why a node would not take a text for a contract, nil where nothing is wrong
// against it: what cannot be read, unknown forms at the top, names that are defined twice,
// and definitions that cannot be read. What only a type checker can find is not reported.
func Check(text string) *Mistake {
	all, err := readSource(text)
	if err == nil {
		d := definitions{names: map[string]bool{}, traits: map[string]bool{}}
		err = d.check(all)
	}
	if err != nil {
		return mistakeAt(text, err.at, err.cause)
	}
	return nil
}

// definitions hold what a source defines at its top.
type definitions struct {
	names  map[string]bool // of constants, functions, data and tokens, which share one space
	traits map[string]bool
}

func wrongAt(e *expression, format string, args ...any) *misread {
	return &misread{e.at, fmt.Sprintf(format, args...)}
}

func (d *definitions) check(all []expression) *misread {
	for i := range all {
		if err := d.collect(&all[i]); err != nil {
			return err
		}
	}
	for i := range all {
		if err := d.top(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

// forms describe how many elements follow the words that define something.
var forms = map[string]struct{ least, most int }{
	"define-public": {2, 2}, "define-private": {2, 2}, "define-read-only": {2, 2},
	"define-constant": {2, 2}, "define-data-var": {3, 3}, "define-map": {3, 3},
	"define-fungible-token": {1, 2}, "define-non-fungible-token": {2, 2},
	"define-trait": {2, 2}, "use-trait": {2, 2}, "impl-trait": {1, 1},
}

// collect notes the name that an expression defines.
func (d *definitions) collect(e *expression) *misread {
	form, defines := forms[e.head()]
	if !defines {
		return nil
	}
	args := e.elements[1:]
	if n := len(args); n < form.least || n > form.most {
		return wrongAt(e, "%s takes %s, and has %d", e.head(), counted(form.least, form.most), n)
	}
	name := &args[0]
	switch e.head() {
	case "impl-trait":
		return nil
	case "define-public", "define-private", "define-read-only":
		if !name.isList() || len(name.elements) == 0 {
			return wrongAt(name, "%s begins with the name of the function and its arguments, such as (name (amount uint))", e.head())
		}
		name = &name.elements[0]
	}
	if !name.isName() {
		return wrongAt(name, "%s: a name is expected here", e.head())
	}
	space := d.names
	if e.head() == "define-trait" || e.head() == "use-trait" {
		space = d.traits
	}
	if space[name.atom] {
		return wrongAt(name, "'%s' is defined twice", name.atom)
	}
	if reserved[name.atom] {
		return wrongAt(name, "'%s' is a word of Clarity and cannot be defined", name.atom)
	}
	space[name.atom] = true
	return nil
}

func counted(least, most int) string {
	switch {
	case least != most:
		return fmt.Sprintf("%d or %d elements", least, most)
	case least == 1:
		return "1 element"
	}
	return fmt.Sprintf("%d elements", least)
}

// top checks an expression at the top of a source.
func (d *definitions) top(e *expression) *misread {
	switch {
	case e.isAtom():
		if e.isName() && !d.names[e.atom] && !keywords[e.atom] {
			return wrongAt(e, "use of unresolved variable '%.128s'", e.atom)
		}
		return nil
	case !e.isList():
		return nil
	case len(e.elements) == 0:
		return wrongAt(e, "an empty list is no expression; a list begins with the name of a function")
	case !e.elements[0].isName():
		return wrongAt(&e.elements[0], "a list begins with the name of a function")
	}
	head := &e.elements[0]
	if _, defines := forms[head.atom]; defines {
		return d.definition(head.atom, e.elements[1:])
	}
	if !native(head.atom) && !d.names[head.atom] {
		return wrongAt(head, "use of unresolved function '%.128s'", head.atom)
	}
	return nil
}

// definition checks the parts of a definition that are no expressions to be run.
func (d *definitions) definition(form string, args []expression) *misread {
	switch form {
	case "define-public", "define-private", "define-read-only":
		return d.arguments(args[0].elements[1:])
	case "define-data-var", "define-non-fungible-token":
		return d.typed(&args[1])
	case "define-map":
		for _, side := range args[1:] {
			if err := d.side(&side); err != nil {
				return err
			}
		}
	case "define-trait":
		return d.trait(&args[1])
	case "use-trait":
		return traitID(&args[1])
	case "impl-trait":
		return traitID(&args[0])
	}
	return nil
}

// arguments checks the typed names of a function or a tuple.
func (d *definitions) arguments(args []expression) *misread {
	seen := map[string]bool{}
	for i := range args {
		pair := &args[i]
		if !pair.isList() || len(pair.elements) != 2 || !pair.elements[0].isName() {
			return wrongAt(pair, "a name with its type is expected here, such as (amount uint)")
		}
		name := pair.elements[0].atom
		if seen[name] {
			return wrongAt(&pair.elements[0], "'%s' is defined twice", name)
		}
		seen[name] = true
		if err := d.typed(&pair.elements[1]); err != nil {
			return err
		}
	}
	return nil
}

// side checks the type of a map's keys or values, which an old form writes as a list of typed
// names.
func (d *definitions) side(e *expression) *misread {
	if e.isList() && len(e.elements) > 0 && e.elements[0].isList() {
		return d.arguments(e.elements)
	}
	return d.typed(e)
}

// typed checks a type.
func (d *definitions) typed(e *expression) *misread {
	switch {
	case e.opening == '{':
		for i := 1; i < len(e.elements); i += 2 {
			if err := d.typed(&e.elements[i]); err != nil {
				return err
			}
		}
		return nil
	case e.isAtom():
		name, isTrait := strings.CutPrefix(e.atom, "<")
		if name = strings.TrimSuffix(name, ">"); isTrait && !d.traits[name] {
			return wrongAt(e, "use of undeclared trait <%s>", name)
		}
		if _, known := simpleTypes[e.atom]; !known && !isTrait {
			return wrongAt(e, "'%.128s' is no type", e.atom)
		}
		return nil
	}
	return d.composed(e)
}

// composed checks a type in parentheses.
func (d *definitions) composed(e *expression) *misread {
	args := e.args()
	types := args
	switch e.head() {
	case "tuple":
		return d.arguments(args)
	case "buff", "string-ascii", "string-utf8":
		if len(args) != 1 || !isLength(&args[0]) {
			return wrongAt(e, "(%s …) takes a length, such as (%s 20)", e.head(), e.head())
		}
		return nil
	case "list":
		if len(args) != 2 || !isLength(&args[0]) {
			return wrongAt(e, "(list …) takes a length and a type, such as (list 10 uint)")
		}
		types = args[1:]
	case "optional":
		if len(args) != 1 {
			return wrongAt(e, "(optional …) takes one type")
		}
	case "response":
		if len(args) != 2 {
			return wrongAt(e, "(response …) takes two types")
		}
	default:
		return wrongAt(e, "this is no type")
	}
	for i := range types {
		if err := d.typed(&types[i]); err != nil {
			return err
		}
	}
	return nil
}

func isLength(e *expression) bool {
	return e.isAtom() && e.atom != "" && strings.Trim(e.atom, "0123456789") == ""
}

// trait checks the functions of a trait, such as ((get-name () (response (string-ascii 32) uint))).
func (d *definitions) trait(e *expression) *misread {
	if !e.isList() {
		return wrongAt(e, "define-trait takes a list of functions")
	}
	for i := range e.elements {
		f := &e.elements[i]
		if !f.isList() || len(f.elements) != 3 || !f.elements[0].isName() || !f.elements[1].isList() {
			return wrongAt(f, "a function of a trait has a name, the types of its arguments and the type of its response, such as (get-owner (uint) (response principal uint))")
		}
		for _, t := range append(slices.Clone(f.elements[1].elements), f.elements[2]) {
			if err := d.typed(&t); err != nil {
				return err
			}
		}
	}
	return nil
}

// traitID checks what names a trait of a contract.
func traitID(e *expression) *misread {
	names := strings.Count(e.atom, ".")
	if e.opening != 0 || e.atom == "" || strings.IndexByte("'.", e.atom[0]) < 0 || names != 2 {
		return wrongAt(e, "a trait of a contract is expected here, such as .contract.trait")
	}
	return nil
}

func words(lines ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(strings.Join(lines, " ")) {
		set[w] = true
	}
	return set
}

// reserved are the functions of Clarity 1 that each later version has too.
var reserved = words(
	"+ - * / >= <= < > to-int to-uint mod pow sqrti log2 xor and or not is-eq if let map fold append concat as-max-len? len list",
	"var-get var-set map-get? map-set map-insert map-delete tuple get merge begin hash160 sha256 sha512 sha512/256 keccak256",
	"secp256k1-recover? secp256k1-verify print contract-call? contract-of principal-of? err ok some default-to asserts!",
	"unwrap! unwrap-err! unwrap-panic unwrap-err-panic match try! is-ok is-none is-err is-some filter",
	"ft-get-balance nft-get-owner? ft-transfer? nft-transfer? nft-mint? ft-mint? ft-get-supply ft-burn? nft-burn?",
	"stx-get-balance stx-transfer? stx-burn?",
)

// native reports whether a version of Clarity has the function.
func native(name string) bool {
	_, some := facts.WordOf(name)
	return some && !keywords[name] || reserved[name] || name == "element-at" || name == "index-of"
}

// keywords are the variables that Clarity itself has.
var keywords = words(
	"true false none tx-sender contract-caller tx-sponsor? block-height burn-block-height stacks-block-height tenure-height",
	"stacks-block-time is-in-regtest is-in-mainnet stx-liquid-supply chain-id current-contract",
)
