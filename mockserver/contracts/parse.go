package contracts

import "encoding/json"

// ParseInterface reads an interface as a node writes it.
func ParseInterface(text []byte) (Interface, error) {
	i := newInterface(0)
	if err := json.Unmarshal(text, &i); err != nil {
		return i, err
	}
	for n := range i.Functions {
		f := &i.Functions[n]
		f.Outputs.Type = typeOfJSON(f.Outputs.Type)
		for a := range f.Args {
			f.Args[a].Type = typeOfJSON(f.Args[a].Type)
		}
		// What a public function changes cannot be told from its interface.
		f.writes = f.Access == Public
	}
	for n := range i.Variables {
		i.Variables[n].Type = typeOfJSON(i.Variables[n].Type)
	}
	for n := range i.Maps {
		i.Maps[n].Key, i.Maps[n].Value = typeOfJSON(i.Maps[n].Key), typeOfJSON(i.Maps[n].Value)
	}
	for n := range i.NonFungibleTokens {
		i.NonFungibleTokens[n].Type = typeOfJSON(i.NonFungibleTokens[n].Type)
	}
	return i, nil
}

// typeOfJSON makes of a type as it was decoded what this package makes itself.
func typeOfJSON(t Type) Type {
	for _, name := range []string{"buffer", "string-ascii", "string-utf8"} {
		if size, is := inside(t, name); is {
			return sized(name, lengthOfJSON(size))
		}
	}
	if of, is := inside(t, "optional"); is {
		return optional(typeOfJSON(of))
	}
	if both, is := inside(t, "response"); is {
		object, _ := both.(map[string]any)
		return response(typeOfJSON(object["ok"]), typeOfJSON(object["error"]))
	}
	if of, is := inside(t, "list"); is {
		object, _ := of.(map[string]any)
		return list(typeOfJSON(object["type"]), lengthOfJSON(of))
	}
	if fields, is := inside(t, "tuple"); is {
		items, _ := fields.([]any)
		out := make([]Arg, 0, len(items))
		for _, item := range items {
			object, _ := item.(map[string]any)
			name, _ := object["name"].(string)
			out = append(out, Arg{name, typeOfJSON(object["type"])})
		}
		return tuple(out)
	}
	return t
}

// lengthOfJSON is the member length of an object, 0 if it has none.
func lengthOfJSON(v any) int {
	object, _ := v.(map[string]any)
	length, _ := object["length"].(float64)
	return int(length)
}
