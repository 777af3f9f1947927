package mockserver

import (
	"net/http"
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/mockserver/names"
	"chainscope/wallet/clarity"
)

// nameBody names the owner of a name. Names are never renewed here, so nothing says when one expires.
type nameBody struct {
	Address      string `json:"address"`
	Blockchain   string `json:"blockchain"`
	LastTxID     string `json:"last_txid"` // "" where nothing moved it
	Status       string `json:"status"`
	Zonefile     string `json:"zonefile"`
	ZonefileHash string `json:"zonefile_hash"`
}

// registry returns the contract of names on the network that the server plays, and its ledger.
func (x *exchange) registry() (*names.Contract, *ledger.Ledger) {
	c := names.NewRegistry(x.s.names, x.s.cfg.Seed).On(!x.onTestnet())
	return c, x.state().Ledger(c.ID())
}

// serveName finds who has a name. A free one is 404, as the service says it.
func serveName(x *exchange) {
	v := x.state().View
	if unanchored := x.queryBool("unanchored"); !x.answered && !x.tipCached(&v) {
		x.findName(x.param(0), unanchored)
	}
}

func (x *exchange) findName(name string, unanchored bool) {
	if strings.Count(name, ".") == 2 {
		x.bare(http.StatusNotFound, "cannot find subdomain "+name)
		return
	}
	c, l := x.registry()
	owner, tx, found := c.Owner(l, name, unanchored)
	if !found {
		x.bare(http.StatusNotFound, "cannot find name "+name)
		return
	}
	body := nameBody{Address: owner.String(), Blockchain: "stacks", Status: "name-register"}
	if tx != nil {
		body.LastTxID, body.Status = with0x(tx.ID[:]), "name-transfer"
	}
	x.value(http.StatusOK, body)
}

// serveNamesOfAddress lists the names that an address has.
func serveNamesOfAddress(x *exchange) {
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	if x.param(0) != "stacks" {
		x.thrown(http.StatusBadRequest, "", "Unsupported blockchain")
		return
	}
	all := []string{}
	if p, err := clarity.ParsePrincipal(x.param(1)); err == nil {
		c, _ := x.registry()
		all = append(all, c.NamesOf(x.state().Ledger(p), p)...)
	}
	x.object(object{{"names", all}})
}
