package nav

import (
	"cmp"
	"fmt"
	"strings"
)

// recogniseWords reads what is typed on the command line: the name of a
// command and its arguments.
func (r *recogniser) recogniseWords(in string) {
	words := strings.Fields(in)
	word := strings.ToLower(words[0])
	kind, ok := placeWords[word]
	if !ok {
		kind = Kind(word)
	}
	if _, ok = kinds[kind]; !ok {
		return
	}
	args, options, err := wordOptions(words[1:])
	if err == nil {
		var p Place
		if p, err = wordsPlace(kind, args, options); err == nil {
			p.Mempool = p.Mempool || strings.EqualFold(words[0], "mempool")
			p = partPlace(strings.ToLower(words[0]), p)
			err = checkPlace(p)
		}
		if err == nil {
			r.ok(rankBest, kindName(p), in, p, "")
			return
		}
	}
	r.fail(rankFailedNear, words[0], in, err.Error(), "")
}

// placeWords are the words for a kind of place besides its own, and one that nobody types.
var placeWords = map[string]Kind{
	"burn": KindBurnBlocks, "burnblocks": KindBurnBlocks, "transactions": KindTransactions, "mempool": KindTransactions,
	"call": KindContract, "var": KindContract, "map": KindContract, string(KindHash): "",
}

// wordOptions takes --name value and --name=value out of the words.
func wordOptions(words []string) (args []string, options map[string]string, err error) {
	options = map[string]string{}
	for i := 0; i < len(words); i++ {
		name, ok := strings.CutPrefix(words[i], "--")
		if !ok {
			args = append(args, words[i])
			continue
		}
		name, value, has := strings.Cut(name, "=")
		switch name {
		case "all", "unanchored", "wait", "source", "abi", "mempool", "transactions", "holders", "history", "trace":
			if !has {
				value = "true"
			}
		case "page", "locale", "limit", "offset", "block", "of", "after", "type", "from", "to", "contract", "function", "since", "until", "filter", "sort":
			if !has {
				if i++; i == len(words) {
					return nil, nil, fmt.Errorf("option --%s has no value", name)
				}
				value = words[i]
			}
		default:
			return nil, nil, fmt.Errorf("option %q is not known here", words[i])
		}
		options[name] = value
	}
	return args, options, nil
}

func wordsPlace(kind Kind, args []string, options map[string]string) (Place, error) {
	of := kinds[kind]
	if n := len(args); n < of.takes.least || n > of.takes.most {
		return Place{}, fmt.Errorf("takes %s", cmp.Or(of.takes.words, "no argument"))
	}
	if of.typed == nil {
		return Place{Kind: kind}, nil
	}
	return of.typed(args, options)
}

// typedNFT returns the place of a token.
func typedNFT(args []string, options map[string]string) (Place, error) {
	p := NFT(args[0], "", options["locale"])
	if len(args) == 1 {
		return p, nil
	}
	var err error
	p.TokenID, err = ParseTokenID(strings.TrimPrefix(args[1], "#"))
	if options["history"] == "true" {
		p.Part, p.Locale = PartMoves, ""
	}
	return p, err
}

// typedAccount returns the place of an account, or that of its transactions.
func typedAccount(args []string, options map[string]string) (Place, error) {
	if options["transactions"] == "true" {
		p := TransactionsOf(args[0])
		p.Filter = chosenBy(options)
		return p, nil
	}
	return Account(args[0]), nil
}

// chosenBy returns the filter of the transactions that flags choose.
func chosenBy(options map[string]string) string {
	var words []string
	for _, name := range []string{"type", "from", "to", "contract", "function", "since", "until"} {
		if value := options[name]; value != "" {
			words = append(words, name+":"+value)
		}
	}
	return strings.Join(words, " ")
}

// typedTransactions returns the place of a list of transactions.
func typedTransactions(_ []string, options map[string]string) (Place, error) {
	p := Place{Kind: KindTransactions, Principal: options["of"], Mempool: options["mempool"] == "true", Filter: chosenBy(options)}
	if block := options["block"]; block != "" {
		err := setBlock(&p, ungroupNumber(block))
		return p, err
	}
	return p, nil
}

func typedContract(args []string, options map[string]string) (Place, error) {
	p := Contract(args[0])
	if len(args) > 1 {
		p.Name = args[1]
	}
	if options["source"] == "true" {
		p.Part = PartSource
	}
	return p, nil
}

// maxWords limits how many words a command that calls a function may have.
const maxWords = 64

// partPlace returns the place of a command about a contract: what a call and a variable name.
// Arguments are not part of a place.
func partPlace(command string, p Place) Place {
	switch {
	case p.Kind != KindContract || p.Name == "":
	case command == "call":
		p.Part = PartFunction
	case command == "var", command == "map":
		p.Part = PartState
	case p.Part == "":
		p.Name = ""
	}
	return p
}

func typedBlock(args []string, _ map[string]string) (Place, error) {
	if args[0] == "latest" {
		return Place{}, fmt.Errorf("takes %s; latest goes with burn-blocks", kinds[KindBlock].takes.words)
	}
	return typedRef(KindBlock, args[0])
}

func typedBurnBlock(args []string, _ map[string]string) (Place, error) {
	if len(args) == 0 {
		return BurnBlocks(), nil
	}
	return typedRef(KindBurnBlocks, args[0])
}

func typedRef(kind Kind, arg string) (Place, error) {
	found := burnBlockRoute(ungroupNumber(arg))
	if found.reason != "" {
		return Place{}, fmt.Errorf("takes %s: %s", kinds[kind].takes.words, found.reason)
	}
	return Place{Kind: kind, Ref: found.place.Ref}, nil
}

func typedNames(args []string, options map[string]string) (Place, error) {
	if len(args) == 0 {
		return Names(""), nil
	}
	p := Names(args[0])
	p.Unanchored = options["unanchored"] == "true"
	if page, ok := options["page"]; ok {
		err := setPage(&p, page)
		return p, err
	}
	return p, nil
}

func ungroupNumber(s string) string {
	if digits := ungroup(s); onlyDigits(digits) {
		return digits
	}
	return s
}
