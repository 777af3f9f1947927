package mockserver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"chainscope/mockserver/fault"
)

func rules(t *testing.T, texts ...string) (out []fault.Rule) {
	t.Helper()
	for _, text := range texts {
		r, err := fault.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func TestEveryFaultIsSeenByTheClient(t *testing.T) {
	whole := func() string {
		s, _ := newServer(t, Config{})
		return get(s, fullToken).Body.String()
	}()
	for _, way := range []struct {
		name  string
		cfg   func(text string) Config
		heads func(text string) []string
	}{
		{"as a rule", func(text string) Config { return Config{Faults: rules(t, text)} }, func(string) []string { return nil }},
		{"as Prefer", func(string) Config { return Config{} }, func(text string) []string { return []string{"Prefer", strings.Replace(text, "status", "code", 1)} }},
	} {
		t.Run(way.name, func(t *testing.T) {
			request := func(text string) (status int, header http.Header, body string) {
				s, _ := newServer(t, way.cfg(text))
				w := get(s, fullToken, way.heads(text)...)
				if w.Header().Get("Access-Control-Allow-Origin") != "*" {
					t.Error("a faulted answer cannot be read by a page")
				}
				return w.Code, w.Header(), w.Body.String()
			}
			if status, _, body := request("status=503"); status != 503 || !strings.HasPrefix(body, `{"statusCode":503,"error":"Service Unavailable","message":`) {
				t.Errorf("status: %d %s", status, body)
			}
			if status, _, body := request("fault=truncate"); status != 200 || json.Valid([]byte(body)) || !strings.HasPrefix(whole, body) {
				t.Errorf("truncate: %d %s", status, body)
			}
			if status, header, body := request("fault=type"); status != 200 || !json.Valid([]byte(body)) || body == whole || header.Get("ETag") != "" {
				t.Errorf("type: %d %s", status, body)
			}
			if status, header, body := request("fault=content-type"); status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/html") || body != whole {
				t.Errorf("content-type: %d %v", status, header)
			}
		})
	}
}

func TestResetCutsTheConnection(t *testing.T) {
	for _, cfg := range []Config{{Scenario: "down"}, {Faults: rules(t, "fault=reset")}} {
		s, _ := newServer(t, cfg)
		origin := serving(t, s)
		res, err := http.Get(origin + fullToken)
		if err == nil {
			_ = res.Body.Close()
			t.Fatalf("answered %d", res.StatusCode)
		}
		if !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
			t.Errorf("got %v, want a reset", err)
		}
		res, err = http.Get(origin + "/mock/v1/catalog")
		if err != nil {
			t.Fatal(err)
		}
		if _ = readBody(t, res); res.StatusCode != 200 {
			t.Errorf("the control interface is faulted: %d", res.StatusCode)
		}
	}
}

func TestDelaysAddUpAndAreSlept(t *testing.T) {
	s, c := newServer(t, Config{Latency: 40 * time.Millisecond, Scenario: "slow", Faults: rules(t, "delay=800", "delay=1s,path=/nope")})
	get(s, fullToken, "Prefer", "delay=100")
	if got := c.Slept(); got != 2940*time.Millisecond {
		t.Errorf("slept %v", got)
	}
	before := c.Slept()
	get(s, "/mock/v1/catalog", "Prefer", "delay=100")
	if c.Slept() != before {
		t.Error("the control interface waits")
	}
}

func TestLimitedSaysWhenToComeAgainAndKeepsItsWord(t *testing.T) {
	s, c := newServer(t, Config{Scenario: "limited"})
	for i := range 10 {
		if w := get(s, fullToken); w.Code != 200 {
			t.Fatalf("request %d: %d", i+1, w.Code)
		}
	}
	w := get(s, fullToken)
	if w.Code != 429 || w.Header().Get("Retry-After") != "2" || !strings.HasPrefix(w.Body.String(), `{"statusCode":429,"error":"Too Many Requests"`) {
		t.Fatalf("the eleventh: %d %v %s", w.Code, w.Header(), w.Body)
	}
	c.Add(1999 * time.Millisecond)
	if w := get(s, fullToken); w.Code != 429 {
		t.Errorf("too early: %d", w.Code)
	}
	c.Add(time.Millisecond)
	if w := get(s, fullToken); w.Code != 200 {
		t.Errorf("after Retry-After: %d", w.Code)
	}
}

func TestPreferenceThatWasUnderstoodIsNamed(t *testing.T) {
	s, _ := newServer(t, Config{})
	w := get(s, fullToken, "Prefer", `respond-async, code="418"; delay=5, fault=nope`)
	if w.Code != 418 || w.Header().Get("Preference-Applied") != "code=418, delay=5" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for _, ignored := range []string{"code=200", "code=abc", "fault=", "delay=-1", "wait=10"} {
		if w := get(s, fullToken, "Prefer", ignored); w.Code != 200 || w.Header().Get("Preference-Applied") != "" {
			t.Errorf("Prefer %s: %d", ignored, w.Code)
		}
	}
}

func TestAFaultOnAConnectionWithoutTCPAborts(t *testing.T) {
	s, _ := newServer(t, Config{Scenario: "down"})
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, http.ErrAbortHandler) {
			t.Error("the exchange was not aborted")
		}
	}()
	get(s, fullToken)
}
