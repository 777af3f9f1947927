package mockserver

import (
	"math"
	"net/http"
)

// poxBody is what a node tells of stacking. Heights are of burn blocks, amounts
// micro-STX.
type poxBody struct {
	ContractID           string            `json:"contract_id"`
	ActivationThreshold  uint64            `json:"pox_activation_threshold_ustx"`
	First                int64             `json:"first_burnchain_block_height"`
	Current              int64             `json:"current_burnchain_block_height"`
	Epoch                string            `json:"current_epoch"`
	PreparePhase         int64             `json:"prepare_phase_block_length"`
	RewardPhase          int64             `json:"reward_phase_block_length"`
	Slots                int64             `json:"reward_slots"`
	RejectionFraction    *int              `json:"rejection_fraction"`
	LiquidSupply         uint64            `json:"total_liquid_supply_ustx"`
	CurrentCycle         poxCycleBody      `json:"current_cycle"`
	NextCycle            poxNextCycleBody  `json:"next_cycle"`
	Epochs               []epochBody       `json:"epochs"`
	MinAmount            uint64            `json:"min_amount_ustx"`
	PrepareCycleLength   int64             `json:"prepare_cycle_length"`
	CycleID              int64             `json:"reward_cycle_id"`
	CycleLength          int64             `json:"reward_cycle_length"`
	RejectionVotesNeeded *int              `json:"rejection_votes_left_required"`
	NextCycleIn          int64             `json:"next_reward_cycle_in"`
	Versions             []poxContractBody `json:"contract_versions"`
}

type poxCycleBody struct {
	ID           int64  `json:"id"`
	MinThreshold uint64 `json:"min_threshold_ustx"`
	Stacked      uint64 `json:"stacked_ustx"`
	Active       bool   `json:"is_pox_active"`
}

type poxNextCycleBody struct {
	ID           int64  `json:"id"`
	MinThreshold uint64 `json:"min_threshold_ustx"`
	MinIncrement uint64 `json:"min_increment_ustx"`
	Stacked      uint64 `json:"stacked_ustx"`
	PrepareStart int64  `json:"prepare_phase_start_block_height"`
	UntilPrepare int64  `json:"blocks_until_prepare_phase"` // negative inside it
	RewardStart  int64  `json:"reward_phase_start_block_height"`
	UntilReward  int64  `json:"blocks_until_reward_phase"`
	UntilReject  *int64 `json:"ustx_until_pox_rejection"`
}

type epochBody struct {
	ID      string   `json:"epoch_id"`
	Start   int64    `json:"start_height"`
	End     int64    `json:"end_height"`
	Limit   costBody `json:"block_limit"`
	Network int      `json:"network_epoch"`
}

type poxContractBody struct {
	ContractID string `json:"contract_id"`
	Activation int64  `json:"activation_burnchain_block_height"`
	FirstCycle int64  `json:"first_reward_cycle_id"`
}

// poxNetwork is what differs between the networks.
type poxNetwork struct {
	boot            string // address of the contracts that every chain begins with
	length, prepare int64  // of a reward cycle, in burn blocks
}

var (
	poxMainnet = poxNetwork{"SP000000000000000000002Q6VF78", 2100, 100}
	poxTestnet = poxNetwork{"ST000000000000000000002AMW42H", 1050, 50}
)

// The eras of stacking on the mock chain: the burn blocks at which its contracts
// and epochs began. The newest contract stands since the newer era.
const poxFirst = 666_000

var poxStarts = []struct {
	contract string
	at       int64
}{{"pox", poxFirst}, {"pox-2", 781_551}, {"pox-3", 787_651}, {"pox-4", 826_000}}

var epochs = []struct {
	name    string
	at      int64
	network int
}{
	{"Epoch20", poxFirst, 5},
	{"Epoch21", 781_551, 9},
	{"Epoch24", 787_651, 12},
	{"Epoch30", 826_000, 14},
	{"Epoch33", 830_000, 14},
}

// Amounts of stacking, those of one day of the real mainnet. Nobody stacks on
// the mock chain, so that they stay.
const (
	liquidSupply = 1_700_000_000_000_000
	stackedNow   = 480_000_000_000_000
	stackedNext  = 395_000_000_000_000
	minStacked   = 120_000_000_000
)

func servePoX(x *exchange) {
	network := poxMainnet
	if x.onTestnet() {
		network = poxTestnet
	}
	v := x.state().View
	x.value(http.StatusOK, network.at(v.TipBurnHeight()))
}

// at tells of stacking at a burn height.
func (n poxNetwork) at(height int64) poxBody {
	since := max(0, height-poxFirst)
	cycle, left := since/n.length, n.length-since%n.length
	body := poxBody{
		ActivationThreshold: liquidSupply / 20, First: poxFirst, Current: height, Epoch: epochs[0].name,
		PreparePhase: n.prepare, RewardPhase: n.length - n.prepare, Slots: 2 * (n.length - n.prepare), LiquidSupply: liquidSupply,
		CurrentCycle: poxCycleBody{cycle, minStacked, stackedNow, true},
		NextCycle: poxNextCycleBody{
			ID: cycle + 1, MinThreshold: minStacked, MinIncrement: liquidSupply / 20_000, Stacked: stackedNext,
			PrepareStart: height + left - n.prepare, UntilPrepare: left - n.prepare, RewardStart: height + left, UntilReward: left,
		},
		MinAmount: minStacked, PrepareCycleLength: n.prepare, CycleID: cycle, CycleLength: n.length, NextCycleIn: left,
	}
	for _, start := range poxStarts {
		one := poxContractBody{n.boot + "." + start.contract, start.at, (start.at - poxFirst + n.length - 1) / n.length}
		body.Versions = append(body.Versions, one)
		if start.at <= height || body.ContractID == "" {
			body.ContractID = one.ContractID
		}
	}
	limit := costBody{15_000, 100_000_000, 5_000_000_000, 15_000, 15_000_000}
	for i, e := range epochs {
		end := int64(math.MaxInt64)
		if i+1 < len(epochs) {
			end = epochs[i+1].at
		}
		if e.at <= height {
			body.Epoch = e.name
		}
		body.Epochs = append(body.Epochs, epochBody{e.name, e.at, end, limit, e.network})
	}
	return body
}
