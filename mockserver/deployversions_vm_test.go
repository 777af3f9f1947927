//go:build clarity

package mockserver

import (
	"fmt"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

// The virtual machine takes each version of Clarity that its epoch has, with the functions of that version, and one
// that is newer is refused before it.
func TestTheVirtualMachineTakesTheVersionsOfItsEpoch(t *testing.T) {
	// A function of each version, and the first that has it.
	since := map[string]byte{"(if true u1 u2)": 1, "(string-to-int? \"1\")": 2, "(get-stacks-block-info? time u0)": 3, "(to-ascii? u1)": 4, "(concat 0x01 0x02 0x03)": 6}
	for epoch, newest := range map[string]byte{"4.0": 6, "3.4": 5, "3.3": 4} {
		cfg := realEngine()
		cfg.Epoch = epoch
		d := newTroupe(t, cfg)
		sent := map[string]string{}
		for version := byte(0); version <= 7; version++ {
			for body, first := range since {
				name := fmt.Sprintf("c%d-%d", version, first)
				deploy := stxtx.SmartContract{Name: name, Code: "(define-read-only (f) " + body + ")", ClarityVersion: version}
				if version > newest {
					raw := d.people[0].signed(t, d.people[0].testnetTx(d.nonces[0], 30_000, deploy))
					want := fmt.Sprintf("Clarity %d can not be used in epoch %s, which takes 1 to %d", version, epoch, newest)
					if reason, data := refused(t, d.s, raw); reason != "SignatureValidation" || !strings.Contains(data, want) {
						t.Errorf("%s in %s: %s %s", name, epoch, reason, data)
					}
					continue
				}
				sent[name] = d.send(0, deploy)
			}
			mine(t, d.s, 1)
		}
		for name, id := range sent {
			var version, first byte
			if _, err := fmt.Sscanf(name, "c%d-%d", &version, &first); err != nil {
				t.Fatal(err)
			}
			if version == 0 {
				version = newest
			}
			m := d.ended(id)
			if has := version >= first; has != (m.Status == "success") || !has && !strings.Contains(d.errorOf(m), "unresolved function") && first != 6 {
				t.Errorf("%s in epoch %s: %s %s", name, epoch, m.Status, d.errorOf(m))
			}
			if m.Status != "success" {
				continue
			}
			face := read[map[string]any](t, get(d.s, "/v2/contracts/interface/"+d.who(0).String()+"/"+name))
			if want := fmt.Sprintf("Clarity%d", version); face["clarity_version"] != want {
				t.Errorf("%s in epoch %s is %v", name, epoch, face["clarity_version"])
			}
		}
	}
}
