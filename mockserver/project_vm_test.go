//go:build clarity

package mockserver

import (
	"strings"
	"testing"

	"chainscope/mockserver/history"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Requirements are deployed under the addresses that the devnet plan names, or by the deployer,
// and all that names them names them there; accounts have the sBTC of the settings.
func TestTheVirtualMachineRunsRequirementsUnderOtherAddresses(t *testing.T) {
	cfg := realEngine()
	cfg.Project = "testdata/remapped"
	var told []string
	cfg.Tell = func(line string) { told = append(told, line) }
	before := listed(t, cfg.Project)
	d := newTroupe(t, cfg)
	const keeper, first = "ST2CY5V39NHDPWSXMW9QDT3HC3GD6Q6XX4CFRK9AG", "ST1SJ3DTE5DN7X54YDH5D64R3BCB6A2AG2ZQ8YPD5"
	deployer := history.People(false)[0]
	of := func(name string) clarity.Principal { return idOf(t, deployer.String()+"."+name) }
	scale, token := idOf(t, first+".scale"), of("sbtc-token")
	d.wants(d.asksOf(scale, "issuer"), "'"+first)
	d.wants(d.asksOf(scale, "keeper"), "'"+keeper)
	asset := stxtx.Asset{Contract: token, Name: "sbtc-token"}
	has := func(who clarity.Principal, n string) {
		t.Helper()
		d.wants(d.asksOf(token, "get-balance", who), "(ok u"+n+")")
		d.wants(d.s.world.State().Ledger(who).Balance(who, asset).String(), n)
	}
	has(deployer, "700")
	has(idOf(t, first), "40")
	d.wants(d.asksOf(token, "get-total-supply"), "(ok u740)")
	source := get(d.s, "/v2/contracts/source/"+deployer.String()+"/quay?proof=0").Body.String()
	for _, id := range []clarity.Principal{scale, token} {
		if !strings.Contains(source, "'"+id.String()+" ") {
			t.Errorf("the source does not name %s: %s", id, source)
		}
	}
	// Somebody who is no account of the project gets and pays sBTC.
	d.control("accounts", `{"address":"`+d.who(0).String()+`","tokens":{"`+asset.String()+`":"90"}}`)
	land := func(n uint64) string {
		return d.send(0, stxtx.ContractCall{Contract: of("quay"), Function: "land", Args: []clarity.Value{clarity.NewUInt(n)}})
	}
	d.does(land(30), "(ok u60)")
	has(d.who(0), "60")
	has(idOf(t, keeper), "30")
	for n, want := range map[uint64]string{100: "(err u21)", 70: "(err u1)"} {
		id := land(n)
		mine(t, d.s, 1)
		d.wants(d.ended(id).Result.Repr, want)
	}
	d.does(d.send(0, stxtx.ContractCall{Contract: token, Function: "transfer", Args: []clarity.Value{clarity.NewUInt(7), d.who(0), d.who(1), clarity.None{}}}), "(ok true)")
	has(d.who(1), "7")
	d.control("reset", "{}")
	has(d.who(1), "0")
	has(deployer, "700")
	if all := strings.Join(told, "\n"); !strings.Contains(all, "the requirement SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.scale is "+scale.String()) {
		t.Errorf("it is told as %s", all)
	}
	if after := listed(t, cfg.Project); after != before {
		t.Errorf("the project has %s, and had %s", after, before)
	}
}
