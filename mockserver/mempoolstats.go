package mockserver

import (
	"net/http"
	"slices"

	"chainscope/mockserver/ledger"
)

// mempoolTypes are the types of transactions that a mempool can have.
var mempoolTypes = []string{"token_transfer", "smart_contract", "contract_call", "poison_microblock"}

// quartiles are of a sorted list; nil without one.
type quartiles struct {
	P25 *float64 `json:"p25"`
	P50 *float64 `json:"p50"`
	P75 *float64 `json:"p75"`
	P95 *float64 `json:"p95"`
}

func quartilesOf(all []float64) quartiles {
	if len(all) == 0 {
		return quartiles{}
	}
	slices.Sort(all)
	at := func(share float64) *float64 { return &all[int(share*float64(len(all)-1)+0.5)] }
	return quartiles{at(0.25), at(0.5), at(0.75), at(0.95)}
}

// statsBody tells of the mempool by type of transaction. Ages are in blocks.
type statsBody struct {
	Counts map[string]int       `json:"tx_type_counts"`
	Fees   map[string]quartiles `json:"tx_simple_fee_averages"`
	Ages   map[string]quartiles `json:"tx_ages"`
	Sizes  map[string]quartiles `json:"tx_byte_sizes"`
}

func serveMempoolStats(x *exchange) {
	state := x.state()
	if x.ledgerCached(&state) {
		return
	}
	byType := byTypeOf(state.Mempool())
	body := statsBody{map[string]int{}, map[string]quartiles{}, map[string]quartiles{}, map[string]quartiles{}}
	step := max(1, x.world.BlockMS())
	for _, name := range mempoolTypes {
		of := func(number func(tx *ledger.Tx) float64) quartiles {
			var all []float64
			for _, tx := range byType[name] {
				all = append(all, number(tx))
			}
			return quartilesOf(all)
		}
		body.Counts[name] = len(byType[name])
		body.Fees[name] = of(func(tx *ledger.Tx) float64 { return float64(tx.Fee()) })
		body.Ages[name] = of(func(tx *ledger.Tx) float64 { return float64((state.View.NowMS() - tx.ReceivedMS) / step) })
		body.Sizes[name] = of(func(tx *ledger.Tx) float64 { return float64(tx.Size) })
	}
	x.value(http.StatusOK, body)
}

func byTypeOf(all []*ledger.Tx) map[string][]*ledger.Tx {
	out := map[string][]*ledger.Tx{}
	for _, tx := range all {
		out[typeName(tx)] = append(out[typeName(tx)], tx)
	}
	return out
}

// prioritiesBody are fees in micro-STX.
type prioritiesBody struct {
	None   uint64 `json:"no_priority"`
	Low    uint64 `json:"low_priority"`
	Medium uint64 `json:"medium_priority"`
	High   uint64 `json:"high_priority"`
}

// emptyFees is what a transfer pays where nothing waits.
var emptyFees = prioritiesBody{bytesOfTransfer, bytesOfTransfer, 2 * bytesOfTransfer, 4 * bytesOfTransfer}

// bytesOfTransfer is the length of a transfer of one signer.
const bytesOfTransfer = 180

// serveMempoolFees tells what the waiting transactions pay. A type of which none
// waits is absent.
func serveMempoolFees(x *exchange) {
	state := x.state()
	if x.ledgerCached(&state) {
		return
	}
	all := state.Mempool()
	body := map[string]prioritiesBody{"all": emptyFees}
	if len(all) > 0 {
		body["all"] = prioritiesOf(all)
	}
	for name, some := range byTypeOf(all) {
		body[name] = prioritiesOf(some)
	}
	x.value(http.StatusOK, body)
}

func prioritiesOf(all []*ledger.Tx) prioritiesBody {
	fees := make([]uint64, len(all))
	for i, tx := range all {
		fees[i] = tx.Fee()
	}
	slices.Sort(fees)
	at := func(hundredth int) uint64 { return fees[hundredth*(len(fees)-1)/100] }
	return prioritiesBody{at(25), at(50), at(75), at(95)}
}
