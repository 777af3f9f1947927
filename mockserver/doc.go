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
// Beside the contract, which is read-only, it has the routes of a Stacks node that a wallet needs:
// broadcast, accounts, fees, transactions.
//
// This package is the frame: the server, its faults, tapes, control interface and access log. What
// the API answers is package api. What can be done to a world, by a request or by a state file, is
// the table of commands in package world; the routes of the control interface are in control.go and,
// where they do something to a world, in worldcontrol.go.
//
// The package must not import tui, and of wallet nothing that holds keys or sends
// requests.
package mockserver
