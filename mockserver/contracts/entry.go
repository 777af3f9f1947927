package contracts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"chainscope/wallet/clarity"
	"chainscope/wallet/document"
)

// Example is an entry that is right.
const Example = `{"contract":"SP000000000000000000002Q6VF78.counter","reads":{"get-count":{"args":[],"result":"(ok u5)"}},"calls":{"increment":{"result":"(ok u6)"}}}`

// Entry gives the answers of one contract, by function, and what its maps,
// variables and constants hold. Values are Clarity literals. Source is the text
// of the contract, from which its interface is read.
type Entry struct {
	Contract  string             `json:"contract"`
	Reads     map[string]Answers `json:"reads,omitempty"`
	Calls     map[string]Answers `json:"calls,omitempty"`
	Maps      map[string]Held    `json:"maps,omitempty"`
	Vars      map[string]string  `json:"vars,omitempty"`
	Constants map[string]string  `json:"constants,omitempty"`
	Source    string             `json:"source,omitempty"`
}

// Held holds what a map holds. In JSON a single entry may be written without the list.
type Held []HeldEntry

// HeldEntry is one key of a map with its value.
type HeldEntry struct {
	Key   *string `json:"key"`
	Value *string `json:"value"`
}

// UnmarshalJSON reads one entry or a list of them.
func (h *Held) UnmarshalJSON(data []byte) (err error) {
	*h, err = oneOrMany[HeldEntry](data)
	return err
}

func (e *Entry) empty() bool {
	return len(e.Reads)+len(e.Calls)+len(e.Maps)+len(e.Vars)+len(e.Constants) == 0 && e.Source == ""
}

// parts returns everything but the source as answers: a map answers to its keys,
// a variable to no arguments.
func (e *Entry) parts() map[part]map[string]Answers {
	out := map[part]map[string]Answers{reads: e.Reads, calls: e.Calls, maps: {}, vars: {}, constants: {}}
	for name, held := range e.Maps {
		out[maps][name] = Answers{}
		for _, one := range held {
			a := Answer{Result: one.Value}
			if one.Key != nil {
				a.Args = &[]string{*one.Key}
			}
			out[maps][name] = append(out[maps][name], a)
		}
	}
	for p, values := range map[part]map[string]string{vars: e.Vars, constants: e.Constants} {
		for name, text := range values {
			out[p][name] = Answers{{Args: &[]string{}, Result: &text}}
		}
	}
	return out
}

// Answers are those of one function. In JSON a single one may be written without the
// list.
type Answers []Answer

// Answer holds what a function answers to arguments, to any if Args is nil. Of a call it also
// says what moves, what is printed and what is set, if the call succeeds; there, and in the
// result, $1 is the first argument, $sender who calls and $contract the contract.
type Answer struct {
	Args   *[]string `json:"args,omitempty"`
	Result *string   `json:"result"`
	Moves  []Move    `json:"moves,omitempty"`
	Prints []string  `json:"prints,omitempty"`
	Sets   *Sets     `json:"sets,omitempty"`
}

// Move is an asset that a call moves: STX, or ADDRESS.contract::name. Without From it is
// minted, without To burned; both are sender, contract, a principal or an argument. Amount
// is for STX and fungible tokens, ID for non-fungible ones.
type Move struct {
	Asset  string  `json:"asset"`
	From   *string `json:"from,omitempty"`
	To     *string `json:"to,omitempty"`
	Amount *string `json:"amount,omitempty"`
	ID     *string `json:"id,omitempty"`
}

// Sets are the variables and map entries that a call leaves.
type Sets struct {
	Vars map[string]string `json:"vars,omitempty"`
	Maps []SetEntry        `json:"maps,omitempty"`
}

// SetEntry is a map entry that a call leaves.
type SetEntry struct {
	Name  string `json:"name"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

// UnmarshalJSON reads one answer or a list of them.
func (a *Answers) UnmarshalJSON(data []byte) (err error) {
	*a, err = oneOrMany[Answer](data)
	return err
}

func oneOrMany[T any](data []byte) ([]T, error) {
	if text := bytes.TrimLeft(data, " \t\r\n"); len(text) > 0 && text[0] == '[' {
		var all []T
		err := document.JSON(data, &all)
		return all, err
	}
	var one T
	err := document.JSON(data, &one)
	return []T{one}, err
}

// MarshalJSON writes one answer without the list.
func (a Answers) MarshalJSON() ([]byte, error) {
	if len(a) == 1 {
		return json.Marshal(a[0])
	}
	return json.Marshal([]Answer(a))
}

// ParseJSON reads one entry.
func ParseJSON(data []byte) (Entry, error) {
	var e Entry
	if err := document.JSON(data, &e); err != nil {
		return e, fmt.Errorf("no entry such as %s: %w", Example, err)
	}
	return e, nil
}

// parse reads the literals. The error begins with the path of the bad one.
func (a Answer) parse(p part) (answer, error) {
	arg, result := "/args/%d", "/result"
	switch p {
	case maps:
		arg, result = "/key", "/value"
		if a.Args == nil {
			return answer{}, errors.New(`: no "key"; give one such as {"key":"u1","value":"u5"}`)
		}
	case vars, constants:
		result = ""
	}
	parsed := answer{any: a.Args == nil}
	if a.Args != nil {
		args := make([]clarity.Value, len(*a.Args))
		for i, text := range *a.Args {
			var err error
			if args[i], err = clarity.ParseLiteral(text); err != nil {
				return parsed, fmt.Errorf("%s: %q is no Clarity literal: %w", strings.ReplaceAll(arg, "%d", strconv.Itoa(i)), text, err)
			}
		}
		var err error
		if parsed.args, err = encodeArgs(args); err != nil {
			return parsed, fmt.Errorf("/args: %w", err)
		}
	}
	if a.Result == nil {
		return parsed, fmt.Errorf(`: no %q; give a Clarity literal such as "(ok u5)"`, strings.TrimPrefix(result, "/"))
	}
	if p == calls {
		return a.parseCall(parsed)
	}
	if len(a.Moves)+len(a.Prints) > 0 || a.Sets != nil {
		return parsed, errors.New(`: "moves", "prints" and "sets" belong to calls`)
	}
	value, err := clarity.ParseLiteral(*a.Result)
	if err != nil {
		return parsed, fmt.Errorf("%s: %q is no Clarity literal: %w", result, *a.Result, err)
	}
	if _, err := clarity.Encode(value); err != nil {
		return parsed, fmt.Errorf("%s: %w", result, err)
	}
	parsed.result = value
	return parsed, nil
}

// ParseYAML reads a list of entries, or one without the list. The error names
// line and column of what is wrong, or of the entry that it is in.
func ParseYAML(data []byte) (Book, error) {
	var book Book
	root, err := document.YAML(data)
	if root == nil {
		return book, err
	}
	entries := []*yaml.Node{root}
	if entries[0].Kind == yaml.SequenceNode {
		entries = entries[0].Content
	}
	for _, node := range entries {
		value, err := document.Value(node, plain)
		if err != nil {
			return Book{}, fmt.Errorf("line %d: %w", node.Line, err)
		}
		text, err := json.Marshal(value)
		if err != nil {
			return Book{}, fmt.Errorf("line %d: %w", node.Line, err)
		}
		entry, err := ParseJSON(text)
		if err == nil {
			book, err = book.Add(entry)
		}
		if err != nil {
			path, _, _ := strings.Cut(err.Error(), ": ")
			at := within(node, path)
			return Book{}, fmt.Errorf("line %d, column %d: %w", at.Line, at.Column, err)
		}
	}
	return book, nil
}

// within returns the node at a path such as reads/get-count/0/result, or as deep as the path
// leads. A single answer may be written without its list.
func within(node *yaml.Node, path string) *yaml.Node {
	for step := range strings.SplitSeq(path, "/") {
		for node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		next := node
		if i, err := strconv.Atoi(step); err == nil && node.Kind == yaml.SequenceNode && i >= 0 && i < len(node.Content) {
			next = node.Content[i]
		}
		for i := 0; node.Kind == yaml.MappingNode && i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == step {
				next = node.Content[i+1]
			}
		}
		node = next
	}
	return node
}

// plain returns the text of a scalar, so that literals such as 5, true and none need no quotes.
func plain(node *yaml.Node) (any, error) {
	if node.Tag == "!!null" {
		return nil, nil
	}
	return node.Value, nil
}
