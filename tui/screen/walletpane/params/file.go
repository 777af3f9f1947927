package params

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"chainscope/wallet/signer"
)

func cutPrefix(s, prefix string) (string, bool) {
	return strings.CutPrefix(strings.TrimSpace(s), prefix)
}

// FromBytes makes the text of a field of what is in a file: a contract as it
// is, a PSBT in base64 whatever form it has, a transaction in hexadecimal
// digits.
func FromBytes(f Field, content []byte) (string, error) {
	switch f.Kind {
	case signer.KindSource:
		if !utf8.Valid(content) {
			return "", errors.New("the file is no UTF-8 text")
		}
		return string(content), nil
	case signer.KindPSBT:
		if strings.HasPrefix(string(content), "psbt\xff") {
			return base64.StdEncoding.EncodeToString(content), nil
		}
		text := compact(string(content))
		if raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x")); err == nil && len(raw) > 0 {
			return base64.StdEncoding.EncodeToString(raw), nil
		}
		return text, textOnly(text)
	case signer.KindTransaction:
		text := compact(string(content))
		if textOnly(text) != nil {
			return hex.EncodeToString(content), nil //nolint:nilerr // bytes are wanted as hex
		}
		return text, nil
	}
	return string(content), nil
}

// textOnly refuses what is neither base64 nor hexadecimal digits.
func textOnly(s string) error {
	for _, r := range s {
		if r <= ' ' || r > '~' {
			return errors.New("the file is neither a PSBT nor a text")
		}
	}
	return nil
}

// compact drops the white space that pasted digits bring along.
func compact(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
