package wallet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"chainscope/wallet"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// A library connects to a mock wallet that approves everything, and requests
// a signature.
func Example() {
	ctx := context.Background()
	engine := provider.NewSigning(provider.SigningOptions{
		Env: func(context.Context) signer.Env { return signer.Env{Keys: keys.NewTestRing()} },
		Approver: signer.Approver(func(context.Context, signer.Description) (signer.Decision, error) {
			return signer.Decision{Approved: true}, nil
		}),
	})
	registry := &wallet.Registry{}
	registry.SetObject("MyProvider", provider.NewMock(provider.PlayChainscope, engine))
	registry.RegisterWBIP(provider.Descriptor{ID: "MyProvider", Name: "my wallet"})
	library := wallet.New(wallet.Config{
		Registry: registry,
		Selector: wallet.SelectorFunc(func(_ context.Context, rows []wallet.Row) (string, error) {
			return rows[0].ID, nil
		}),
	})

	if _, err := library.Connect(ctx, wallet.Options{}, ""); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(library.IsConnected(), library.LocalStorage().Addresses.STX[0].Address)

	result, err := library.Request(ctx, wallet.Options{}, "stx_signMessage", map[string]any{"message": "Hello World"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var signed struct{ Signature, PublicKey string }
	if err := json.Unmarshal(result, &signed); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.ToLower(signed.Signature[:16]), signed.PublicKey)
	// Output:
	// true SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J
	// 0bdbf7403a8dc9d7 03d5d038bce81b3965314dba54f636f093c7dbdd6617cded013a53474fbccb100c
}
