package contracts

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// input is one value as it was entered: a text, or its parts. A text may always be a literal, and
// takes precedence over the parts.
type input struct {
	label string
	of    abi.Type
	text  string
	// parts are the entries of a tuple, the items of a list, what is in an optional, or the
	// side of a response.
	parts []*input
	// failed is set for the err side of a response.
	failed bool
	// optional is set for what may be left out.
	optional bool

	judged  bool // problem, note and missing are those of text
	problem string
	note    string
	missing bool
}

func newInput(label string, of abi.Type) *input {
	in := &input{label: label, of: of}
	switch of.Kind {
	case abi.Tuple:
		for _, f := range of.Fields {
			in.parts = append(in.parts, newInput(f.Name, f.Type))
		}
	case abi.Response:
		in.parts = []*input{newInput("ok", of.Of[0])}
	}
	return in
}

// enter takes a text; of a response it may be a side, which has another part.
func (in *input) enter(text string) {
	in.judged = false
	sides := in.choices()
	side := slices.Index(sides, text)
	if in.of.Kind != abi.Response || side < 0 {
		in.text = text
		return
	}
	if failed := side == 1; failed != in.failed {
		in.failed, in.parts = failed, []*input{newInput(text, in.of.Of[side])}
	}
}

// chosen returns which of the choices it is.
func (in *input) chosen() string {
	switch {
	case in.of.Kind != abi.Response:
		return in.text
	case in.failed:
		return "err"
	}
	return "ok"
}

// vacant reports whether nothing is entered, in no part either.
func (in *input) vacant() bool {
	return in.text == "" && !slices.ContainsFunc(in.parts, func(p *input) bool { return !p.vacant() })
}

// grows reports whether items can be added.
func (in *input) grows() bool {
	switch in.of.Kind {
	case abi.List:
		return len(in.parts) < in.of.Length
	case abi.Optional:
		return len(in.parts) == 0
	}
	return false
}

// add adds an item and returns it.
func (in *input) add() *input {
	label := "item " + strconv.Itoa(len(in.parts)+1)
	if in.of.Kind == abi.Optional {
		label = "some"
	}
	part := newInput(label, in.of.Of[0])
	in.parts = append(in.parts, part)
	in.judged = false
	return part
}

// remove takes an item away, and reports whether it was one.
func (in *input) remove(part *input) bool {
	at := slices.Index(in.parts, part)
	if at < 0 || in.of.Kind != abi.List && in.of.Kind != abi.Optional {
		return false
	}
	in.parts = slices.Delete(in.parts, at, at+1)
	if in.of.Kind == abi.List {
		for i, p := range in.parts {
			p.label = "item " + strconv.Itoa(i+1)
		}
	}
	return true
}

// choices returns the texts of which one is chosen, nil for what is typed.
func (in *input) choices() []string {
	switch in.of.Kind {
	case abi.Bool:
		return []string{"", "true", "false"}
	case abi.Response:
		if in.text == "" {
			return []string{"ok", "err"}
		}
	}
	return nil
}

// errMissing says that nothing is filled in where something has to be.
var errMissing = errors.New("missing")

// wrongAt holds what is wrong with an input, and with which.
type wrongAt struct {
	at  *input
	err error
}

func (w *wrongAt) Error() string { return w.at.label + ": " + w.err.Error() }

// value returns the value that was entered. The error is a [*wrongAt].
func (in *input) value() (clarity.Value, error) {
	fail := func(err error) (clarity.Value, error) { return nil, &wrongAt{in, err} }
	if in.text != "" || in.of.Kind == abi.ASCII || in.of.Kind == abi.UTF8 {
		v, err := in.of.Read(in.text)
		if err != nil {
			return fail(err)
		}
		return v, nil
	}
	switch in.of.Kind {
	case abi.Tuple:
		tuple := clarity.Tuple{}
		for _, p := range in.parts {
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			tuple.Fields = append(tuple.Fields, clarity.Field{Name: p.label, Value: v})
		}
		return in.whole(tuple)
	case abi.List:
		list := clarity.List{}
		for _, p := range in.parts {
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return in.whole(list)
	case abi.Optional:
		if len(in.parts) == 0 {
			return clarity.None{}, nil
		}
		v, err := in.parts[0].value()
		if err != nil {
			return nil, err
		}
		return in.whole(clarity.Some{Value: v})
	case abi.Response:
		v, err := in.parts[0].value()
		if err != nil {
			return nil, err
		}
		if in.failed {
			return in.whole(clarity.Err{Value: v})
		}
		return in.whole(clarity.OK{Value: v})
	}
	return fail(errMissing)
}

// whole checks a composed value: an interface may lie about the names of entries.
func (in *input) whole(v clarity.Value) (clarity.Value, error) {
	if _, err := clarity.Encode(v); err != nil {
		return nil, &wrongAt{in, err}
	}
	return v, nil
}

// look judges the text of an input; only what changed is judged again.
func (in *input) look() (problem, note string, missing bool) {
	if in.judged {
		return in.problem, in.note, in.missing
	}
	in.judged, in.problem, in.note, in.missing = true, "", "", false
	switch v, err := in.own(); {
	case errors.Is(err, errMissing):
		if !in.optional {
			in.problem, in.missing = err.Error(), true
		}
	case err != nil:
		in.problem = err.Error()
	case v != nil && in.text != "":
		in.note = abi.Words(v)
		if p, is := v.(clarity.Principal); is && p.Contract != "" {
			in.note = "contract"
		}
	}
	return in.problem, in.note, in.missing
}

// own returns the value of the text alone, nil where the parts are the value.
func (in *input) own() (clarity.Value, error) {
	if in.text == "" && len(in.parts)+len(in.of.Of) > 0 {
		return nil, nil
	}
	v, err := in.value()
	if wrong, is := errors.AsType[*wrongAt](err); is {
		err = wrong.err
	}
	return v, err
}

// about returns what an empty input means.
func (in *input) about() string {
	switch in.of.Kind {
	case abi.Optional:
		if len(in.parts) > 0 {
			return ""
		}
		return "none; or a value"
	case abi.List:
		if len(in.parts) == 0 {
			return fmt.Sprintf("empty; ctrl+n adds an item, or (list …), at most %d", in.of.Length)
		}
		return ""
	case abi.Tuple:
		return "below, or { … }"
	case abi.ASCII, abi.UTF8:
		return "empty text"
	case abi.Trait:
		return "a contract that has the trait: ADDRESS.name"
	}
	if in.optional {
		return "not given"
	}
	return ""
}

// example fills in what is empty and simple.
func (in *input) example(address func() string) {
	if in.of.Kind == abi.List && in.text == "" && len(in.parts) == 0 && in.grows() {
		in.add()
	}
	for _, p := range in.parts {
		p.example(address)
	}
	if in.text != "" || len(in.parts)+len(in.of.Of) > 0 || in.of.Kind == abi.Unknown {
		return
	}
	switch in.of.Kind {
	case abi.Principal:
		in.text = address()
	case abi.UInt:
		in.text = "1"
	case abi.ASCII, abi.UTF8:
		in.text = "text"[:min(4, in.of.Length)]
	case abi.Trait, abi.Buffer:
	default:
		in.text = in.of.Example()
	}
	in.judged = false
}
