package bitcoin

import (
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/txscript/v2"
)

// Sighash says which parts of a transaction a signature covers (BIP143,
// BIP341).
type Sighash uint32

// The kinds of signature hashes.
const (
	SighashDefault            Sighash = 0 // Schnorr: everything, without a byte to say so
	SighashAll                Sighash = 1
	SighashNone               Sighash = 2
	SighashSingle             Sighash = 3
	SighashAllAnyoneCanPay    Sighash = 0x81
	SighashNoneAnyoneCanPay   Sighash = 0x82
	SighashSingleAnyoneCanPay Sighash = 0x83
)

var sighashNames = map[Sighash]string{
	SighashDefault:            "DEFAULT",
	SighashAll:                "ALL",
	SighashNone:               "NONE",
	SighashSingle:             "SINGLE",
	SighashAllAnyoneCanPay:    "ALL_ANYONECANPAY",
	SighashNoneAnyoneCanPay:   "NONE_ANYONECANPAY",
	SighashSingleAnyoneCanPay: "SINGLE_ANYONECANPAY",
}

// String returns the name as wallets spell it, SINGLE_ANYONECANPAY.
func (s Sighash) String() string {
	if name, known := sighashNames[s]; known {
		return name
	}
	return fmt.Sprintf("0x%02x", uint32(s))
}

// Known reports whether consensus rules define the kind.
func (s Sighash) Known() bool { _, known := sighashNames[s]; return known }

// everything reports whether the signature covers the whole transaction, as
// signatures do unless something else is requested.
func (s Sighash) everything() bool { return s == SighashAll || s == SighashDefault }

// ParseSighash reads a name; | may stand for _, and case does not matter.
func ParseSighash(name string) (Sighash, error) {
	name = strings.TrimPrefix(strings.ReplaceAll(strings.ToUpper(name), "|", "_"), "SIGHASH_")
	for s, known := range sighashNames {
		if known == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("must be one of ALL, NONE, SINGLE, ALL_ANYONECANPAY, NONE_ANYONECANPAY, SINGLE_ANYONECANPAY, DEFAULT")
}

func (s Sighash) single() bool { return s&0x1f == SighashSingle }

func (s Sighash) hashType() txscript.SigHashType { return txscript.SigHashType(s) }
