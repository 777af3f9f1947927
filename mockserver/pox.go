package mockserver

import (
	"math"

	"chainscope/mockserver/ledger"
)

// epochLimit is the budget of a block.
var epochLimit = ledger.Cost{ReadCount: 15_000, ReadLength: 100_000_000, Runtime: 5_000_000_000, WriteCount: 15_000, WriteLength: 15_000_000}

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
	liquidSupply int64 = 1_700_000_000_000_000
	stackedNow   int64 = 480_000_000_000_000
	stackedNext  int64 = 395_000_000_000_000
	minStacked   int64 = 120_000_000_000
)

func servePoX(x *exchange) {
	network := poxMainnet
	if x.onTestnet() {
		network = poxTestnet
	}
	v := x.state().View
	x.object(network.at(v.TipBurnHeight()))
}

// at tells of stacking at a burn height. Heights are of burn blocks, amounts micro-STX.
func (n poxNetwork) at(height int64) object {
	since := max(0, height-poxFirst)
	cycle, left := since/n.length, n.length-since%n.length
	contract, versions := n.versions(height)
	epoch, all := epochsAt(height)
	return object{
		{"contract_id", contract},
		{"pox_activation_threshold_ustx", liquidSupply / 20},
		{"first_burnchain_block_height", poxFirst},
		{"current_burnchain_block_height", height},
		{"current_epoch", epoch},
		{"prepare_phase_block_length", n.prepare},
		{"reward_phase_block_length", n.length - n.prepare},
		{"reward_slots", 2 * (n.length - n.prepare)},
		{"rejection_fraction", nil},
		{"total_liquid_supply_ustx", liquidSupply},
		{"current_cycle", object{{"id", cycle}, {"min_threshold_ustx", minStacked}, {"stacked_ustx", stackedNow}, {"is_pox_active", true}}},
		{"next_cycle", object{
			{"id", cycle + 1},
			{"min_threshold_ustx", minStacked},
			{"min_increment_ustx", liquidSupply / 20_000},
			{"stacked_ustx", stackedNext},
			{"prepare_phase_start_block_height", height + left - n.prepare},
			{"blocks_until_prepare_phase", left - n.prepare}, // negative inside it
			{"reward_phase_start_block_height", height + left},
			{"blocks_until_reward_phase", left},
			{"ustx_until_pox_rejection", nil},
		}},
		{"epochs", all},
		{"min_amount_ustx", minStacked},
		{"prepare_cycle_length", n.prepare},
		{"reward_cycle_id", cycle},
		{"reward_cycle_length", n.length},
		{"rejection_votes_left_required", nil},
		{"next_reward_cycle_in", left},
		{"contract_versions", versions},
	}
}

// versions lists the contracts of stacking, and returns the one of a burn height.
func (n poxNetwork) versions(height int64) (current string, all []object) {
	for _, start := range poxStarts {
		id := n.boot + "." + start.contract
		all = append(all, object{
			{"contract_id", id},
			{"activation_burnchain_block_height", start.at},
			{"first_reward_cycle_id", (start.at - poxFirst + n.length - 1) / n.length},
		})
		if start.at <= height || current == "" {
			current = id
		}
	}
	return current, all
}

// epochsAt lists the epochs, and returns the one of a burn height.
func epochsAt(height int64) (current string, all []object) {
	current = epochs[0].name
	for i, e := range epochs {
		end := int64(math.MaxInt64)
		if i+1 < len(epochs) {
			end = epochs[i+1].at
		}
		if e.at <= height {
			current = e.name
		}
		all = append(all, object{
			{"epoch_id", e.name}, {"start_height", e.at}, {"end_height", end}, {"block_limit", epochLimit}, {"network_epoch", e.network},
		})
	}
	return current, all
}
