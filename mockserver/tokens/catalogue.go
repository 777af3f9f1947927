package tokens

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// Refusal is a lookup that ends without a record; its text is that of the wire.
type Refusal string

// The refusals of a lookup.
const (
	ErrContractNotFound Refusal = "Contract not found"
	ErrTokenNotFound    Refusal = "Token not found"
	ErrLocaleNotFound   Refusal = "Locale not found"
	ErrInProgress       Refusal = "Token metadata fetch in progress"
)

func (r Refusal) Error() string { return string(r) }

// Failure is a "Token error": the service tried and gave up. It holds the
// message of the wire.
type Failure string

func (f Failure) Error() string { return string(f) }

// What says in one word why a token is in the catalogue.
type What string

// The words of the catalogue.
const (
	Full      What = "full"
	Minimal   What = "minimal"
	Localized What = "localized"
	Pending   What = "pending"
	Error     What = "error"
	NoToken   What = "no_token"
	Hostile   What = "hostile"
	Plain     What = "plain"
)

// Entry is one row of the catalogue.
type Entry struct {
	Principal string
	TokenID   string // decimal; "" for a fungible token
	What      What
	Locales   []string // never nil
	// Name is that of a non-fungible token's metadata, "" where it is not to be had: no
	// route of the API lists these.
	Name string
}

// Answer is a found record.
type Answer struct {
	JSON []byte
	// ETag is the time of the last change with its quotes.
	ETag string
}

// standard of a contract.
type standard int

const (
	sip009 standard = iota // non-fungible
	sip010                 // fungible
)

// contract is one deployed contract of the catalogue.
type contract struct {
	principal string
	standard  standard
	asset     string  // name of the asset in the identifier
	failure   Failure // of the contract itself
	what      What    // where the contract has no token
	tokens    []*token
}

// token is one token of a contract; a fungible contract has none or the one with id 1.
type token struct {
	id       uint64
	what     What
	failure  Failure
	pending  bool
	name     string
	symbol   string
	decimals *int
	supply   string
	uri      string
	meta     *Metadata
	locales  []locale
}

// locale is a token's metadata in one language.
type locale struct {
	code string
	meta *Metadata
}

// Catalogue answers about the tokens. It never changes.
type Catalogue struct {
	contracts []*contract
	byName    map[string]*contract
}

// New makes the catalogue.
func New() *Catalogue {
	c := &Catalogue{
		contracts: slices.Concat(fungibleContracts(), nonFungibleContracts(), hostileContracts()),
		byName:    map[string]*contract{},
	}
	for _, one := range c.contracts {
		c.byName[one.principal] = one
	}
	return c
}

// Fungible answers about the token of a contract. locale "" is the default;
// origin is that of this server's own pictures, such as http://127.0.0.1:3999.
// The order of checks is the real service's. A non-fungible contract answers
// with the data of its token 1. p says which tokens are in progress.
func (c *Catalogue) Fungible(p *Progress, principal, localeCode, origin string) (Answer, error) {
	of, tok, meta, err := c.find(p, principal, 1, localeCode)
	if err != nil {
		return Answer{}, err
	}
	deployer, _, _ := strings.Cut(principal, ".")
	record := Fungible{
		Name: tok.name, Symbol: tok.symbol, Decimals: tok.decimals, TotalSupply: tok.supply,
		TokenURI: tok.uri, TxID: deployTxID(principal), SenderAddress: deployer,
		AssetIdentifier: principal + "::null", Metadata: meta,
	}
	if of.standard == sip010 {
		record.AssetIdentifier = principal + "::" + of.asset
	}
	if meta != nil {
		record.Description = meta.Description
		record.ImageURI = meta.CachedImage
		record.ImageThumbnailURI = meta.CachedThumbnailImage
		record.ImageCanonicalURI = meta.Image
	}
	return Answer{encode(record, origin), etag(principal, 1)}, nil
}

// NonFungible answers about one token. The id is a float64 because the service
// counts in doubles: ids above 2^53 lose digits. The token of a fungible
// contract has the id 1.
func (c *Catalogue) NonFungible(p *Progress, principal string, id float64, localeCode, origin string) (Answer, error) {
	_, tok, meta, err := c.find(p, principal, id, localeCode)
	if err != nil {
		return Answer{}, err
	}
	return Answer{encode(NonFungible{TokenURI: tok.uri, Metadata: meta}, origin), etag(principal, tok.id)}, nil
}

func (c *Catalogue) find(p *Progress, principal string, id float64, localeCode string) (*contract, *token, *Metadata, error) {
	of := c.byName[principal]
	if of == nil {
		return nil, nil, nil, ErrContractNotFound
	}
	if of.failure != "" {
		return nil, nil, nil, of.failure
	}
	at := slices.IndexFunc(of.tokens, func(t *token) bool { return float64(t.id) == id })
	if at < 0 {
		return nil, nil, nil, ErrTokenNotFound
	}
	tok := of.tokens[at]
	meta := tok.meta
	if localeCode != "" {
		i := slices.IndexFunc(tok.locales, func(l locale) bool { return l.code == localeCode })
		if i < 0 {
			return nil, nil, nil, ErrLocaleNotFound
		}
		meta = tok.locales[i].meta
	}
	if tok.failure != "" {
		return nil, nil, nil, tok.failure
	}
	if tok.pending && !p.ready(tok) {
		return nil, nil, nil, ErrInProgress
	}
	return of, tok, meta, nil
}

// Fungibles lists the fungible contracts.
func (c *Catalogue) Fungibles() []Entry { return c.list(sip010) }

// NonFungibles lists the tokens of the non-fungible contracts. A contract
// without a token is listed with an id that is not found.
func (c *Catalogue) NonFungibles() []Entry { return c.list(sip009) }

func (c *Catalogue) list(kind standard) []Entry {
	var out []Entry
	for _, of := range c.contracts {
		if of.standard != kind {
			continue
		}
		if len(of.tokens) == 0 {
			out = append(out, of.entry(1, of.what, nil))
		}
		for _, tok := range of.tokens {
			e := of.entry(tok.id, tok.what, tok.locales)
			if kind == sip009 && tok.meta != nil && tok.failure == "" && !tok.pending {
				e.Name = tok.meta.Name
			}
			out = append(out, e)
		}
	}
	return out
}

func (of *contract) entry(id uint64, what What, locales []locale) Entry {
	e := Entry{Principal: of.principal, What: what, Locales: []string{}}
	if of.standard == sip009 {
		e.TokenID = strconv.FormatUint(id, 10)
	}
	for _, l := range locales {
		e.Locales = append(e.Locales, l.code)
	}
	return e
}

// deployTxID returns the id of the transaction that deployed a contract.
func deployTxID(principal string) string {
	sum := sha256.Sum256([]byte("deploy " + principal))
	return "0x" + hex.EncodeToString(sum[:])
}

// etag returns a time of change in seconds with six decimals, as the service sends it.
func etag(principal string, id uint64) string {
	sum := sha256.Sum256([]byte("changed " + principal + "#" + strconv.FormatUint(id, 10)))
	seconds := 1_735_689_600 + int64(sum[0])<<16 + int64(sum[1])<<8 + int64(sum[2])
	micros := (int(sum[3])<<16 | int(sum[4])<<8 | int(sum[5])) % 1_000_000
	return `"` + strconv.FormatInt(seconds, 10) + "." + strconv.Itoa(1_000_000 + micros)[1:] + `"`
}
