package nav

import (
	"fmt"
	"strconv"
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
		if _, ok = listed[kind]; !ok {
			return
		}
	}
	args, options, err := wordOptions(words[1:])
	if err == nil {
		var p Place
		if p, err = wordsPlace(kind, args, options); err == nil {
			p.Mempool = p.Mempool || strings.EqualFold(words[0], "mempool")
			p = partPlace(strings.ToLower(words[0]), p)
			err = r.checkPlace(p)
		}
		if err == nil {
			r.ok(rankBest, kindName(p), in, p, "")
			return
		}
	}
	r.fail(rankFailedNear, words[0], in, err.Error(), "")
}

var placeWords = map[string]Kind{
	"home": KindHome, "blocks": KindBlocks, "block": KindBlock,
	"burn-blocks": KindBurnBlocks, "burn": KindBurnBlocks, "burnblocks": KindBurnBlocks,
	"tokens": KindTokens, "ft": KindFT, "nft": KindNFT,
	"names": KindNames, "wallet": KindWallet,
	"txs": KindTransactions, "transactions": KindTransactions, "mempool": KindTransactions, "tx": KindTransaction,
	"accounts": KindAccounts, "account": KindAccount,
	"contracts": KindContracts, "contract": KindContract, "call": KindContract, "var": KindContract, "map": KindContract,
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
		case "all", "unanchored", "wait", "source", "abi", "mempool", "transactions":
			if !has {
				value = "true"
			}
		case "page", "locale", "limit", "offset", "block", "of", "after":
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
	p := Place{Kind: kind, Locale: options["locale"]}
	want := func(min, max int, usage string) error {
		if len(args) < min || len(args) > max {
			return fmt.Errorf("takes %s", usage)
		}
		return nil
	}
	switch kind {
	case KindTransactions:
		return wordsTransactions(options, want(0, 0, "no argument"))
	case KindHome, KindBlocks, KindTokens, KindWallet:
		return Place{Kind: kind}, want(0, 0, "no argument")
	case KindTransaction:
		if err := want(1, 1, "the id of a transaction"); err != nil {
			return p, err
		}
		id, err := ParseHash(args[0])
		return Transaction(id), err
	case KindBlock, KindBurnBlocks:
		return wordsBurnBlock(kind, args, want)
	case KindContracts, KindAccounts:
		return Place{Kind: kind}, want(0, 0, "no argument")
	case KindAccount:
		return wordsAccount(args, options, want)
	case KindContract:
		return wordsContract(args, options, want)
	case KindFT:
		if err := want(1, 1, "a contract principal"); err != nil {
			return p, err
		}
		p.Principal = args[0]
		return p, nil
	case KindNFT:
		if err := want(1, 2, "a contract principal and a token id"); err != nil {
			return p, err
		}
		p.Principal = args[0]
		if len(args) == 2 {
			id, err := ParseTokenID(strings.TrimPrefix(args[1], "#"))
			if err != nil {
				return p, err
			}
			p.TokenID = id
		}
		return p, nil
	case KindNames:
		return wordsNames(args, options, want)
	}
	err := want(0, 1, "a "+listed[kind].thing)
	return Listed(kind, strings.Join(args, "")), err
}

// wordsAccount returns the place of an account, or that of its transactions.
func wordsAccount(args []string, options map[string]string, want func(min, max int, usage string) error) (Place, error) {
	if err := want(1, 1, "an address"); err != nil {
		return Accounts(), err
	}
	if options["transactions"] == "true" {
		return TransactionsOf(args[0]), nil
	}
	return Account(args[0]), nil
}

// wordsTransactions returns the place of a list of transactions.
func wordsTransactions(options map[string]string, err error) (Place, error) {
	p := Place{Kind: KindTransactions, Principal: options["of"], Mempool: options["mempool"] == "true"}
	if block := options["block"]; block != "" && err == nil {
		found := burnBlockRoute(ungroupNumber(block))
		if found.reason != "" || found.place.Ref.By == ByLatest {
			return p, fmt.Errorf("%q is neither the height of a block nor a hash", block)
		}
		p.Ref = blockRef(found.place.Ref)
	}
	return p, err
}

func wordsContract(args []string, options map[string]string, want func(min, max int, usage string) error) (Place, error) {
	if err := want(1, maxWords, "a contract principal, and the name of a function, variable or map"); err != nil {
		return Contracts(), err
	}
	p := Contract(args[0])
	if len(args) > 1 {
		p.Name = args[1]
	}
	if options["source"] == "true" {
		p.Part = PartSource
	}
	return p, nil
}

// maxWords is how many words a command that calls a function may have.
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

func wordsBurnBlock(kind Kind, args []string, want func(min, max int, usage string) error) (Place, error) {
	p := Place{Kind: kind}
	min, usage := 1, "a burn height or burn hash"
	if kind == KindBurnBlocks {
		min, usage = 0, "a burn height, a burn hash or latest"
	}
	if err := want(min, 1, usage); err != nil || len(args) == 0 {
		return p, err
	}
	if kind == KindBlock && args[0] == "latest" {
		return p, fmt.Errorf("takes %s; latest goes with burn-blocks", usage)
	}
	found := burnBlockRoute(ungroupNumber(args[0]))
	if found.reason != "" {
		return p, fmt.Errorf("takes %s: %s", usage, found.reason)
	}
	p.Ref = found.place.Ref
	return p, nil
}

func wordsNames(args []string, options map[string]string, want func(min, max int, usage string) error) (Place, error) {
	if err := want(0, 1, "a namespace"); err != nil || len(args) == 0 {
		return Names(""), err
	}
	p := Names(args[0])
	p.Unanchored = options["unanchored"] == "true"
	if text, ok := options["page"]; ok {
		page, err := strconv.Atoi(text)
		if err != nil || page < 1 {
			return p, fmt.Errorf("page %q is not a number from 1", text)
		}
		p.Page = page
	}
	return p, nil
}

func ungroupNumber(s string) string {
	if digits := ungroup(s); onlyDigits(digits) {
		return digits
	}
	return s
}
