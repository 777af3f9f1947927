package stxtx

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
)

// Decode reads one transaction, and nothing after it. The error names the part
// and the byte.
func Decode(b []byte) (*Transaction, error) {
	return whole(b, "transaction", (*reader).transaction)
}

// whole reads what all of b is.
func whole[T any](b []byte, what string, read func(*reader) T) (none T, err error) {
	if len(b) > MaxBytes {
		return none, fmt.Errorf("%s: %d bytes, at most %d are read", what, len(b), MaxBytes)
	}
	r := reader{in: b}
	v := read(&r)
	r.end()
	if r.err != nil {
		return none, fmt.Errorf("%s: %w", what, r.err)
	}
	return v, nil
}

// DecodeHex is [Decode] of hexadecimal digits, with or without 0x.
func DecodeHex(text string) (*Transaction, error) {
	b, err := unhex("transaction", text)
	if err != nil {
		return nil, err
	}
	return Decode(b)
}

// DecodePayload reads one payload, and nothing after it.
func DecodePayload(b []byte) (Payload, error) {
	return whole(b, "payload", (*reader).payload)
}

func unhex(what, text string) ([]byte, error) {
	if len(text) > 2*MaxBytes+2 {
		return nil, fmt.Errorf("%s: more than %d bytes", what, MaxBytes)
	}
	b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		return nil, fmt.Errorf("%s: it must be hexadecimal digits in pairs: %w", what, err)
	}
	return b, nil
}

// reader consumes bytes and keeps the first error; after one, every read gives
// zeros.
type reader struct {
	in  []byte
	at  int
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("byte %d: "+format, append([]any{r.at}, args...)...)
	}
}

func (r *reader) end() {
	if r.err == nil && r.at < len(r.in) {
		r.fail("%d bytes are left over", len(r.in)-r.at)
	}
}

func (r *reader) bytes(n int, what string) []byte {
	if r.err != nil {
		return make([]byte, min(n, 128))
	}
	if left := len(r.in) - r.at; n > left {
		r.fail("the bytes end inside the %s: %d are needed, %d are left", what, n, left)
		return make([]byte, min(n, 128))
	}
	r.at += n
	return r.in[r.at-n : r.at : r.at]
}

func (r *reader) byte(what string) byte       { return r.bytes(1, what)[0] }
func (r *reader) u16(what string) uint16      { return binary.BigEndian.Uint16(r.bytes(2, what)) }
func (r *reader) u32(what string) uint32      { return binary.BigEndian.Uint32(r.bytes(4, what)) }
func (r *reader) u64(what string) uint64      { return binary.BigEndian.Uint64(r.bytes(8, what)) }
func (r *reader) hash20(what string) [20]byte { return [20]byte(r.bytes(20, what)) }
func (r *reader) hash32(what string) [32]byte { return [32]byte(r.bytes(32, what)) }

// code reads a byte that has to be one of a set.
func (r *reader) code(what string, ok func(byte) bool, want string) byte {
	at := r.at
	b := r.byte(what)
	if r.err == nil && !ok(b) {
		r.at = at
		r.fail("%s 0x%02x is unknown, it must be %s", what, b, want)
	}
	return b
}

// count reads a number of things that take at least size bytes each.
func (r *reader) count(what string, size int) int {
	n := int64(r.u32(what))
	if left := int64(len(r.in) - r.at); r.err == nil && n*int64(size) > left {
		r.fail("%s of %d is claimed, %d bytes are left", what, n, left)
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

func (r *reader) name(what string, check func(string) error) string {
	text := string(r.bytes(int(r.byte(what)), what))
	if r.err == nil {
		if err := check(text); err != nil {
			r.fail("%s: %w", what, err)
		}
	}
	return text
}

func (r *reader) value(what string) clarity.Value {
	if r.err != nil {
		return nil
	}
	v, n, err := clarity.DecodePrefix(r.in[r.at:])
	if err != nil {
		r.fail("%s: %w", what, err)
		return nil
	}
	r.at += n
	return v
}

func (r *reader) principal(what string) clarity.Principal {
	v := r.value(what)
	p, ok := v.(clarity.Principal)
	if !ok && r.err == nil {
		r.fail("%s: a %s, it must be a principal", what, clarity.TypeOf(v))
	}
	return p
}

func (r *reader) address(what string) c32.Address {
	version := r.code(what+" version", func(b byte) bool { return b < 32 }, "0 to 31")
	return c32.Address{Version: version, Hash160: r.hash20(what)}
}

func (r *reader) contract(what string) clarity.Principal {
	return clarity.Principal{Address: r.address(what), Contract: r.name(what, clarity.CheckContractName)}
}

func between(low, high byte) func(byte) bool {
	return func(b byte) bool { return b >= low && b <= high }
}

func (r *reader) transaction() *Transaction {
	t := &Transaction{Version: r.byte("version"), ChainID: r.u32("chain id")}
	t.Auth.Type = AuthType(r.code("authorization type", between(4, 5), "4 (standard) or 5 (sponsored)"))
	t.Auth.Origin = r.condition("origin")
	if t.Auth.Type == AuthSponsored {
		sponsor := r.condition("sponsor")
		t.Auth.Sponsor = &sponsor
	}
	t.AnchorMode = AnchorMode(r.code("anchor mode", between(1, 3), "1 to 3"))
	t.PostConditionMode = PostConditionMode(r.code("post-condition mode", between(1, 3), "1 (allow), 2 (deny) or 3 (originator)"))
	// The shortest is about PoX and has no amount: type, kind of principal, condition.
	for i := range r.count("number of post-conditions", 3) {
		p := r.postCondition()
		if r.err != nil {
			r.err = fmt.Errorf("post-condition %d: %w", i, r.err)
			return t
		}
		t.PostConditions = append(t.PostConditions, p)
	}
	t.Payload = r.payload()
	return t
}

func (r *reader) condition(who string) SpendingCondition {
	mode := r.code(who+" hash mode", func(b byte) bool { return HashMode(b).known() }, "0x00, 0x01, 0x02, 0x03, 0x05 or 0x07")
	c := SpendingCondition{HashMode: HashMode(mode), Signer: r.hash20(who + " signer"), Nonce: r.u64(who + " nonce"), Fee: r.u64(who + " fee")}
	if !c.HashMode.Multisig() {
		most, want := byte(1), "0 (compressed) or 1 (uncompressed)"
		if c.HashMode == HashP2WPKH {
			most, want = 0, "0 (compressed) in this hash mode"
		}
		c.KeyEncoding = KeyEncoding(r.code(who+" key encoding", between(0, most), want))
		c.Signature = Signature(r.bytes(65, who+" signature"))
		return c
	}
	for range r.count(who+" number of fields", 34) {
		f := AuthField{Type: AuthFieldType(r.code(who+" field type", between(0, 3), "0 to 3"))}
		if f.isSignature() {
			f.Signature = Signature(r.bytes(65, who+" signature"))
		} else {
			f.Key = [33]byte(r.bytes(33, who+" public key"))
		}
		if r.err != nil {
			break
		}
		c.Fields = append(c.Fields, f)
	}
	c.Required = r.u16(who + " number of signatures")
	return c
}

func (r *reader) payload() Payload {
	switch kind := PayloadType(r.code("payload type", between(0, 8), "0 to 8")); kind {
	case TypeTokenTransfer:
		return TokenTransfer{r.principal("recipient"), r.u64("amount"), [MemoBytes]byte(r.bytes(MemoBytes, "memo"))}
	case TypeContractCall:
		return r.contractCall()
	case TypeSmartContract, TypeVersionedContract:
		p := SmartContract{}
		if kind == TypeVersionedContract {
			p.ClarityVersion = r.code("Clarity version", between(1, 0xff), "1 or more")
		}
		p.Name = r.name("contract name", clarity.CheckContractName)
		code := r.bytes(r.count("length of the source", 1), "source")
		if p.Code = string(code); r.err == nil && !utf8.ValidString(p.Code) {
			r.fail("the source is not UTF-8")
		}
		return p
	case TypePoisonMicroblock:
		return PoisonMicroblock{r.microblock(), r.microblock()}
	case TypeTenureChange:
		return TenureChange{
			r.hash20("tenure consensus hash"), r.hash20("previous tenure's consensus hash"), r.hash20("burn view consensus hash"),
			r.hash32("end of the previous tenure"), r.u32("blocks of the previous tenure"),
			TenureCause(r.code("tenure change cause", between(0, 6), "0 to 6")), r.hash20("public key hash"),
		}
	default:
		return r.coinbase(kind)
	}
}

func (r *reader) contractCall() Payload {
	p := ContractCall{Contract: r.contract("contract"), Function: r.name("function name", clarity.CheckName)}
	for i := range r.count("number of arguments", 1) {
		v := r.value(fmt.Sprintf("argument %d", i))
		if r.err != nil {
			break
		}
		p.Args = append(p.Args, v)
	}
	return p
}

func (r *reader) microblock() MicroblockHeader {
	return MicroblockHeader{r.byte("microblock header"), r.u16("microblock sequence"), r.hash32("microblock parent"), r.hash32("microblock transaction root"), Signature(r.bytes(65, "microblock signature"))}
}

func (r *reader) coinbase(kind PayloadType) Payload {
	p := Coinbase{Data: r.hash32("coinbase data")}
	switch kind {
	case TypeCoinbaseRecipient:
		recipient := r.principal("recipient")
		p.Recipient = &recipient
	case TypeNakamotoCoinbase:
		switch v := r.value("recipient").(type) {
		case clarity.None:
		case clarity.Some:
			recipient, ok := v.Value.(clarity.Principal)
			if !ok {
				r.fail("recipient: it must be none or (some principal)")
			}
			p.Recipient = &recipient
		default:
			r.fail("recipient: it must be none or (some principal)")
		}
		proof := [80]byte(r.bytes(80, "VRF proof"))
		p.VRFProof = &proof
	}
	return p
}
