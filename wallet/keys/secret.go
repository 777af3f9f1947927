// Package keys makes the keys of a wallet from a mnemonic (BIP39, BIP32) and
// keeps mnemonics in encrypted files (age).
//
// Everything secret is a [Secret] or a [PrivateKey], which print as "[secret]"
// in every verb, in JSON and in logs; errors never quote what they refuse.
// The package does no network I/O, and no file I/O but that of the keystore. It
// imports wallet/c32, wallet/stxtx and libraries for cryptography.
package keys

import (
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
)

// redacted describes how every secret prints.
const redacted = "[secret]"

// Secret holds something that must not be shown: a mnemonic, a passphrase, an
// extended key. Only [Secret.Reveal] gives it out.
type Secret struct {
	hidden
	text *string
}

// NewSecret wraps a text.
func NewSecret(text string) Secret { return Secret{text: &text} }

// Reveal returns the text. It must not reach an error, a log or a screen that
// was not asked for it.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty reports whether there is nothing to hide.
func (s Secret) Empty() bool { return s.Reveal() == "" }

// Equal compares in constant time.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(other.Reveal())) == 1
}

// hidden prints as "[secret]", and so does what embeds it.
type hidden struct{}

// String returns "[secret]".
func (hidden) String() string { return redacted }

// GoString returns "[secret]".
func (hidden) GoString() string { return redacted }

// Format prints "[secret]", whatever the verb.
func (hidden) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// MarshalJSON writes "[secret]".
func (hidden) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// MarshalText writes "[secret]".
func (hidden) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue returns "[secret]".
func (hidden) LogValue() slog.Value { return slog.StringValue(redacted) }
