package apiclient

import (
	"bytes"
	"net/http"
	"strings"
)

// Masked replaces a secret.
const Masked = "[masked]"

// secretWords are parts of the names of headers whose values are secret.
var secretWords = []string{
	"auth", "cookie", "api-key", "apikey", "api_key", "token", "secret",
	"passw", "credential", "session", "signature", "private",
}

// plainHeaders are common names that hold no secret.
var plainHeaders = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Cache-Control": true, "Connection": true, "Content-Encoding": true,
	"Content-Length": true, "Content-Type": true, "Date": true, "Etag": true, "If-None-Match": true, "User-Agent": true,
	"Vary": true,
}

// isSecretHeader reports whether a header of this name holds a secret.
func isSecretHeader(name string) bool {
	if plainHeaders[name] {
		return false
	}
	name = strings.ToLower(name)
	for _, w := range secretWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// maskHeader returns a copy of h with secrets masked.
func maskHeader(h http.Header, s secrets) http.Header {
	if h == nil {
		return nil
	}
	out := make(http.Header, len(h))
	for name, values := range h {
		if isSecretHeader(name) {
			masked := make([]string, len(values))
			for i := range masked {
				masked[i] = Masked
			}
			out[name] = masked
			continue
		}
		if len(s) == 0 {
			out[name] = values
			continue
		}
		copied := make([]string, len(values))
		for i, v := range values {
			copied[i] = s.scrub(v)
		}
		out[name] = copied
	}
	return out
}

// secrets are values to be masked wherever a server repeats them.
type secrets []string

// secretsOf returns the secret values of headers; of "Bearer x" also x alone.
func secretsOf(h http.Header) secrets {
	const shortest = 4
	var out secrets
	for name, values := range h {
		if !isSecretHeader(name) {
			continue
		}
		for _, v := range values {
			out = append(out, v)
			if _, rest, ok := strings.Cut(v, " "); ok {
				out = append(out, strings.TrimSpace(rest))
			}
		}
	}
	kept := out[:0]
	for _, v := range out {
		if len(v) >= shortest {
			kept = append(kept, v)
		}
	}
	return kept
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
