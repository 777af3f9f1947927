package wallet

import "fmt"

// Exception is an error that the library does not raise on purpose: a
// JavaScript exception that escapes because a page or a wallet passed it a
// value it did not expect. It carries no code.
type Exception struct {
	Name    string // TypeError, Error, SyntaxError
	Message string
}

// Error returns the text form, "TypeError: message".
func (e *Exception) Error() string { return e.Name + ": " + e.Message }

func typeError(format string, args ...any) *Exception {
	return &Exception{Name: "TypeError", Message: fmt.Sprintf(format, args...)}
}

// cannotRead returns what reading a property of a value without properties throws.
func cannotRead(of any, property string) *Exception {
	return typeError("Cannot read properties of %s (reading '%s')", show(of), property)
}

// cannotSearch returns what the operator in throws when its right side is no object.
func cannotSearch(property string, in any) *Exception {
	return typeError("Cannot use 'in' operator to search for '%s' in %s", property, show(in))
}
