package outcome

import (
	"testing"

	"chainscope/wallet/clarity"
)

func TestCallsOfStackingAndOfSBTCAreSaidInWords(t *testing.T) {
	const (
		pox5   = "SP000000000000000000002Q6VF78.pox-5"
		sbtc   = "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-withdrawal"
		signer = "'SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.pool"
		other  = "'SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.old"
	)
	for _, c := range []struct {
		contract, function string
		args               []string
		want               string
	}{
		{pox5, "stake", []string{signer, "u100000000000", "u12", "u977000", "none"}, "stake 100000 STX for 12 reward cycles with the signer " + signer[1:]},
		{pox5, "stake-update", []string{signer, other, "u3", "u1500000", "none"}, "keep what is staked for 3 more reward cycles, stake 1.5 STX more, with the signer " + signer[1:] + " in place of " + other[1:]},
		{pox5, "unstake", []string{signer}, "end what is staked with the signer " + signer[1:] + " when the reward cycle ends"},
		{pox5, "register-for-bond", []string{"u1", signer, "u20000000", "(err u1000)", "none"}, "register for bond 1 with 20 STX and 0.00001 sBTC, with the signer " + signer[1:]},
		{pox5, "register-for-bond", []string{"u1", signer, "u20000000", "(ok {outputs: (list)})", "none"}, "register for bond 1 with 20 STX and bitcoin that is locked on Bitcoin, with the signer " + signer[1:]},
		{pox5, "unstake-sbtc", []string{signer, "u250000000"}, "take 2.5 BTC out of a bond with the signer " + signer[1:] + ", as sBTC"},
		// The address is the example of BIP-173, its hash that of the same key there.
		{sbtc, "initiate-withdrawal-request", []string{"u100000", "{version: 0x04, hashbytes: 0x751e76e8199196d454941c45d1b3a323f1433bd6}", "u300"}, "withdraw 0.001 BTC to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4, for a fee of at most 0.000003 BTC"},
		{"ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT.sbtc-withdrawal", "initiate-withdrawal-request", []string{"u1", "{version: 0x04, hashbytes: 0x751e76e8199196d454941c45d1b3a323f1433bd6}", "u1"}, "withdraw 0.00000001 BTC to tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx, for a fee of at most 0.00000001 BTC"},
		{"SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-deposit", "complete-deposit-wrapper", []string{"0xab", "u0", "u150000000", signer, "0xcd", "u977000", "0xef"}, "mint 1.5 BTC as sBTC for " + signer[1:] + ", who deposited bitcoin"},
		{sbtc, "accept-withdrawal-request", []string{"u7", "0xab", "u1", "u0", "u300"}, "accept withdrawal request 7: its bitcoin were paid"},
		{sbtc, "reject-withdrawal-request", []string{"u8", "u1"}, "reject withdrawal request 8: its sBTC go back"},
		{sbtc, "initiate-withdrawal-request", []string{"u1", "{version: 0x09, hashbytes: 0x00}", "u1"}, ""},
		{pox5, "stake", []string{"u1"}, ""},
		{pox5, "allow-contract-caller", []string{signer}, ""},
		{"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.pox-5", "unstake", []string{signer}, ""},
	} {
		var args []clarity.Value
		for _, text := range c.args {
			v, err := clarity.ParseLiteral(text)
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, v)
		}
		if got := CallWords(c.contract, c.function, args); got != c.want {
			t.Errorf("%s: %q, want %q", c.function, got, c.want)
		}
	}
}
