package signer

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

type repaired struct {
	What, Network, Waiting, Unsponsored string
	Raised, Responsored                 struct{ Transaction string }
	Canceled                            struct{ Recipient, Transaction string }
	Sponsor                             struct{ Transaction, TxID string }
}

func repairs(t *testing.T) []repaired { return vectors.Cases[repaired](t, "repairs.json") }

func decoded(t *testing.T, text string) *stxtx.Transaction {
	t.Helper()
	tx, err := stxtx.DecodeHex(text)
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// idOf returns the id of raw bytes.
func idOf(t *testing.T, text string) string {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return stxtx.ID(raw)
}

// repairEnv returns the wallet of account 0 on the other network than that of a case.
func repairEnv(account uint32) Env {
	env := testEnv()
	env.Account, env.Network = account, "testnet"
	return env
}

// mustSign signs a call that must be made, and returns the transaction.
func mustSign(t *testing.T, call Call, err error) (txid, transaction string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if call, err = call.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := call.Sign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ TxID, Transaction string }
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out.TxID, out.Transaction
}

func TestARepairIsSignedAsTheReferenceLibrarySignsIt(t *testing.T) {
	for _, c := range repairs(t) {
		call, err := repairEnv(3).Replace(decoded(t, c.Waiting), 5000)
		if _, got := mustSign(t, call, err); got != c.Raised.Transaction {
			t.Errorf("%s, %s, replaced:\n%s, want\n%s", c.Network, c.What, got, c.Raised.Transaction)
		}
		d := call.Describe()
		if r := d.Repair; r == nil || r.Kind != Replace || r.TxID != idOf(t, c.Waiting) || r.Fee != 1200 {
			t.Errorf("%s, %s: described as %+v", c.Network, c.What, r)
		}
		if d.Method != "replace" || d.Network.Name != c.Network || d.Account.Index != 0 || !d.Account.Selected || !d.Transaction.Broadcast {
			t.Errorf("%s, %s: described as %+v", c.Network, c.What, d)
		}
		call, err = repairEnv(0).Cancel(decoded(t, c.Waiting), 0)
		if _, got := mustSign(t, call, err); got != c.Canceled.Transaction {
			t.Errorf("%s, %s, canceled:\n%s, want\n%s", c.Network, c.What, got, c.Canceled.Transaction)
		}
		if d := call.Describe(); d.Transfer == nil || d.Transfer.Recipient != c.Canceled.Recipient || d.Transfer.Amount != 1 {
			t.Errorf("%s, %s: canceled by %+v", c.Network, c.What, d.Transfer)
		}
	}
}

// chainAt has the nonces of some accounts.
type chainAt map[string]uint64

func (c chainAt) NextNonce(_ context.Context, address string) (uint64, error) {
	n, known := c[address]
	if !known {
		return 0, errors.New("another account was requested: " + address)
	}
	return n, nil
}
func (chainAt) Fee(context.Context, *stxtx.Transaction) (uint64, error) { return 3456, nil }
func (chainAt) Impersonates(context.Context, string) (bool, error)      { return false, nil }
func (chainAt) Epoch(context.Context, bool) (string, error)             { return "", errors.New("unknown") }

func TestASponsorSignsAsTheReferenceLibrarySignsIt(t *testing.T) {
	for _, c := range repairs(t) {
		env := repairEnv(2)
		n, _ := NetworkNamed(c.Network)
		payer, err := env.StacksAddress(n)
		if err != nil {
			t.Fatal(err)
		}
		env.Source = chainAt{payer: 17}
		call, err := env.Sponsor(decoded(t, c.Unsponsored), 0)
		txid, got := mustSign(t, call, err)
		if got != c.Sponsor.Transaction || txid != c.Sponsor.TxID {
			t.Errorf("%s, %s, sponsored: %s\n%s, want %s\n%s", c.Network, c.What, txid, got, c.Sponsor.TxID, c.Sponsor.Transaction)
		}
		if call, err = call.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		d := call.Describe()
		origin := decoded(t, c.Unsponsored).Auth.Origin
		if d.Sender() != payer || !d.Complete() || d.Transaction.Sponsored || d.Transaction.Nonce != 17 || d.Transaction.Fee != 3456 {
			t.Errorf("%s, %s: described as %+v of %s", c.Network, c.What, d.Transaction, d.Sender())
		}
		if r := d.Repair; r.Kind != Sponsor || r.Origin != origin.Address(n.Mainnet()).String() || r.Nonce != 41 {
			t.Errorf("%s, %s: described as %+v", c.Network, c.What, r)
		}
		if d.Deploy != nil && !strings.HasPrefix(d.Deploy.Contract, d.Repair.Origin+".") {
			t.Errorf("%s: the contract is said to be %s", c.Network, d.Deploy.Contract)
		}
		call, err = repairEnv(0).Replace(decoded(t, c.Sponsor.Transaction), 9000)
		if _, got := mustSign(t, call, err); got != c.Responsored.Transaction {
			t.Errorf("%s, %s, sponsored anew:\n%s, want\n%s", c.Network, c.What, got, c.Responsored.Transaction)
		}
	}
}

func TestAnAccountThatSponsorsItselfHasOneNonce(t *testing.T) {
	call, err := repairEnv(0).Sponsor(decoded(t, repairs(t)[0].Unsponsored), 400)
	_, got := mustSign(t, call, err)
	if tx := decoded(t, got); tx.Auth.Sponsor.Nonce != 41 || tx.Verify() != nil {
		t.Errorf("nonce %d, want that of the sender, 41: %v", tx.Auth.Sponsor.Nonce, tx.Verify())
	}
}

func TestAGapIsFilledByATransferToAnotherAccount(t *testing.T) {
	call, err := repairEnv(1).Fill(7, 360)
	txid, got := mustSign(t, call, err)
	tx := decoded(t, got)
	if txid != idOf(t, got) || tx.Auth.Origin.Nonce != 7 || tx.Auth.Origin.Fee != 360 || tx.Mainnet() || tx.Verify() != nil {
		t.Errorf("%+v, %v", tx.Auth.Origin, tx.Verify())
	}
	third, _ := repairEnv(2).StacksAddress(Network{})
	if d := call.Describe(); d.Transfer.Recipient != third || d.Transfer.Amount != 1 || d.Repair.TxID != "" {
		t.Errorf("%+v, want 1 micro-STX to %s", d.Transfer, third)
	}
	if call, err = repairEnv(1).Fill(7, 0); err != nil {
		t.Fatal(err)
	}
	if call, err = call.Prepare(t.Context()); err != nil || call.Describe().Transaction.Fee != DefaultFee {
		t.Errorf("fee %d, %v, want the default", call.Describe().Transaction.Fee, err)
	}
}

func TestWhatIsInTheWayOfARepairIsSaid(t *testing.T) {
	c := repairs(t)[0]
	foreign := decoded(t, c.Waiting)
	foreign.Auth.Origin.Signer[0] ^= 1
	unsigned := decoded(t, c.Unsponsored)
	unsigned.Auth.Origin.Signature = stxtx.Signature{}
	several := decoded(t, c.Waiting)
	several.Auth.Origin.HashMode = stxtx.HashP2SH
	watching := repairEnv(0)
	watching.Persona.Watched = new(foreign.Payload.(stxtx.TokenTransfer).Recipient.Address)
	fails := func(_ Call, err error) error { return err }
	for words, err := range map[string]error{
		"a fee of 1000 micro-STX is 201 too low: the transaction whose place it takes pays 1200, so it must be at least 1201": fails(repairEnv(0).Replace(decoded(t, c.Waiting), 1000)),
		"a fee of 1200 micro-STX is 1 too low":                                                   fails(repairEnv(0).Cancel(decoded(t, c.Waiting), 1200)),
		"a fee of 100 micro-STX is 80 too low: nodes take 1 micro-STX for each of its 180 bytes": fails(repairEnv(0).Fill(3, 100)),
		"is not one of the wallet's first 20 accounts":                                           fails(repairEnv(0).Replace(foreign, 5000)),
		"its sender has several keys":                                                            fails(repairEnv(0).Cancel(several, 5000)),
		"it is not sponsored":                                                                    fails(repairEnv(0).Sponsor(decoded(t, c.Waiting), 500)),
		"its sender has to sign it first: it is not signed":                                      fails(repairEnv(0).Sponsor(unsigned, 500)),
		"a sponsor has signed it already":                                                        fails(repairEnv(0).Sponsor(decoded(t, c.Sponsor.Transaction), 500)),
		"only a transaction with the same sponsor takes its place":                               fails(repairEnv(0).Cancel(decoded(t, c.Sponsor.Transaction), 9000)),
		"is not the address that the wallet watches":                                             fails(watching.Replace(decoded(t, c.Waiting), 5000)),
	} {
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
}

func TestARepairStaysTheSameWhenItIsEdited(t *testing.T) {
	c := repairs(t)[0]
	call, err := repairEnv(0).Replace(decoded(t, c.Waiting), 2000)
	if err != nil {
		t.Fatal(err)
	}
	ofContract, err := repairEnv(0).Replace(decoded(t, repairs(t)[1].Waiting), 2000)
	if err != nil {
		t.Fatal(err)
	}
	low, right, nonce := uint64(1200), uint64(5000), uint64(2)
	for _, e := range []Edit{{Fee: &low}, {Nonce: &nonce}, {Conditions: &PostConditions{Mode: stxtx.ModeAllow}}} {
		if _, err := ofContract.Edit(e); !errors.As(err, new(*jsonrpc.Error)) {
			t.Errorf("%+v is taken: %v", e, err)
		}
	}
	edited, err := call.Edit(Edit{Fee: &right})
	if _, got := mustSign(t, edited, err); got != c.Raised.Transaction {
		t.Errorf("%s, want %s", got, c.Raised.Transaction)
	}
}
