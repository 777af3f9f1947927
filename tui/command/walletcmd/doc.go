// Package walletcmd is the wallet on the command line: the commands wallet and bridge, and
// the wallet that the explorer opens. What they print and ask for is here; what a wallet
// does is that of package service.
//
// Everything untrusted that it prints for people goes through package text.
package walletcmd
