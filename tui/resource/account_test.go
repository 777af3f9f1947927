package resource

import (
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/nav"
)

const someAccount = "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7"

// saysOf returns the fields of an account by their labels, as people read them, with notes.
func saysOf(a Account) map[string]string {
	all := map[string]string{}
	for _, f := range Accounts().Fields(a) {
		all[f.Label] = strings.TrimSpace(f.Value.Text(f.Type) + "  " + f.Note)
	}
	return all
}

// What is locked is said with the burn block that frees it, and what is left besides.
func TestALockedBalanceSaysWhatIsLeft(t *testing.T) {
	says := saysOf(Account{Principal: someAccount, STX: &apiclient.STXBalance{Balance: "5000000", Locked: "3500000", UnlockHeight: 901_000}})
	for label, want := range map[string]string{"balance": "5 STX", "available": "1.5 STX", "locked": "3.5 STX  until burn block 901,000"} {
		if says[label] != want {
			t.Errorf("%s: %q, not %q", label, says[label], want)
		}
	}
	if says := saysOf(Account{Principal: someAccount, STX: &apiclient.STXBalance{Balance: "5000000", Locked: "0"}}); says["available"] != "" || says["locked"] != "" {
		t.Errorf("nothing is locked, but %v", says)
	}
}

// The nonces say what is missing, and those that wait lead to their transactions.
func TestANonceThatIsMissingIsSaid(t *testing.T) {
	last, newest := int64(11), int64(15)
	a := Account{Principal: someAccount, Nonces: &apiclient.Nonces{Next: 12, LastExecuted: &last, LastPending: &newest, Pending: []int64{13}, Missing: []int64{12, 14}}}
	says := saysOf(a)
	for label, want := range map[string]string{"next nonce": "12", "last executed": "11", "pending": "13, 15", "missing": "12, 14  what follows waits for it"} {
		if says[label] != want {
			t.Errorf("%s: %q, not %q", label, says[label], want)
		}
	}
	for _, f := range Accounts().Fields(a) {
		if f.Label == "pending" && leads(f) != nav.WaitingOf(someAccount) {
			t.Errorf("what waits leads to %q", f.To)
		}
	}
	if says := saysOf(Account{Principal: someAccount, Nonces: &apiclient.Nonces{}}); says["pending"] != "none" || says["missing"] != "none" || says["last executed"] != "none" {
		t.Errorf("an account that was never used: %v", says)
	}
}

// Names are those of both registries: the one has them itself, of the other they are requested.
func TestNamesOfAnAccount(t *testing.T) {
	v1 := apiclient.Holding{AssetID: "SP000000000000000000002Q6VF78.bns::names", Value: &apiclient.ClarityValue{
		// {name: 0x616c696365, namespace: 0x627463}
		Hex: "0x0c00000002046e616d650200000005616c696365096e616d6573706163650200000003627463",
	}}
	number := "0x0100000000000000000000000000000011"
	v2 := apiclient.Holding{AssetID: "SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2::BNS-V2", Value: &apiclient.ClarityValue{Hex: number, Repr: "u17"}}
	a := Account{Principal: someAccount, NonFungible: []apiclient.Holding{v1}}
	if says := saysOf(a)["name"]; says != "alice.btc  BNS v1" {
		t.Errorf("a name of the first registry is %q", says)
	}
	a.NonFungible = []apiclient.Holding{v2}
	if says := saysOf(a)["name"]; says != "number 17  BNS v2" {
		t.Errorf("a name that was not requested is %q", says)
	}
	requested := a.NumberedNames()
	if len(requested) != 1 || requested[0].Contract != "SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2" || requested[0].ID != number {
		t.Fatalf("%v", requested)
	}
	a.Names = map[NameNumber]string{requested[0]: NameIn("0x0a" + strings.TrimPrefix(v1.Value.Hex, "0x"))}
	if says := saysOf(a)["name"]; says != "alice.btc  BNS v2" {
		t.Errorf("a name that was requested is %q", says)
	}
	for _, wrong := range []string{"", "0x", "0x09", "0x0a0100000000000000000000000000000011", "0x0c00000000"} {
		if name := NameIn(wrong); name != "" {
			t.Errorf("%s is the name %q", wrong, name)
		}
	}
}
