package jsonrpc

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestARequestIsReadStrictly(t *testing.T) {
	cases := map[string]struct {
		text    string
		want    Request
		code    int
		message string // part of it
	}{
		"with params":                      {text: `{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}`, want: Request{ID: []byte(`"a"`), Method: "m", Params: []byte(`{"x":1}`)}},
		"with positional params":           {text: `{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}`, want: Request{ID: []byte(`1`), Method: "m", Params: []byte(`[1]`)}},
		"without params":                   {text: ` {"jsonrpc":"2.0","id":-1,"method":"m"}`, want: Request{ID: []byte(`-1`), Method: "m"}},
		"null params are no params":        {text: `{"jsonrpc":"2.0","id":null,"method":"m","params":null}`, want: Request{ID: []byte(`null`), Method: "m"}},
		"without id it is a notification":  {text: `{"jsonrpc":"2.0","method":"m"}`, want: Request{Method: "m"}},
		"unknown members are left alone":   {text: `{"jsonrpc":"2.0","id":1,"method":"m","more":true}`, want: Request{ID: []byte(`1`), Method: "m"}},
		"empty text":                       {text: ``, code: ParseError, message: "not JSON"},
		"half a text":                      {text: `{"jsonrpc":"2.0"`, code: ParseError, message: "byte 16"},
		"two texts":                        {text: `{} {}`, code: ParseError, message: "not JSON"},
		"not UTF-8":                        {text: "{\"a\":\"\xff\"}", code: ParseError, message: "UTF-8"},
		"a string":                         {text: `"m"`, code: InvalidRequest, message: "not an object"},
		"a batch":                          {text: `[{"jsonrpc":"2.0","id":1,"method":"m"}]`, code: InvalidRequest, message: "batch"},
		"no version":                       {text: `{"id":7,"method":"m"}`, want: Request{ID: []byte(`7`)}, code: InvalidRequest, message: "jsonrpc"},
		"another version":                  {text: `{"jsonrpc":2.0,"id":7,"method":"m"}`, want: Request{ID: []byte(`7`)}, code: InvalidRequest, message: "jsonrpc"},
		"no method":                        {text: `{"jsonrpc":"2.0","id":7}`, want: Request{ID: []byte(`7`)}, code: InvalidRequest, message: "method: is missing"},
		"a method that is no string":       {text: `{"jsonrpc":"2.0","id":7,"method":1}`, want: Request{ID: []byte(`7`)}, code: InvalidRequest, message: "method"},
		"an empty method":                  {text: `{"jsonrpc":"2.0","id":7,"method":""}`, want: Request{ID: []byte(`7`)}, code: InvalidRequest, message: "method"},
		"an id that is an object":          {text: `{"jsonrpc":"2.0","id":{},"method":"m"}`, code: InvalidRequest, message: "id"},
		"params that are a string":         {text: `{"jsonrpc":"2.0","id":7,"method":"m","params":"x"}`, want: Request{ID: []byte(`7`), Method: "m"}, code: InvalidRequest, message: "params"},
		"nesting that would exhaust stack": {text: strings.Repeat("[", 1000) + strings.Repeat("]", 1000), code: InvalidRequest, message: "nests"},
		"more than is ever needed":         {text: `"` + strings.Repeat("a", MaxRequestBytes) + `"`, code: InvalidRequest, message: "at most"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := ParseRequest([]byte(c.text))
			if c.code == 0 {
				if err != nil {
					t.Fatal(err)
				}
			} else {
				var e *Error
				if !errors.As(err, &e) || e.Code != c.code || !strings.Contains(e.Message, c.message) {
					t.Fatalf("got error %v, want code %d naming %q", err, c.code, c.message)
				}
			}
			if c.want.Method == "m" && c.code != 0 {
				c.want.Method = got.Method
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAReplyIsReadTolerantly(t *testing.T) {
	cases := map[string]struct {
		text string
		want Reply
	}{
		"nothing":              {"", Reply{Absent: true}},
		"null":                 {"null", Reply{Absent: true}},
		"zero":                 {"0", Reply{Absent: true}},
		"no id and no version": {`{"result":1}`, Reply{Object: true, Result: []byte("1")}},
		"an error of null":     {`{"error":null,"result":1}`, Reply{Object: true, Result: []byte("1"), Error: []byte("null")}},
		"a string":             {`"abc"`, Reply{}},
		"an array":             {`[1]`, Reply{Object: true}},
		"a bare result":        {`{"txid":"ab"}`, Reply{Object: true}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := ParseReply([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			got.Text = nil
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := ParseReply([]byte(`{"result":`)); err == nil {
		t.Error("half a text was taken for a reply")
	}
}

func TestEnvelopesAreWrittenWithExactlyTheKeysTheyNeed(t *testing.T) {
	cases := map[string]struct {
		value any
		want  string
	}{
		"result":             {Response{ID: []byte(`"x"`), Result: []byte(`{"a":1}`)}, `{"jsonrpc":"2.0","id":"x","result":{"a":1}}`},
		"null result":        {Response{}, `{"jsonrpc":"2.0","id":null,"result":null}`},
		"error":              {Fail([]byte("2"), NewError(UserRejection, "no")), `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no"}}`},
		"error with data":    {NewError(InternalError, "x").WithData(map[string]int{"a": 1}), `{"code":-32603,"message":"x","data":{"a":1}}`},
		"an unknown failure": {Fail(nil, errors.New("boom")), `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"boom"}}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(c.value)
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestAnErrorReadsAsTheLibraryPrintsIt(t *testing.T) {
	cases := map[string]struct {
		err  *Error
		want string
	}{
		"plain":           {NewError(UnknownError, "plain"), "JsonRpcError (-31000): plain"},
		"with data":       {&Error{Code: -32602, Message: "boom", Data: []byte(`{"why": "x"}`)}, `JsonRpcError (-32602): boom: {"why":"x"}`},
		"with empty data": {&Error{Code: 1, Message: "m", Data: []byte(`""`)}, "JsonRpcError (1): m"},
		"no message":      {&Error{Code: 5, NoMessage: true}, "JsonRpcError (5): undefined"},
		"a bad param":     {InvalidParam("recipients[0].amount", "must be positive"), "JsonRpcError (-32602): recipients[0].amount: must be positive"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.err.Error(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			raw, err := json.Marshal(c.err)
			if err != nil {
				t.Fatal(err)
			}
			var back Error
			if err := json.Unmarshal(raw, &back); err != nil {
				t.Fatal(err)
			}
			if back.Code != c.err.Code || back.Message != c.err.Message || back.NoMessage != c.err.NoMessage {
				t.Errorf("%s came back as %+v", raw, back)
			}
		})
	}
}

func TestEveryCodeHasItsOwnName(t *testing.T) {
	names := map[string]int{}
	for code := range codeNames {
		name := CodeName(code)
		if other, taken := names[name]; taken || name == "" {
			t.Errorf("codes %d and %d are both called %q", code, other, name)
		}
		names[name] = code
	}
	if len(names) != 14 {
		t.Errorf("%d codes have a name, want the 10 of the library and 4 of Leather", len(names))
	}
	if CodeName(1) != "" {
		t.Error("an unknown code has a name")
	}
}

func FuzzParseRequest(f *testing.F) {
	for _, seed := range []string{``, `{}`, `[]`, `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,"\\\"{"]}}`, `"`, `{"id":1e5}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		request, err := ParseRequest(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || (e.Code != ParseError && e.Code != InvalidRequest) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		again, err := json.Marshal(map[string]any{"jsonrpc": Version, "id": request.ID, "method": request.Method, "params": request.Params})
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ParseRequest(again); err != nil || back.Method != request.Method {
			t.Fatalf("%s reads as %+v, %v", again, back, err)
		}
		if _, err := ParseReply(text); err != nil {
			t.Fatalf("a request is JSON, yet as a reply: %v", err)
		}
	})
}
