// Package facts is the table of what changes when the network turns: the epochs with the
// burn blocks at which they begin on mainnet, the releases of the node and of the API, the
// contracts that the network itself has. Each row names the release that it was taken from.
// The next turn of the network is one change here.
//
// The package must import nothing of chainscope, and reaches no network and no files.
package facts

// Cost holds the cost of a call or a deploy, or the limit of a block, in the dimensions of the
// cost functions of Clarity (SIP-006). Its keys are those of a node.
type Cost struct {
	ReadCount   uint64 `json:"read_count"`
	ReadLength  uint64 `json:"read_length"` // bytes
	Runtime     uint64 `json:"runtime"`
	WriteCount  uint64 `json:"write_count"`
	WriteLength uint64 `json:"write_length"` // bytes
}

// Limits of a block.
var (
	limit20 = Cost{7_750, 100_000_000, 5_000_000_000, 7_750, 15_000_000}
	limit21 = Cost{15_000, 100_000_000, 5_000_000_000, 15_000, 15_000_000} // since 2.05
	limit40 = Cost{30_000, 200_000_000, 5_000_000_000, 15_000, 15_000_000} // reads are doubled
)

// Epoch is a row of the network's rules.
type Epoch struct {
	Name string // such as 4.0
	ID   string // as a node writes it, such as Epoch40
	// Start is the burn block of mainnet at which it begins. The mock takes it for testnet
	// too, whose heights are not in the releases below.
	Start   int64
	Peer    int // the last byte of the version by which nodes greet each other
	Clarity byte
	PoX     string // the contract of stacking
	Limit   Cost
	From    string // where the row was taken from
}

const node402 = "stacks-core 4.0.2"

// Epochs are those of mainnet, the oldest first. 4.1 has no height yet.
var Epochs = []Epoch{
	{"1.0", "Epoch10", 0, 0x00, 1, "pox", Cost{}, node402},
	{"2.0", "Epoch20", FirstBurnBlock, 0x00, 1, "pox", limit20, node402},
	{"2.05", "Epoch2_05", 713_000, 0x05, 1, "pox", limit21, node402},
	{"2.1", "Epoch21", 781_551, 0x06, 2, "pox-2", limit21, node402},
	{"2.2", "Epoch22", 787_651, 0x07, 2, "pox-2", limit21, node402},
	{"2.3", "Epoch23", 788_240, 0x08, 2, "pox-2", limit21, node402},
	{"2.4", "Epoch24", 791_551, 0x09, 2, "pox-3", limit21, node402},
	{"2.5", "Epoch25", 840_360, 0x0a, 2, "pox-4", limit21, node402},
	{"3.0", "Epoch30", 867_867, 0x0b, 3, "pox-4", limit21, node402},
	{"3.1", "Epoch31", 875_000, 0x0c, 3, "pox-4", limit21, node402},
	{"3.2", "Epoch32", 907_740, 0x0d, 3, "pox-4", limit21, node402},
	{"3.3", "Epoch33", 923_222, 0x0e, 4, "pox-4", limit21, node402},
	{"3.4", "Epoch34", 943_333, 0x0f, 5, "pox-4", limit21, node402},
	{"4.0", "Epoch40", 960_230, 0x10, 6, "pox-5", limit40, node402},
}

// FirstBurnBlock is the first of mainnet's chain and of its first reward cycle
// (stacks-core 4.0.2).
const FirstBurnBlock = 666_050

// Unlocks are the epochs one burn block after whose start the coins of the three older
// contracts of stacking were released (stacks-core 4.0.2).
var Unlocks = [3]string{"2.1", "2.2", "2.5"}

// Current returns the epoch that mainnet is in.
func Current() Epoch { return Epochs[len(Epochs)-1] }

// EpochOf finds an epoch by its name, such as 4.0, or by how a node writes it, such as
// Epoch40.
func EpochOf(name string) (Epoch, bool) {
	for _, e := range Epochs {
		if e.Name == name || e.ID == name {
			return e, true
		}
	}
	return Epoch{}, false
}

// Until lists the epochs up to one, the oldest first.
func Until(last Epoch) []Epoch {
	for i, e := range Epochs {
		if e.Name == last.Name {
			return Epochs[:i+1]
		}
	}
	return Epochs
}

// Calendar returns the epochs up to one that is played, with the burn blocks at which they begin
// on a chain at a burn height, whose burn blocks begin with first. Epochs that begin later on mainnet
// have begun earlier, right after the last one that has begun there; on a chain before all of
// them, with its first burn block.
func Calendar(played Epoch, height, first int64) []Epoch {
	all := append([]Epoch{}, Until(played)...)
	begun := 0
	for i := range all[1:] {
		if all[i+1].Start <= height {
			begun = i + 1
		} else {
			all[i+1].Start = all[i].Start + 1
		}
	}
	limit := height
	if begun == 0 {
		limit = max(0, first-1)
	}
	for i := len(all) - 1; i >= 0; i-- {
		all[i].Start = max(0, min(all[i].Start, limit))
		limit = all[i].Start - 1
	}
	return all
}

// Release is one of the API.
type Release struct {
	Flag    string   // how the mock's flag names it
	Version string   // what it calls itself
	Epochs  []string // in which it has run, the first where none is named
	From    string
}

// Releases are those of the API that are played, the oldest first.
var Releases = []Release{
	{"8", "v8.13.6", []string{"3.3", "3.4"}, "stacks-blockchain-api 8.13.6"},
	{"9", "v9.0.2", []string{"4.0", "3.4"}, "stacks-blockchain-api 9.0.2"},
	{"sunset", "v9.0.2", []string{"4.0"}, "stacks-blockchain-api 9.0.2, its deprecated routes switched off"},
	{"v3", "v9.8.0", []string{"4.0"}, "release notes of stacks-blockchain-api 9.8.0"},
}

// DefaultRelease is the flag of the release that runs beside the current epoch.
const DefaultRelease = "9"

// Playable are the epochs that the mock can be in, the newest first (the network of 8.13.6
// and of what came after it).
var Playable = []string{"4.0", "3.4", "3.3"}

// Server returns what a node of an epoch calls itself (stacks-core, its first release of
// the epoch).
func (e Epoch) Server() string { return "stacks-node " + e.Name + ".0.0.0" }

// Boot returns the address of the contracts that every chain begins with (stacks-core 4.0.2).
func Boot(testnet bool) string {
	if testnet {
		return "ST000000000000000000002AMW42H"
	}
	return "SP000000000000000000002Q6VF78"
}

// SBTC returns the address of the contracts of sBTC: on mainnet as stacks-core 4.0.2 has it, on
// testnet as the requirements of Clarinet 3.21 name it.
func SBTC(testnet bool) string {
	if testnet {
		return "ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT"
	}
	return "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4"
}

// Offered returns the contracts of the network itself that are worth opening.
func Offered(testnet bool) []string {
	return []string{Boot(testnet) + "." + Current().PoX, FirstBNS(testnet)}
}

// Cycle returns how long a reward cycle and its last part, in which the next is prepared, are in
// burn blocks (stacks-core 4.0.2).
func Cycle(testnet bool) (length, prepare int64) {
	if testnet {
		return 1050, 50
	}
	return 2100, 100
}

// The name and the terms of pox-5 (stacks-core 4.0.2).
const (
	PoX5 = "pox-5"
	// BondLength, BondGap and MostCycles are in reward cycles: how long a bond is, how far apart two
	// of them begin, and for how long STX are staked at most.
	BondLength, BondGap, MostCycles = 12, 2, 96
	// LeastSigner is the STX with which a signer signs, in micro-STX.
	LeastSigner = 50_000_000_000
)

// BurnIn2026 is the burn block that mainnet was at with the beginning of 2026-01-01, from which the
// mock counts (the times of mainnet's blocks).
const BurnIn2026 = 930_400

// SupplyIn2050 is how many micro-STX there will be in the year 2050, as the API foretells
// (stacks-blockchain-api 9.0.2).
const SupplyIn2050 int64 = 2_318_000_000_000_000

// BNS2 returns the registry of names of BNS v2 (deployed on mainnet in November 2024).
func BNS2(testnet bool) string {
	if testnet {
		return "ST2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D9SZJQ0M.BNS-V2"
	}
	return "SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2"
}

// FirstBNS returns the first registry of names, BNS v1, which is the one that the API serves
// (stacks-blockchain-api 9.0.2).
func FirstBNS(testnet bool) string { return Boot(testnet) + ".bns" }
