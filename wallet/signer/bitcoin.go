package signer

// bitcoinMethods are the methods that sign Bitcoin transactions.
func bitcoinMethods() []Method { return nil }
