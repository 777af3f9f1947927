package clarity

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"chainscope/wallet/c32"
)

// Type bytes of SIP-005.
const (
	idInt = iota
	idUInt
	idBuffer
	idTrue
	idFalse
	idAddress
	idContract
	idOK
	idErr
	idNone
	idSome
	idList
	idTuple
	idASCII
	idUTF8
)

var errDepth = fmt.Errorf("the value nests deeper than %d levels", MaxDepth)

// Encode writes the consensus bytes of v (SIP-005). It refuses values out of
// range, and those deeper or longer than a node takes.
func Encode(v Value) ([]byte, error) {
	return Append(nil, v)
}

// EncodeHex is [Encode] in lower-case hexadecimal digits, without 0x.
func EncodeHex(v Value) (string, error) {
	b, err := Encode(v)
	return hex.EncodeToString(b), err
}

// Append appends the consensus bytes of v to dst.
func Append(dst []byte, v Value) ([]byte, error) {
	e := encoder{out: dst, start: len(dst)}
	if err := e.value(v, 1); err != nil {
		return nil, fmt.Errorf("clarity: %w", err)
	}
	return e.out, nil
}

type encoder struct {
	out   []byte
	start int
}

func (e *encoder) value(v Value, depth int) error {
	if depth > MaxDepth {
		return errDepth
	}
	var err error
	switch v := v.(type) {
	case Int:
		if err = v.check(); err == nil {
			e.integer(idInt, v.N)
		}
	case UInt:
		if err = v.check(); err == nil {
			e.integer(idUInt, v.N)
		}
	case Bool:
		id := byte(idFalse)
		if v {
			id = idTrue
		}
		e.out = append(e.out, id)
	case Buffer:
		e.sequence(idBuffer, string(v))
	case ASCII:
		if err = v.check(); err == nil {
			e.sequence(idASCII, string(v))
		}
	case UTF8:
		if err = v.check(); err == nil {
			e.sequence(idUTF8, string(v))
		}
	case Principal:
		if err = v.check(); err == nil {
			e.principal(v)
		}
	case None:
		e.out = append(e.out, idNone)
	case Some:
		e.out = append(e.out, idSome)
		err = e.value(v.Value, depth+1)
	case OK:
		e.out = append(e.out, idOK)
		err = e.value(v.Value, depth+1)
	case Err:
		e.out = append(e.out, idErr)
		err = e.value(v.Value, depth+1)
	case List:
		err = e.list(v, depth)
	case Tuple:
		err = e.tuple(v, depth)
	default:
		err = fmt.Errorf("a %T is not a Clarity value", v)
	}
	if err == nil && len(e.out)-e.start > MaxBytes {
		err = fmt.Errorf("the value has more than %d bytes", MaxBytes)
	}
	return err
}

func (e *encoder) list(v List, depth int) error {
	e.out = binary.BigEndian.AppendUint32(append(e.out, idList), uint32(len(v)))
	for _, item := range v {
		if err := e.value(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) tuple(v Tuple, depth int) error {
	fields, err := v.wire()
	if err != nil {
		return err
	}
	e.out = binary.BigEndian.AppendUint32(append(e.out, idTuple), uint32(len(fields)))
	for _, field := range fields {
		e.out = append(append(e.out, byte(len(field.Name))), field.Name...)
		if err := e.value(field.Value, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) integer(id byte, n *big.Int) {
	if n.Sign() < 0 {
		n = new(big.Int).Add(n, two128)
	}
	var bytes [16]byte
	e.out = append(append(e.out, id), n.FillBytes(bytes[:])...)
}

func (e *encoder) sequence(id byte, data string) {
	e.out = binary.BigEndian.AppendUint32(append(e.out, id), uint32(len(data)))
	e.out = append(e.out, data...)
}

func (e *encoder) principal(v Principal) {
	id := byte(idAddress)
	if v.Contract != "" {
		id = idContract
	}
	e.out = append(append(e.out, id, v.Address.Version), v.Address.Hash160[:]...)
	if v.Contract != "" {
		e.out = append(append(e.out, byte(len(v.Contract))), v.Contract...)
	}
}

// Decode reads the consensus bytes of one value, and nothing after it.
func Decode(b []byte) (Value, error) {
	v, n, err := DecodePrefix(b)
	if err == nil && n < len(b) {
		return nil, fmt.Errorf("clarity: %d bytes are left over after the value, at byte %d", len(b)-n, n)
	}
	return v, err
}

// DecodeHex is [Decode] of hexadecimal digits, with or without 0x.
func DecodeHex(text string) (Value, error) {
	if len(text) > 2*MaxBytes+2 {
		return nil, fmt.Errorf("clarity: the value has more than %d bytes", MaxBytes)
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "0x"), "0X")
	b, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("clarity: %w", hexError(text))
	}
	return Decode(b)
}

// hexError returns what keeps a text from being hexadecimal digits in pairs.
func hexError(text string) error {
	for i, r := range text {
		if r >= 0x80 || !digit(byte(r)) && (byte(r)|0x20 < 'a' || byte(r)|0x20 > 'f') {
			return fmt.Errorf("character %q at %d is no hexadecimal digit", r, i)
		}
	}
	return fmt.Errorf("%d hexadecimal digits, they must come in pairs", len(text))
}

// DecodePrefix reads one value at the start of b and returns how many bytes it
// took.
func DecodePrefix(b []byte) (Value, int, error) {
	all := len(b)
	if len(b) > MaxBytes {
		b = b[:MaxBytes]
	}
	d := decoder{in: b}
	v, err := d.value(1)
	if err != nil {
		if all > MaxBytes && errors.Is(err, errTruncated) {
			return nil, 0, fmt.Errorf("clarity: the value has more than %d bytes", MaxBytes)
		}
		return nil, 0, fmt.Errorf("clarity: byte %d: %w", d.at, err)
	}
	return v, d.at, nil
}

type decoder struct {
	in []byte
	at int
}

var errTruncated = errors.New("the bytes end inside the value")

func (d *decoder) next(n int) ([]byte, error) {
	if n > len(d.in)-d.at {
		return nil, fmt.Errorf("%w: %d bytes are needed, %d are left", errTruncated, n, len(d.in)-d.at)
	}
	d.at += n
	return d.in[d.at-n : d.at : d.at], nil
}

func (d *decoder) byte() (byte, error) {
	b, err := d.next(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// length reads a count and refuses it when fewer than size bytes for each are
// left, so that no claim allocates more than the input holds.
func (d *decoder) length(size int) (int, error) {
	b, err := d.next(4)
	if err != nil {
		return 0, err
	}
	n := int64(binary.BigEndian.Uint32(b))
	if n*int64(size) > int64(len(d.in)-d.at) {
		return 0, fmt.Errorf("%w: a length of %d is claimed, %d bytes are left", errTruncated, n, len(d.in)-d.at)
	}
	return int(n), nil
}

func (d *decoder) value(depth int) (Value, error) {
	if depth > MaxDepth {
		return nil, errDepth
	}
	id, err := d.byte()
	if err != nil {
		return nil, err
	}
	switch id {
	case idInt, idUInt:
		return d.integer(id)
	case idTrue, idFalse:
		return Bool(id == idTrue), nil
	case idNone:
		return None{}, nil
	case idBuffer, idASCII, idUTF8:
		return d.sequence(id)
	case idAddress, idContract:
		return d.principal(id == idContract)
	case idOK, idErr, idSome:
		inner, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		switch id {
		case idOK:
			return OK{inner}, nil
		case idErr:
			return Err{inner}, nil
		}
		return Some{inner}, nil
	case idList:
		n, err := d.length(1)
		if err != nil {
			return nil, err
		}
		list := make(List, 0, min(n, 1024))
		for range n {
			item, err := d.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		return list, nil
	case idTuple:
		return d.tuple(depth)
	}
	d.at--
	return nil, fmt.Errorf("type 0x%02x is unknown, it must be 0x00 to 0x0e", id)
}

func (d *decoder) integer(id byte) (Value, error) {
	b, err := d.next(16)
	if err != nil {
		return nil, err
	}
	n := new(big.Int).SetBytes(b)
	if id == idUInt {
		return UInt{n}, nil
	}
	if b[0] >= 0x80 {
		n.Sub(n, two128)
	}
	return Int{n}, nil
}

func (d *decoder) sequence(id byte) (Value, error) {
	n, err := d.length(1)
	if err != nil {
		return nil, err
	}
	b, err := d.next(n)
	if err != nil {
		return nil, err
	}
	switch id {
	case idASCII:
		v := ASCII(b)
		return v, v.check()
	case idUTF8:
		v := UTF8(b)
		return v, v.check()
	}
	return Buffer(append([]byte{}, b...)), nil
}

func (d *decoder) principal(isContract bool) (Value, error) {
	b, err := d.next(21)
	if err != nil {
		return nil, err
	}
	p := Principal{Address: c32.Address{Version: b[0], Hash160: [20]byte(b[1:])}}
	if isContract {
		if p.Contract, err = d.name(); err != nil {
			return nil, err
		}
		if err := CheckContractName(p.Contract); err != nil {
			return nil, err
		}
	}
	return p, p.check()
}

func (d *decoder) name() (string, error) {
	n, err := d.byte()
	if err != nil {
		return "", err
	}
	b, err := d.next(int(n))
	return string(b), err
}

func (d *decoder) tuple(depth int) (Value, error) {
	n, err := d.length(3) // a length byte, one letter, one value
	if err != nil {
		return nil, err
	}
	tuple := Tuple{Fields: make([]Field, 0, min(n, 64)), Ordered: true}
	keys := make(tupleKeys, min(n, 64))
	for range n {
		name, err := d.name()
		if err != nil {
			return nil, err
		}
		if err := keys.add(name); err != nil {
			return nil, err
		}
		value, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		tuple.Fields = append(tuple.Fields, Field{name, value})
	}
	return tuple, nil
}
