package mockserver

import (
	"fmt"
	"math"
	"net/http"

	"chainscope/mockserver/contracts"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
)

// lacks remembers that something was asked that nobody has described, and tells people.
func (x *exchange) lacks(what contracts.Lack) {
	if x.answered || !x.remember(what) {
		return
	}
	name := ""
	if what.Name != "" {
		name = "::" + what.Name
	}
	x.s.access.problem(fmt.Errorf("%s%s: it is not described (%s); describe it with --contracts", what.Contract, name, what.Kind))
}

// remember keeps what is lacking, unless it has a name that no contract can have.
func (x *exchange) remember(what contracts.Lack) bool {
	if what.Name != "" && clarity.CheckName(what.Name) != nil {
		return false
	}
	x.world.Lacks.Add(what)
	return true
}

// undescribedAnswer is the answer of undescribed: contracts is a file for --contracts, next is
// what to give as after the next time, and invented and refused count transactions.
type undescribedAnswer struct {
	Undescribed []contracts.Lack `json:"undescribed"`
	Contracts   string           `json:"contracts"`
	Next        int64            `json:"next"`
	Invented    world.Count      `json:"invented"`
	Refused     world.Count      `json:"refused"`
}

func listUndescribed(x *exchange) {
	all, next := x.world.Lacks.After(x.controlNumber("after", 0, math.MaxInt64))
	x.value(http.StatusOK, undescribedAnswer{all, contracts.Template(all), next, x.world.Invented.Count(), x.world.Refused.Count()})
}
