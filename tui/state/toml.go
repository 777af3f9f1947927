package state

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// BadValue returns the error of an UnmarshalText that cannot take a value, from which
// DecodeStrictly finds where the value is.
func BadValue(value []byte, format string, args ...any) error {
	return unstable.NewParserError(value, format, args...)
}

// byteOrderMark holds what some editors put before a text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// DecodeStrictly reads TOML into a struct. A key that the struct does not have is an
// error; errors say the line and column.
func DecodeStrictly(text []byte, into any) error {
	d := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, byteOrderMark)))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var missing *toml.StrictMissingError
	var broken *toml.DecodeError
	switch {
	case errors.As(err, &missing):
		var problems []string
		for _, e := range missing.Errors {
			problems = append(problems, position(e.Position())+unknownKey(strings.Join(e.Key(), ".")))
		}
		return errors.New(strings.Join(problems, "; "))
	case errors.As(err, &broken):
		return errors.New(position(broken.Position()) + tomlProblem(broken))
	}
	return err
}

func position(line, column int) string { return fmt.Sprintf("line %d, column %d: ", line, column) }

func unknownKey(key string) string { return fmt.Sprintf("unknown key %q", key) }

// mismatch describes how the decoder says that a value has another type than its field.
const mismatch = `^(?:cannot decode TOML ([a-z -]+) into|cannot store a (table) in a|(.*) cannot be stored in) (?:.* )?(\S+)$`

// tomlProblem returns what is wrong with a TOML text, without the names of Go.
func tomlProblem(e *toml.DecodeError) string {
	message := strings.TrimPrefix(e.Error(), "toml: ")
	found := regexp.MustCompile(mismatch).FindStringSubmatch(message)
	if found == nil {
		return message
	}
	if found[3] != "" {
		return fmt.Sprintf("%s is out of range: want %s", found[3], wanted(found[4]))
	}
	return fmt.Sprintf("%s is of the type %s: want %s", strings.Join(e.Key(), "."), found[1]+found[2], wanted(found[4]))
}

// wanted returns what a type of Go takes.
func wanted(kind string) string {
	switch strings.TrimPrefix(kind, "*") {
	case "bool":
		return "true or false"
	case "string":
		return "a text in quotes"
	case "int", "uint32", "uint64":
		return "a whole number"
	case "[]string", "slice", "state.KeyList":
		return "a list of texts in quotes"
	case "state.Duration":
		return `a duration such as "10s"`
	case "theme.fileColor":
		return `a color such as "#b58900"`
	}
	return "a table such as [mock]"
}

// positions returns where each key of a TOML text is, as errors say it, by its
// path: mock.seed, command.0.run.
func positions(text []byte) map[string]string {
	found := keyPositions{at: map[string]string{}, tables: map[string]int{}}
	found.parser.Reset(bytes.TrimPrefix(text, byteOrderMark))
	table := ""
	for found.parser.NextExpression() {
		switch e := found.parser.Expression(); e.Kind {
		case unstable.Table:
			table = found.key("", e)
		case unstable.ArrayTable:
			table = found.key("", e)
			number := found.tables[table]
			found.tables[table]++
			table += "." + strconv.Itoa(number)
			found.at[table] = found.at[strings.TrimSuffix(table, "."+strconv.Itoa(number))]
		case unstable.KeyValue:
			found.value(found.key(table, e), e.Value())
		}
	}
	return found.at
}

type keyPositions struct {
	parser unstable.Parser
	at     map[string]string
	tables map[string]int // how often an array of tables has come
}

// key notes where the key of an expression is and returns its path.
func (p *keyPositions) key(path string, e *unstable.Node) string {
	begin := ""
	for it := e.Key(); it.Next(); {
		part := it.Node()
		if begin == "" {
			start := p.parser.Shape(part.Raw).Start
			begin = position(start.Line, start.Column)
		}
		if path != "" {
			path += "."
		}
		path += string(part.Data)
	}
	p.at[path] = begin
	return path
}

// value notes the keys inside of a value.
func (p *keyPositions) value(path string, v *unstable.Node) {
	number := 0
	for it := v.Children(); it.Next(); {
		switch inner := it.Node(); {
		case inner.Kind == unstable.KeyValue:
			p.value(p.key(path, inner), inner.Value())
		case v.Kind == unstable.Array:
			element := path + "." + strconv.Itoa(number)
			p.at[element] = p.at[path]
			p.value(element, inner)
			number++
		}
	}
}
