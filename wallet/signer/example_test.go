package signer_test

import (
	"context"
	"encoding/json"
	"fmt"

	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
)

// A request is parsed, completed and described; it is signed once the
// description is approved.
func Example() {
	ctx := context.Background()
	env := signer.Env{Keys: keys.NewTestRing(), Network: "testnet"}
	call, err := signer.Parse("stx_signMessage", json.RawMessage(`{"message":"Hello World"}`), env)
	if err != nil {
		fmt.Println(err)
		return
	}
	if call, err = call.Prepare(ctx); err != nil {
		fmt.Println(err)
		return
	}
	call, err = signer.Approve(ctx, call, signer.Approver(func(_ context.Context, d signer.Description) (signer.Decision, error) {
		fmt.Printf("account %d signs %q\n", d.Account.Index, d.Message.Text)
		return signer.Decision{Approved: true}, nil
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := call.Sign(ctx)
	fmt.Println(string(result), err)
	// Output:
	// account 0 signs "Hello World"
	// {"signature":"0bdbf7403a8dc9d774f5e85270a4d2672115cff1c03dcce2997067e50efdf8430be10c2b3eca408aa32ac39cb20698cead6eb9eab9def2486c6897efe0d481a001","publicKey":"03d5d038bce81b3965314dba54f636f093c7dbdd6617cded013a53474fbccb100c"} <nil>
}

// Bad params are refused before the user is asked, with the path of the param.
func ExampleParse_refused() {
	env := signer.Env{Keys: keys.NewTestRing()}
	_, err := signer.Parse("stx_transferStx", json.RawMessage(`{"recipient":"SP000000000000000000002Q6VF78","amount":"-1"}`), env)
	fmt.Println(err)
	// Output:
	// JsonRpcError (-32602): amount: must be an integer from 1 to 18446744073709551615, as a decimal string or a JSON integer
}
