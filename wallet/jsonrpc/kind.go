package jsonrpc

import "encoding/json"

// KindOf names what a JSON text is, such as "a string", without quoting it. The text
// is a value as [encoding/json] passes it, with no space before it.
func KindOf(text json.RawMessage) string {
	if len(text) == 0 {
		return "nothing"
	}
	switch text[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
