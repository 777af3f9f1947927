// Package params is what the user fills in of a method of the wallet: its params
// (chainscope/wallet/signer) as texts, whether each is right and what it means,
// and how texts become params and params texts.
//
// It is pure: texts in, JSON and words out. It must not import bubbletea or
// anything that draws, and does no I/O: what comes from a file is passed in.
package params
