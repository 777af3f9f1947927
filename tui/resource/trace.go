package resource

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// Traced is a row of what a transaction called: a call, an event, or why it failed.
type Traced struct {
	*apiclient.Call // that it is, or that it is of
	Number, Depth   int
	What            string // call, event or failure
	Text            string // of an event or a failure
	RolledBack      bool   // of an event
	// Of is the tree that the row is of, nil where that does not matter.
	Of *apiclient.Trace
}

// ReplayWords say how a transaction of a live chain went when it was run again, "" for one that was not, and
// whether that is otherwise than on the chain.
func ReplayWords(t *apiclient.Trace) (words string, otherwise bool) {
	switch {
	case !t.Replayed:
		return "", false
	case t.Same:
		return "run again on a fork: result and events are those of the chain", false
	}
	return "run again on a fork, it went otherwise than on the chain: " + t.Why, true
}

// failedAt matches the place in the words of a failure.
var failedAt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` at (\S+):(\d+):\d+ in `) })

// TraceRows returns the rows of a tree of calls: each call before what it called and what happened in it, and a
// failure after all that ran.
func TraceRows(root *apiclient.Call) (rows []Traced) {
	add := func(t Traced) {
		t.Number = len(rows)
		rows = append(rows, t)
	}
	var walk func(c *apiclient.Call, depth int)
	walk = func(c *apiclient.Call, depth int) {
		add(Traced{Call: c, Depth: depth, What: "call"})
		events := c.Events
		for i := 0; i <= len(c.Calls); i++ {
			for ; len(events) > 0 && events[0].After <= i; events = events[1:] {
				add(Traced{Call: c, Depth: depth + 1, What: "event", Text: events[0].Text, RolledBack: events[0].RolledBack})
			}
			if i < len(c.Calls) {
				walk(&c.Calls[i], depth+1)
			}
		}
		if n := len(c.Calls); c.Error != "" && (n == 0 || c.Calls[n-1].Error == "") {
			add(Traced{Call: c, Depth: depth + 1, What: "failure", Text: c.Error})
		}
	}
	walk(root, 0)
	return rows
}

// addressIn matches an address in a text.
var addressIn = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bS[0-9A-Z]{27,40}\b`) })

// CutAddresses leaves the two ends of each address of a text, with a mark between them.
func CutAddresses(s, mark string) string {
	return addressIn().ReplaceAllStringFunc(s, func(a string) string { return text.MiddleWith(a, 9, mark) })
}

func (t Traced) ID() string { return strconv.Itoa(t.Number) }

// words returns the row in words.
func (t Traced) words() string {
	_, name, _ := strings.Cut(t.Contract, ".")
	switch t.What {
	case "call":
		return name + "." + t.Function + "(" + strings.Join(t.Arguments, ", ") + ")"
	case "failure":
		return "failed: " + t.Text
	}
	return t.Text
}

// ends returns in a word how a call ended.
func (t Traced) ends() string {
	switch {
	case t.What != "call":
		return ""
	case t.Error != "":
		return "failed"
	case strings.HasPrefix(t.Result, "(err "):
		return "err"
	}
	return "ok"
}

// result returns what a call answered, or that an event is not in the chain.
func (t Traced) result() string {
	switch {
	case t.RolledBack:
		return "rolled back"
	case t.What != "call":
		return ""
	case t.Error != "":
		return "failed"
	case t.Result == "":
		return "not known"
	}
	return t.Result
}

// at returns where a call is made.
func (t Traced) at() string {
	if t.What != "call" || t.At == nil {
		return ""
	}
	_, name, _ := strings.Cut(t.At.Contract, ".")
	return name + ":" + strconv.Itoa(t.At.Line) + ":" + strconv.Itoa(t.At.Column)
}

// Source returns the place in the source that the row is of: of a call where it is called, of the first one
// and of an event the function, of a failure the line.
func (t Traced) Source() nav.Place {
	if apiclient.CheckPrincipal(t.Contract) != nil {
		return nav.Place{}
	}
	if t.What == "call" && t.At != nil && t.At.Line > 0 && apiclient.CheckPrincipal(t.At.Contract) == nil {
		return nav.SourceLine(t.At.Contract, t.At.Line)
	}
	if m := failedAt().FindStringSubmatch(t.Text); t.What == "failure" && m != nil && strings.HasSuffix(t.Contract, "."+m[1]) {
		line, _ := strconv.Atoi(m[2])
		return nav.SourceLine(t.Contract, line)
	}
	at := nav.Source(t.Contract)
	at.Name = t.Function
	return at
}

// TracedCalls describes what a transaction called.
func TracedCalls() Kind[Traced] {
	return Kind[Traced]{Name: "call", Fields: Traced.fields, Columns: []Column[Traced]{
		{Name: "call", Head: "CALL", Least: 30, Most: 10_000, Eager: true, Keep: 9, Value: func(t Traced) Value { return TextOf(t.words()) }, Draw: drawTraced},
		{Name: "result", Field: "result", Head: "RESULT", Least: 14, Most: 40, Keep: 8, Blank: true, Value: func(t Traced) Value { return TextOf(t.result()) }, Draw: drawResult},
		{Name: "at", Head: "CALLED AT", Least: 12, Most: 30, Keep: 6, Blank: true, Style: Muted, Value: func(t Traced) Value { return TextOf(t.at()) }},
		{Name: "ends", Blank: true, Value: func(t Traced) Value { return TextOf(t.ends()) }},
		{Name: "what", Value: func(t Traced) Value { return TextOf(t.What) }},
		{Name: "depth", Type: Number, Value: func(t Traced) Value { return NumberOf(int64(t.Depth)) }},
		{Name: "contract", Type: Hash, Value: func(t Traced) Value { return TextOf(t.Contract) }},
		{Name: "function", Value: func(t Traced) Value { return TextOf(t.Function) }},
	}}
}

// mostIndented bounds how deep rows are moved to the right.
const mostIndented = 16

func drawTraced(t Traced, width int, th *theme.Theme) string {
	lead := strings.Repeat("  ", min(t.Depth, mostIndented, width/4))
	style := th.Text
	switch t.What {
	case "failure":
		style = th.Bad
	case "event":
		lead, style = lead+th.Glyphs.Middle+" ", th.Muted
	}
	return text.Fill(lead+style.Render(text.TruncateWith(text.Line(CutAddresses(t.words(), th.Glyphs.Ellipsis)), max(0, width-text.Width(lead)), th.Glyphs.Ellipsis)), width)
}

func drawResult(t Traced, width int, th *theme.Theme) string {
	style := th.OK
	switch {
	case t.RolledBack:
		style = th.Muted
	case t.ends() != "ok":
		style = th.Bad
	}
	return text.Fill(style.Render(text.TruncateWith(text.Line(t.result()), width, th.Glyphs.Ellipsis)), width)
}

// argumentKey returns the key that copies an argument, "" for one after the ninth.
func argumentKey(i int) string {
	if i < 9 {
		return strconv.Itoa(i + 1)
	}
	return ""
}

func (t Traced) fields() []Field {
	var fields []Field
	if of := t.Of; of != nil && of.Replayed {
		fields = []Field{{Section: "Run again"}, {Label: "as on chain", Value: TextOf("yes"), Mark: Good}}
		if !of.Same {
			fields[1] = Field{Label: "as on chain", Value: TextOf("no"), Mark: Bad}
			fields = append(fields, Field{Label: "why", Value: TextOf(brief(of.Why)), Exact: of.Why, Key: "w"})
		}
	}
	fields = append(fields,
		Field{Section: "Call"},
		Field{Label: "contract", Type: Hash, Value: TextOf(brief(t.Contract)), Key: "h", To: accountPlace(t.Contract).Link()},
		Field{Label: "function", Value: TextOf(brief(t.Function)), Key: "f"})
	for i, v := range t.Arguments {
		fields = append(fields, Field{Label: "argument " + strconv.Itoa(i+1), Value: TextOf(brief(v)), Exact: v, Key: argumentKey(i), To: LinkTo(v).Link()})
	}
	if t.What != "call" {
		return append(fields, Field{Label: t.What, Value: TextOf(brief(t.words())), Exact: t.Text, Key: "e", To: t.Source().Link()})
	}
	mark := Good
	if t.ends() != "ok" {
		mark = Bad
	}
	fields = append(fields, Field{Label: "result", Value: TextOf(brief(t.result())), Exact: t.Result, Mark: mark, Key: "r"})
	if t.Error != "" {
		fields = append(fields, Field{Label: "failure", Value: TextOf(brief(t.Error)), Exact: t.Error, Mark: Bad, Key: "e"})
	}
	if t.At != nil {
		fields = append(fields, Field{Label: "called at", Value: TextOf(brief(t.at())), To: t.Source().Link()},
			Field{Label: "expression", Value: TextOf(brief(t.Expression)), Exact: t.Expression, Key: "x"})
	}
	return fields
}
