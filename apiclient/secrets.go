package apiclient

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
func maskHeader(h http.Header, s secrets) http.Header {
	if h == nil {
		return nil
	}
	out := h.Clone()
	for name, values := range out {
		secret := isSecretHeader(name)
		for i := range values {
			if values[i] = s.scrub(values[i]); secret {
				values[i] = Masked
			}
		}
	}
	return out
}

// secrets are values to be masked wherever a server repeats them.
type secrets []string

// secretsOf returns the secret values of headers; of "Bearer x" also x alone.
func secretsOf(h http.Header) secrets {
	const shortest = 4
	var out secrets
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

// scrub returns text with its secrets masked.
func (s secrets) scrub(text string) string {
	for _, v := range s {
		text = strings.ReplaceAll(text, v, Masked)
	}
	return text
}

// scrubBytes returns b with its secrets masked, b itself when it has none.
func (s secrets) scrubBytes(b []byte) []byte {
	for _, v := range s {
		if bytes.Contains(b, []byte(v)) {
			b = bytes.ReplaceAll(b, []byte(v), []byte(Masked))
		}
	}
	return b
}
