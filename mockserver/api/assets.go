package api

import (
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/stxtx"
)

const assetPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}::[a-zA-Z]([a-zA-Z0-9]|[-_]){0,127}$`

// serveHolders lists who has a fungible token, who has the most first.
func serveHolders(x *Exchange) {
	asset, err := stxtx.ParseAsset(x.param(0))
	if err != nil { // which nobody has
		asset = stxtx.Asset{Contract: nobody}
	}
	w := x.window()
	if x.done() {
		return
	}
	l, supply := x.transactions().Ledger(asset.Contract), "0"
	if n := l.Supply(asset); n != nil {
		supply = n.String()
	}
	all := l.Holders(asset)
	results := part(w, all, func(h ledger.Holder) object {
		return object{{"address", h.Principal.String()}, {"balance", h.Balance.String()}}
	})
	x.object(object{{"total_supply", supply}, {"limit", w.limit}, {"offset", w.offset}, {"total", len(all)}, {"results", results}})
}

// tokenEventPage answers with a page of events of the asset that the query names.
func (x *Exchange) tokenEventPage(keep func(*eventAssetBody) bool, show func(e minedEvent, of field) object) {
	id := x.required("asset_identifier")
	asset, err := stxtx.ParseAsset(id)
	if err != nil {
		x.invalid(`querystring/asset_identifier must match pattern "` + assetPattern + `"`)
	}
	w, whole := x.window(), x.queryBool("tx_metadata")
	if x.done() {
		return
	}
	t := x.transactions()
	all := eventsOf(t.Mined(asset.Contract), func(e eventBody) bool {
		return e.Asset != nil && e.Asset.Value != nil && e.Asset.ID == asset.String() && keep(e.Asset)
	})
	x.object(pageOf(w, all, func(e minedEvent) object { return show(e, t.named(e.tx, whole)) }))
}

// named returns a transaction in a list of tokens: its id, or all of it.
func (t *transactions) named(tx *ledger.Tx, whole bool) field {
	if whole {
		return field{"tx", t.listed(tx)}
	}
	return field{"tx_id", with0x(tx.ID[:])}
}

// nullable returns a principal, nil for "".
func nullable(principal string) any {
	if principal == "" {
		return nil
	}
	return principal
}

// serveTokenHistory lists what happened to one non-fungible token.
func serveTokenHistory(x *Exchange) {
	value := x.required("value")
	x.tokenEventPage(func(a *eventAssetBody) bool { return strings.EqualFold(a.Value.Hex, value) }, func(e minedEvent, of field) object {
		return object{
			{"event_index", e.Index},
			{"asset_event_type", e.Asset.Type},
			of,
			{"sender", nullable(e.Asset.Sender)},
			{"recipient", nullable(e.Asset.Recipient)},
		}
	})
}

// serveMints lists the mints of a non-fungible token contract.
func serveMints(x *Exchange) {
	x.tokenEventPage(func(a *eventAssetBody) bool { return a.Type == "mint" }, func(e minedEvent, of field) object {
		return object{{"event_index", e.Index}, {"value", e.Asset.Value}, of, {"recipient", nullable(e.Asset.Recipient)}}
	})
}
