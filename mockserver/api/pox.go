package api

import (
	"math"

	"chainscope/mockserver/chain"
	"chainscope/wallet/facts"
)

// Amounts of stacking, those of one day of the real mainnet. Before pox-5 nobody stacks on the
// mock chain, so that they stay; since then they are what is staked.
const (
	liquidSupply int64 = 1_700_000_000_000_000
	stackedNow   int64 = 480_000_000_000_000
	stackedNext  int64 = 395_000_000_000_000
	minStacked   int64 = 120_000_000_000
)

// era is the position of a chain in the calendar of the network: the epochs up to the one that is
// played, each with the burn block at which it begins here.
type era struct {
	epochs []facts.Epoch
	height int64 // of the newest burn block
}

// eraAt returns the calendar at a burn height of a chain whose burn blocks begin with first.
func eraAt(played facts.Epoch, height, first int64) era {
	return era{facts.Calendar(played, height, first), height}
}

// since returns where an epoch begins.
func (e era) since(name string) int64 {
	for _, epoch := range e.epochs {
		if epoch.Name == name {
			return epoch.Start
		}
	}
	return math.MaxInt64
}

// first returns where the first reward cycle begins.
func (e era) first() int64 { return e.since("2.0") }

func (x *Exchange) era() era {
	v := x.state().View
	return x.Service.eraOf(&v)
}

func (s *Service) eraOf(v *chain.View) era {
	return eraAt(s.Epoch, v.TipBurnHeight(), v.FirstBurnHeight())
}

// stacked returns the STX of a network that are stacked in this reward cycle and in the next.
func (t *transactions) stacked(testnet bool) (now, next int64) {
	staked := t.Staked()
	if runs := staked.Runs(); runs && !testnet || !runs && len(staked.Signers()) == 0 {
		return stackedNow, stackedNext
	}
	return sumOf(staked.StakedIn(staked.Cycle)), sumOf(staked.StakedIn(staked.Cycle + 1))
}

func servePoX(x *Exchange) {
	now, next := x.transactions().stacked(x.onTestnet())
	x.object(x.era().stacking(x.onTestnet(), now, next))
}

func sumOf[K comparable](of map[K]uint64) (sum int64) {
	for _, n := range of {
		sum += int64(n)
	}
	return sum
}

// stacking describes stacking, with what is stacked in this cycle and the next. Heights are of
// burn blocks, amounts micro-STX.
func (e era) stacking(testnet bool, stacked, next int64) object {
	length, prepare := facts.Cycle(testnet)
	played, first := e.epochs[len(e.epochs)-1], e.first()
	since := max(0, e.height-first)
	cycle, left := since/length, length-since%length
	o := object{
		{"contract_id", facts.Boot(testnet) + "." + played.PoX},
		{"pox_activation_threshold_ustx", liquidSupply / 20},
		{"first_burnchain_block_height", first},
		{"current_burnchain_block_height", e.height},
		{"current_epoch", played.ID},
		{"prepare_phase_block_length", prepare},
		{"reward_phase_block_length", length - prepare},
		{"reward_slots", 2 * (length - prepare)},
		{"rejection_fraction", nil},
		{"total_liquid_supply_ustx", liquidSupply},
		{"current_cycle", object{{"id", cycle}, {"min_threshold_ustx", minStacked}, {"stacked_ustx", stacked}, {"is_pox_active", true}}},
		{"next_cycle", object{
			{"id", cycle + 1},
			{"min_threshold_ustx", minStacked},
			{"min_increment_ustx", liquidSupply / 20_000},
			{"stacked_ustx", next},
			{"prepare_phase_start_block_height", e.height + left - prepare},
			{"blocks_until_prepare_phase", left - prepare}, // negative inside it
			{"reward_phase_start_block_height", e.height + left},
			{"blocks_until_reward_phase", left},
			{"ustx_until_pox_rejection", nil},
		}},
		{"epochs", e.listed()},
		{"min_amount_ustx", minStacked},
		{"prepare_cycle_length", prepare},
		{"reward_cycle_id", cycle},
		{"reward_cycle_length", length},
		{"rejection_votes_left_required", nil},
		{"next_reward_cycle_in", left},
		{"contract_versions", e.versions(testnet)},
	}
	if played.PoX != facts.PoX5 {
		return o
	}
	sbtc := facts.SBTC(testnet)
	return append(o, object{{"pox_5_sbtc_contract", sbtc + ".sbtc-token"}, {"pox_5_sbtc_registry_contract", sbtc + ".sbtc-registry"}}...)
}

// versions lists the contracts of stacking, the oldest first.
func (e era) versions(testnet bool) (all []object) {
	length, _ := facts.Cycle(testnet)
	last := ""
	for _, epoch := range e.epochs {
		if epoch.PoX == last {
			continue
		}
		last = epoch.PoX
		at := max(epoch.Start, e.first()) // the first one begins with the chain
		all = append(all, object{
			{"contract_id", facts.Boot(testnet) + "." + last},
			{"activation_burnchain_block_height", at},
			{"first_reward_cycle_id", (at - e.first() + length - 1) / length},
		})
	}
	return all
}

// listed returns the epochs as a node lists them.
func (e era) listed() (all []object) {
	for i, epoch := range e.epochs {
		end := int64(math.MaxInt64)
		if i+1 < len(e.epochs) {
			end = e.epochs[i+1].Start
		}
		all = append(all, object{
			{"epoch_id", epoch.ID}, {"start_height", epoch.Start}, {"end_height", end}, {"block_limit", epoch.Limit}, {"network_epoch", epoch.Peer},
		})
	}
	return all
}
