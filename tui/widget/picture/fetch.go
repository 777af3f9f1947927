package picture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// Limits of a fetch.
const (
	MaxBytes     = 4 << 20
	maxRedirects = 3
	maxTime      = 10 * time.Second
)

// RefusedError reports why an address is not fetched.
type RefusedError struct{ URL, Reason string }

func (e *RefusedError) Error() string { return "the picture is not fetched: " + e.Reason }

// Fetcher gets pictures that hostile metadata names. It sends requests only to public hosts
// over http or https, and to the one origin that it trusts; it
// sends no header of the user's and keeps no cookie. The address is checked
// when it is dialed, again for every redirect, so that a name which resolves to
// an address inside the network leads nowhere.
type Fetcher struct {
	trusted *url.URL
	client  *http.Client
}

// NewFetcher returns a Fetcher. The trusted origin is the API's base URL, ""
// for none. Limit wraps what sends the requests, so that pictures of the API's
// own server count against its limit; nil is no limit.
func NewFetcher(trusted string, limit func(http.RoundTripper) http.RoundTripper) *Fetcher {
	f := &Fetcher{}
	if u, err := url.Parse(trusted); err == nil && u.Host != "" {
		f.trusted = u
	}
	own, other := &net.Dialer{Timeout: maxTime}, &net.Dialer{Timeout: maxTime, Control: checkAddress}
	var transport http.RoundTripper = &http.Transport{
		Proxy: nil, // a proxy would dial in our place, unchecked
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if f.trustsHost(address) {
				return own.DialContext(ctx, network, address)
			}
			return other.DialContext(ctx, network, address)
		},
		MaxResponseHeaderBytes: 64 << 10,
		DisableKeepAlives:      true,
	}
	if limit != nil {
		transport = limit(transport)
	}
	f.client = &http.Client{
		Timeout:   maxTime,
		Transport: transport,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return &RefusedError{URL: r.URL.String(), Reason: fmt.Sprintf("more than %d redirects", maxRedirects)}
			}
			r.Header.Del("Referer")
			return f.checkURL(r.URL)
		},
	}
	return f
}

// Check reports whether the address may be fetched, without a request.
func (f *Fetcher) Check(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return &RefusedError{URL: address, Reason: "its address cannot be read"}
	}
	return f.checkURL(u)
}

func (f *Fetcher) checkURL(u *url.URL) error {
	refuse := func(reason string) error { return &RefusedError{URL: u.String(), Reason: reason} }
	if u.Scheme != "http" && u.Scheme != "https" {
		return refuse("only http and https addresses are fetched")
	}
	if u.Hostname() == "" {
		return refuse("its address names no host")
	}
	if u.User != nil {
		return refuse("its address carries a user name")
	}
	if f.trusts(u) {
		return nil
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !public(ip) {
		return refuse("its host is not a public one")
	}
	return nil
}

func (f *Fetcher) trusts(u *url.URL) bool {
	return f.trusted != nil && u.Scheme == f.trusted.Scheme && f.trustsHost(hostPort(u))
}

// trustsHost reports whether a host with its port is that of the trusted origin. The names of this
// machine are one.
func (f *Fetcher) trustsHost(hostport string) bool {
	return f.trusted != nil && machine(hostport) == machine(hostPort(f.trusted))
}

// hostPort returns the host of a URL with its port.
func hostPort(u *url.URL) string {
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]))
}

func machine(hostport string) string {
	host, port, _ := net.SplitHostPort(hostport)
	if host == "127.0.0.1" || host == "::1" {
		host = "localhost"
	}
	return strings.ToLower(host) + ":" + port
}

// checkAddress runs with the address that is about to be dialed.
func checkAddress(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !public(to.Addr()) {
		return &RefusedError{URL: address, Reason: "its host is not a public one"}
	}
	return nil
}

// notPublic are the special-purpose ranges that netip does not name (RFC 6890).
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
}

func public(ip netip.Addr) bool {
	ip = ip.Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}

// Fetch gets the bytes of a picture. The error is a *RefusedError, an
// *UnreadableError or a network error; the context's error when it ended.
func (f *Fetcher) Fetch(ctx context.Context, address string) ([]byte, error) {
	if err := f.Check(address); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &RefusedError{URL: address, Reason: "its address cannot be read"}
	}
	request.Header.Set("Accept", "image/png, image/jpeg, image/gif, image/webp")
	request.Header.Set("User-Agent", "chainscope")
	response, err := f.client.Do(request)
	if err != nil {
		if refused, is := errors.AsType[*RefusedError](err); is {
			return nil, refused
		}
		var failed *url.Error // its words are those of a program: a method and the address
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, &UnreadableError{Reason: fmt.Sprintf("its server answered %d", response.StatusCode)}
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBytes {
		return nil, &UnreadableError{Reason: fmt.Sprintf("it is larger than %d MiB", MaxBytes>>20)}
	}
	return data, nil
}

// Load fetches and decodes a picture and makes it small enough to be kept. It
// is slow: call it where waiting does no harm. The error is Fetch's or Decode's.
func (f *Fetcher) Load(ctx context.Context, address string) (*Picture, error) {
	data, err := f.Fetch(ctx, address)
	if err != nil {
		return nil, err
	}
	return read(data)
}
