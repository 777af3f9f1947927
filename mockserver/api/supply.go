package api

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"chainscope/wallet/facts"
)

// microSTX writes an amount in STX with all its decimals.
func microSTX(n int64) string { return fmt.Sprintf("%d.%06d", n/1_000_000, n%1_000_000) }

// grouped writes an amount in STX as the service once did: with commas.
func grouped(n int64) string {
	text, decimals, _ := strings.Cut(microSTX(n), ".")
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text + "." + decimals
}

// supplyAt reads the block whose supply is requested; on false it has answered. All that there is
// is unlocked, and the same in every block, as /v2/pox has it.
func (x *Exchange) supplyAt() (height int64, ok bool) {
	v := x.state().View
	height = v.Tip()
	if n := x.queryInteger("height", atLeast(0), float64(height)); n <= float64(height) {
		height = int64(n)
	} else {
		x.Thrown(http.StatusNotFound, "", fmt.Sprintf("block at height %.0f not found", n))
	}
	return height, !x.done()
}

func serveSupply(x *Exchange) {
	if height, ok := x.supplyAt(); ok {
		x.object(object{
			{"unlocked_percent", "100.00"},
			{"total_stx", microSTX(liquidSupply)},
			{"total_stx_year_2050", microSTX(facts.SupplyIn2050)},
			{"unlocked_stx", microSTX(liquidSupply)},
			{"block_height", height},
		})
	}
}

func serveSupplyLegacy(x *Exchange) {
	if height, ok := x.supplyAt(); ok {
		x.object(object{
			{"unlockedPercent", "100.00"},
			{"totalStacks", microSTX(liquidSupply)},
			{"totalStacksFormatted", grouped(liquidSupply)},
			{"totalStacksYear2050", microSTX(facts.SupplyIn2050)},
			{"totalStacksYear2050Formatted", grouped(facts.SupplyIn2050)},
			{"unlockedSupply", microSTX(liquidSupply)},
			{"unlockedSupplyFormatted", grouped(liquidSupply)},
			{"blockHeight", strconv.FormatInt(height, 10)},
		})
	}
}

func serveSupplyV3(x *Exchange) {
	if x.done() {
		return
	}
	x.object(object{{"total", strconv.FormatInt(liquidSupply, 10)}, {"projected_total_2050", strconv.FormatInt(facts.SupplyIn2050, 10)}})
}

// serveSupplyPlain answers with the number alone.
func serveSupplyPlain(x *Exchange) {
	if x.done() {
		return
	}
	h, body := x.W.Header(), microSTX(liquidSupply)
	h["X-Api-Version"] = x.Service.version
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	x.answered = true
	_, _ = x.W.Write([]byte(body)) // the client may have gone
}

// serveFeeRateV1 answers with the one fee that the service has always given here.
func serveFeeRateV1(x *Exchange) { x.object(object{{"fee_rate", 400}}) }
