package signer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/big"

	"chainscope/wallet/clarity"
	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

// messagePrefix begins every signed message.
const messagePrefix = "\x17Stacks Signed Message:\n"

// MessageHash returns what stx_signMessage signs: the SHA-256 of a prefix, the
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

// StructuredHash returns what stx_signStructuredMessage signs (SIP-018): the SHA-256
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

// describe begins the description of what an account is asked for.
func (r *request) describe(a Account, n Network, notes Warnings) Description {
	return Description{Method: r.Name, Account: a, Network: n, Warnings: notes, Ignored: r.ignored, Silent: r.silent}
}

// signing makes a call that signs one hash and answers signature and public key.
func (id identity) signing(d Description, hash [32]byte) Call {
	return fixed{d, func() (any, error) {
		rsv := id.key.Sign(hash).RSV()
		return struct {
			Signature string `json:"signature"`
			PublicKey string `json:"publicKey"`
		}{hex.EncodeToString(rsv[:]), id.PublicKey}, nil
	}}
}

// begin reads what every method that signs needs.
func (r *request) begin() (identity, Description, error) {
	n, notes, err := r.network()
	if err != nil {
		return identity{}, Description{}, err
	}
	id, err := r.signer(n)
	if err != nil {
		return identity{}, Description{}, err
	}
	return id, r.describe(id.Account, n, notes), nil
}

// parseMessage reads a text, or with the messageType structured a value and a
// domain, as Leather has it.
func parseMessage(r *request) (Call, error) {
	structured := get[string](r, "messageType") == "structured"
	switch {
	case structured && !r.has("domain"):
		return nil, jsonrpc.InvalidParam("domain", "is missing, %s", valueRule)
	case structured:
		return parseStructured(r)
	case r.has("domain"):
		return nil, jsonrpc.InvalidParam("domain", "goes with the messageType structured only")
	}
	text := get[string](r, "message")
	id, d, err := r.begin()
	if err != nil {
		return nil, err
	}
	hash := MessageHash(text)
	d.Message = &Message{text, hex.EncodeToString([]byte(text)), hex.EncodeToString(hash[:])}
	d.Warnings.hidden("message", hidden.FindText(text))
	d.Warnings.account(id.Account)
	return id.signing(d, hash), nil
}

func parseStructured(r *request) (Call, error) {
	message, domain := get[clarity.Value](r, "message"), get[clarity.Value](r, "domain")
	id, d, err := r.begin()
	if err != nil {
		return nil, err
	}
	s := &Structured{Message: stxtx.ExplainValue{Value: message}, Domain: stxtx.ExplainValue{Value: domain}}
	if err := s.readDomain(domain, &d.Warnings); err != nil {
		return nil, err
	}
	if s.ChainID.Cmp(new(big.Int).SetUint64(uint64(d.Network.ChainID))) != 0 {
		d.Warnings.add(WarnChainID, "domain.chain-id", "the domain is of chain id %s, the network's is %d", s.ChainID, d.Network.ChainID)
	}
	hash, err := StructuredHash(domain, message)
	if err != nil {
		return nil, jsonrpc.InvalidParam("message", "%v", err)
	}
	s.Hash = hex.EncodeToString(hash[:])
	d.Warnings.value("message", message)
	d.Warnings.value("domain", domain)
	d.Warnings.account(id.Account)
	d.Structured = s
	return id.signing(d, hash), nil
}

// readDomain takes what SIP-018 demands of a domain out of it. The key domain
// instead of name is taken, with a warning.
func (s *Structured) readDomain(domain clarity.Value, w *Warnings) error {
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
