package api

import (
	"fmt"

	"chainscope/mockserver/contracts"
	"chainscope/wallet/clarity"
)

// lacks remembers a request for something that is not described, and reports it.
func (x *Exchange) lacks(what contracts.Lack) {
	if x.answered || !x.remember(what) {
		return
	}
	name := ""
	if what.Name != "" {
		name = "::" + what.Name
	}
	x.Service.Problem(fmt.Errorf("%s%s: it is not described (%s); describe it with --contracts", what.Contract, name, what.Kind))
}

// remember keeps what is lacking, unless it has a name that no contract can have.
func (x *Exchange) remember(what contracts.Lack) bool {
	if what.Name != "" && clarity.CheckName(what.Name) != nil {
		return false
	}
	x.World.Lacks.Add(what)
	return true
}
