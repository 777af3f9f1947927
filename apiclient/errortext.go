package apiclient

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"chainscope/apiclient/wire"
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
	host := baseURL
	if u, parseErr := url.Parse(baseURL); parseErr == nil {
		host = u.Host
	}
	if errors.Is(err, context.Canceled) {
		return &Error{Kind: Canceled, Err: context.Canceled}
	}
	e, _ := failureOf(err, host, nil)
	if errors.Is(err, context.DeadlineExceeded) {
		e = &Error{Kind: Timeout, Err: plain("no answer from "+host+" in time", err)}
	}
	if e.Kind != RateLimited {
		e.Method, e.URL = http.MethodGet, baseURL
	}
	return e
}

// failureOf returns why a request got no answer, and whether a retry may help.
func failureOf(err error, host string, s wire.Secrets) (e *Error, again bool) {
	var closed *wire.ClosedError
	if errors.As(err, &closed) {
		return &Error{Kind: RateLimited, RetryAfter: closed.Pause, Err: plain("the server requested a wait", err)}, false
	}
	cause := err
	if text := err.Error(); s.Scrub(text) != text {
		cause = errors.New(s.Scrub(text))
	}
	var redirect *wire.RedirectError
	if errors.As(err, &redirect) {
		e = &Error{Kind: ServerFault, Err: plain(redirect.Error(), cause)}
		if redirect.Upgrade() {
			e.Kind = InvalidInput
		}
		return e, false
	}
	var refused *wire.ProxyError
	if errors.As(err, &refused) {
		return &Error{Kind: Offline, Err: plain(refused.Error(), cause)}, false
	}
	e = Unreachable(host, cause, err)
	return e, failureFor(err).again
}

// Unreachable returns the error of a request to a host that got no answer, in words that say
// why. The cause is kept; err is what says why.
func Unreachable(host string, cause, err error) *Error {
	var connect *net.OpError
	if errors.As(err, &connect) && connect.Op == "proxyconnect" {
		host = "the proxy" + addressOf(connect.Err)
	}
	f := failureFor(err)
	return &Error{Kind: f.kind, Err: plain(strings.ReplaceAll(f.words, "HOST", host), cause)}
}

func failureFor(err error) failure {
	return failures[slices.IndexFunc(failures, func(f failure) bool { return f.is(err) })]
}

// addressOf returns the address that an error of a connection names, after a space, ""
// for none.
func addressOf(err error) string {
	var lookup *net.DNSError
	var dial *net.OpError
	switch {
	case errors.As(err, &lookup):
		return " " + lookup.Name
	case errors.As(err, &dial) && dial.Addr != nil:
		return " " + dial.Addr.String()
	}
	return ""
}

// failure is one reason why an attempt gets no answer.
type failure struct {
	is    func(error) bool
	words string // HOST is the server's name
	kind  Kind
	again bool // a retry may help
}

// failures are the reasons that are known; the first that fits is reported, and the last
// fits always.
var failures = []failure{
	{either(is(http.ErrSchemeMismatch), as[tls.RecordHeaderError]), "HOST does not speak TLS; use http://HOST", Offline, false},
	{as[x509.UnknownAuthorityError], "the certificate of HOST is signed by an unknown authority; SSL_CERT_FILE names a file of further authorities", Offline, false},
	{as[x509.HostnameError], "the certificate of HOST is for another host", Offline, false},
	{expired, "the certificate of HOST has expired or is not valid yet", Offline, false},
	{either(as[x509.CertificateInvalidError], as[*tls.CertificateVerificationError]), "the certificate of HOST is not valid", Offline, false},
	{as[tls.AlertError], "HOST refused the TLS connection", Offline, false},
	{is(wire.ErrRedirects), wire.ErrRedirects.Error(), ServerFault, false},
	{either(is(gzip.ErrHeader, gzip.ErrChecksum), as[flate.CorruptInputError]), "its compression is broken", Decode, false},
	{isNotHTTP, "HOST does not speak HTTP", Decode, false},
	{timedOut, "HOST did not answer in time", Timeout, true},
	{unknownHost, "cannot reach HOST: no such host", Offline, true},
	{as[*net.DNSError], "cannot reach HOST: its name cannot be looked up", Offline, true},
	{is(syscall.ECONNREFUSED), "cannot reach HOST: connection refused", Offline, true},
	{is(syscall.EHOSTUNREACH, syscall.ENETUNREACH), "cannot reach HOST: no network route", Offline, true},
	{is(syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF), "HOST closed the connection", Offline, true},
	{func(error) bool { return true }, "cannot reach HOST", Offline, true},
}

// is returns a test for any of the errors.
func is(targets ...error) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
	}
}

// as tests for a type of errors.
func as[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

func either(a, b func(error) bool) func(error) bool {
	return func(err error) bool { return a(err) || b(err) }
}

func expired(err error) bool {
	var invalid x509.CertificateInvalidError
	return errors.As(err, &invalid) && invalid.Reason == x509.Expired
}

func timedOut(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func unknownHost(err error) bool {
	var lookup *net.DNSError
	return errors.As(err, &lookup) && lookup.IsNotFound
}

// isNotHTTP reports whether a server answered with something other than HTTP.
// net/http has no type for that.
func isNotHTTP(err error) bool {
	return slices.ContainsFunc([]string{
		"malformed HTTP", "malformed MIME header", "unsupported transfer encoding", "server response headers exceeded", "bad Content-Length",
	}, func(words string) bool { return strings.Contains(err.Error(), words) })
}

// fullText returns "" for no error, otherwise the words of an error and, where they are ours, what Go or a
// library said of it.
func fullText(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	var ours *plainError
	var broken *panicError
	switch {
	case errors.As(err, &ours):
		text += ": " + ours.cause.Error()
	case errors.As(err, &broken):
		text += "\n" + string(broken.stack)
	}
	return text
}
