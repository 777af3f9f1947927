package jsoncursor

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzCursor(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e3,"\u00e9\ud83d\ude00",null,true,{}]}`, `[[[]]`, `"\ud800"`, `01`, ` [1 , 2 ] x`, strings.Repeat("[", 600)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := New(s)
		raw := c.Skip()
		err := c.End()
		deep := strings.Count(s, "[")+strings.Count(s, "{") > maxDepth
		if valid := json.Valid([]byte(s)); valid != (err == nil) && !(valid && deep) {
			t.Errorf("%q: valid %t, %v", s, valid, err)
		}
		if err != nil {
			return
		}
		if raw != strings.Trim(s, " \n\t\r") {
			t.Errorf("%q was read as %q", s, raw)
		}
		var want string
		if utf8.ValidString(s) && json.Unmarshal([]byte(s), &want) == nil && !bytes.HasPrefix([]byte(raw), []byte("n")) {
			if got := New(s).String(); got != want {
				t.Errorf("%q is %q, want %q", s, got, want)
			}
		}
		if n, known := New(s).Int(); known {
			var number json.Number
			if json.Unmarshal([]byte(s), &number) != nil {
				t.Errorf("%q is no number, but %d", s, n)
			}
		}
	})
}
