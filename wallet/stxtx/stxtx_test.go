package stxtx

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"pgregory.net/rapid"

	"chainscope/wallet/clarity"
	"chainscope/wallet/internal/vectors"
)

type vector struct {
	Name, Method, Seed, Nonce, Fee, Hex string
	AccountIndex                        int
	JSON                                json.RawMessage
	Expect                              struct {
		TransactionVersion                                                                              byte
		ChainID                                                                                         uint32
		AuthType, AnchorMode, PostConditionMode, PayloadType                                            byte
		SenderAddress, PublicKey, UnsignedTx, InitialSighash, PresignHash, SignatureVrs, SignedTx, Txid string
		ByteLength                                                                                      int
	}
}

func load(t testing.TB, file string) []vector { return vectors.Cases[vector](t, file) }

// accountKeys returns the private keys of the accounts file, by seed and index.
func accountKeys(t testing.TB) map[string]*secp256k1.PrivateKey {
	type account struct {
		Seed         string
		AccountIndex int
		STX          struct{ PrivateKey string }
	}
	keys := map[string]*secp256k1.PrivateKey{}
	for _, c := range vectors.Cases[account](t, "accounts.json") {
		keys[c.Seed+strconv.Itoa(c.AccountIndex)] = secp256k1.PrivKeyFromBytes(unhexTest(t, c.STX.PrivateKey))
	}
	return keys
}

func unhexTest(t testing.TB, text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func signWith(key *secp256k1.PrivateKey) SignFunc {
	return func(hash [32]byte) Signature {
		s := Signature(ecdsa.SignCompact(key, hash[:], true))
		s[0] = (s[0] - 27) & 3
		return s
	}
}

func TestEveryTransactionVectorIsReadHashedSignedAndWrittenTheSame(t *testing.T) {
	keys := accountKeys(t)
	count := 0
	for _, c := range load(t, "stx-transactions.json") {
		count++
		t.Run(c.Name, func(t *testing.T) {
			e := c.Expect
			tx, err := DecodeHex(e.UnsignedTx)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := tx.Hex(); err != nil || got != e.UnsignedTx {
				t.Errorf("unsigned %s, %v, want %s", got, err, e.UnsignedTx)
			}
			if tx.Version != e.TransactionVersion || tx.ChainID != e.ChainID || byte(tx.Auth.Type) != e.AuthType ||
				byte(tx.AnchorMode) != e.AnchorMode || byte(tx.PostConditionMode) != e.PostConditionMode || byte(tx.Payload.Type()) != e.PayloadType {
				t.Errorf("header %+v, want %+v", tx, e)
			}
			if got := tx.Auth.Origin.Address(tx.Mainnet()).String(); got != e.SenderAddress {
				t.Errorf("sender %s, want %s", got, e.SenderAddress)
			}
			if decimal(tx.Auth.Origin.Nonce) != c.Nonce || decimal(tx.Auth.Origin.Fee) != c.Fee {
				t.Errorf("nonce %d, fee %d, want %s, %s", tx.Auth.Origin.Nonce, tx.Auth.Origin.Fee, c.Nonce, c.Fee)
			}
			if err := tx.VerifyOrigin(); err == nil {
				t.Error("the unsigned transaction verifies")
			}
			initial, err := tx.InitialSighash()
			if got := hex.EncodeToString(initial[:]); err != nil || got != e.InitialSighash {
				t.Errorf("initial hash %s, %v, want %s", got, err, e.InitialSighash)
			}
			presign := presign(initial, AuthStandard, tx.Auth.Origin.Fee, tx.Auth.Origin.Nonce)
			if got := hex.EncodeToString(presign[:]); got != e.PresignHash {
				t.Errorf("presign hash %s, want %s", got, e.PresignHash)
			}
			key := keys[c.Seed+strconv.Itoa(c.AccountIndex)]
			if got := hex.EncodeToString(key.PubKey().SerializeCompressed()); got != e.PublicKey {
				t.Errorf("public key %s, want %s", got, e.PublicKey)
			}
			if err := tx.SignOrigin(signWith(key)); err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(tx.Auth.Origin.Signature[:]); got != e.SignatureVrs {
				t.Errorf("signature %s, want %s", got, e.SignatureVrs)
			}
			signed, err := tx.Hex()
			if err != nil || signed != e.SignedTx || len(signed) != 2*e.ByteLength {
				t.Errorf("signed %s, %v, want %s", signed, err, e.SignedTx)
			}
			id, err := tx.TxID()
			if got := hex.EncodeToString(id[:]); err != nil || got != e.Txid {
				t.Errorf("txid %s, %v, want %s", got, err, e.Txid)
			}
			if err := tx.VerifyOrigin(); err != nil {
				t.Error(err)
			}
			if again, err := DecodeHex("0x" + e.SignedTx); err != nil || !reflect.DeepEqual(again, tx) {
				t.Errorf("read again as %+v, %v, want %+v", again, err, tx)
			}
			if text, err := json.Marshal(tx); err != nil || !bytes.Contains(text, []byte(e.Txid)) {
				t.Errorf("explained as %s, %v", text, err)
			}
		})
	}
	t.Logf("%d transaction vectors", count)
	if count != 27 {
		t.Errorf("%d vectors, want 27", count)
	}
}

func TestEveryPostConditionVectorReadsAndWritesTheSame(t *testing.T) {
	count := 0
	for _, c := range append(load(t, "post-conditions.json"), load(t, "pox-post-conditions.json")...) {
		count++
		fromJSON, err := ParsePostConditionJSON(c.JSON)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if got, err := PostConditionHex(fromJSON); err != nil || got != c.Hex {
			t.Errorf("%s: %s, %v, want %s", c.Name, got, err, c.Hex)
		}
		fromHex, err := DecodePostConditionHex(c.Hex)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		got, err := json.Marshal(fromHex)
		if err != nil {
			t.Fatal(err)
		}
		var x, y any
		if json.Unmarshal(got, &x) != nil || json.Unmarshal(c.JSON, &y) != nil || !reflect.DeepEqual(x, y) {
			t.Errorf("%s: %s, want %s", c.Name, got, c.JSON)
		}
		if fromHex.Words() == "" {
			t.Errorf("%s: no words", c.Name)
		}
	}
	t.Logf("%d post-condition vectors", count)
	if count != 11+24 {
		t.Errorf("%d vectors, want 35", count)
	}
}

func TestEveryKindOfTransactionReadsBackWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tx := transactions().Draw(t, "transaction")
		b, err := tx.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(b)
		if err != nil || !reflect.DeepEqual(again, tx) {
			t.Fatalf("read as %+v, %v, want %+v", again, err, tx)
		}
		if _, err := json.Marshal(tx); err != nil {
			t.Fatal(err)
		}
		cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut")
		if _, err := Decode(b[:cut]); err == nil {
			t.Fatalf("%d of %d bytes are read", cut, len(b))
		}
		if _, err := Decode(append(b, 0)); err == nil {
			t.Fatal("a trailing byte is read")
		}
	})
}

func someTransfer(t testing.TB) *Transaction {
	to, err := clarity.ParsePrincipal("SP000000000000000000002Q6VF78")
	if err != nil {
		t.Fatal(err)
	}
	return &Transaction{
		Version: VersionMainnet, ChainID: ChainIDMainnet, AnchorMode: AnchorAny, PostConditionMode: ModeDeny,
		Auth:    Auth{Type: AuthStandard},
		Payload: TokenTransfer{Recipient: to, Amount: 5},
	}
}

func TestASponsorSignsAfterTheOrigin(t *testing.T) {
	keys := testKeys()
	tx := someTransfer(t)
	tx.Auth.Type = AuthSponsored
	tx.Auth.Origin.Signer = Hash160(keys[0].PubKey().SerializeCompressed())
	tx.Auth.Sponsor = Unsponsored()
	if err := tx.SignSponsor(signWith(keys[1])); err == nil {
		t.Error("the sponsor signs before the origin")
	}
	if err := tx.SignOrigin(signWith(keys[0])); err != nil {
		t.Fatal(err)
	}
	if err := tx.Verify(); err == nil {
		t.Error("it verifies without the sponsor")
	}
	tx.Auth.Sponsor.Signer = Hash160(keys[1].PubKey().SerializeCompressed())
	tx.Auth.Sponsor.Fee, tx.Auth.Sponsor.Nonce = 300, 9
	if err := tx.SignSponsor(signWith(keys[1])); err != nil {
		t.Fatal(err)
	}
	if err := tx.Verify(); err != nil {
		t.Error(err)
	}
	tx.Auth.Sponsor.Fee++
	if err := tx.Verify(); err == nil {
		t.Error("it verifies with another fee")
	}
}

func TestOneFlippedBitIsNoticed(t *testing.T) {
	c := load(t, "stx-transactions.json")[0]
	b := unhexTest(t, c.Expect.SignedTx)
	for i := range b {
		b[i] ^= 1
		if tx, err := Decode(b); err == nil && tx.VerifyOrigin() == nil {
			t.Errorf("byte %d changed, and it verifies", i)
		}
		b[i] ^= 1
	}
}

func TestAHighSIsRefused(t *testing.T) {
	key := testKeys()[0]
	s := signWith(key)([32]byte{1})
	var scalar secp256k1.ModNScalar
	scalar.SetByteSlice(s[33:])
	scalar.Negate()
	high := scalar.Bytes()
	copy(s[33:], high[:])
	s[0] ^= 1
	if _, err := Recover([32]byte{1}, s); err == nil {
		t.Error("a high s is taken")
	}
}

func TestBadTransactionsAreRefusedWithPartAndByte(t *testing.T) {
	good := load(t, "stx-transactions.json")[0].Expect.SignedTx
	change := func(at int, to string) string { return good[:2*at] + to + good[2*at+len(to):] }
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "byte 0: the bytes end inside the version"},
		{"no hexadecimal digits", "zz", "hexadecimal digits in pairs"},
		{"authorization type", change(5, "06"), "byte 5: authorization type 0x06 is unknown"},
		{"hash mode", change(6, "04"), "byte 6: origin hash mode 0x04"},
		{"key encoding", change(43, "02"), "byte 43: origin key encoding 0x02"},
		{"anchor mode", change(109, "00"), "byte 109: anchor mode 0x00"},
		{"post-condition mode", change(110, "04"), "byte 110: post-condition mode 0x04"},
		{"post-conditions that are not there", change(111, "ffffffff"), "number of post-conditions of 4294967295 is claimed"},
		{"payload type", change(115, "09"), "byte 115: payload type 0x09"},
		{"recipient", change(116, "03"), "it must be a principal"},
		{"trailing byte", good + "00", "1 bytes are left over"},
	} {
		if _, err := DecodeHex(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.want)
		}
	}
	tx := someTransfer(t)
	tx.ChainID = ChainIDTestnet
	if err := tx.CheckNetwork(); err == nil {
		t.Error("a mainnet version with the testnet's chain id is taken")
	}
}

// An address has 32 versions, as many as c32 has characters for one.
func TestTheVersionOfAContractsAddressIsChecked(t *testing.T) {
	call := func(version byte) []byte {
		return slices.Concat([]byte{2, version}, make([]byte, 20), []byte("\x04pool\x01f"), make([]byte, 4))
	}
	if p, err := DecodePayload(call(31)); err != nil || p.(ContractCall).Function != "f" {
		t.Errorf("version 31: %v, %v", p, err)
	}
	if _, err := DecodePayload(call(32)); err == nil || !strings.Contains(err.Error(), "version 0x20 is unknown, it must be 0 to 31") {
		t.Errorf("version 32: %v", err)
	}
}

// A post-condition about PoX has no amount: three bytes are enough for one.
func TestManyShortPostConditionsAreRead(t *testing.T) {
	tx := someTransfer(t)
	for range 40 {
		tx.PostConditions = append(tx.PostConditions, PostCondition{Asset: AssetPoX, Condition: PoXWillNotPerform})
	}
	encoded, err := tx.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Decode(encoded); err != nil || len(again.PostConditions) != len(tx.PostConditions) {
		t.Errorf("read as %+v, %v", again, err)
	}
}

func TestBadPostConditionsAreRefusedWithPath(t *testing.T) {
	for text, want := range map[string]string{
		`1`:            "must be an object",
		`{"type":"x"}`: `type: "x" is unknown`,
		`{"type":"pox-postcondition","address":"origin","condition":"eq"}`:                                                                          "must be one of will-not-perform, may-perform, will-perform",
		`{"type":"staking-postcondition","address":"origin","condition":"sent","amount":1}`:                                                         "must be one of eq, gt, gte, lt, lte",
		`{"type":"staking-postcondition","address":"origin","condition":"eq"}`:                                                                      "amount: ",
		`{"type":"stx-postcondition","address":"SP1"}`:                                                                                              "address: ",
		`{"type":"stx-postcondition","address":1}`:                                                                                                  "address: it must be a string",
		`{"type":"stx-postcondition","address":"origin","condition":"sent"}`:                                                                        "condition: ",
		`{"type":"stx-postcondition","address":"origin","condition":"eq","amount":"-1"}`:                                                            "amount: ",
		`{"type":"stx-postcondition","address":"origin","condition":"eq","amount":1.5}`:                                                             "amount: ",
		`{"type":"stx-postcondition","address":"origin","condition":"eq"}`:                                                                          "amount: ",
		`{"type":"ft-postcondition","address":"origin","condition":"eq","amount":1,"asset":"x"}`:                                                    "asset: ",
		`{"type":"nft-postcondition","address":"origin","condition":"sent","asset":"SP000000000000000000002Q6VF78.a::b"}`:                           "assetId: it is missing",
		`{"type":"nft-postcondition","address":"origin","condition":"sent","asset":"SP000000000000000000002Q6VF78.a::b","assetId":{"type":"uint"}}`: "assetId.value: ",
	} {
		if p, err := ParsePostConditionJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %q in it", text, p, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range load(f, "stx-transactions.json") {
		f.Add(unhexTest(f, c.Expect.SignedTx))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		tx, err := Decode(b)
		if err != nil {
			return
		}
		if again, err := tx.Encode(); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x is written as %x, %v", b, again, err)
		}
		if _, err := json.Marshal(tx); err != nil {
			t.Fatal(err)
		}
		_ = tx.Verify()
	})
}

func FuzzPostCondition(f *testing.F) {
	for _, c := range append(load(f, "post-conditions.json"), load(f, "pox-post-conditions.json")...) {
		f.Add([]byte(c.JSON))
		f.Add(unhexTest(f, c.Hex))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := DecodePostCondition(b); err == nil {
			if again, err := encodePostCondition(p); err != nil || !bytes.Equal(again, b) {
				t.Fatalf("%x is written as %x, %v", b, again, err)
			}
		}
		if p, err := ParsePostConditionJSON(b); err == nil {
			if _, err := encodePostCondition(p); err != nil {
				t.Fatalf("%s: %v", b, err)
			}
		}
	})
}

func TestAPayloadAloneReadsAsItDoesInItsTransaction(t *testing.T) {
	var memo [MemoBytes]byte
	payloads := []Payload{
		TokenTransfer{clarity.Principal{}, 5, memo},
		SmartContract{Name: "c", Code: "(ok 1)", ClarityVersion: 3},
		ContractCall{clarity.Principal{Contract: "c"}, "f", []clarity.Value{clarity.NewUInt(1)}},
	}
	for _, p := range payloads {
		tx := Transaction{
			Auth:       Auth{Type: AuthStandard, Origin: SpendingCondition{}},
			AnchorMode: AnchorAny, PostConditionMode: ModeDeny, Payload: p,
		}
		raw, err := tx.Encode()
		if err != nil {
			t.Fatal(err)
		}
		const before = 115 // of one signer, without post-conditions
		got, err := DecodePayload(raw[before:])
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%s: %+v, %v; want %+v", p.Type(), got, err, p)
		}
		if _, err := DecodePayload(raw[before : len(raw)-1]); err == nil {
			t.Errorf("%s: a byte too few is taken", p.Type())
		}
		if _, err := DecodePayload(append(raw[before:len(raw):len(raw)], 0)); err == nil {
			t.Errorf("%s: a byte too many is taken", p.Type())
		}
	}
}
