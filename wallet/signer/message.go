package signer

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/big"

	"chainscope/wallet/clarity"
	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

func messageMethods() []Method {
	signing := []Param{
		networkParam, optional("address", "string", "an address of the wallet that has to sign"),
		optional("publicKey", "string", "a public key of the wallet that has to sign"),
	}
	return []Method{
		{
			Name: "stx_signMessage", Also: append([]string{"messageType", "domain"}, signerNames...), parse: parseMessage,
			Params: append([]Param{required("message", "string", "the text to sign")}, signing...),
		},
		{
			Name: "stx_signStructuredMessage", Also: signerNames, parse: parseStructured,
			Params: append([]Param{
				required("message", "Clarity value", "the value to sign"),
				required("domain", "Clarity tuple", "name (ASCII), version (ASCII) and chain-id (uint), as in SIP-018"),
			}, signing...),
		},
	}
}

// messagePrefix begins every signed message.
const messagePrefix = "\x17Stacks Signed Message:\n"

// MessageHash is what stx_signMessage signs: the SHA-256 of a prefix, the
// length of the message as a Bitcoin varint, and the message.
func MessageHash(message string) [32]byte {
	b := make([]byte, 0, len(messagePrefix)+9+len(message))
	b = append(b, messagePrefix...)
	switch n := uint64(len(message)); {
	case n < 0xfd:
		b = append(b, byte(n))
	case n <= 0xffff:
		b = binary.LittleEndian.AppendUint16(append(b, 0xfd), uint16(n))
	case n <= 0xffffffff:
		b = binary.LittleEndian.AppendUint32(append(b, 0xfe), uint32(n))
	default:
		b = binary.LittleEndian.AppendUint64(append(b, 0xff), n)
	}
	return sha256.Sum256(append(b, message...))
}

// StructuredHash is what stx_signStructuredMessage signs (SIP-018): the SHA-256
// of "SIP018" and the SHA-256 of the consensus bytes of domain and message.
func StructuredHash(domain, message clarity.Value) ([32]byte, error) {
	b := []byte("SIP018")
	for _, v := range []clarity.Value{domain, message} {
		encoded, err := clarity.Encode(v)
		if err != nil {
			return [32]byte{}, err
		}
		hash := sha256.Sum256(encoded)
		b = append(b, hash[:]...)
	}
	return sha256.Sum256(b), nil
}

// messageCall signs one hash and answers signature and public key.
type messageCall struct {
	description Description
	signer      identity
	hash        [32]byte
}

func (c *messageCall) Method() string                        { return c.description.Method }
func (c *messageCall) Prepare(context.Context) (Call, error) { return c, nil }
func (c *messageCall) Edit(Edit) (Call, error)               { return nil, errNothingToEdit() }
func (c *messageCall) Describe() Description                 { return c.description }

func errNothingToEdit() error {
	return jsonrpc.InvalidParam("fee", "this method has no fee and no nonce to change")
}

func (c *messageCall) Sign(ctx context.Context) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rsv := c.signer.key.Sign(c.hash).RSV()
	return result(struct {
		Signature string `json:"signature"`
		PublicKey string `json:"publicKey"`
	}{hex.EncodeToString(rsv[:]), c.signer.PublicKey})
}

// result writes the result of a method.
func result(v any) (json.RawMessage, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the result cannot be written: %v", err)
	}
	return text, nil
}

// begin reads what every method that signs needs.
func begin(method string, o object, env Env) (identity, Description, error) {
	n, notes, err := o.network(env)
	if err != nil {
		return identity{}, Description{}, err
	}
	id, err := o.signer(env, n)
	if err != nil {
		return identity{}, Description{}, err
	}
	return id, Description{Method: method, Account: id.Account, Network: n, Warnings: notes}, nil
}

// parseMessage reads a text, or with the messageType structured a value and a
// domain, as Leather has it.
func parseMessage(o object, env Env) (Call, error) {
	kind, err := o.optionalText("messageType")
	if err != nil {
		return nil, err
	}
	switch {
	case kind == "structured":
		return structuredCall("stx_signMessage", o, env)
	case o.has("messageType") && kind != "utf8":
		return nil, jsonrpc.InvalidParam("messageType", "%.40q is unknown, must be utf8 or structured", kind)
	case o.has("domain"):
		return nil, jsonrpc.InvalidParam("domain", "goes with the messageType structured only")
	}
	text, err := o.text("message")
	if err != nil {
		return nil, err
	}
	id, d, err := begin("stx_signMessage", o, env)
	if err != nil {
		return nil, err
	}
	hash := MessageHash(text)
	d.Message = &Message{text, hex.EncodeToString([]byte(text)), hex.EncodeToString(hash[:])}
	w := warnings(d.Warnings)
	w.hidden("message", hidden.FindText(text))
	w.account(id.Account)
	d.Warnings = w
	return &messageCall{d, id, hash}, nil
}

func parseStructured(o object, env Env) (Call, error) {
	return structuredCall("stx_signStructuredMessage", o, env)
}

func structuredCall(method string, o object, env Env) (Call, error) {
	message, err := o.value("message")
	if err != nil {
		return nil, err
	}
	domain, err := o.value("domain")
	if err != nil {
		return nil, err
	}
	id, d, err := begin(method, o, env)
	if err != nil {
		return nil, err
	}
	w := warnings(d.Warnings)
	s := &Structured{Message: stxtx.ExplainValue{Value: message}, Domain: stxtx.ExplainValue{Value: domain}}
	if err := s.readDomain(domain, &w); err != nil {
		return nil, err
	}
	if s.ChainID.Cmp(new(big.Int).SetUint64(uint64(d.Network.ChainID))) != 0 {
		w.add(WarnChainID, "domain.chain-id", "the domain is of chain id %s, the network's is %d", s.ChainID, d.Network.ChainID)
	}
	hash, err := StructuredHash(domain, message)
	if err != nil {
		return nil, jsonrpc.InvalidParam("message", "%v", err)
	}
	s.Hash = hex.EncodeToString(hash[:])
	w.value("message", message)
	w.value("domain", domain)
	w.account(id.Account)
	d.Structured, d.Warnings = s, w
	return &messageCall{d, id, hash}, nil
}

// readDomain takes what SIP-018 demands of a domain out of it. The key domain
// instead of name is taken, with a warning.
func (s *Structured) readDomain(domain clarity.Value, w *warnings) error {
	tuple, ok := domain.(clarity.Tuple)
	if !ok {
		return jsonrpc.InvalidParam("domain", "must be a tuple with name, version and chain-id, here %s", clarity.TypeOf(domain))
	}
	key := "name"
	if _, there := tuple.Get("name"); !there {
		if _, there := tuple.Get("domain"); there {
			key = "domain"
			w.add(WarnDomain, "domain", "the domain has the key domain where SIP-018 demands name: other libraries refuse it")
		}
	}
	ascii := func(key string) (string, error) {
		v, there := tuple.Get(key)
		text, ok := v.(clarity.ASCII)
		if !ok {
			return "", jsonrpc.InvalidParam("domain."+key, "%s, must be a string-ascii", presence(v, there))
		}
		return string(text), nil
	}
	var err error
	if s.Name, err = ascii(key); err != nil {
		return err
	}
	if s.Version, err = ascii("version"); err != nil {
		return err
	}
	v, there := tuple.Get("chain-id")
	id, ok := v.(clarity.UInt)
	if !ok {
		return jsonrpc.InvalidParam("domain.chain-id", "%s, must be a uint", presence(v, there))
	}
	s.ChainID = id.N
	return nil
}

func presence(v clarity.Value, there bool) string {
	if !there {
		return "is missing"
	}
	return "is of type " + clarity.TypeOf(v)
}
