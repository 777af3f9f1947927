package signer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/clarity"
	"chainscope/wallet/keys"
)

// contractExample is a contract that the user understands at a glance.
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

// ExampleFor returns params that the wallet takes, nil where the method needs none. Clarity
// values in it are literals: see [Method.WithLiterals]. Whoever receives something is the
// next account of the keys.
//
// In the table $mine and $next are the Stacks addresses of the account and of the next one,
// with .p2wpkh and .p2tr those of Bitcoin; $chain is the chain id, $other another network;
// $transaction0, $transaction1 and $psbt are prepared for the account, and $source is a
// contract. $coin, $coinAsset and $ticketAsset are tokens of which every account of the
// public test mnemonic has some on a mock; of the tickets it has the one with its $number.
func (m Method) ExampleFor(ring *keys.Ring, account uint32, n Network) (json.RawMessage, error) {
	if m.Example == "" {
		return nil, nil
	}
	mine, err := Addresses(ring, account, n)
	if err != nil {
		return nil, err
	}
	others, err := Addresses(ring, keys.Next(account), n)
	if err != nil {
		return nil, err
	}
	source, err := json.Marshal(contractExample)
	if err != nil {
		return nil, err
	}
	other, coin, ticket := "Testnet", "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda", "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light"
	if !n.Mainnet() {
		other, coin, ticket = "Mainnet", "ST355K6K7CD8HGWKR67E5PZ9CP18274XGZ7NB44PK.rehearsal-token::rehearsal", "ST355K6K7CD8HGWKR67E5PZ9CP18274XGZ7NB44PK.rehearsal-pass::pass"
	}
	contract, _, _ := strings.Cut(coin, "::")
	pairs := []string{"$coinAsset", coin, "$coin", contract, "$ticketAsset", ticket, "$number", fmt.Sprint(account + 1), "$chain", fmt.Sprint(n.ChainID), "$other", other, "$source", strings.Trim(string(source), `"`)}
	for name, a := range map[string][]AddressEntry{"$mine": mine, "$next": others} {
		pairs = append(pairs, name+".p2wpkh", a[0].Address, name+".p2tr", a[1].Address, name, a[2].Address)
	}
	env := Env{Keys: ring, Account: account, Network: n.Name}
	for i := range strings.Count(m.Example, "$transaction") {
		prepared, err := env.unsigned(others[2].Address, i)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, fmt.Sprint("$transaction", i), prepared)
	}
	if strings.Contains(m.Example, "$psbt") {
		psbt, err := env.unsignedPSBT(others[1].Address, n)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, "$psbt", psbt)
	}
	return json.RawMessage(strings.NewReplacer(pairs...).Replace(m.Example)), nil
}

// unsigned returns a transfer that nobody has signed yet.
func (env Env) unsigned(to string, nonce int) (string, error) {
	call, err := Parse("stx_transferStx", fmt.Appendf(nil, `{"recipient":%q,"amount":"1500000","memo":"prepared","fee":"300","nonce":"%d"}`, to, nonce), env)
	if err != nil {
		return "", err
	}
	return call.Describe().Transaction.Unsigned, nil
}

// unsignedPSBT returns a transfer of mock coins that nobody has signed yet, in base64.
func (env Env) unsignedPSBT(to string, n Network) (string, error) {
	a, err := bitcoinAccount(env.Keys, env.Account, n)
	if err != nil {
		return "", err
	}
	transfer, err := bitcoin.PlanTransfer(&a.Owner, []bitcoin.Recipient{{Address: to, Amount: 250_000}})
	if err != nil {
		return "", err
	}
	return transfer.PSBT()
}

// WithLiterals writes the Clarity literals of params (u1, 'SP…, "text", { a: true }) in
// their JSON form. A page has no such form; it is for what the user types. Hexadecimal
// digits stay what they are, and so does what is no object.
func (m Method) WithLiterals(params json.RawMessage) (json.RawMessage, error) {
	var all map[string]json.RawMessage
	if !bytes.HasPrefix(params, []byte("{")) || json.Unmarshal(params, &all) != nil {
		return params, nil //nolint:nilerr // the wallet says what is wrong
	}
	changed := false
	for _, p := range m.Params {
		list := []json.RawMessage{all[p.Name]}
		many := p.Single() && p.Items[0].Kind.Clarity()
		if !p.Kind.Clarity() && !many || many && json.Unmarshal(all[p.Name], &list) != nil {
			continue
		}
		for i, raw := range list {
			value, err := literalIn(raw)
			if err != nil && many {
				return nil, fmt.Errorf("%s: %w", Indexed(p.Name, i), err)
			} else if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			if value != nil {
				list[i], changed = value, true
			}
		}
		switch {
		case !changed:
		case many:
			all[p.Name], _ = json.Marshal(list)
		case list[0] != nil:
			all[p.Name] = list[0]
		}
	}
	if !changed {
		return params, nil
	}
	return json.Marshal(all)
}

// literalIn writes a text, a literal or hexadecimal digits, in the JSON form; nil for what is
// no text.
func literalIn(raw json.RawMessage) (json.RawMessage, error) {
	if !bytes.HasPrefix(raw, []byte(`"`)) {
		return nil, nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, err
	}
	v, err := clarity.ParseAny(text)
	if err != nil {
		return nil, err
	}
	return clarity.JSON(v)
}
