package apiclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"mime"
	"reflect"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-resty/resty/v2"

	"chainscope/apiclient/wire"
)

// decoder decodes the body of an answer. The decoded value shares no memory with it.
type decoder[T any] func(body []byte) (T, error)

// decodeAnswer checks the content type of a response and decodes its body. It is
// not resty's SetResult, which says neither the path nor the byte of what is wrong
// and passes over answers of another type.
func decodeAnswer(k *call, resp *resty.Response, decode decoder[any]) (any, *Error) {
	if err := checkJSONType(resp.Header().Get("Content-Type")); err != nil {
		return nil, k.describe(&Error{Kind: Decode, Err: err}, resp)
	}
	value, err := decode(resp.Body())
	if err == nil {
		return value, nil
	}
	e := k.describe(&Error{Kind: Decode, Err: err}, resp)
	var where *decodeError
	if errors.As(err, &where) {
		e.FieldPath, e.BodyOffset = where.Path, int64(where.Offset)
		e.Err = errors.New(k.client.secrets.Scrub(where.Reason))
		if where.Reason == endsEarly {
			e.Err = plain("it ends too early", fmt.Errorf("%w: %s", io.ErrUnexpectedEOF, where.Reason))
		}
	}
	return nil, e
}

// checkJSONType refuses content types other than JSON; a missing one passes.
func checkJSONType(s string) error {
	switch s {
	case "", "application/json", "application/json; charset=utf-8":
		return nil // nearly always
	}
	t, _, err := mime.ParseMediaType(s)
	if t == "application/json" || strings.HasSuffix(t, "+json") {
		return nil
	}
	if err != nil && t == "" {
		t = s
	}
	return fmt.Errorf("its content type is %q (want application/json)", wire.Short(t))
}

// decode reads a document by the tags of T. Fields that T does not name go to its Extra
// as they came, and what servers leave out, null or "" stays as it is in a new T.
func decode[T any](body []byte) (T, error) { return decodeWith[T](body, lenient) }

func decodeWith[T any](body []byte, options jsonv2.Options) (v T, err error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(body), options)
	if err = jsonv2.UnmarshalDecode(d, &v, options); err == nil {
		if _, err = d.ReadToken(); errors.Is(err, io.EOF) {
			if field := neededField(&v); field != "" {
				return v, &decodeError{Offset: len(body), Reason: "the answer has no field " + field}
			}
			return v, nil
		}
	}
	return v, describe(err, d, len(body))
}

// neededField returns the field without which a record says nothing, "" where the record has it.
func neededField(record any) (field string) {
	said := ""
	switch v := record.(type) {
	case *Transaction:
		field, said = "tx_id", v.ID
	case *Contract:
		field, said = "contract_id", v.ID
	case *STXBalance:
		field, said = "balance", v.Balance
	case *NameOfV1:
		field, said = "address", v.Address
	case *StateValue:
		field, said = "data", v.Data
	case *ReadOnlyResult:
		field, said = "result", v.Result+v.Cause
	case *FungibleToken:
		field, said = "tx_id", v.TxID+v.AssetIdentifier+v.SenderAddress+v.Name+v.Symbol+v.TokenURI
	}
	if said != "" {
		return ""
	}
	return field
}

// maxLeftOut bounds the wrong fields that decodeBut leaves out.
const maxLeftOut = 20

// decodeBut decodes a document of which one field of a wrong type is no reason to hide the others:
// such a field stays unknown. That it is there is seen in the answer as it came.
func decodeBut[T any](body []byte) (T, error) {
	for left := maxLeftOut; ; left-- {
		v, err := decode[T](body)
		var wrong *decodeError
		if err == nil || left == 0 || !errors.As(err, &wrong) || wrong.field == "" {
			return v, err
		}
		if body = without(body, slices.Collect(wrong.field.Tokens())); body == nil {
			return v, err
		}
	}
}

// without returns a document with null in the place of a value, nil where that is not in it.
func without(body jsontext.Value, path []string) jsontext.Value {
	if len(path) == 0 || body.Kind() == '[' { // of a list nothing is left out without a word
		return jsontext.Value("null")
	}
	fields := map[string]jsontext.Value{}
	if body.Kind() != '{' || jsonv2.Unmarshal(body, &fields, tolerant) != nil || fields[path[0]] == nil {
		return nil
	}
	if fields[path[0]] = without(fields[path[0]], path[1:]); fields[path[0]] == nil {
		return nil
	}
	out, err := jsonv2.Marshal(fields, tolerant)
	if err != nil {
		return nil
	}
	return out
}

// listOf returns the decoder of a list. It calls each, unless nil, with every row.
func listOf[T any](each func(*T)) decoder[List[T]] { return listWith(lenient, each) }

func listWith[T any](options jsonv2.Options, each func(*T)) decoder[List[T]] {
	return func(body []byte) (List[T], error) {
		list, err := decodeWith[List[T]](body, options)
		if err == nil && list.Results == nil {
			err = &decodeError{Offset: len(body), Reason: "the list has no field results"}
		}
		for i := range list.Results {
			if each != nil {
				each(&list.Results[i])
			}
		}
		return list, err
	}
}

// decodeError holds what could not be read, and where.
type decodeError struct {
	// Path is the field, such as results[3].height; "" is the document.
	Path string
	// field is the same where its value has a wrong type.
	field jsontext.Pointer
	// Offset is the byte of the document, from 0.
	Offset int
	Reason string
}

func (e *decodeError) Error() string {
	where := e.Path
	if where != "" {
		where += ": "
	}
	return fmt.Sprintf("%s%s (byte %d)", where, e.Reason, e.Offset)
}

// endsEarly is the reason of a document that was cut short.
const endsEarly = "the document ends too early"

// describe says in words for people why a document could not be read; err is nil for text
// after its end.
func describe(err error, d *jsontext.Decoder, size int) error {
	var syntax *jsontext.SyntacticError
	var value *jsonv2.SemanticError
	switch {
	case err == nil:
		return &decodeError{Offset: int(d.InputOffset()), Reason: "text after the end of the document"}
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return &decodeError{Path: pathOf(d.StackPointer()), Offset: size, Reason: endsEarly}
	case errors.As(err, &syntax):
		return &decodeError{Path: pathOf(syntax.JSONPointer), Offset: min(int(syntax.ByteOffset), size), Reason: syntax.Err.Error()}
	case errors.As(err, &value):
		e := &decodeError{Path: pathOf(value.JSONPointer), field: value.JSONPointer, Offset: int(value.ByteOffset)}
		if e.Reason = "want " + expectedType(value.GoType) + ", found " + kinds[value.JSONKind]; value.Err != nil {
			e.Reason = value.Err.Error()
		}
		return e
	}
	return &decodeError{Reason: err.Error()}
}

// pathOf writes a pointer as a program would: results[3].height.
func pathOf(pointer jsontext.Pointer) string {
	var b strings.Builder
	for token := range pointer.Tokens() {
		switch {
		case token != "" && strings.Trim(token, "0123456789") == "":
			b.WriteString("[" + token + "]")
		case b.Len() > 0 && token != "":
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	return b.String()
}

var kinds = map[jsontext.Kind]string{
	'{': "an object", '[': "an array", '"': "a string", 't': "a boolean", 'f': "a boolean", 'n': "null", '0': "a number",
}

// expectedType names the JSON that a type is read from.
func expectedType(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Slice:
		return "an array"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Int, reflect.Int64:
		return "a number"
	}
	return "an object"
}

// lenient describes how answers are read.
var lenient = leniently(0)

// tolerant describes how text is read that may be wrong in what JSON leaves open.
var tolerant = jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// leniently returns how answers are read whose offset is at least leastOffset. Records
// are read by the functions of their own, if there are any.
func leniently(leastOffset int64, records ...*jsonv2.Unmarshalers) jsonv2.Options {
	least := map[string]int64{"tenure_height": -1, "parent_microblock_sequence": -1, "offset": leastOffset}
	return jsonv2.JoinOptions(tolerant,
		jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(append(records,
			jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, n *int64) error {
				v, err := readNumber(d, least)
				if err == nil {
					*n = v
				}
				return err
			}),
			jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, p **int64) error {
				n, err := readNumber(d, least)
				if err == nil && n >= 0 { // servers write -1 for a tenure height that they do not know
					*p = &n
				}
				return err
			}),
			jsonv2.UnmarshalFromFunc(readSmall),
			jsonv2.UnmarshalFromFunc(readText),
			jsonv2.UnmarshalFromFunc(skipUnknown), // after those that nearly all fields have
			jsonv2.UnmarshalFromFunc(func(_ *jsontext.Decoder, b *Block) error {
				b.ParentMicroblockSequence = -1
				return errors.ErrUnsupported
			}),
		)...)))
}

// skipUnknown reads null and "", which both mean that a value is unknown, and leaves v as
// it is. The document itself and a row of a list must be there.
func skipUnknown(d *jsontext.Decoder, v any) error {
	_, asItComes := v.(*json.RawMessage)
	kind := d.PeekKind()
	if asItComes || kind != 'n' && kind != '"' {
		return errors.ErrUnsupported
	}
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	if kind == '"' && string(value) != `""` || required(d, v) {
		return fmt.Errorf("want %s, found %s", expectedType(reflect.TypeOf(v)), kinds[kind])
	}
	return nil
}

// required reports whether v, which is a pointer, must not be null at the position of d.
func required(d *jsontext.Decoder, v any) bool {
	depth := d.StackDepth()
	in, _ := d.StackIndex(depth)
	return depth == 0 || depth == 2 && in == '[' && reflect.TypeOf(v).Elem().Kind() == reflect.Struct
}

// maxNumber is the greatest number that every JSON reader takes as it is,
// 2^53-1. No height, time, count or cost of a chain comes near it.
const maxNumber = 1<<53 - 1

// readNumber reads a whole number from 0, or from what least has under the name of its
// field, to maxNumber.
func readNumber(d *jsontext.Decoder, least map[string]int64) (int64, error) {
	n, err := wholeNumber(d)
	if err == nil && n < 0 {
		switch allowed := least[d.StackPointer().LastToken()]; {
		case allowed == 0:
			err = errors.New("the number is negative")
		case n < allowed:
			err = fmt.Errorf("the number is below %d", allowed)
		}
	}
	if n > maxNumber {
		err = errors.New("the number is above 2^53-1")
	}
	return n, err
}

// readSmall reads a whole number of 32 bits.
func readSmall(d *jsontext.Decoder, n *int) error {
	v, err := wholeNumber(d)
	switch {
	case err != nil:
		return err
	case int64(int32(v)) != v:
		return errors.New("the number is out of range")
	}
	*n = int(v)
	return nil
}

// readText reads a string.
func readText(d *jsontext.Decoder, s *string) error {
	if d.PeekKind() != '"' {
		return errors.ErrUnsupported
	}
	token, err := d.ReadToken()
	if err == nil {
		*s = token.String()
	}
	return err
}

// wholeNumber reads a number as a whole one: 12, 12.0 and 1.2e1 are 12, and a fraction
// is cut off. What is no number is unknown, or refused by the decoder.
func wholeNumber(d *jsontext.Decoder) (int64, error) {
	if d.PeekKind() != '0' {
		return 0, errors.ErrUnsupported
	}
	token, err := d.ReadToken()
	if err != nil {
		return 0, err
	}
	text := token.String()
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".eE") && f > -1<<63 && f < 1<<63 {
		return int64(f), nil
	}
	return 0, fmt.Errorf("the number %s is too large", wire.Short(text))
}

// extractSupply cuts a supply, a decimal string or number, out of the fields that no tag
// names. What a contract claims that is no such number, or one of more digits than are
// worth reading, comes back as text: one absurd value must not hide a token.
func extractSupply(extra *map[string]json.RawMessage) (n *big.Int, text string, err error) {
	const most, field = 1000, "total_supply"
	raw := jsontext.Value((*extra)[field])
	if delete(*extra, field); len(*extra) == 0 {
		*extra = nil
	}
	switch raw.Kind() {
	case '"':
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, "", err
		}
	case '0':
		text = string(raw)
	case 'n', jsontext.KindInvalid:
	default:
		return nil, "", &decodeError{Path: field, Reason: "want a string of digits, found " + kinds[raw.Kind()]}
	}
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > most || strings.Trim(digits, "0123456789") != "" {
		return nil, text, nil
	}
	n, _ = new(big.Int).SetString(text, 10)
	return n, "", nil
}
