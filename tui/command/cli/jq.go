package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/itchyny/gojq"

	"chainscope/tui/term"
)

// jqMemory limits the memory of an expression, and jqInterval is the time between two
// measurements: one step, such as "x" * 1e9, is not interrupted and may take more.
const (
	jqMemory   = 512 << 20
	jqInterval = 50 * time.Millisecond
)

// JQFilter is the expression of --jq.
type JQFilter struct {
	code *gojq.Code
	// timeout bounds the time to each result, memory what all of them take.
	timeout time.Duration
	memory  uint64
}

// fieldName is the name of a field without the dot before it.
var fieldName = regexp.MustCompile(`^[A-Za-z_]\w*(\.\w+)*$`)

// newJQ compiles an expression.
func newJQ(expression string, timeout time.Duration) (*JQFilter, error) {
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, Usagef("--jq: %v", err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		e := Usagef("--jq: %v", err)
		if fieldName.MatchString(expression) {
			e.Message += "; a field is written ." + expression
		}
		return nil, e.TryFlag("jq", "."+expression)
	}
	return &JQFilter{code, timeout, jqMemory}, nil
}

// Run filters a JSON text and prints each result: a string as it is, anything
// else as JSON. An expression without an end is ended.
func (f *JQFilter) Run(ctx context.Context, guard *term.Guard, raw json.RawMessage, print func(string) error) error {
	value, err := DecodeJSON(raw)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	guard.Go(func() { watchMemory(ctx, f.memory, end) })
	results := f.code.RunWithContext(ctx, exact(value))
	for {
		clock := time.AfterFunc(f.timeout, func() {
			defer guard.Recover()
			end(&Error{Kind: KindTimeout, Message: fmt.Sprintf("--jq: the expression is not done after %v (--timeout)", f.timeout)})
		})
		result, more := results.Next()
		clock.Stop()
		if !more {
			return nil
		}
		if err, failed := result.(error); failed {
			return jqError(ctx, err)
		}
		if err := print(jqText(result)); err != nil {
			return err
		}
	}
}

// watchMemory ends a context when the program takes more memory than before by more than
// a bound.
func watchMemory(ctx context.Context, bound uint64, end context.CancelCauseFunc) {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	before := heap[0].Value.Uint64()
	for look := time.NewTicker(jqInterval); ; {
		select {
		case <-ctx.Done():
			look.Stop()
			return
		case <-look.C:
		}
		if metrics.Read(heap); heap[0].Value.Uint64() > before+bound {
			end(&Error{Kind: KindInvalidInput, Message: fmt.Sprintf("--jq: the expression takes more than %d MiB of memory", bound>>20)})
		}
	}
}

func jqError(ctx context.Context, err error) error {
	var halt *gojq.HaltError
	var ended *Error
	switch {
	case errors.As(err, &halt) && halt.Value() == nil:
		return nil
	case errors.As(context.Cause(ctx), &ended):
		return ended
	case errors.Is(err, context.Canceled):
		return err
	}
	return &Error{Kind: KindInvalidInput, Message: "--jq: " + err.Error(), Err: err}
}

func jqText(result any) string {
	if s, ok := result.(string); ok {
		return s
	}
	raw, err := gojq.Marshal(result)
	if err != nil {
		return "null"
	}
	return string(raw)
}

// exact replaces the numbers of a decoded JSON value by those of jq: whole ones
// keep all their digits.
func exact(value any) any {
	switch v := value.(type) {
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			if n, ok := new(big.Int).SetString(string(v), 10); ok {
				if n.IsInt64() {
					return int(n.Int64())
				}
				return n
			}
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = exact(v[key])
		}
	}
	return value
}
