package stxtx

import (
	"pgregory.net/rapid"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
)

// transactions draws transactions of every kind.
func transactions() *rapid.Generator[*Transaction] {
	return rapid.Custom(func(t *rapid.T) *Transaction {
		bytesOf := func(n int, what string) []byte { return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, what) }
		address := func() c32.Address {
			return c32.Address{Version: rapid.ByteRange(0, 31).Draw(t, "version"), Hash160: [20]byte(bytesOf(20, "hash"))}
		}
		label := func() string { return rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_-]{0,39}`).Draw(t, "name") }
		contract := func() clarity.Principal { return clarity.Principal{Address: address(), Contract: label()} }
		principal := func() clarity.Principal {
			if rapid.Bool().Draw(t, "contract") {
				return contract()
			}
			return clarity.Principal{Address: address()}
		}
		condition := func() SpendingCondition {
			c := SpendingCondition{
				HashMode: rapid.SampledFrom([]HashMode{0, 1, 2, 3, 5, 7}).Draw(t, "mode"), Signer: [20]byte(bytesOf(20, "signer")),
				Nonce: rapid.Uint64().Draw(t, "nonce"), Fee: rapid.Uint64().Draw(t, "fee"),
			}
			if !c.HashMode.Multisig() {
				if c.HashMode == HashP2PKH {
					c.KeyEncoding = KeyEncoding(rapid.ByteRange(0, 1).Draw(t, "encoding"))
				}
				c.Signature = Signature(bytesOf(65, "signature"))
				return c
			}
			for range rapid.IntRange(0, 4).Draw(t, "fields") {
				f := AuthField{Type: AuthFieldType(rapid.ByteRange(0, 3).Draw(t, "field"))}
				if f.isSignature() {
					f.Signature = Signature(bytesOf(65, "signature"))
				} else {
					f.Key = [33]byte(bytesOf(33, "key"))
				}
				c.Fields = append(c.Fields, f)
			}
			c.Required = rapid.Uint16().Draw(t, "required")
			return c
		}
		postCondition := func() PostCondition {
			p := PostCondition{Asset: AssetType(rapid.ByteRange(0, 4).Draw(t, "asset"))}
			if rapid.Bool().Draw(t, "not the origin") {
				who := principal()
				p.Principal = &who
			}
			if p.Asset.hasToken() {
				p.Token = Asset{contract(), label()}
			}
			switch p.Asset {
			case AssetNFT:
				p.TokenID = clarity.NewUInt(rapid.Uint64Min(1).Draw(t, "id"))
				p.Condition = ConditionCode(rapid.ByteRange(0x10, 0x12).Draw(t, "condition"))
			case AssetPoX:
				p.Condition = ConditionCode(rapid.ByteRange(0x30, 0x32).Draw(t, "condition"))
			default:
				p.Amount = rapid.Uint64().Draw(t, "amount")
				p.Condition = ConditionCode(rapid.ByteRange(1, 5).Draw(t, "condition"))
			}
			return p
		}
		microblock := func() MicroblockHeader {
			return MicroblockHeader{rapid.Byte().Draw(t, "version"), rapid.Uint16().Draw(t, "sequence"), [32]byte(bytesOf(32, "parent")), [32]byte(bytesOf(32, "root")), Signature(bytesOf(65, "signature"))}
		}
		tx := &Transaction{Version: VersionMainnet, ChainID: ChainIDMainnet, AnchorMode: AnchorAny, PostConditionMode: PostConditionMode(rapid.ByteRange(1, 3).Draw(t, "pc mode"))}
		tx.Auth = Auth{Type: AuthStandard, Origin: condition()}
		if rapid.Bool().Draw(t, "sponsored") {
			sponsor := condition()
			tx.Auth.Type, tx.Auth.Sponsor = AuthSponsored, &sponsor
		}
		for range rapid.IntRange(0, 3).Draw(t, "post-conditions") {
			tx.PostConditions = append(tx.PostConditions, postCondition())
		}
		switch PayloadType(rapid.ByteRange(0, 8).Draw(t, "payload")) {
		case TypeTokenTransfer:
			tx.Payload = TokenTransfer{principal(), rapid.Uint64().Draw(t, "amount"), [34]byte(bytesOf(34, "memo"))}
		case TypeContractCall:
			call := ContractCall{Contract: contract(), Function: label()}
			for range rapid.IntRange(0, 3).Draw(t, "args") {
				call.Args = append(call.Args, clarity.Some{Value: clarity.UTF8(rapid.String().Draw(t, "arg"))})
			}
			tx.Payload = call
		case TypePoisonMicroblock:
			tx.Payload = PoisonMicroblock{microblock(), microblock()}
		case TypeCoinbase:
			tx.Payload = Coinbase{Data: [32]byte(bytesOf(32, "data"))}
		case TypeCoinbaseRecipient:
			who := principal()
			tx.Payload = Coinbase{Data: [32]byte(bytesOf(32, "data")), Recipient: &who}
		case TypeNakamotoCoinbase:
			proof := [80]byte(bytesOf(80, "proof"))
			coinbase := Coinbase{VRFProof: &proof}
			if rapid.Bool().Draw(t, "recipient") {
				who := principal()
				coinbase.Recipient = &who
			}
			tx.Payload = coinbase
		case TypeTenureChange:
			tx.Payload = TenureChange{PreviousTenureEnd: [32]byte(bytesOf(32, "end")), PreviousTenureBlocks: rapid.Uint32().Draw(t, "blocks"), Cause: TenureCause(rapid.ByteRange(0, 6).Draw(t, "cause"))}
		default:
			tx.Payload = SmartContract{rapid.ByteRange(0, 5).Draw(t, "version"), label(), rapid.String().Draw(t, "code")}
		}
		return tx
	})
}
