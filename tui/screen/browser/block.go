package browser

import (
	"encoding/json"
	"slices"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// PageSize is the most blocks that the API lists at once.
const PageSize = 30

// Block is a block with the exact JSON it came as.
type Block struct {
	apiclient.Block
	Raw      json.RawMessage
	Exchange uint64
}

// BlocksOf gives each block of a page the JSON it came as.
func BlocksOf[T any](page apiclient.Answer[apiclient.List[T]], block func(T) apiclient.Block) []Block {
	raw := apiclient.Results(page.Raw, len(page.Value.Results))
	out := make([]Block, len(page.Value.Results))
	for i, b := range page.Value.Results {
		out[i] = Block{block(b), raw[i], page.ExchangeID}
	}
	return out
}

// ID tells blocks apart; heights do not, since a block can be replaced.
func (b *Block) ID() string {
	if b.IndexBlockHash == "" {
		return strconv.FormatInt(b.Height, 10) + " " + b.Hash
	}
	return b.IndexBlockHash
}

// Listed returns the block as lists know it.
func (b *Block) Listed() resource.Block {
	return resource.BlockOf(&b.Block)
}

// Block returns the subject of a block. The first thing that is copied of it is its hash.
func (f *Frame) Block(kind resource.Kind[resource.Block], b resource.Block, raw json.RawMessage, exchange uint64) screen.Subject {
	sub := screen.Subject{Title: "Block " + text.Count(b.Height), Raw: raw, ExchangeID: exchange, At: nav.BlockByIndexHash(b.IndexBlockHash), Copies: Copies(kind.Fields(b))}
	if i := slices.IndexFunc(sub.Copies, func(c screen.Copy) bool { return c.Text == b.Hash }); i > 0 {
		first := sub.Copies[i]
		sub.Copies = slices.Insert(slices.Delete(sub.Copies, i, i+1), 0, first)
	}
	if b.Hash != "" {
		sub.Web = f.Env.WebPage("/block/" + b.Hash)
	}
	return f.WithField(sub)
}

// GoTransactions goes to the transactions of a block: by its height, or by its hash where
// another block is at that height.
func GoTransactions(b resource.Block) tea.Cmd {
	if b.Orphaned {
		return screen.Go(nav.TransactionsIn(nav.Ref{By: nav.ByIndexHash, Hash: b.IndexBlockHash}))
	}
	return screen.Go(nav.TransactionsIn(nav.Ref{By: nav.ByHeight, Height: b.Height}))
}
