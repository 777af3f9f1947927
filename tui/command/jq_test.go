package command

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestAnExpressionThatTakesTooMuchIsEnded(t *testing.T) {
	for _, c := range []struct {
		expression, timeout, want string
		code                      int
	}{
		{"def f: [f]; f", "1m", "takes more than 512 MiB of memory", 2},
		{"def f: f; f", "2s", "is not done after 2s", 6},
		{"1,(def f: f; f)", "2s", "is not done after 2s", 6},
	} {
		began := time.Now()
		code, _, stderr := runFrozen(t, "blocks", "--jq", c.expression, "--timeout", c.timeout)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, stderr %s", c.expression, code, stderr)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s took %v", c.expression, took)
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
	err = filter.run(t.Context(), nil, []byte("null"), func(line string) error {
		_, err := out.Write([]byte(line))
		return err
	})
	if err != nil || out.String() != "012345" {
		t.Errorf("%s, %v", out.String(), err)
	}
}
