// Package c32 writes and reads c32 and c32check text, the encoding of Stacks
// addresses (SIP-005): base 32 without the letters I, L, O and U, a version
// character, and four bytes of a double SHA-256 as checksum.
//
// It is pure: no keys, no I/O, nothing but the standard library.
package c32

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
)

// alphabet holds the 32 characters in the order of their values.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// maxInput bounds the length of the text that is decoded, in bytes.
const maxInput = 1 << 16

const (
	invalid      = 0xff
	checksumSize = 4
)

// values maps a character to its value; it takes lower case, and O as 0, L and
// I as 1, as the reference library does.
var values = func() (table [256]byte) {
	for i := range table {
		table[i] = invalid
	}
	for i := range len(alphabet) {
		c := alphabet[i]
		table[c] = byte(i)
		if c >= 'A' {
			table[c|0x20] = byte(i)
		}
	}
	for _, same := range []string{"O0", "o0", "L1", "l1", "I1", "i1"} {
		table[same[0]] = table[same[1]]
	}
	return table
}()

// encode writes data as one big-endian number in base 32, preceded by one "0"
// for each leading zero byte. Empty data gives "".
func encode(data []byte) string {
	zeros := 0
	for zeros < len(data) && data[zeros] == 0 {
		zeros++
	}
	buffer := make([]byte, zeros+(len(data)*8+4)/5)
	at := len(buffer)
	var carry uint
	var bits uint
	for i := len(data) - 1; i >= zeros; i-- {
		carry |= uint(data[i]) << bits
		for bits += 8; bits >= 5; bits -= 5 {
			at--
			buffer[at] = alphabet[carry&31]
			carry >>= 5
		}
	}
	if bits > 0 && carry != 0 {
		at--
		buffer[at] = alphabet[carry]
	}
	for at < len(buffer) && buffer[at] == '0' {
		at++
	}
	for range zeros {
		at--
		buffer[at] = '0'
	}
	return string(buffer[at:])
}

// decode reads what [encode] wrote. Lower case is taken, and O for 0, L and I
// for 1.
func decode(text string) ([]byte, error) {
	if len(text) > maxInput {
		return nil, fmt.Errorf("c32: the text has %d characters, at most %d are read", len(text), maxInput)
	}
	zeros := 0
	for zeros < len(text) && values[text[zeros]] == 0 {
		zeros++
	}
	buffer := make([]byte, zeros+(len(text)*5+7)/8)
	at := len(buffer)
	var carry uint
	var bits uint
	for i := len(text) - 1; i >= 0; i-- {
		v := values[text[i]]
		if v == invalid {
			return nil, characterError(text, i)
		}
		if i < zeros {
			continue
		}
		carry |= uint(v) << bits
		if bits += 5; bits >= 8 {
			at--
			buffer[at] = byte(carry)
			carry >>= 8
			bits -= 8
		}
	}
	if carry != 0 {
		at--
		buffer[at] = byte(carry)
	}
	for at < len(buffer) && buffer[at] == 0 {
		at++
	}
	return buffer[at-zeros:], nil
}

func characterError(text string, i int) error {
	for j, r := range text {
		if j <= i && i < j+len(string(r)) {
			return fmt.Errorf("c32: character %q at byte %d is not of the alphabet %s", r, j, alphabet)
		}
	}
	return fmt.Errorf("c32: byte 0x%02x at %d is not of the alphabet %s", text[i], i, alphabet)
}

// checkEncode writes version (0 to 31) and data with their checksum.
func checkEncode(version byte, data []byte) (string, error) {
	if version > 31 {
		return "", fmt.Errorf("c32check: version %d, it must be 0 to 31", version)
	}
	sum := checksum(version, data)
	payload := make([]byte, 0, len(data)+checksumSize)
	payload = append(append(payload, data...), sum[:]...)
	return alphabet[version:version+1] + encode(payload), nil
}

// checkDecode reads what [checkEncode] wrote and compares the checksum.
func checkDecode(text string) (version byte, data []byte, err error) {
	if text == "" {
		return 0, nil, fmt.Errorf("c32check: the text is empty")
	}
	if version = values[text[0]]; version == invalid {
		return 0, nil, characterError(text, 0)
	}
	payload, err := decode(text[1:])
	if err != nil {
		return 0, nil, err
	}
	if len(payload) < checksumSize {
		return 0, nil, fmt.Errorf("c32check: %d bytes, too short for a checksum of %d", len(payload), checksumSize)
	}
	cut := len(payload) - checksumSize
	sum := checksum(version, payload[:cut])
	if subtle.ConstantTimeCompare(sum[:], payload[cut:]) != 1 {
		return 0, nil, fmt.Errorf("c32check: the checksum does not fit, a character is mistyped")
	}
	return version, payload[:cut:cut], nil
}

func checksum(version byte, data []byte) (sum [checksumSize]byte) {
	buffer := make([]byte, 0, 64)
	first := sha256.Sum256(append(append(buffer, version), data...))
	second := sha256.Sum256(first[:])
	copy(sum[:], second[:])
	return sum
}
