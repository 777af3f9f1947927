package bridgetest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"chainscope/mockserver"
	"chainscope/wallet/bridge/bridgetest"
	"chainscope/wallet/jsonrpc"
)

// A wallet with a chain of its own, without a browser: what a page would request, a
// test requests by Request. In a test, [bridgetest.Start] does the rest.
func Example() {
	midnight := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &midnight, Automine: true})
	if err != nil {
		log.Fatal(err)
	}
	kit, err := bridgetest.New(bridgetest.Options{Mock: mock, Network: "testnet"})
	if err != nil {
		log.Fatal(err)
	}
	defer kit.Close()
	ctx := context.Background()
	rent := map[string]any{"recipient": "ST000000000000000000002AMW42H", "amount": "1500000", "memo": "rent"}

	kit.Expect("stx_transferStx", map[string]any{"amount": 1_500_000}).Approve()
	result, err := kit.Request(ctx, "stx_transferStx", rent)
	if err != nil {
		log.Fatal(err)
	}
	var signed struct{ TxID string }
	if err := json.Unmarshal(result, &signed); err != nil {
		log.Fatal(err)
	}
	fmt.Println("a transaction id of", len(signed.TxID), "digits")

	kit.Expect("stx_transferStx", nil).Reject()
	_, err = kit.Request(ctx, "stx_transferStx", rent)
	var refused *jsonrpc.Error
	fmt.Println("refused:", errors.As(err, &refused), refused.Code)

	fmt.Println("as expected:", kit.Verdict() == nil)
	kit.Expect("stx_transferStx", map[string]any{"memo": "food"}).Approve()
	_, _ = kit.Request(ctx, "stx_transferStx", rent) // refused, as nobody expects it
	fmt.Println(kit.Verdict() != nil)
	// Output:
	// a transaction id of 64 digits
	// refused: true -32000
	// as expected: true
	// true
}
