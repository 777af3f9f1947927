package snippet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/hidden"
	"chainscope/wallet/provider"
)

// Kind selects the function of the library that is called.
type Kind int

// The functions.
const (
	Request Kind = iota
	Raw
	Connect
	Disconnect
)

// Call is a call of the library. Options has JSON values by the library's names;
// the value of provider is an id. Raw is the id of the wallet of a raw request.
type Call struct {
	Kind    Kind
	Method  string
	Params  json.RawMessage // nil for none
	Options map[string]json.RawMessage
	Raw     string
}

// optionOrder is the order in which options are written.
var optionOrder = []string{
	"provider", "forceWalletSelect", "persistWalletSelect", "enableOverrides", "enableLocalStorage",
	"approvedProviderIds", "defaultProviders", "walletConnect", "walletConnectProjectId",
}

func orderOf(options map[string]json.RawMessage) []string {
	place := func(name string) int {
		if i := slices.Index(optionOrder, name); i >= 0 {
			return i
		}
		return len(optionOrder)
	}
	return slices.SortedFunc(maps.Keys(options), func(a, b string) int { return cmp.Or(place(a)-place(b), strings.Compare(a, b)) })
}

// JavaScript writes the call as a module that runs in a page. The account and the network of the
// wallet are no part of a request; a comment names them.
func JavaScript(c Call, of Wallet, wallet string) string {
	code := javaScript(c, wallet)
	if of.Network == "" || c.Kind == Disconnect {
		return code
	}
	who := fmt.Sprintf("// to be signed by account %d on %s of %s", of.Account, text.Line(of.Network), text.Line(cmp.Or(wallet, "the wallet")))
	if of.Persona != "" && of.Persona != "rich" {
		who += ", persona " + of.Persona
	}
	return who + "\n" + of.comment("//") + code
}

func javaScript(c Call, wallet string) string {
	w := &writer{}
	types, there := connectMethods[c.Method]
	var body string
	switch {
	case c.Kind == Disconnect:
		body = "disconnect();\n"
	case c.Kind == Connect:
		body = "const result = await connect(" + w.options(c.Options, c.Params) + ");\n"
	case !there:
		return w.another(c, wallet)
	case c.Kind == Raw:
		w.plain = true // the library converts nothing
		body = w.call("requestRaw", window(c.Raw)+", "+str(c.Method), types, c.Params, "", "")
	default:
		first := str(c.Method)
		if len(c.Options) > 0 {
			first = w.options(c.Options, nil) + ", " + first
		}
		body = w.call("request", first, types, c.Params, "", "")
	}
	imports := "import { " + [...]string{"request", "requestRaw", "connect", "disconnect"}[c.Kind] + " } from '@stacks/connect';\n"
	if w.clarity {
		imports += "import { Cl } from '@stacks/transactions';\n"
	}
	return imports + "\n" + body
}

// call writes the call of a function of a library whose types are those; without params it gets none.
// Params that the types refuse are a value of their own, which the types do not check.
func (w *writer) call(function, first, types string, params json.RawMessage, none, last string) string {
	value := none
	if len(params) > 0 {
		value = ", " + w.value(params, 0)
		if name := w.misfit(types, params); name != "" {
			options, method, found := strings.Cut(first, "\n}, ")
			if found {
				value, first = value+";\nconst options = "+options+"\n}", "options, "+method
			}
			const form = "const params = %s;\n// @ts-ignore: the types of the library refuse %s\nconst result = await %s(%s, params%s);\n"
			return fmt.Sprintf(form, value[2:], str(name), function, first, last)
		}
	}
	return fmt.Sprintf("const result = await %s(%s%s%s);\n", function, first, value, last)
}

// another writes a request of a method that @stacks/connect lacks: with sats-connect, or to the
// wallet itself where that has none either, or sends it getInfo first, which the wallet lacks.
// Neither has the options of @stacks/connect.
func (w *writer) another(c Call, wallet string) string {
	w.plain = true
	id, lost, why := c.Raw, "", "no published library has this method"
	if id == "" {
		_ = json.Unmarshal(c.Options["provider"], &id)
	}
	for _, name := range orderOf(c.Options) {
		if name != "provider" {
			lost += "// not carried over, an option of @stacks/connect: " + name + "\n"
		}
	}
	wallet = cmp.Or(id, wallet, "StacksProvider")
	types, there := satsMethods[c.Method]
	if there && slices.ContainsFunc(provider.Personalities(), func(p provider.Personality) bool { return p.ID() == wallet && !p.Model().Has("getInfo") }) {
		there, why = false, "sats-connect asks for getInfo first, which this wallet lacks"
	}
	if !there {
		return fmt.Sprintf("%s// %s\nconst result = await %s.request(%s%s);\n", lost, why, window(wallet), str(c.Method), w.params(c.Params))
	}
	last := ""
	if id != "" {
		last = ", " + str(id)
	}
	w.sats, w.imports = true, []string{"request"}
	body := w.call("request", str(c.Method), types, c.Params, ", null", last)
	library := "sats-connect"
	if c.Method == "signMultipleMessages" {
		library = "@sats-connect/core" // its newer types
	}
	slices.Sort(w.imports)
	return fmt.Sprintf("import { %s } from '%s';\n\n%s%s", strings.Join(slices.Compact(w.imports), ", "), library, lost, body)
}

// writer writes values. A plain one leaves Clarity values as the JSON that they are; one for
// sats-connect writes its constants, of which those of a param are chosen from.
type writer struct {
	clarity, plain, sats bool
	of                   string
	imports              []string
}

func (w *writer) params(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	return ", " + w.value(raw, 0)
}

// options writes the options; the network of connect is among them.
func (w *writer) options(options map[string]json.RawMessage, params json.RawMessage) string {
	var lines []string
	for _, name := range orderOf(options) {
		value := w.value(options[name], 1)
		if name == "provider" {
			var id string
			if json.Unmarshal(options[name], &id) == nil {
				value = window(id)
			}
		}
		lines = append(lines, "  "+key(name)+": "+value)
	}
	var p struct{ Network json.RawMessage }
	if json.Unmarshal(params, &p) == nil && len(p.Network) > 0 {
		lines = append(lines, "  network: "+w.value(p.Network, 1))
	}
	if len(lines) == 0 {
		return ""
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}

var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)
})

// window returns the object at a dotted path on window.
func window(id string) string {
	out := "window"
	for _, part := range strings.Split(id, ".") {
		if identifier().MatchString(part) {
			out += "." + part
		} else {
			out += "[" + str(part) + "]"
		}
	}
	return out
}

func key(name string) string {
	if identifier().MatchString(name) {
		return name
	}
	return str(name)
}

// value writes a JSON value as JavaScript. Clarity values become calls of Cl.
func (w *writer) value(raw json.RawMessage, depth int) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "undefined"
	}
	switch raw[0] {
	case '{':
		if v, err := clarity.ParseJSON(raw); err == nil && !w.plain {
			w.clarity = true
			return cl(v)
		}
		return w.object(raw, depth)
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return "undefined"
		}
		items := make([]string, len(list))
		for i, item := range list {
			items[i] = w.value(item, depth+1)
		}
		return block("[", items, "]", depth)
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return cmp.Or(w.constant(s), str(s))
		}
	}
	// A number beyond what JavaScript counts exactly would be another number.
	if s := string(raw); strings.Trim(s, "0123456789") == "" && len(s) > 15 {
		return s + "n"
	}
	return string(raw)
}

func (w *writer) object(raw json.RawMessage, depth int) string {
	members, err := text.Members(raw)
	if err != nil {
		return "undefined"
	}
	items := make([]string, len(members))
	for i, m := range members {
		if w.sats {
			w.of = constants[m.Name]
		}
		items[i] = key(m.Name) + ": " + w.value(m.JSON, depth+1)
	}
	return block("{", items, "}", depth)
}

// block writes items one a line, or all on one when they are short.
func block(open string, items []string, end string, depth int) string {
	if len(items) == 0 {
		return open + end
	}
	flat := strings.Join(items, ", ")
	if depth > 0 && len(flat) <= 80 && !strings.Contains(flat, "\n") {
		if open == "{" {
			return "{ " + flat + " }"
		}
		return open + flat + end
	}
	pad := strings.Repeat("  ", depth+1)
	return open + "\n" + pad + strings.Join(items, ",\n"+pad) + "\n" + strings.Repeat("  ", depth) + end
}

// str writes a string literal. Everything that could not be seen is escaped.
func str(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	unseen := map[int]bool{}
	for _, f := range hidden.FindText(s) {
		unseen[f.Offset] = true
	}
	for i, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f || r == '\u2028' || r == '\u2029' || r == 0xfffd || unseen[i]:
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// cl writes a Clarity value with the functions of @stacks/transactions.
func cl(v clarity.Value) string {
	switch v := v.(type) {
	case clarity.Int:
		return "Cl.int(" + v.N.String() + "n)"
	case clarity.UInt:
		return "Cl.uint(" + v.N.String() + "n)"
	case clarity.Bool:
		return "Cl.bool(" + strconv.FormatBool(bool(v)) + ")"
	case clarity.Buffer:
		return fmt.Sprintf("Cl.bufferFromHex('%x')", []byte(v))
	case clarity.ASCII:
		return "Cl.stringAscii(" + str(string(v)) + ")"
	case clarity.UTF8:
		return "Cl.stringUtf8(" + str(string(v)) + ")"
	case clarity.Principal:
		return "Cl.principal(" + str(v.String()) + ")"
	case clarity.None:
		return "Cl.none()"
	case clarity.Some:
		return "Cl.some(" + cl(v.Value) + ")"
	case clarity.OK:
		return "Cl.ok(" + cl(v.Value) + ")"
	case clarity.Err:
		return "Cl.error(" + cl(v.Value) + ")"
	case clarity.List:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = cl(item)
		}
		return "Cl.list([" + strings.Join(items, ", ") + "])"
	case clarity.Tuple:
		items := make([]string, len(v.Fields))
		for i, f := range v.Fields {
			items[i] = key(f.Name) + ": " + cl(f.Value)
		}
		return "Cl.tuple({ " + strings.Join(items, ", ") + " })"
	}
	return "undefined"
}
