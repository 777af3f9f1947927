package nav

import (
	"cmp"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// kind holds what is particular about a kind of place.
type kind struct {
	tab   Kind   // the tab that it lives in, "" for its own
	thing string // what one is called, "" for its kind

	// fields follow the kind in Place.String: words, of which least have to be there, then options.
	fields []field
	least  int

	// id describes what is wrong with the id of a thing. A kind with it is a list of things, or one of
	// them by its id; what it leaves out below follows from that.
	id    func(id string) error
	check func(Place) error // what is wrong with a place that parses but cannot be, nil for nothing

	// command returns the arguments of the command that prints the place, and whether it prints
	// exactly that.
	command func(Place) (args []string, exact bool)

	// takes describes what is typed after the kind, and typed the place of that; nil for the kind alone.
	takes takes
	typed func(args []string, options map[string]string) (Place, error)
}

// takes says which arguments a kind is typed with: at least, at most, and in words.
type takes struct {
	least, most int
	words       string
}

// What several kinds have in their fields.
var (
	localeField    = text("locale", func(p *Place) *string { return &p.Locale })
	principalField = text("", func(p *Place) *string { return &p.Principal })
	partField      = text("", func(p *Place) *string { return (*string)(&p.Part) })
	idField        = text("", func(p *Place) *string { return &p.ID })
	hashField      = field{"", func(p Place) string { return p.TxID }, func(p *Place, s string) (err error) { p.TxID, err = ParseHash(s); return err }}
)

var kinds map[Kind]kind

func init() {
	kinds = kindsOfTheChain()
	maps.Copy(kinds, kindsOfAccounts())
	for name, of := range kinds {
		of.tab = cmp.Or(of.tab, name)
		if of.id != nil {
			of.fields, of.takes = []field{idField}, takes{0, 1, "a " + of.thing}
			of.check = func(p Place) error { return unlessEmpty(p.ID, of.id) }
			of.typed = func(args []string, _ map[string]string) (Place, error) {
				return Listed(name, strings.Join(args, "")), nil
			}
			if of.command == nil {
				of.command = func(p Place) ([]string, bool) { return with(p.ID, string(name)), true }
			}
		}
		kinds[name] = of
	}
}

// kindsOfTheChain returns the kinds of blocks, tokens and names.
func kindsOfTheChain() map[Kind]kind {
	return map[Kind]kind{
		KindHome:   {command: nearest("blocks")},
		KindBlocks: {command: exactly("blocks")},
		KindBlock: {
			tab: KindBlocks, fields: []field{reference(KindBlock)}, least: 1, check: checkRef, command: blockCommand,
			takes: takes{1, 1, "a burn height or burn hash"}, typed: typedBlock,
		},
		KindBurnBlocks: {
			thing: "burn block", fields: []field{reference(KindBurnBlocks)}, check: checkRef,
			command: func(p Place) ([]string, bool) { return with(p.Ref.String(), "burn-blocks"), true },
			takes:   takes{0, 1, "a burn height, a burn hash or latest"}, typed: typedBurnBlock,
		},
		KindTokens: {command: nearest("ft", "PRINCIPAL")},
		KindFT: {
			tab: KindTokens, thing: "fungible token", fields: []field{principalField, partField, localeField}, least: 1, check: checkToken, command: tokenCommand,
			takes: takes{1, 1, "a contract principal"},
			typed: func(args []string, options map[string]string) (Place, error) {
				if options["holders"] == "true" {
					return Holders(args[0]), nil
				}
				return FT(args[0], options["locale"]), nil
			},
		},
		KindNFT: {
			tab: KindTokens, thing: "non-fungible token", fields: []field{principalField, text("", func(p *Place) *string { return &p.TokenID }), partField, localeField}, least: 1,
			check: checkToken, command: tokenCommand, takes: takes{1, 2, "a contract principal and a token id"}, typed: typedNFT,
		},
		KindNames: {
			tab: KindNamespaces, thing: "namespace", least: 1, command: namesCommand, takes: takes{0, 1, "a namespace"}, typed: typedNames,
			check: func(p Place) error { return unlessEmpty(p.Namespace, checkNamespace) },
			fields: []field{
				text("", func(p *Place) *string { return &p.Namespace }),
				{"page", pageOf, setPage},
				text("filter", func(p *Place) *string { return &p.Filter }), flag("unanchored", func(p *Place) *bool { return &p.Unanchored }),
			},
		},
	}
}

// kindsOfAccounts returns the kinds of who does something on the chain, of what is done, and of
// what the program itself keeps.
func kindsOfAccounts() map[Kind]kind {
	return map[Kind]kind{
		KindWallet: {
			fields:  []field{text("call", func(p *Place) *string { return &p.Call })},
			command: func(p Place) ([]string, bool) { return []string{"wallet", "status"}, p.Call == "" },
		},
		KindTransactions: {
			thing: "transactions", check: func(p Place) error { return unlessEmpty(p.Principal, checkAccount) }, command: transactionsCommand,
			fields: []field{
				text("of", func(p *Place) *string { return &p.Principal }),
				{"block", func(p Place) string { return p.Ref.HeightOrHash() }, setBlock},
				flag("mempool", func(p *Place) *bool { return &p.Mempool }),
				text("filter", func(p *Place) *string { return &p.Filter }),
			},
			typed: typedTransactions,
		},
		KindTransaction: {
			tab: KindTransactions, thing: "transaction", fields: []field{hashField, partField}, least: 1,
			command: func(p Place) ([]string, bool) {
				if p.Part != "" {
					return []string{"tx", p.TxID, "--trace"}, true
				}
				return []string{"tx", p.TxID}, true
			},
			takes: takes{1, 1, "the id of a transaction"},
			typed: func(args []string, options map[string]string) (Place, error) {
				id, err := ParseHash(args[0])
				if options["trace"] == "true" {
					return Trace(id), err
				}
				return Transaction(id), err
			},
		},
		KindHash: {
			tab: KindTransactions, thing: "transaction or block", fields: []field{hashField}, least: 1,
			command: func(p Place) ([]string, bool) { return []string{"tx", p.TxID}, false },
		},
		KindContracts: {command: nearest("contract", "PRINCIPAL")},
		KindContract: {
			tab: KindContracts, least: 1, check: func(p Place) error { return CheckPrincipal(p.Principal) }, command: contractCommand,
			fields: []field{principalField, partField, text("name", func(p *Place) *string { return &p.Name })},
			takes:  takes{1, maxWords, "a contract principal, and the name of a function, variable or map"}, typed: typedContract,
		},
		KindAccounts: {command: nearest("account", "ADDRESS")},
		KindAccount: {
			tab: KindAccounts, fields: []field{principalField}, least: 1, check: func(p Place) error { return checkAccount(p.Principal) },
			command: func(p Place) ([]string, bool) { return []string{"account", p.Principal}, true },
			takes:   takes{1, 1, "an address"}, typed: typedAccount,
		},
		KindNamespaces: {thing: "namespace", id: checkNamespace},
		KindName:       {thing: "name", tab: KindNamespaces, id: CheckFullName},
		KindDecoded: {
			thing: "pasted thing", tab: KindTransactions, id: checkPasted,
			command: func(p Place) ([]string, bool) { return []string{"wallet", "decode", cmp.Or(p.ID, "HEX")}, p.ID != "" },
		},
		KindSigners: {thing: "signer", tab: KindAccounts, id: CheckPrincipal},
		KindBonds:   {thing: "bond", tab: KindAccounts, id: checkBond},
		// The requests of a command are in its --log-file.
		KindRequests: {thing: "request", tab: KindHome, id: checkRequest, command: nearest("blocks")},
	}
}

// field is a word or an option of a place: how it is written, "" for nothing, and read.
type field struct {
	name string // of an option, "" for a word
	get  func(Place) string
	set  func(p *Place, value string) error
}

func text(name string, of func(*Place) *string) field {
	return field{name, func(p Place) string { return *of(&p) }, func(p *Place, value string) error { *of(p) = value; return nil }}
}

func flag(name string, of func(*Place) *bool) field {
	get := func(p Place) string {
		if !*of(&p) {
			return ""
		}
		return "true"
	}
	return field{name, get, func(p *Place, value string) error { *of(p) = value == "true"; return nil }}
}

// reference is the field of a block, or of a burn block.
func reference(of Kind) field {
	return field{"", func(p Place) string { return p.Ref.String() }, func(p *Place, value string) (err error) { p.Ref, err = parseRef(of, value); return err }}
}

func pageOf(p Place) string {
	if p.Page == 0 {
		return ""
	}
	return strconv.Itoa(p.Page)
}

func setPage(p *Place, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return fmt.Errorf("page %q is not a number from 1", value)
	}
	p.Page = n
	return nil
}

func setBlock(p *Place, value string) error {
	found := burnBlockRoute(value)
	if found.reason != "" || found.place.Ref.By == ByLatest {
		return fmt.Errorf("%q is neither the height of a block nor a hash", value)
	}
	p.Ref = blockRef(found.place.Ref)
	return nil
}

// Tab returns the kind of the top-level tab that a kind of place lives in.
func (k Kind) Tab() Kind { return cmp.Or(kinds[k].tab, k) }

// OfOne reports whether the place is one thing, or a list of what belongs to one.
func (p Place) OfOne() bool {
	return p.Kind != p.Kind.Tab() && kinds[p.Kind].id == nil || p.Ref.By != ByNone || p.ID != "" || p.Principal != "" || p.TxID != ""
}

// String writes the place in words that Parse reads back: the kind, what it
// is about, then options as key=value. Anything but plain characters is
// quoted as in Go, so the text is one printable line.
func (p Place) String() string {
	of := kinds[p.Kind]
	words := []string{string(p.Kind)}
	for i, f := range of.fields {
		switch value := f.get(p); {
		case value == "" && (i >= of.least || p.Kind == KindBlock):
		case f.name == "":
			words = append(words, quoteWord(value))
		default:
			words = append(words, f.name+"="+quoteWord(value))
		}
	}
	return strings.Join(words, " ")
}

// Command returns the arguments of the chainscope command that prints what
// the place shows, and whether it prints exactly that; when it does not, the
// command is the nearest one.
func (p Place) Command() (args []string, exact bool) {
	if of := kinds[p.Kind]; of.command != nil {
		return of.command(p)
	}
	return []string{"blocks"}, false
}

func exactly(args ...string) func(Place) ([]string, bool) {
	return func(Place) ([]string, bool) { return args, true }
}

func nearest(args ...string) func(Place) ([]string, bool) {
	return func(Place) ([]string, bool) { return args, false }
}

// with appends a word unless it is empty.
func with(word string, args ...string) []string {
	if word == "" {
		return args
	}
	return append(args, word)
}

func blockCommand(p Place) ([]string, bool) {
	switch p.Ref.By {
	case ByBurnHeight, ByBurnHash, ByHeight:
		return []string{"block", p.Ref.String()}, true
	case ByIndexHash:
		return []string{"block", p.Ref.Hash}, true
	}
	return []string{"blocks"}, false
}

func tokenCommand(p Place) (args []string, exact bool) {
	args = []string{string(p.Kind), p.Principal}
	if p.Kind == KindNFT {
		if p.TokenID == "" {
			return append(args, "TOKEN_ID"), false
		}
		args = append(args, p.TokenID)
	}
	if p.Locale != "" {
		args = append(args, "--locale", p.Locale)
	}
	if flag := map[Part]string{PartHolders: "--holders", PartMoves: "--history"}[p.Part]; flag != "" {
		args = append(args, flag)
	}
	return args, true
}

func namesCommand(p Place) (args []string, exact bool) {
	args = []string{"names", p.Namespace}
	if p.Page > 0 {
		args = append(args, "--page", strconv.Itoa(p.Page))
	} else {
		args = append(args, "--all")
	}
	if p.Unanchored {
		args = append(args, "--unanchored")
	}
	return args, p.Filter == ""
}

func transactionsCommand(p Place) (args []string, exact bool) {
	args = []string{"txs"}
	if p.Principal != "" {
		args = append(args, "--of", p.Principal)
	}
	if p.Ref.By != ByNone {
		args = append(args, "--block", p.Ref.HeightOrHash())
	}
	if p.Mempool {
		args = append(args, "--mempool")
	}
	for _, word := range strings.Fields(p.Filter) {
		name, value, _ := strings.Cut(word, ":")
		args = append(args, "--"+name, value)
	}
	return args, true
}

func contractCommand(p Place) (args []string, exact bool) {
	switch p.Part {
	case PartSource:
		return []string{"contract", p.Principal, "--source"}, p.Name == ""
	case PartFunction:
		return []string{"call", p.Principal, p.Name}, false
	case PartState:
		return []string{"var", p.Principal, p.Name}, false
	case PartPrints:
		return []string{"contract", p.Principal, "--prints"}, true
	}
	return []string{"contract", p.Principal}, true
}

// checkPlace returns what is wrong with a place that parses but cannot be.
func checkPlace(p Place) error {
	if of := kinds[p.Kind]; of.check != nil {
		return of.check(p)
	}
	return nil
}

func unlessEmpty(s string, check func(string) error) error {
	if s == "" {
		return nil
	}
	return check(s)
}

func checkRef(p Place) error {
	if p.Ref.Height > maxHeight {
		return errHeight
	}
	return nil
}

func checkToken(p Place) error {
	contract, _, named := strings.Cut(p.Principal, "::")
	if named && p.Part == "" {
		return CheckPrincipal(p.Principal)
	}
	if err := CheckPrincipal(contract); err != nil || p.TokenID == "" {
		return err
	}
	_, err := ParseTokenID(p.TokenID)
	return err
}

func checkAccount(principal string) error {
	if checkAddress(principal) == nil {
		return nil
	}
	return CheckPrincipal(principal)
}

// kindName returns what a place is called.
func kindName(p Place) string {
	of := kinds[p.Kind]
	switch {
	case p.Part != "":
		return string(p.Part) + " of a " + map[bool]string{true: "contract", false: "token"}[p.Kind == KindContract]
	case p.Filter != "" && p.Kind == KindNames:
		return "name"
	case of.id != nil && p.ID == "":
		return string(p.Kind)
	}
	return cmp.Or(of.thing, string(p.Kind))
}
