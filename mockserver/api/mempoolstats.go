package api

import (
	"math"
	"slices"

	"chainscope/mockserver/ledger"
)

// mempoolTypes are the types of transactions that a mempool can have.
var mempoolTypes = []string{"token_transfer", "smart_contract", "contract_call", "poison_microblock"}

// shares are the percentiles that the routes of the mempool report.
var shares = [4]float64{0.25, 0.5, 0.75, 0.95}

// quartilesOf returns the percentiles of some numbers, nulls if there are none.
func quartilesOf(all []float64) object {
	slices.Sort(all)
	var out object
	for i, name := range []string{"p25", "p50", "p75", "p95"} {
		var value any
		if len(all) > 0 {
			value = percentile(all, shares[i])
		}
		out = append(out, field{name, value})
	}
	return out
}

// percentile returns the value below which a share of a sorted list lies, interpolated as
// PostgreSQL's percentile_cont does.
func percentile(sorted []float64, share float64) float64 {
	place := share * float64(len(sorted)-1)
	below := int(place)
	if below+1 == len(sorted) {
		return sorted[below]
	}
	return sorted[below] + (place-float64(below))*(sorted[below+1]-sorted[below])
}

// serveMempoolStats reports the mempool by type of transaction. Ages are in blocks.
func serveMempoolStats(x *Exchange) {
	state := x.state()
	if x.done() {
		return
	}
	byType := byTypeOf(state.Mempool())
	var counts, fees, ages, sizes object
	tip := state.View.Tip()
	for _, name := range mempoolTypes {
		of := func(number func(tx *ledger.Tx) float64) field {
			return field{name, quartilesOf(numbersOf(byType[name], number))}
		}
		counts = append(counts, field{name, len(byType[name])})
		fees = append(fees, of(feeOf))
		ages = append(ages, of(func(tx *ledger.Tx) float64 { return float64(tip - tx.ReceivedAfter) }))
		sizes = append(sizes, of(func(tx *ledger.Tx) float64 { return float64(tx.Size) }))
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

// bytesOfTransfer is the length of a transfer of one signer.
const bytesOfTransfer = 180

// serveMempoolFees reports what the waiting transactions pay. A type of which none
// waits is absent.
func serveMempoolFees(x *Exchange) {
	state := x.state()
	if x.done() {
		return
	}
	all := state.Mempool()
	body := object{{"all", prioritiesOf(all)}}
	byType := byTypeOf(all)
	for _, name := range mempoolTypes {
		if some := byType[name]; len(some) > 0 {
			body = append(body, field{name, prioritiesOf(some)})
		}
	}
	x.object(body)
}

// prioritiesOf returns fees in micro-STX; where nothing waits, what a transfer pays.
func prioritiesOf(all []*ledger.Tx) object {
	fees := numbersOf(all, feeOf)
	slices.Sort(fees)
	var out object
	for i, name := range []string{"no_priority", "low_priority", "medium_priority", "high_priority"} {
		fee := bytesOfTransfer * []int64{1, 1, 2, 4}[i]
		if len(fees) > 0 {
			fee = int64(math.Round(percentile(fees, shares[i])))
		}
		out = append(out, field{name, fee})
	}
	return out
}

func feeOf(tx *ledger.Tx) float64 { return float64(tx.Fee()) }

func numbersOf(all []*ledger.Tx, number func(tx *ledger.Tx) float64) (out []float64) {
	for _, tx := range all {
		out = append(out, number(tx))
	}
	return out
}
