package tokens

import (
	"bytes"
	"cmp"
	"regexp"
	"sort"
	"strings"
)

// Query selects the fungible tokens that are requested.
type Query struct {
	Name      string // part of the name, any case; % and _ are wildcards
	Symbol    string // the whole symbol, any case
	Deployer  string // the beginning of the principal
	ValidOnly bool   // only tokens with metadata
	BySymbol  bool   // ordered by symbol, else by name
	Falling   bool   // ordered from z to a

	Limit, Offset int
}

// listed is a token in a list, keys in the order of the wire. What is unknown is "",
// and unknown decimals are 0.
type listed struct {
	TxID              string `json:"tx_id"`
	SenderAddress     string `json:"sender_address"`
	AssetIdentifier   string `json:"asset_identifier"`
	ContractPrincipal string `json:"contract_principal"`
	Name              string `json:"name"`
	Symbol            string `json:"symbol"`
	Decimals          int    `json:"decimals"`
	TotalSupply       string `json:"total_supply"`
	TokenURI          string `json:"token_uri"`
	Description       string `json:"description"`
	ImageURI          string `json:"image_uri"`
	ImageCanonicalURI string `json:"image_canonical_uri"`
}

type listing struct {
	Limit   int      `json:"limit"`
	Offset  int      `json:"offset"`
	Total   int      `json:"total"`
	Results []listed `json:"results"`
}

// List answers with the fungible tokens that a query requests. A token with metadata
// in several locales is listed, and counted, once for each. Listing does not begin to
// fetch a token in progress; past the end total is 0.
func (c *Catalogue) List(p *Progress, q Query, origin string) []byte {
	name := likePattern(q.Name)
	rows := []listed{}
	for _, of := range c.contracts {
		if of.standard != sip010 || !strings.HasPrefix(of.principal, q.Deployer) {
			continue
		}
		for _, tok := range of.tokens {
			for _, row := range of.listedAs(tok, p) {
				found := name.MatchString(row.Name) && (q.Symbol == "" || strings.EqualFold(row.Symbol, q.Symbol))
				if found && (!q.ValidOnly || tok.failure == "" && tok.meta != nil) {
					rows = append(rows, row)
				}
			}
		}
	}
	sort.SliceStable(rows, func(i, j int) bool { return q.compare(rows[i], rows[j]) < 0 })
	body := listing{Limit: q.Limit, Offset: q.Offset, Total: len(rows), Results: rows}
	if q.Offset >= len(rows) {
		body.Total, body.Results = 0, []listed{}
	} else {
		body.Results = rows[q.Offset:min(len(rows), q.Offset+q.Limit)]
	}
	return encode(body, origin)
}

// listedAs returns the rows of a token: one for its own metadata and one for each
// locale.
func (of *contract) listedAs(tok *token, p *Progress) []listed {
	deployer, _, _ := strings.Cut(of.principal, ".")
	row := listed{
		TxID: deployTxID(of.principal), SenderAddress: deployer,
		AssetIdentifier: of.principal + "::" + of.asset, ContractPrincipal: of.principal,
	}
	if tok.pending && !p.fetched(tok) {
		return []listed{row}
	}
	row.Name, row.Symbol, row.TotalSupply, row.TokenURI = tok.name, tok.symbol, tok.supply, tok.uri
	if tok.decimals != nil {
		row.Decimals = *tok.decimals
	}
	rows := []listed{row.with(tok.meta)}
	for _, l := range tok.locales {
		rows = append(rows, row.with(l.meta))
	}
	return rows
}

func (row listed) with(m *Metadata) listed {
	if m != nil {
		row.Description, row.ImageURI, row.ImageCanonicalURI = m.Description, m.CachedImage, m.Image
	}
	return row
}

// compare orders two rows; unknown texts come last, or first when falling.
func (q Query) compare(a, b listed) int {
	x, y := strings.ToLower(a.Name), strings.ToLower(b.Name)
	if q.BySymbol {
		x, y = strings.ToLower(a.Symbol), strings.ToLower(b.Symbol)
	}
	order := cmp.Compare(x, y)
	if (x == "") != (y == "") {
		order = -order
	}
	if q.Falling {
		return -order
	}
	return order
}

// likePattern matches texts that hold a part as SQL's ILIKE does: % is any text and _
// any character.
func likePattern(part string) *regexp.Regexp {
	var b bytes.Buffer
	b.WriteString("(?is)")
	for _, r := range part {
		switch r {
		case '%':
			b.WriteString(".*")
		case '_':
			b.WriteByte('.')
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return regexp.MustCompile(b.String())
}
