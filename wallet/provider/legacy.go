package provider

import (
	"fmt"
	"slices"
)

// Legacy is a function of an older library that the wallets do not support.
type Legacy struct {
	Function string
	Library  string // the library and version that calls it
	Instead  string // the library whose functions are supported here
}

// TokenLibrary is the library whose functions take a token.
const TokenLibrary = "version 7"

// Posted returns the method that a call of the function is posted as. It ends in (), as
// some functions have the name of a method that is supported.
func (l Legacy) Posted() string { return l.Function + "()" }

// Message says in words what is not supported.
func (l Legacy) Message() string {
	return fmt.Sprintf("chainscope speaks the API of %s; this page uses %s (%s)", l.Instead, l.Library, l.Function)
}

// IsLegacy reports whether a method is what a function of an older library is posted as.
func IsLegacy(method string) bool {
	_, legacy := legacyFunction(method)
	return legacy
}

// legacyFunction finds a function by what it is posted as.
func legacyFunction(method string) (Legacy, bool) {
	i := slices.IndexFunc(Legacies, func(l Legacy) bool { return l.Posted() == method })
	if i < 0 {
		return Legacy{}, false
	}
	return Legacies[i], true
}

// Legacies are the functions of older libraries: those of @stacks/connect up to
// version 7, which pass a token, and those of sats-connect 1. They are not
// changed.
var Legacies = func() []Legacy {
	var list []Legacy
	for _, f := range []string{
		"authenticationRequest", "transactionRequest", "signatureRequest", "structuredDataSignatureRequest", "psbtRequest", "profileUpdateRequest",
	} {
		list = append(list, Legacy{f, TokenLibrary, "@stacks/connect 8"})
	}
	for _, f := range []string{
		"connect", "signTransaction", "signMessage", "sendBtcTransaction", "signMultipleTransactions", "createInscription", "createRepeatInscriptions",
	} {
		list = append(list, Legacy{f, "the callbacks of version 1", "sats-connect 4"})
	}
	return list
}()
