package bridgetest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"chainscope/wallet/bridge"
	"chainscope/wallet/service"
)

// stub answers in place of URLs beyond this machine.
type stub struct {
	fits  *regexp.Regexp
	query bool // it has one itself
	body  []byte
}

// Stub answers the requests of pages to a URL beyond this machine with JSON. In the URL, * matches
// any text; one without a query fits with any. The newest that fits answers.
func (k *Kit) Stub(pattern string, answer any) error {
	if u, err := url.Parse(strings.ReplaceAll(pattern, "*", "x")); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("Stub: %q is no URL such as https://prices.example/v1/*", pattern)
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("Stub %s: %w", pattern, err)
	}
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	fits, err := regexp.Compile("^" + strings.Join(parts, ".*") + "$")
	if err != nil {
		return fmt.Errorf("Stub %s: %w", pattern, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stubs = append([]stub{{fits, strings.Contains(pattern, "?"), body}}, k.stubs...)
	return nil
}

// stubbed returns what answers in place of a URL.
func (k *Kit) stubbed(path string) ([]byte, bool) {
	bare, _, _ := strings.Cut(path, "?")
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.stubs {
		if s.fits.MatchString(bare) && !s.query || s.query && s.fits.MatchString(path) {
			return s.body, true
		}
	}
	return nil, false
}

// left fails the test: a request of a page leaves this machine.
func (k *Kit) left(l bridge.Escape) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failed = append(k.failed, fmt.Errorf("%s; answer it with Kit.Stub, or name its host in Options.AllowHosts", quoted(l.String())))
}

// isolate sends the requests of the pages of a bridge to the chain in place of the public APIs, and
// nothing else that is not on this machine.
func (k *Kit) isolate(b *service.BridgeOptions, o Options) {
	allow := append([]string{}, o.AllowHosts...)
	for _, origin := range o.Origins {
		if u, err := url.Parse(origin); err == nil {
			allow = append(allow, u.Host)
		}
	}
	b.Isolation = bridge.Isolation{API: b.Mock, Hosts: bridge.PublicAPIHosts(), OnEscape: k.left, Deny: &bridge.Deny{Allow: allow, Stub: k.stubbed}}
}
