package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestAnExpressionThatTakesTooMuchIsEnded(t *testing.T) {
	for _, c := range []struct {
		expression string
		timeout    time.Duration
		memory     uint64
		kind       Kind
		want       string
	}{
		{"def f: [f]; f", 5 * time.Second, 16 << 20, KindInvalidInput, "takes more than 16 MiB of memory"},
		{"def f: f; f", 50 * time.Millisecond, 1 << 40, KindTimeout, "is not done after 50ms"},
		{"1,(def f: f; f)", 50 * time.Millisecond, 1 << 40, KindTimeout, "is not done after 50ms"},
	} {
		filter, err := newJQ(c.expression, c.timeout)
		if err != nil {
			t.Fatal(err)
		}
		filter.memory = c.memory
		err = filter.Run(t.Context(), nil, []byte("null"), func(string) error { return nil })
		var ended *Error
		if !errors.As(err, &ended) || ended.Kind != c.kind || !strings.Contains(ended.Message, c.want) {
			t.Errorf("%s: %v", c.expression, err)
		}
	}
}

// slowReader takes its time to read what is printed.
type slowReader struct{ bytes.Buffer }

func (s *slowReader) Write(p []byte) (int, error) {
	time.Sleep(60 * time.Millisecond)
	return s.Buffer.Write(p)
}

func TestTheTimeOfWhoeverReadsIsNotThatOfTheExpression(t *testing.T) {
	filter, err := newJQ("range(6)", 200*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	out := &slowReader{}
	err = filter.Run(t.Context(), nil, []byte("null"), func(line string) error {
		_, err := out.Write([]byte(line))
		return err
	})
	if err != nil || out.String() != "012345" {
		t.Errorf("%s, %v", out.String(), err)
	}
}
