package provider_test

import (
	"context"
	"encoding/json"
	"testing"

	"chainscope/wallet"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

func TestEachWalletNamesTheClarityOfADeployAsItDoes(t *testing.T) {
	for _, c := range []struct {
		who     provider.Personality
		version string
		want    byte
	}{
		{provider.PlayChainscope, "", 6},
		{provider.PlayXverse, "", 6},
		{provider.PlayLeather, "", 0},
		{provider.PlayChainscope, `,"clarityVersion":5`, 5},
		{provider.PlayXverse, `,"clarityVersion":6`, 6},
		{provider.PlayLeather, `,"clarityVersion":5`, 5},
	} {
		engine := provider.NewSigning(provider.SigningOptions{Env: func(context.Context) signer.Env { return signer.Env{Keys: keys.NewTestRing()} }, Approver: approves(true)})
		result, err := wallet.New(wallet.Config{}).Request(t.Context(), wallet.Options{Provider: provider.NewMock(c.who, engine)},
			"stx_deployContract", json.RawMessage(`{"name":"ping","clarityCode":"(print 1)"`+c.version+`}`))
		if err != nil {
			t.Fatal(err)
		}
		var signed struct{ Transaction string }
		if err := json.Unmarshal(result, &signed); err != nil {
			t.Fatal(err)
		}
		tx, err := stxtx.DecodeHex(signed.Transaction)
		if err != nil {
			t.Fatal(err)
		}
		if got := tx.Payload.(stxtx.SmartContract).ClarityVersion; got != c.want {
			t.Errorf("%s%s: Clarity %d, want %d", c.who, c.version, got, c.want)
		}
	}
}
