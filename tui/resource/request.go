package resource

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"chainscope/apiclient/wire"
	"chainscope/tui/text"
)

// Request is a request of this program, with what came back.
type Request struct{ wire.Exchange }

// Key returns its number, as a place names it.
func (r Request) Key() string { return strconv.FormatUint(r.ID, 10) }

// Requests describes requests.
func Requests() Kind[Request] {
	return Kind[Request]{Name: "request", Fields: Request.fields, Columns: []Column[Request]{
		{Name: "time", Head: "TIME", Least: 8, Most: 8, Keep: 5, Style: Muted, Value: func(r Request) Value { return TextOf(r.Started.Format(time.TimeOnly)) }},
		{Name: "status", Head: "STATUS", Least: 6, Most: 6, Keep: 8, Value: func(r Request) Value { return TextOf(r.status()) }},
		{Name: "path", Head: "REQUEST", Type: Hash, Least: 20, Most: 200, Keep: 9, Value: func(r Request) Value { return TextOf(r.line()) }},
		{Name: "took", Field: "took_ms", Head: "TOOK (ms)", Type: Number, Least: 9, Most: 9, Keep: 7, Style: Numeral, Value: Request.duration},
		{Name: "received", Field: "received_bytes", Head: "BYTES", Type: Number, Least: 9, Most: 9, Keep: 6, Style: Muted, Value: func(r Request) Value { return NumberOf(r.ResponseSize) }},
		{Name: "method", Value: func(r Request) Value { return TextOf(r.Method) }},
		{Name: "attempts", Type: Number, Value: func(r Request) Value { return NumberOf(int64(r.Attempts)) }},
		{Name: "url", Value: func(r Request) Value { return TextOf(r.URL) }},
		{Name: "error", Value: func(r Request) Value { return TextOf(r.Err) }},
	}}
}

// status returns the status code of the answer, or what there is in its place.
func (r Request) status() string {
	switch {
	case !r.Done:
		return "open"
	case r.NotModified:
		return "304"
	case r.Status == 0:
		return "failed"
	}
	return strconv.Itoa(r.Status)
}

// line returns the path, with the method where it is not GET.
func (r Request) line() string {
	if r.Method == http.MethodGet {
		return r.Target()
	}
	return r.Method + " " + r.Target()
}

func (r Request) duration() Value {
	if !r.Done {
		return Value{}
	}
	return NumberOf(r.Duration.Milliseconds())
}

// fields returns all that is known of a request.
func (r Request) fields() []Field {
	state := Field{Label: "status", Value: TextOf(r.status()), Mark: Good}
	switch {
	case !r.Done:
		state.Mark = Plain
	case r.Status == 0 || r.Status >= http.StatusBadRequest:
		state.Mark = Bad
	}
	fields := []Field{
		{Section: "Request"},
		{Label: "method", Value: TextOf(r.Method)},
		{Label: "url", Type: Address, Value: TextOf(r.URL), Key: "u"},
		state,
		{Label: "sent at", Value: TextOf(r.Started.Format("15:04:05.000"))},
		{Label: "took", Value: TextOf(text.Duration(r.Duration))},
		{Label: "received", Value: TextOf(text.Bytes(r.ResponseSize))},
	}
	if r.Err != "" {
		fields = append(fields, Field{Label: "error", Value: TextOf(r.Err), Mark: Bad})
	}
	if r.NotModified {
		fields = append(fields, Field{Label: "cache", Value: TextOf("not modified: the cached answer is current")})
	}
	fields = append(fields, r.timings()...)
	for i, try := range r.Tries {
		if len(r.Tries) > 1 {
			fields = append(fields, Field{Label: fmt.Sprintf("try %d", i+1), Value: TextOf(ending(try))})
		}
	}
	fields = append(fields, headers("Request headers", r.RequestHeader)...)
	fields = append(fields, headers("Response headers", r.ResponseHeader)...)
	if r.ResponseBodyCut {
		fields = append(fields, Field{Section: "Answer"}, Field{Value: TextOf("only the first " + text.Bytes(int64(len(r.ResponseBody))) + " are kept"), Mark: Remark})
	}
	return append(fields, Field{Section: "The same by curl"}, Field{Value: TextOf(r.Curl()), Exact: r.Curl(), Key: "c"})
}

// timings returns how long each part of the last try took.
func (r Request) timings() []Field {
	t := r.Timings()
	var parts []string
	for _, p := range []struct {
		name     string
		duration time.Duration
	}{{"dns", t.DNS}, {"connect", t.Connect}, {"tls", t.TLS}, {"first byte", t.FirstByte}, {"total", t.Total}} {
		if p.duration > 0 {
			parts = append(parts, p.name+" "+text.Duration(p.duration))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []Field{{Label: "timings", Value: TextOf(strings.Join(parts, "  "))}}
}

// ending returns how a try ended.
func ending(t wire.Try) string {
	words := "no answer"
	if t.Status != 0 {
		words = strconv.Itoa(t.Status)
	}
	if t.Err != "" {
		words += ": " + t.Err
	}
	return words
}

func headers(section string, h http.Header) []Field {
	var fields []Field
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			fields = append(fields, Field{Label: name, Value: TextOf(value)})
		}
	}
	if len(fields) == 0 {
		return nil
	}
	return append([]Field{{Section: section}}, fields...)
}
