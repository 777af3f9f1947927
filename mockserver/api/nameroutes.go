package api

import (
	"math"
	"net/http"
	"slices"
	"strconv"
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
func (x *Exchange) registry() (*names.Contract, *ledger.Ledger) {
	c := names.NewRegistry(x.Service.Names, x.Service.Seed).On(!x.onTestnet())
	return c, x.state().Ledger(c.ID())
}

// nameCached is done for the routes of names, which change with the chain.
func (x *Exchange) nameCached() bool {
	v := x.state().View
	return x.tipCached(&v)
}

// serveName finds who has a name. A free one is 404, as the service says it.
func serveName(x *Exchange) {
	if unanchored := x.queryBool("unanchored"); !x.nameCached() {
		x.findName(x.param(0), unanchored)
	}
}

func (x *Exchange) findName(name string, unanchored bool) {
	if strings.Count(name, ".") == 2 {
		x.Bare(http.StatusNotFound, "cannot find subdomain "+name)
		return
	}
	c, l := x.registry()
	owner, tx, found := c.Owner(l, name, unanchored)
	if !found {
		x.Bare(http.StatusNotFound, "cannot find name "+name)
		return
	}
	body := nameBody{Address: owner.String(), Blockchain: "stacks", Status: "name-register"}
	if tx != nil {
		body.LastTxID, body.Status = with0x(tx.ID[:]), "name-transfer"
	}
	x.Value(http.StatusOK, body)
}

// serveNamesOfAddress lists the names that an address has.
func serveNamesOfAddress(x *Exchange) {
	if x.nameCached() {
		return
	}
	if x.param(0) != "stacks" {
		x.Thrown(http.StatusBadRequest, "", "Unsupported blockchain")
		return
	}
	all := []string{}
	if p, err := clarity.ParsePrincipal(x.param(1)); err == nil {
		c, _ := x.registry()
		all = append(all, c.NamesOf(x.state().Ledger(p), p)...)
	}
	x.object(object{{"names", all}})
}

// serveAllNames lists the names of all namespaces. Pages count from 0 here.
func serveAllNames(x *Exchange) {
	page, unanchored := x.queryInteger("page", x.parameter("page").bounds, 0), x.queryBool("unanchored")
	if x.nameCached() {
		return
	}
	start, all := page*names.PageSize, []string{}
	if start < float64(x.Service.Names.Count(unanchored)) {
		all = x.Service.Names.Page(int64(start), unanchored)
	}
	if len(all) == 0 && page > 0 {
		x.Bare(http.StatusBadRequest, "Invalid page")
		return
	}
	x.Value(http.StatusOK, all)
}

// serveSubdomains lists the names below a name: there are none.
func serveSubdomains(x *Exchange) {
	if !x.nameCached() {
		x.Value(http.StatusOK, []string{})
	}
}

// serveZonefile answers with the zone file of a name, which is empty, as the name says.
func serveZonefile(x *Exchange) {
	unanchored := x.queryBool("unanchored")
	if x.nameCached() {
		return
	}
	c, l := x.registry()
	if _, _, found := c.Owner(l, x.param(0), unanchored); !found {
		x.Bare(http.StatusNotFound, "No such name or zonefile does not exist")
		return
	}
	x.object(object{{"zonefile", ""}})
}

// serveOldZonefile finds a zone file by its hash: no name ever had one.
func serveOldZonefile(x *Exchange) {
	if !x.nameCached() {
		x.Bare(http.StatusNotFound, "No such name or zonefile")
	}
}

func serveNamespacePrice(x *Exchange) {
	price, known := names.NamespacePrice(x.param(0))
	x.price(price, known, "Invalid namespace")
}

func serveNamePrice(x *Exchange) {
	price, known := x.Service.Names.Price(x.param(0))
	x.price(price, known, "Invalid name")
}

func (x *Exchange) price(price int64, known bool, invalid string) {
	switch {
	case x.nameCached():
	case !known:
		x.Bare(http.StatusBadRequest, invalid)
	default:
		x.object(object{{"units", "STX"}, {"amount", strconv.FormatInt(price, 10)}})
	}
}

func serveNamespaces(x *Exchange) {
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	body := struct {
		Namespaces []string `json:"namespaces"`
	}{[]string{}}
	for _, n := range x.Service.Names.All() {
		body.Namespaces = append(body.Namespaces, n.Name())
	}
	slices.Sort(body.Namespaces)
	x.Value(http.StatusOK, body)
}

// serveNames is endpoint 7: a page of the names of a namespace. Pages count
// from 1, and a number need not be whole.
func serveNames(x *Exchange) {
	x.bareInvalid = x.Service.Generation >= api9
	page, unanchored := x.queryNumber("page", 1), x.queryBool("unanchored")
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	space, known := x.Service.Names.Namespace(x.param(0))
	start := math.Floor((page - 1) * names.PageSize)
	switch {
	case !known:
		x.Bare(http.StatusBadRequest, "No such namespace")
	case page < 0 && x.bareInvalid:
		x.Value(http.StatusBadRequest, struct{}{})
	case page < 0: // a fault of the database in the real service
		x.Thrown(http.StatusBadRequest, "2201X", "OFFSET must not be negative")
	case start < 0, start > 0 && start >= float64(space.Count(unanchored)):
		x.Bare(http.StatusBadRequest, "Invalid page")
	default:
		x.Value(http.StatusOK, space.Page(int64(start), unanchored))
	}
}
