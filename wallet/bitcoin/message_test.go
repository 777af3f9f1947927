package bitcoin

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"chainscope/wallet/internal/vectors"

	"github.com/btcsuite/btcd/btcec/v2"
)

type messageCase struct {
	Name, Seed, Network, AddressType, Compare, ToSpendTxid, ToSignTxid, ScriptPubKey string
	AccountIndex                                                                     int
	Params                                                                           struct{ Address, Message, Protocol string }
	Expect                                                                           struct{ Signature, MessageHash, Address, Protocol string }
}

type messagesFile struct {
	Cases    []messageCase
	Standard struct {
		Hashes []struct{ Message, Address, MessageHash, ToSpendTxid, ToSignTxid string }
		Simple []struct {
			Message, Address, AddressType, PrivateKey, Deterministic string
			Signatures                                               []string
		}
		Refused []struct{ Why, Message, Address, Signature string }
	}
}

// networkOfAddress returns the network that an address of a vector belongs to.
func networkOfAddress(address string) Network {
	if strings.HasPrefix(address, "tb1") {
		return Testnet
	}
	return Mainnet
}

func TestEveryMessageIsSignedAsOtherWalletsSignIt(t *testing.T) {
	for _, c := range vectors.Load[messagesFile](t, "bitcoin-messages.json").Cases {
		t.Run(c.Name, func(t *testing.T) {
			account := accountOf(t, c.Seed, c.AccountIndex, c.Network)
			signed, err := account.SignMessage(ScriptType(c.AddressType), Protocol(c.Expect.Protocol), c.Params.Message)
			if err != nil {
				t.Fatal(err)
			}
			if signed.Hash != c.Expect.MessageHash || signed.Address != c.Expect.Address {
				t.Errorf("hash %s of %s, want %s of %s", signed.Hash, signed.Address, c.Expect.MessageHash, c.Expect.Address)
			}
			if c.Compare != "verify" && signed.Signature != c.Expect.Signature {
				t.Errorf("signature %s, want %s", signed.Signature, c.Expect.Signature)
			}
			n := networkOfAddress(c.Params.Address)
			for _, signature := range []string{signed.Signature, c.Expect.Signature} {
				if p, err := n.VerifyMessage(c.Params.Address, c.Params.Message, signature); err != nil || p != signed.Protocol {
					t.Errorf("%s does not verify: %s, %v", signature, p, err)
				}
				if _, err := n.VerifyMessage(c.Params.Address, c.Params.Message+" ", signature); err == nil {
					t.Error("it verifies for another message")
				}
			}
			if c.ToSpendTxid == "" {
				return
			}
			script, err := hex.DecodeString(c.ScriptPubKey)
			if err != nil {
				t.Fatal(err)
			}
			toSpend, toSign := virtual(script, c.Params.Message)
			if toSpend.TxHash().String() != c.ToSpendTxid || toSign.TxHash().String() != c.ToSignTxid {
				t.Errorf("virtual transactions %s and %s, want %s and %s", toSpend.TxHash(), toSign.TxHash(), c.ToSpendTxid, c.ToSignTxid)
			}
		})
	}
}

func TestTheVectorsOfBIP322Hold(t *testing.T) {
	standard := vectors.Load[messagesFile](t, "bitcoin-messages.json").Standard
	for _, c := range standard.Hashes {
		script, err := Mainnet.ScriptOf(c.Address)
		if err != nil {
			t.Fatal(err)
		}
		toSpend, toSign := virtual(script, c.Message)
		if MessageHash(BIP322, c.Message) != c.MessageHash || toSpend.TxHash().String() != c.ToSpendTxid || toSign.TxHash().String() != c.ToSignTxid {
			t.Errorf("%q: %s, %s, %s, want %+v", c.Message, MessageHash(BIP322, c.Message), toSpend.TxHash(), toSign.TxHash(), c)
		}
	}
	for _, c := range standard.Simple {
		for _, signature := range c.Signatures {
			for _, form := range []string{signature, strings.TrimPrefix(signature, "smp")} {
				if p, err := networkOfAddress(c.Address).VerifyMessage(c.Address, c.Message, form); err != nil || p != BIP322 {
					t.Errorf("%s: %s, %v", form, p, err)
				}
			}
		}
		secret, err := hex.DecodeString(c.PrivateKey)
		if err != nil {
			t.Fatal(err)
		}
		key, _ := btcec.PrivKeyFromBytes(secret)
		account, err := NewAccount(networkOfAddress(c.Address), key, key)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := account.SignMessage(ScriptType(c.AddressType), BIP322, c.Message)
		if err != nil || signed.Address != c.Address || c.Deterministic != "" && c.AddressType == "p2wpkh" && signed.Signature != c.Deterministic {
			t.Errorf("%q signed as %+v, %v, want %s of %s", c.Message, signed, err, c.Deterministic, c.Address)
		}
	}
	for _, c := range standard.Refused {
		if p, err := networkOfAddress(c.Address).VerifyMessage(c.Address, c.Message, c.Signature); err == nil {
			t.Errorf("%s: verifies by %s", c.Why, p)
		}
	}
	if len(standard.Hashes) == 0 || len(standard.Simple) == 0 || len(standard.Refused) == 0 {
		t.Error("vectors are missing")
	}
}

func TestAMessageIsSignedOnlyAsItsAddressCan(t *testing.T) {
	account := accountOf(t, "abandon12", 0, "mainnet")
	for _, c := range []struct {
		t ScriptType
		p Protocol
	}{{P2TR, ECDSA}, {P2PKH, BIP322}, {P2WPKH, "BIP137"}} {
		if signed, err := account.SignMessage(c.t, c.p, "x"); err == nil {
			t.Errorf("%s by %s: %+v", c.t, c.p, signed)
		}
	}
	if _, err := Mainnet.VerifyMessage("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "x", "AA=="); err == nil {
		t.Error("an address of another network is taken")
	}
}

func FuzzVerifyMessage(f *testing.F) {
	for _, c := range vectors.Load[messagesFile](f, "bitcoin-messages.json").Cases[:12] {
		f.Add(c.Params.Address, c.Params.Message, c.Expect.Signature)
	}
	f.Add("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l", "", base64.StdEncoding.EncodeToString([]byte{2, 255, 255}))
	f.Fuzz(func(t *testing.T, address, message, signature string) {
		if len(message) > 1<<16 {
			return
		}
		_, _ = Mainnet.VerifyMessage(address, message, signature)
	})
}

func FuzzTransaction(f *testing.F) {
	account := accountOf(f, "abandon12", 0, "testnet")
	transfer, err := PlanTransfer(&account.Owner, []Recipient{{Address: account.P2TR.Address, Amount: 5000}})
	if err != nil {
		f.Fatal(err)
	}
	signed, err := transfer.Sign(account)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(signed.Transaction)
	f.Fuzz(func(t *testing.T, text string) {
		tx, err := ParseTransaction(Testnet, text)
		if err != nil {
			return
		}
		if err := tx.CheckCoins(&account.Owner); err == nil && tx.TxID != signed.TxID {
			t.Fatalf("%s spends mock coins without their key", text)
		}
	})
}
