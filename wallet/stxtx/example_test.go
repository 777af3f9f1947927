package stxtx_test

import (
	"fmt"

	"chainscope/wallet/clarity"
	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

func ExampleTransaction_SignOrigin() {
	key, err := keys.NewTestRing().Stacks(0) // the public test mnemonic
	if err != nil {
		fmt.Println(err)
		return
	}
	to, err := clarity.ParsePrincipal("SP000000000000000000002Q6VF78")
	if err != nil {
		fmt.Println(err)
		return
	}
	memo, err := stxtx.NewMemo("rent")
	if err != nil {
		fmt.Println(err)
		return
	}
	tx := &stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet,
		Auth: stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{
			Signer: key.Hash160(), Nonce: 7, Fee: 300, // micro-STX
		}},
		AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny,
		Payload: stxtx.TokenTransfer{Recipient: to, Amount: 1_500_000, Memo: memo}, // micro-STX
	}
	if err := tx.SignOrigin(key.Sign); err != nil {
		fmt.Println(err)
		return
	}
	id, err := tx.TxID()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tx.Auth.Origin.Address(true), "valid:", tx.Verify() == nil)
	fmt.Printf("%x\n", id)
	// Output:
	// SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J valid: true
	// 4fb032697cd4deda3406ddee00d48ae7f7582917dcd02679dd6aa93b9f19bd6f
}

func ExampleParsePostConditionJSON() {
	p, err := stxtx.ParsePostConditionJSON([]byte(`{"type":"stx-postcondition","address":"origin","condition":"lte","amount":"1000"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	hex, err := stxtx.PostConditionHex(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Words())
	fmt.Println(hex)
	// Output:
	// the origin must send at most 1000 micro-STX
	// 00010500000000000003e8
}
