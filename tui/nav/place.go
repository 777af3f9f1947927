package nav

import (
	"strconv"
	"strings"
)

// Kind describes what sort of place a Place is. Its text is the first word of
// Place.String.
type Kind string

// The kinds of place.
const (
	KindHome       Kind = "home"        // the chain at a glance
	KindBlocks     Kind = "blocks"      // recently mined Stacks blocks
	KindBlock      Kind = "block"       // one Stacks block
	KindBurnBlocks Kind = "burn-blocks" // the Stacks blocks of one burn block
	KindTokens     Kind = "tokens"      // the tokens tab
	KindFT         Kind = "ft"          // one fungible token
	KindNFT        Kind = "nft"         // one non-fungible token
	KindNames      Kind = "names"       // names of a namespace
	KindWallet     Kind = "wallet"      // the wallet pane, or a call of it

	KindTransactions Kind = "txs" // a list of transactions
	KindTransaction  Kind = "tx"  // one transaction

	KindContracts Kind = "contracts" // a list of contracts
	KindContract  Kind = "contract"  // one contract, or a part of it

	KindAccounts Kind = "accounts" // a list of accounts
	KindAccount  Kind = "account"  // one account; a contract is one too

	// KindHash is a hash that may be of anything: a place on the way to another one.
	KindHash Kind = "hash"

	KindNamespaces Kind = "namespaces" // the namespaces that names can be in
	KindName       Kind = "name"       // a name and who owns it
	KindDecoded    Kind = "decoded"    // pasted bytes, an address or a literal, explained
	KindSigners    Kind = "signers"    // the signers of stakers
	KindBonds      Kind = "bonds"      // the protocol bonds
	KindRequests   Kind = "requests"   // the requests of this program
)

// Part is a part of a contract or of a token.
type Part string

// The parts of a contract or of a token that are places.
const (
	PartSource   Part = "source"
	PartFunction Part = "function"
	PartState    Part = "state"  // a variable, a constant or a map
	PartPrints   Part = "prints" // a list

	// Those of a token: who has a fungible one, and what happened to a non-fungible one.
	PartHolders Part = "holders"
	PartMoves   Part = "moves"

	// That of a transaction: what it called.
	PartTrace Part = "trace"
)

// By describes how a Ref names a block.
type By uint8

// The ways of naming a block.
const (
	ByNone       By = iota // nothing named: the tab itself
	ByLatest               // the newest burn block that has a Stacks block
	ByBurnHeight           // height of the burn block
	ByBurnHash             // hash of the burn block
	ByHeight               // height of the Stacks block; reached by paging
	ByIndexHash            // index block hash of a Stacks block that is loaded
)

// Ref names a block. Hash is "0x" and 64 lower-case hex digits.
type Ref struct {
	By     By
	Height int64
	Hash   string
}

// String writes the reference as Place.String does: "latest", "872114",
// "0x…", "height:184203", "index:0x…", or "" for none.
func (r Ref) String() string {
	switch r.By {
	case ByLatest:
		return "latest"
	case ByBurnHeight:
		return strconv.FormatInt(r.Height, 10)
	case ByBurnHash:
		return r.Hash
	case ByHeight:
		return "height:" + strconv.FormatInt(r.Height, 10)
	case ByIndexHash:
		return "index:" + r.Hash
	default:
		return ""
	}
}

// Place is somewhere in the explorer. Places are comparable values; two equal
// places show the same thing.
type Place struct {
	Kind Kind
	// Ref is the block of KindBlock and KindBurnBlocks, and that of KindTransactions whose
	// transactions are listed.
	Ref Ref
	// Principal is the contract principal of KindFT, KindNFT and KindContract, the address
	// or contract principal of KindAccount, and that of KindTransactions whose transactions
	// are listed; "" for those of all.
	Principal string
	// Part is the part of KindContract, or of KindFT, KindNFT and KindTransaction, that is shown, "" for all of it,
	// and Name what it is called: a function, or a variable or map; in the source the definition or the
	// number of the line that is gone to, "" for its beginning.
	Part Part
	Name string
	// TxID is the transaction of KindTransaction, or the hash of KindHash, as a hash is
	// written.
	TxID string
	// Mempool lists, of KindTransactions, those that wait for a block.
	Mempool bool
	// ID is the thing of a list, "" for the list.
	ID string
	// TokenID is the decimal token id of KindNFT; "" requests one.
	TokenID string
	// Locale of KindFT and KindNFT; "" is the token's default.
	Locale string
	// Namespace of KindNames.
	Namespace string
	// Filter narrows the names of KindNames, and those of KindTransactions that are requested of the
	// API: words such as type:contract_call, as the flags of its command are called.
	Filter string
	// Page of KindNames, counted from 1; 0 is all of them.
	Page int
	// Unanchored includes names that are only in microblocks.
	Unanchored bool
	// Call of KindWallet is the key of a call in the timeline; "" is the pane.
	Call string
}

// Link returns a pointer to the place, nil for the zero place, which is nowhere.
func (p Place) Link() *Place {
	if p == (Place{}) {
		return nil
	}
	return &p
}

// Home returns the place where the explorer opens.
func Home() Place { return Place{Kind: KindHome} }

// Blocks returns the list of recent blocks.
func Blocks() Place { return Place{Kind: KindBlocks} }

// BlockAtBurnHeight returns the newest Stacks block of the burn block at a height.
func BlockAtBurnHeight(height int64) Place {
	return Place{Kind: KindBlock, Ref: Ref{By: ByBurnHeight, Height: height}}
}

// BlockAtBurnHash returns the newest Stacks block of the burn block with a hash.
func BlockAtBurnHash(hash string) Place {
	return Place{Kind: KindBlock, Ref: Ref{By: ByBurnHash, Hash: hash}}
}

// BlockAtHeight returns the canonical Stacks block at a height.
func BlockAtHeight(height int64) Place {
	return Place{Kind: KindBlock, Ref: Ref{By: ByHeight, Height: height}}
}

// BlockByIndexHash returns a loaded Stacks block, by its index block hash.
func BlockByIndexHash(hash string) Place {
	return Place{Kind: KindBlock, Ref: Ref{By: ByIndexHash, Hash: hash}}
}

// BurnBlocks returns the burn blocks tab.
func BurnBlocks() Place { return Place{Kind: KindBurnBlocks} }

// LatestBurnBlock returns the newest burn block that has a Stacks block.
func LatestBurnBlock() Place {
	return Place{Kind: KindBurnBlocks, Ref: Ref{By: ByLatest}}
}

// BurnBlockAtHeight returns the burn block at a height.
func BurnBlockAtHeight(height int64) Place {
	return Place{Kind: KindBurnBlocks, Ref: Ref{By: ByBurnHeight, Height: height}}
}

// BurnBlockAtHash returns the burn block with a hash.
func BurnBlockAtHash(hash string) Place {
	return Place{Kind: KindBurnBlocks, Ref: Ref{By: ByBurnHash, Hash: hash}}
}

// Tokens returns the tokens tab.
func Tokens() Place { return Place{Kind: KindTokens} }

// FT returns a fungible token; locale may be empty.
func FT(principal, locale string) Place {
	return Place{Kind: KindFT, Principal: principal, Locale: locale}
}

// NFT returns a non-fungible token; an empty id requests one, locale may be empty.
func NFT(principal, tokenID, locale string) Place {
	return Place{Kind: KindNFT, Principal: principal, TokenID: tokenID, Locale: locale}
}

// Holders returns who has the fungible token of a contract, or one that is named, such as
// ADDRESS.contract::name.
func Holders(token string) Place {
	return Place{Kind: KindFT, Principal: token, Part: PartHolders}
}

// Moves returns what happened to a non-fungible token.
func Moves(token, id string) Place {
	return Place{Kind: KindNFT, Principal: token, TokenID: id, Part: PartMoves}
}

// Whole returns the place of what a place is a part of, and a place that is no part as it is.
func (p Place) Whole() Place {
	if p.Part != "" && p.Kind != KindContract {
		p.Principal, _, _ = strings.Cut(p.Principal, "::")
	}
	p.Part, p.Name = "", ""
	return p
}

// Names returns all of a namespace; without one, the list of namespaces.
func Names(namespace string) Place {
	if namespace == "" {
		return Listed(KindNamespaces, "")
	}
	return Place{Kind: KindNames, Namespace: namespace}
}

// Name returns a name with its namespace, such as muneeb.btc.
func Name(full string) Place { return Listed(KindName, full) }

// Transactions returns the newest transactions.
func Transactions() Place { return Place{Kind: KindTransactions} }

// TransactionsOf returns those that concern an account or a contract.
func TransactionsOf(principal string) Place {
	return Place{Kind: KindTransactions, Principal: principal}
}

// TransactionsIn returns those of a block, by its height or its hash.
func TransactionsIn(block Ref) Place {
	return Place{Kind: KindTransactions, Ref: blockRef(block)}
}

// blockRef names a Stacks block by its height or its hash.
func blockRef(r Ref) Ref {
	if r.Hash != "" {
		return Ref{By: ByIndexHash, Hash: r.Hash}
	}
	return Ref{By: ByHeight, Height: r.Height}
}

// HeightOrHash returns the height or the hash of the reference, as commands take it.
func (r Ref) HeightOrHash() string {
	if r.Hash != "" || r.By == ByNone {
		return r.Hash
	}
	return strconv.FormatInt(r.Height, 10)
}

// Mempool returns the transactions that wait for a block.
func Mempool() Place { return Place{Kind: KindTransactions, Mempool: true} }

// Transaction returns one transaction, by its id: "0x" and 64 lower-case hex digits.
func Transaction(id string) Place { return Place{Kind: KindTransaction, TxID: id} }

// Trace returns what a transaction called.
func Trace(id string) Place { return Place{Kind: KindTransaction, TxID: id, Part: PartTrace} }

// Hash returns whatever has a hash: a transaction or a block. The server says which.
func Hash(hash string) Place { return Place{Kind: KindHash, TxID: hash} }

// Accounts returns the accounts that there is a reason to look at.
func Accounts() Place { return Place{Kind: KindAccounts} }

// Account returns one account, or a contract as one.
func Account(principal string) Place { return Place{Kind: KindAccount, Principal: principal} }

// WaitingOf returns the transactions of an account or a contract that wait for a block.
func WaitingOf(principal string) Place {
	return Place{Kind: KindTransactions, Principal: principal, Mempool: true}
}

// Contracts returns the contracts that are known here.
func Contracts() Place { return Place{Kind: KindContracts} }

// Contract returns one contract.
func Contract(principal string) Place { return Place{Kind: KindContract, Principal: principal} }

// Source returns the source of a contract.
func Source(principal string) Place {
	return Place{Kind: KindContract, Principal: principal, Part: PartSource}
}

// SourceLine returns the source of a contract at a line, from 1.
func SourceLine(principal string, line int) Place {
	p := Source(principal)
	p.Name = strconv.Itoa(line)
	return p
}

// Function returns where a function of a contract is called.
func Function(principal, name string) Place {
	return Place{Kind: KindContract, Principal: principal, Part: PartFunction, Name: name}
}

// Kept returns where a variable, a constant or a map of a contract is read.
func Kept(principal, name string) Place {
	return Place{Kind: KindContract, Principal: principal, Part: PartState, Name: name}
}

// Prints returns what a contract printed.
func Prints(principal string) Place {
	return Place{Kind: KindContract, Principal: principal, Part: PartPrints}
}

// Wallet returns the wallet pane.
func Wallet() Place { return Place{Kind: KindWallet} }

// WalletCall returns a call in the wallet's timeline, by its key.
func WalletCall(key string) Place { return Place{Kind: KindWallet, Call: key} }
