// Package bitcoin holds what a Stacks wallet needs of Bitcoin: the p2wpkh and
// p2tr addresses of an account (BIP84, BIP86), transfers from coins made up for
// testing, and partially signed transactions (PSBT, BIP174 and BIP371): parse,
// describe, sign, finalize.
//
// Amounts are satoshis (1 BTC = 100,000,000), sizes virtual bytes. Nothing here
// is ever sent anywhere: the package does no I/O. Errors of bad input are
// [*chainscope/wallet/jsonrpc.Error] with the path of the param.
//
// Key derivation is wallet/keys' task, methods and their params are
// wallet/signer's; neither may be imported here.
package bitcoin
