package mockserver

import (
	"math"
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
	at := func(share float64) *float64 {
		value := percentile(all, share)
		return &value
	}
	return quartiles{at(0.25), at(0.5), at(0.75), at(0.95)}
}

// percentile is what a share of a sorted list is below, between two of it where it falls
// between them, as PostgreSQL's percentile_cont does.
func percentile(sorted []float64, share float64) float64 {
	place := share * float64(len(sorted)-1)
	below := int(place)
	if below+1 == len(sorted) {
		return sorted[below]
	}
	return sorted[below] + (place-float64(below))*(sorted[below+1]-sorted[below])
}

// serveMempoolStats tells of the mempool by type of transaction. Ages are in blocks.
func serveMempoolStats(x *exchange) {
	state := x.state()
	if x.done() {
		return
	}
	byType := byTypeOf(state.Mempool())
	var counts, fees, ages, sizes object
	tip := state.View.Tip()
	for _, name := range mempoolTypes {
		of := func(number func(tx *ledger.Tx) float64) quartiles {
			var all []float64
			for _, tx := range byType[name] {
				all = append(all, number(tx))
			}
			return quartilesOf(all)
		}
		counts = append(counts, field{name, len(byType[name])})
		fees = append(fees, field{name, of(func(tx *ledger.Tx) float64 { return float64(tx.Fee()) })})
		ages = append(ages, field{name, of(func(tx *ledger.Tx) float64 { return float64(tip - tx.ReceivedAfter) })})
		sizes = append(sizes, field{name, of(func(tx *ledger.Tx) float64 { return float64(tx.Size) })})
	}
	x.object(object{{"tx_type_counts", counts}, {"tx_simple_fee_averages", fees}, {"tx_ages", ages}, {"tx_byte_sizes", sizes}})
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
	if x.done() {
		return
	}
	all := state.Mempool()
	body := object{{"all", emptyFees}}
	if len(all) > 0 {
		body[0].value = prioritiesOf(all)
	}
	byType := byTypeOf(all)
	for _, name := range mempoolTypes {
		if some := byType[name]; len(some) > 0 {
			body = append(body, field{name, prioritiesOf(some)})
		}
	}
	x.object(body)
}

func prioritiesOf(all []*ledger.Tx) prioritiesBody {
	fees := make([]float64, len(all))
	for i, tx := range all {
		fees[i] = float64(tx.Fee())
	}
	slices.Sort(fees)
	at := func(share float64) uint64 { return uint64(math.Round(percentile(fees, share))) }
	return prioritiesBody{at(0.25), at(0.5), at(0.75), at(0.95)}
}
