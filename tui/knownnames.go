package tui

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"

	tea "github.com/charmbracelet/bubbletea"
)

// knownNames are the primary names that accounts have in the registry of BNS v2: each account in
// sight is read once, while nothing else is requested.
type knownNames struct {
	names map[string]string // by address, "" where an account has none
	value remote.Value[knownName]
	none  bool      // the API has no such registry
	next  time.Time // when the next may be requested
}

// knownName is an account with its primary name.
type knownName struct{ account, name string }

const (
	// nameShare is the part of a limit that names may take, of the half for what nobody waits for.
	nameShare = 4
	// namePause is the time after a failure in which no name is requested.
	namePause = time.Minute
)

// request returns the command that reads the name of the first account in sight that is not known; nil for none.
func (k *knownNames) request(m *Model) tea.Cmd {
	now, gate, about := m.options.Now(), m.options.Client.Gate(), m.options.Client.About()
	s, ok := m.currentScreen().(screen.Addressed)
	if !m.options.KnownNames || !ok || k.none || k.value.Busy() || now.Before(k.next) || m.currentScreen().Status().Busy ||
		about.Network == "" || about.Guessed || !gate.ClosedToLowPriority().IsZero() {
		return nil
	}
	testnet := about.Network == apiclient.Testnet
	account := ""
	for _, p := range s.PrincipalsInSight() {
		if _, known := k.names[p]; known || strings.Contains(p, ".") {
			continue
		}
		if a, err := c32.ParseAddress(p); err == nil && a.Testnet() == testnet {
			account = p
			break
		}
	}
	if account == "" {
		return nil
	}
	if limit := gate.Budget().Limit; limit > 0 {
		k.next = now.Add(time.Minute / time.Duration(max(1, limit/nameShare)))
	}
	return screen.FetchAhead(m.env, &k.value, func(ctx context.Context) (knownName, error) {
		return readPrimaryName(ctx, m.options.Client, account, testnet)
	})
}

// answered adds a name, and requests the next.
func (k *knownNames) answered(m *Model, msg screen.Fetched[knownName]) tea.Cmd {
	if !k.value.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	switch err, is := errors.AsType[*apiclient.Error](msg.Err); {
	case msg.Err == nil:
		if k.names == nil {
			k.names = map[string]string{}
		}
		if k.names[msg.Value.account] = msg.Value.name; msg.Value.name != "" {
			m.tabs.redraw()
		}
	case is && (err.Status == http.StatusNotFound || err.Kind == apiclient.Gone || err.Kind == apiclient.InvalidInput):
		k.none = true
	default:
		k.next = m.options.Now().Add(namePause)
		if is {
			k.next = m.options.Now().Add(max(namePause, err.RetryAfter))
		}
	}
	return k.request(m)
}

// readPrimaryName reads the primary name of an account, by one request; "" where it has none.
func readPrimaryName(ctx context.Context, c *apiclient.Client, account string, testnet bool) (knownName, error) {
	owner, err := clarity.ParsePrincipal(account)
	if err != nil {
		return knownName{}, err
	}
	hex, err := clarity.EncodeHex(owner)
	if err != nil {
		return knownName{}, err
	}
	answer, err := c.CallReadOnly(ctx, facts.BNS2(testnet), "get-primary", "", []string{"0x" + hex})
	if err != nil {
		return knownName{}, err
	}
	if !answer.Value.Okay { // a node says so where there is no such contract
		return knownName{}, &apiclient.Error{Kind: apiclient.NotFound, Status: http.StatusNotFound, Err: errNoRegistry}
	}
	return knownName{account, resource.NameIn(answer.Value.Result)}, nil
}

var errNoRegistry = errors.New("the registry of BNS v2 cannot be read")
