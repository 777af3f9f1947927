// Package mockserver serves the contract of the read-only chain API from one
// process: token metadata, blocks, burn blocks and names, with the statuses,
// bodies and headers of the real services, and with every fault on demand.
//
// A Server is an http.Handler. What answers a request is decided in this order:
//
//  1. a Host that is not this server's is refused (DNS rebinding);
//  2. /mock/v1 is the control interface: loopback clients only, no CORS, no faults;
//  3. OPTIONS is answered as the real services' CORS layer does;
//  4. the fault engine may delay, replace or damage the answer;
//  5. the route table answers, or, with a tape, the recording or the upstream.
//
// Beside the contract, which is read-only, it has the routes of a Stacks node
// that a wallet needs: broadcast, accounts, fees, transactions (package ledger).
//
// Routes are registered in routes.go; each file named after an endpoint holds
// its handlers. Handlers read an exchange and answer through its methods only,
// so that header rules hold everywhere.
//
// The package may import apiclient for wire types and the pure encodings of
// wallet/stxtx, wallet/clarity and wallet/c32. It must not import tui, and of
// wallet nothing that holds keys or does I/O.
package mockserver
