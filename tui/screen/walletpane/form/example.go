package form

import (
	"encoding/json"
	"fmt"
	"strconv"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/signer"
)

// contractExample is a contract that a person understands at a glance.
const contractExample = `;; Counts how often it was called.
(define-data-var counter uint u0)

(define-read-only (get-counter)
  (var-get counter))

(define-public (add (n uint))
  (begin
    (var-set counter (+ (var-get counter) n))
    (print { event: "add", by: tx-sender, n: n })
    (ok (var-get counter))))
`

// Example is a draft that the wallet takes as it is. Whoever receives something
// in it is the next account of the wallet.
func (c *Context) Example(method string) (Draft, error) {
	f, known := Of(method)
	if !known {
		return Draft{}, fmt.Errorf("there is no form for %.60q", method)
	}
	d := f.Empty()
	mine, next := c.Mine.STX, c.Next.STX
	switch method {
	case "stx_signMessage":
		d.Texts["message"] = "Hello from the terminal"
	case "stx_transferStx":
		d.Texts["recipient"], d.Texts["amount"], d.Texts["memo"] = next, "1500000", "rent"
	case "stx_callContract":
		d.Texts["contract"], d.Texts["functionName"] = mine+".counter", "add"
		d.Items["functionArgs"] = []Item{{"": "u5"}}
		d.Items["postConditions"] = []Item{{"type": "stx-postcondition", "address": "origin", "condition": "lte", "amount": "0"}}
	case "stx_deployContract":
		d.Texts["name"], d.Texts["clarityCode"] = "counter", contractExample
	case "stx_signStructuredMessage":
		d.Texts["message"] = `{ action: "vote", proposal: u42, support: true }`
		d.Texts["domain"] = fmt.Sprintf(`{ chain-id: u%d, name: "chainscope", version: "1.0.0" }`, c.Network.ChainID)
	case "stx_transferSip10Ft":
		d.Texts["recipient"], d.Texts["asset"], d.Texts["amount"] = next, mine+".coin::coin", "2500000"
	case "stx_transferSip9Nft":
		d.Texts["recipient"], d.Texts["asset"], d.Texts["assetId"] = next, mine+".ticket::ticket", "u42"
	case "stx_signTransaction":
		tx, err := c.unsigned(0)
		if err != nil {
			return d, err
		}
		d.Texts["transaction"] = tx
	case "stx_signTransactions":
		for nonce := range 2 {
			tx, err := c.unsigned(nonce)
			if err != nil {
				return d, err
			}
			d.Items["transactions"] = append(d.Items["transactions"][:nonce], Item{"": tx})
		}
	case "sendTransfer":
		d.Items["recipients"] = []Item{{"address": c.Next.P2WPKH, "amount": "50000"}, {"address": c.Next.P2TR, "amount": "25000"}}
	case "signPsbt":
		transfer, err := bitcoin.PlanTransfer(c.owner, []bitcoin.Recipient{{Address: c.Next.P2TR, Amount: 250_000}}, 0)
		if err != nil {
			return d, err
		}
		if d.Texts["psbt"], err = transfer.PSBT(); err != nil {
			return d, err
		}
		d.Items["signInputs"] = []Item{{"index": "0", "address": c.Mine.P2WPKH}}
	default:
		c.exampleOfSatsConnect(method, d)
	}
	return d, nil
}

// exampleOfSatsConnect fills the drafts of the methods of sats-connect.
func (c *Context) exampleOfSatsConnect(method string, d Draft) {
	switch method {
	case "signMessage":
		d.Texts["message"], d.Texts["address"] = "Hello from the terminal", c.Mine.P2WPKH
	case "signMultipleMessages":
		d.Items[""] = []Item{
			{"message": "Hello from the terminal", "address": c.Mine.P2WPKH},
			{"message": "Hello again", "address": c.Mine.P2TR, "protocol": "BIP322"},
		}
	case "wallet_connect":
		d.Items["addresses"] = []Item{{"": "payment"}, {"": "stacks"}}
		d.Texts["message"] = "to show your balances"
	case "getAccounts":
		d.Items["purposes"] = []Item{{"": "payment"}, {"": "ordinals"}, {"": "stacks"}}
		d.Texts["message"] = "to show your balances"
	case "wallet_changeNetwork":
		d.Texts["name"] = "Testnet"
		if !c.Network.Mainnet() {
			d.Texts["name"] = "Mainnet"
		}
	}
}

// unsigned is a transfer that nobody has signed yet.
func (c *Context) unsigned(nonce int) (string, error) {
	params, err := json.Marshal(map[string]string{
		"recipient": c.Next.STX, "amount": "1500000", "memo": "prepared", "fee": "300", "nonce": strconv.Itoa(nonce), "network": c.Network.Name,
	})
	if err != nil {
		return "", err
	}
	call, err := signer.Parse("stx_transferStx", params, signer.Env{Keys: c.ring, Account: c.Account})
	if err != nil {
		return "", err
	}
	return call.Describe().Transaction.Unsigned, nil
}
