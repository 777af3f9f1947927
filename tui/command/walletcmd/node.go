package walletcmd

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"chainscope/apiclient"
	"chainscope/apiclient/wire"
	"chainscope/tui/command/cli"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/stxtx"
)

// walletNode requests nonces and fees of the chosen API, and passes it what was
// signed if it is a mock on this machine. There is none for the embedded mock:
// a one-shot command would read a chain that nobody else sees and that ends with
// the command.
type walletNode struct {
	client *node.Client
	nonces *node.Nonces
	source chainSource
	ends   []func()
}

// openNode makes the node of --api; nil for the embedded mock.
func openNode(ctx context.Context, a *cli.App) (*walletNode, error) {
	baseURL, err := a.Settings.BaseURL()
	if err != nil || baseURL == "" {
		return nil, err
	}
	return nodeAt(ctx, a, baseURL, nil)
}

// nodeAt makes the node at a base URL. It shares the log and the gate of a client
// of that server; without one its exchanges are written to --log-file.
func nodeAt(ctx context.Context, a *cli.App, baseURL string, client *apiclient.Client) (*walletNode, error) {
	header, err := a.Header(baseURL)
	if err != nil {
		return nil, err
	}
	n := &walletNode{}
	var exchanges *wire.ExchangeLog
	var gate *wire.Gate
	if client != nil {
		exchanges, gate = client.Log(), client.Gate()
	} else {
		exchanges, gate = wire.NewExchangeLog(wire.LogOptions{}), wire.NewGate(nil)
		log, err := a.OpenLog(ctx)
		if err != nil {
			return nil, err
		}
		if log != nil {
			n.ends = append(n.ends, func() { _ = log.Close() }, a.LogExchanges(exchanges, log))
		}
	}
	over := func(base http.RoundTripper) (*wire.Transport, error) {
		return wire.NewTransport(wire.TransportOptions{BaseURL: baseURL, Header: header, Log: exchanges, Gate: gate, Base: base})
	}
	reading, err := over(nil)
	if err != nil {
		n.close()
		return nil, cli.Usagef("--api: %v", err)
	}
	n.ends = append(n.ends, reading.CloseIdleConnections)
	n.client, err = node.New(node.Options{
		BaseURL:   baseURL,
		Transport: deadline{reading, a.Settings.Timeout},
		Wrap: func(base http.RoundTripper) http.RoundTripper {
			posting, _ := over(deadline{base, a.Settings.Timeout}) // as reading was made
			return posting
		},
	})
	if err != nil {
		n.close()
		return nil, cli.Usagef("--api: %v", err)
	}
	if client == nil {
		if client, err = apiclient.New(apiclient.Options{
			BaseURL: baseURL, Header: header, Timeout: a.Settings.Timeout, Log: exchanges, Gate: gate, Network: a.Settings.Known(), Mock: a.Settings.API == cli.APIMock,
		}); err != nil {
			n.close()
			return nil, cli.Usagef("--api: %v", err)
		}
		n.ends = append(n.ends, client.Close)
	}
	n.nonces = node.NewNonces(n.client)
	n.source = chainSource{provider.ChainSource{Client: n.client, Nonces: n.nonces}, client}
	return n, nil
}

// close ends everything, the newest first.
func (n *walletNode) close() {
	if n == nil {
		return
	}
	for i := len(n.ends) - 1; i >= 0; i-- {
		n.ends[i]()
	}
	n.ends = nil
}

// chainSource requests only accounts of its own of a live network.
type chainSource struct {
	provider.ChainSource
	server *apiclient.Client
}

var errOtherNetwork = errors.New("the API is one of another network")

// NextNonce returns the nonce of the next transaction of an address.
func (s chainSource) NextNonce(ctx context.Context, address string) (uint64, error) {
	if len(address) > 1 && s.foreign(ctx, address[1] == 'P' || address[1] == 'M') {
		return 0, errOtherNetwork
	}
	return s.ChainSource.NextNonce(ctx, address)
}

// Fee returns the fee to offer for an unsigned transaction, in micro-STX.
func (s chainSource) Fee(ctx context.Context, tx *stxtx.Transaction) (uint64, error) {
	if s.foreign(ctx, tx.Mainnet()) {
		return 0, errOtherNetwork
	}
	return s.ChainSource.Fee(ctx, tx)
}

// Epoch returns the one that a network is in.
func (s chainSource) Epoch(ctx context.Context, mainnet bool) (string, error) {
	if s.foreign(ctx, mainnet) {
		return "", errOtherNetwork
	}
	return s.ChainSource.Epoch(ctx, mainnet)
}

// foreign reports whether the server is of another network. Where that cannot be read, the
// request is sent all the same and fails with the reason.
func (s chainSource) foreign(ctx context.Context, mainnet bool) bool {
	network := apiclient.Testnet
	if mainnet {
		network = apiclient.Mainnet
	}
	server, err := s.server.Server(ctx)
	return err == nil && server.Foreign(network)
}

// deadline bounds the time that one exchange may take, its body included.
type deadline struct {
	base  http.RoundTripper
	after time.Duration
}

// RoundTrip sends req.
func (d deadline) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), d.after)
	response, err := d.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	response.Body = endingBody{response.Body, cancel}
	return response, nil
}

// endingBody calls a function once it is closed.
type endingBody struct {
	io.ReadCloser
	end func()
}

// Close closes the body.
func (b endingBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
