package wire

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
)

// Masked replaces a secret.
const Masked = "[masked]"

// secretWords are parts of the names of headers whose values are secret.
var secretWords = []string{
	"auth", "cookie", "api-key", "apikey", "api_key", "token", "secret",
	"passw", "credential", "session", "signature", "private",
}

// isSecretHeader reports whether a header of this name holds a secret.
func isSecretHeader(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) })
}

// maskHeader returns a copy of h with secrets masked.
func maskHeader(h http.Header, s Secrets) http.Header {
	if h == nil {
		return nil
	}
	out := h.Clone()
	for name, values := range out {
		secret := isSecretHeader(name)
		for i := range values {
			if values[i] = s.Scrub(values[i]); secret {
				values[i] = Masked
			}
		}
	}
	return out
}

// Secrets are values to be masked wherever a server repeats them.
type Secrets []string

// secretsOf returns the secret values of headers; of "Bearer x" also x alone.
func secretsOf(h http.Header) Secrets {
	const shortest = 4
	var out Secrets
	add := func(v string) {
		if len(v) >= shortest {
			out = append(out, v)
		}
	}
	for name, values := range h {
		if !isSecretHeader(name) {
			continue
		}
		for _, v := range values {
			add(v)
			if _, rest, ok := strings.Cut(v, " "); ok {
				add(strings.TrimSpace(rest))
			}
		}
	}
	return out
}

// Scrub returns text with its Secrets masked.
func (s Secrets) Scrub(text string) string {
	for _, v := range s {
		text = strings.ReplaceAll(text, v, Masked)
	}
	return text
}

// ScrubBytes returns b with its Secrets masked, b itself when it has none.
func (s Secrets) ScrubBytes(b []byte) []byte {
	for _, v := range s {
		if bytes.Contains(b, []byte(v)) {
			b = bytes.ReplaceAll(b, []byte(v), []byte(Masked))
		}
	}
	return b
}
