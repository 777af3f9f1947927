package mockserver

import (
	"fmt"

	"chainscope/mockserver/contracts"
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
	x.service.problem(fmt.Errorf("%s%s: it is not described (%s); describe it with --contracts", what.Contract, name, what.Kind))
}

// remember keeps what is lacking, unless it has a name that no contract can have.
func (x *exchange) remember(what contracts.Lack) bool {
	if what.Name != "" && clarity.CheckName(what.Name) != nil {
		return false
	}
	x.world.Lacks.Add(what)
	return true
}
