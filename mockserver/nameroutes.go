package mockserver

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
func (x *exchange) registry() (*names.Contract, *ledger.Ledger) {
	c := names.NewRegistry(x.service.names, x.service.seed).On(!x.onTestnet())
	return c, x.state().Ledger(c.ID())
}

// nameCached is done for the routes of names, which change with the chain.
func (x *exchange) nameCached() bool {
	v := x.state().View
	return x.tipCached(&v)
}

// serveName finds who has a name. A free one is 404, as the service says it.
func serveName(x *exchange) {
	if unanchored := x.queryBool("unanchored"); !x.nameCached() {
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
	if x.nameCached() {
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

// serveAllNames lists the names of all namespaces. Pages count from 0 here.
func serveAllNames(x *exchange) {
	page, unanchored := x.queryInteger("page", x.parameter("page").bounds, 0), x.queryBool("unanchored")
	if x.nameCached() {
		return
	}
	start, all := page*names.PageSize, []string{}
	if start < float64(x.service.names.Count(unanchored)) {
		all = x.service.names.Page(int64(start), unanchored)
	}
	if len(all) == 0 && page > 0 {
		x.bare(http.StatusBadRequest, "Invalid page")
		return
	}
	x.value(http.StatusOK, all)
}

// serveSubdomains lists the names below a name: there are none.
func serveSubdomains(x *exchange) {
	if !x.nameCached() {
		x.value(http.StatusOK, []string{})
	}
}

// serveZonefile answers with the zone file of a name, which is empty, as the name says.
func serveZonefile(x *exchange) {
	unanchored := x.queryBool("unanchored")
	if x.nameCached() {
		return
	}
	c, l := x.registry()
	if _, _, found := c.Owner(l, x.param(0), unanchored); !found {
		x.bare(http.StatusNotFound, "No such name or zonefile does not exist")
		return
	}
	x.object(object{{"zonefile", ""}})
}

// serveOldZonefile finds a zone file by its hash: no name ever had one.
func serveOldZonefile(x *exchange) {
	if !x.nameCached() {
		x.bare(http.StatusNotFound, "No such name or zonefile")
	}
}

func serveNamespacePrice(x *exchange) {
	price, known := names.NamespacePrice(x.param(0))
	x.price(price, known, "Invalid namespace")
}

func serveNamePrice(x *exchange) {
	price, known := x.service.names.Price(x.param(0))
	x.price(price, known, "Invalid name")
}

func (x *exchange) price(price int64, known bool, invalid string) {
	switch {
	case x.nameCached():
	case !known:
		x.bare(http.StatusBadRequest, invalid)
	default:
		x.object(object{{"units", "STX"}, {"amount", strconv.FormatInt(price, 10)}})
	}
}

func serveNamespaces(x *exchange) {
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	body := struct {
		Namespaces []string `json:"namespaces"`
	}{[]string{}}
	for _, n := range x.service.names.All() {
		body.Namespaces = append(body.Namespaces, n.Name())
	}
	slices.Sort(body.Namespaces)
	x.value(http.StatusOK, body)
}

// serveNames is endpoint 7: a page of the names of a namespace. Pages count
// from 1, and a number need not be whole.
func serveNames(x *exchange) {
	x.bareInvalid = x.service.generation >= api9
	page, unanchored := x.queryNumber("page", 1), x.queryBool("unanchored")
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	space, known := x.service.names.Namespace(x.param(0))
	start := math.Floor((page - 1) * names.PageSize)
	switch {
	case !known:
		x.bare(http.StatusBadRequest, "No such namespace")
	case page < 0 && x.bareInvalid:
		x.value(http.StatusBadRequest, struct{}{})
	case page < 0: // a fault of the database in the real service
		x.thrown(http.StatusBadRequest, "2201X", "OFFSET must not be negative")
	case start < 0, start > 0 && start >= float64(space.Count(unanchored)):
		x.bare(http.StatusBadRequest, "Invalid page")
	default:
		x.value(http.StatusOK, space.Page(int64(start), unanchored))
	}
}
