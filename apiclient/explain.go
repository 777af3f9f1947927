package apiclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
)

// plainError says a cause in words for people. The error itself, as Go words it,
// is behind it and in the exchange log.
type plainError struct {
	words string
	cause error
}

func plain(words string, cause error) error { return &plainError{words, cause} }

func (e *plainError) Error() string { return e.words }

// Unwrap returns the error as it came.
func (e *plainError) Unwrap() error { return e.cause }

// Failure returns the error of a request that was sent by a Transport and was not
// answered, in the words of the client's own errors.
func Failure(err error, baseURL string) *Error {
	var closed *closedError
	if errors.As(err, &closed) {
		return &Error{Kind: RateLimited, RetryAfter: closed.pause, Err: plain("the server asked to wait", err)}
	}
	host := baseURL
	if u, parseErr := url.Parse(baseURL); parseErr == nil {
		host = u.Host
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{Kind: Timeout, Method: http.MethodGet, URL: baseURL, Err: plain("no answer from "+host+" in time", err)}
	}
	if errors.Is(err, context.Canceled) {
		return &Error{Kind: Canceled, Err: context.Canceled}
	}
	words, kind, _ := explain(err, host)
	return &Error{Kind: kind, Method: http.MethodGet, URL: baseURL, Err: plain(words, err)}
}

// explain says in words why an attempt brought no answer, which kind of failure
// that is, and whether a retry may help.
func explain(err error, host string) (words string, kind Kind, again bool) {
	var redirect *redirectError
	if errors.As(err, &redirect) {
		if redirect.upgrade() {
			return redirect.Error(), InvalidInput, false
		}
		return redirect.Error(), ServerFault, false
	}
	if words := explainTLS(err, host); words != "" {
		return words, Offline, false
	}
	var timeout net.Error
	switch {
	case errors.Is(err, errRedirects):
		return errRedirects.Error(), ServerFault, false
	case brokenEncoding(err):
		return "its compression is broken", Decode, false
	case speaksNoHTTP(err):
		return fmt.Sprintf("%s does not speak HTTP", host), Decode, false
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("%s did not answer in time", host), Timeout, true
	}
	return explainNetwork(err, host), Offline, true
}

// explainNetwork says why a server cannot be reached.
func explainNetwork(err error, host string) string {
	var lookup *net.DNSError
	why := ""
	switch {
	case errors.As(err, &lookup) && lookup.IsNotFound:
		why = "no such host"
	case errors.As(err, &lookup):
		why = "its name cannot be looked up"
	case errors.Is(err, syscall.ECONNREFUSED):
		why = "connection refused"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		why = "no network route"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), brokenConnection(err):
		return fmt.Sprintf("%s closed the connection", host)
	}
	if why == "" {
		return fmt.Sprintf("cannot reach %s", host)
	}
	return fmt.Sprintf("cannot reach %s: %s", host, why)
}

// explainTLS says what is wrong with a server's certificate or TLS; "" when that
// is not the failure.
func explainTLS(err error, host string) string {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return fmt.Sprintf("%s does not speak TLS; use http://%s", host, host)
	case errors.As(err, &authority):
		return fmt.Sprintf("the certificate of %s is signed by an unknown authority; SSL_CERT_FILE names a file of further authorities", host)
	case errors.As(err, &name):
		return fmt.Sprintf("the certificate of %s is for another host", host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("the certificate of %s has expired or is not valid yet", host)
	case errors.As(err, &invalid), errors.As(err, &verification):
		return fmt.Sprintf("the certificate of %s is not valid", host)
	case errors.As(err, &alert):
		return fmt.Sprintf("%s refused the TLS connection", host)
	}
	return ""
}

// speaksNoHTTP reports whether a server answered with something other than HTTP.
// net/http has no type for that.
func speaksNoHTTP(err error) bool {
	text := err.Error()
	for _, words := range []string{"malformed HTTP", "malformed MIME header", "unsupported transfer encoding", "server response headers exceeded", "bad Content-Length"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
