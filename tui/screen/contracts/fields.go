package contracts

import (
	"encoding/hex"
	"errors"
	"strings"
	"unicode/utf8"

	"chainscope/tui/widget/form"
	"chainscope/wallet/clarity/abi"
)

// Slots lists the inputs with their parts.
func (p *callPage) Slots() []form.Slot {
	var out []form.Slot
	for _, in := range p.inputs {
		out = slotsOf(out, in, nil, 0)
	}
	if p.sender != nil {
		out = slotsOf(out, p.sender, nil, 0)
	}
	return out
}

func slotsOf(out []form.Slot, in, within *input, indent int) []form.Slot {
	s := form.Slot{
		Key: in, Label: in.label, Indent: indent, Text: in.text, Options: in.choices(), Literal: in.of.Kind == abi.Response,
		About: in.about(), Type: in.of.String(), Vacant: within != nil && within.of.Kind != abi.Tuple && in.vacant(),
		Exact: in.of.Kind == abi.ASCII || in.of.Kind == abi.UTF8,
		File:  in.of.Kind == abi.Buffer || in.of.Kind == abi.List || in.of.Kind == abi.Tuple,
	}
	s.Empty = s.About
	if s.Empty == "" {
		s.Empty = s.Type
	}
	if s.Options != nil {
		s.Text, s.Empty = in.chosen(), "not chosen"
	}
	out = append(out, s)
	if in.text != "" {
		return out // a literal replaces the parts
	}
	for _, part := range in.parts {
		out = slotsOf(out, part, in, indent+2)
	}
	if in.of.Kind == abi.List && in.grows() {
		out = append(out, form.Slot{Key: adding{in}, Indent: indent + 2, Adds: "item"})
	}
	return out
}

// Check judges an input. What is empty is missing where there has to be something.
func (p *callPage) Check(at any) form.Verdict {
	in, is := at.(*input)
	if !is {
		return form.Right("")
	}
	if verdict, is := p.labelVerdict(in); is {
		return verdict
	}
	problem, note, missing := in.look()
	return form.Verdict{Problem: problem, Note: note, Missing: missing, Offset: -1}
}

// labelVerdict judges a label where a principal is wanted, and reports whether it is one.
func (p *callPage) labelVerdict(in *input) (form.Verdict, bool) {
	problem, address, is := p.env.OfLabel(in.text)
	return form.Verdict{Problem: problem, Fix: address, Offset: -1}, is && (in.of.Kind == abi.Principal || in.of.Kind == abi.Trait)
}

// Enter takes a text; of a response it may be a side.
func (p *callPage) Enter(at any, text string) {
	if in, is := at.(*input); is {
		in.enter(text)
	}
}

// FromFile makes an input of a file: of bytes their digits, else a literal.
func (p *callPage) FromFile(at any, content []byte) (string, error) {
	if in, is := at.(*input); is && in.of.Kind == abi.Buffer {
		return "0x" + hex.EncodeToString(content), nil
	}
	if !utf8.Valid(content) {
		return "", errors.New("the file is no UTF-8 text")
	}
	return strings.TrimSpace(string(content)), nil
}

// Add adds an item to the list under the cursor, or to the one around it.
func (p *callPage) Add(at any) (any, error) {
	to, is := at.(*input)
	if a, adds := at.(adding); adds {
		to, is = a.to, true
	}
	if is && !to.grows() {
		to = p.around(to)
	}
	switch {
	case !is || to == nil || !to.grows():
		return nil, form.ErrNothingToAdd
	case to.text != "":
		return nil, errors.New("clear the literal first: it replaces all items")
	}
	part := to.add()
	for part.of.Kind == abi.Tuple && len(part.parts) > 0 {
		part = part.parts[0] // what is typed first
	}
	return part, nil
}

// Remove removes the item under the cursor.
func (p *callPage) Remove(at any) error {
	in, is := at.(*input)
	if !is {
		return form.ErrNothingToRemove
	}
	if list := p.around(in); list == nil || !list.remove(in) {
		return form.ErrNothingToRemove
	}
	return nil
}

// around returns the input that another is a part of, nil for none.
func (p *callPage) around(part *input) *input {
	var find func(all []*input, within *input) *input
	find = func(all []*input, within *input) *input {
		for _, in := range all {
			if in == part {
				return within
			}
			if found := find(in.parts, in); found != nil {
				return found
			}
		}
		return nil
	}
	return find(p.inputs, nil)
}
