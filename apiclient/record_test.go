package apiclient

import (
	"testing"
	"time"
	"unsafe"
)

// TestAnAnswerAndTheLogHoldOneCopyOfItsBody: a page of blocks has 40 kB, and what is
// decoded of it holds on to them.
func TestAnAnswerAndTheLogHoldOneCopyOfItsBody(t *testing.T) {
	const body = `{"limit":20,"results":[]}`
	log := NewExchangeLog(LogOptions{})
	r := newCallRecord(log, time.Now, nil, "blocks", "GET", "http://h/extended/v1/block")
	r.responsePart([]byte(body[:9]))
	r.responsePart([]byte(body[9:]))
	decoded := r.text([]byte(body))
	r.end(nil)
	e, _ := log.Get(r.ex.ID)
	if decoded != body || e.ResponseBody != body {
		t.Fatalf("decoded %q, logged %q, want %q", decoded, e.ResponseBody, body)
	}
	if unsafe.StringData(decoded) != unsafe.StringData(e.ResponseBody) {
		t.Error("there are two copies")
	}
	// A body of which the log keeps a part is decoded whole.
	if got := r.text([]byte(body + " ")); got != body+" " {
		t.Errorf("decoded %q", got)
	}
}
