package jsonrpc

// Codes of JSON-RPC 2.0.
const (
	ParseError     = -32700 // the text is not JSON
	InvalidRequest = -32600 // the JSON is not a request object
	MethodNotFound = -32601 // the wallet has no such method
	InvalidParams  = -32602 // a param is missing, of the wrong type or out of range
	InternalError  = -32603 // the wallet failed, or cannot be reached
)

// Codes of the Stacks wallet interface (SIP-030).
const (
	UserRejection         = -32000 // the user refused
	MethodAddressMismatch = -32001 // the address requested is not the wallet's
	MethodAccessDenied    = -32002 // the origin has no permission
)

// Codes that the connection library itself produces.
const (
	UnknownError = -31000 // the failure carries no code of a wallet
	UserCanceled = -31001 // the wallet selector was dismissed
)

// Codes that the Leather wallet uses beside or instead of the above.
const (
	LeatherUserRejection   = 4001 // the user refused
	LeatherUnsupported     = 4002 // not supported, or the broadcast failed
	LeatherAccessDenied    = 7    // the origin has no permission
	LeatherUnauthenticated = 16   // the wallet is locked or not set up
)

var codeNames = map[int]string{
	ParseError:             "ParseError",
	InvalidRequest:         "InvalidRequest",
	MethodNotFound:         "MethodNotFound",
	InvalidParams:          "InvalidParams",
	InternalError:          "InternalError",
	UserRejection:          "UserRejection",
	MethodAddressMismatch:  "MethodAddressMismatch",
	MethodAccessDenied:     "MethodAccessDenied",
	UnknownError:           "UnknownError",
	UserCanceled:           "UserCanceled",
	LeatherUserRejection:   "UserRejection (Leather)",
	LeatherUnsupported:     "Unsupported (Leather)",
	LeatherAccessDenied:    "AccessDenied (Leather)",
	LeatherUnauthenticated: "Unauthenticated (Leather)",
}

// CodeName returns the name of an error code, or "" for a code that neither the
// specifications nor a known wallet define.
func CodeName(code int) string { return codeNames[code] }
