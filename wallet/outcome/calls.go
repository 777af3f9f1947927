package outcome

import (
	"math/big"
	"strings"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
)

// Decimals of Bitcoin and of sBTC.
const bitcoinDecimals = 8

// networkCall describes what a call of a contract of the network does. A place such as {2} is the
// argument there, from 0, with how it is shown: stx, btc, n, who, pays or lockup.
type networkCall struct{ contract, function, words string }

// networkCalls are those of pox-5 (stacks-core 4.0.2) and of sBTC.
var networkCalls = []networkCall{
	{"pox-5", "stake", "stake {1 stx} for {2 n} reward cycles with the signer {0 who}"},
	{"pox-5", "stake-update", "keep what is staked for {2 n} more reward cycles, stake {3 stx} more, with the signer {0 who} in place of {1 who}"},
	{"pox-5", "unstake", "end what is staked with the signer {0 who} when the reward cycle ends"},
	{"pox-5", "register-for-bond", "register for bond {0 n} with {2 stx} and {3 lockup}, with the signer {1 who}"},
	{"pox-5", "update-bond-registration", "change the signer of a bond registration from {1 who} to {0 who}"},
	{"pox-5", "announce-l1-early-exit", "announce that {0 who} takes bitcoin out of a bond early, with the signer {1 who}"},
	{"pox-5", "unstake-sbtc", "take {1 btc} out of a bond with the signer {0 who}, as sBTC"},
	{"sbtc-deposit", "complete-deposit-wrapper", "mint {2 btc} as sBTC for {3 who}, who deposited bitcoin"},
	{"sbtc-withdrawal", "accept-withdrawal-request", "accept withdrawal request {0 n}: its bitcoin were paid"},
	{"sbtc-withdrawal", "reject-withdrawal-request", "reject withdrawal request {0 n}: its sBTC go back"},
	{"sbtc-withdrawal", "initiate-withdrawal-request", "withdraw {0 btc} to {1 pays}, for a fee of at most {2 btc}"},
}

// CallWords says in words what a call of a contract of the network itself does, "" for any
// other call, and for one whose arguments are not what the function takes.
func CallWords(contract, function string, args []clarity.Value) string {
	address, name, _ := strings.Cut(contract, ".")
	testnet := address == facts.Boot(true) || address == facts.SBTC(true)
	if !testnet && address != facts.Boot(false) && address != facts.SBTC(false) {
		return ""
	}
	for _, c := range networkCalls {
		if c.contract == name && c.function == function {
			return filled(c.words, args, testnet)
		}
	}
	return ""
}

// filled writes the arguments into a sentence, "" where one does not fit.
func filled(words string, args []clarity.Value, testnet bool) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(words, "{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		place, after, _ := strings.Cut(rest, "}")
		words = after
		at := int(place[0] - '0')
		if at >= len(args) {
			return ""
		}
		shown := argument(place[2:], args[at], testnet)
		if shown == "" {
			return ""
		}
		out.WriteString(shown)
	}
}

func argument(form string, v clarity.Value, testnet bool) string {
	switch v := v.(type) {
	case clarity.UInt:
		return amountAs(form, v.N)
	case clarity.Principal:
		if form == "who" {
			return v.String()
		}
	case clarity.OK:
		if form == "lockup" {
			return "bitcoin that is locked on Bitcoin"
		}
	case clarity.Err:
		if n, is := v.Value.(clarity.UInt); is && form == "lockup" {
			return units(n.N, bitcoinDecimals) + " sBTC"
		}
	case clarity.Tuple:
		if form == "pays" {
			return payee(v, testnet)
		}
	}
	return ""
}

func amountAs(form string, n *big.Int) string {
	switch form {
	case "stx":
		return units(n, stxDecimals) + " STX"
	case "btc":
		return units(n, bitcoinDecimals) + " BTC"
	case "n":
		return n.String()
	}
	return ""
}

// scripts hold what pays to a hash, by the version that contracts of sBTC and of stacking give
// to a form of Bitcoin address: what comes before the hash, how long it is, what comes after.
var scripts = []struct {
	before string
	length int
	after  string
}{
	{"\x76\xa9\x14", 20, "\x88\xac"},
	{"\xa9\x14", 20, "\x87"},
	{"\xa9\x14", 20, "\x87"},
	{"\xa9\x14", 20, "\x87"},
	{"\x00\x14", 20, ""},
	{"\x00\x20", 32, ""},
	{"\x51\x20", 32, ""},
}

// payee returns the Bitcoin address that a contract names by version and hash, "" if it is none. A
// hash of 20 bytes may be filled up with zeros.
func payee(t clarity.Tuple, testnet bool) string {
	var version, hash clarity.Buffer
	for _, f := range t.Fields {
		b, _ := f.Value.(clarity.Buffer)
		switch f.Name {
		case "version":
			version = b
		case "hashbytes":
			hash = b
		}
	}
	if len(version) != 1 || int(version[0]) >= len(scripts) {
		return ""
	}
	s := scripts[version[0]]
	if len(hash) < s.length || strings.Trim(string(hash[s.length:]), "\x00") != "" {
		return ""
	}
	network := bitcoin.Mainnet
	if testnet {
		network = bitcoin.Testnet
	}
	return network.AddressOf([]byte(s.before + string(hash[:s.length]) + s.after))
}
