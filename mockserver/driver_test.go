package mockserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"
)

// anchored returns a mock whose clock is at height 1,000,000.
func anchored(t testing.TB, change ...func(*Config)) *Server {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	cfg := Config{Seed: 1, Freeze: &at}
	for _, c := range change {
		c(&cfg)
	}
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func request(t testing.TB, s *Server, method, target string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1"+target, nil)
	r.RemoteAddr = "127.0.0.1:50000"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func fetch(t testing.TB, s *Server, target string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return request(t, s, "GET", target, header...)
}

type listBody struct {
	Limit, Offset, Total int64
	Results              []blockBody
}

type blockBody struct {
	Canonical       bool     `json:"canonical"`
	Height          int64    `json:"height"`
	BurnBlockHash   string   `json:"burn_block_hash"`
	BurnBlockHeight int64    `json:"burn_block_height"`
	Hash            string   `json:"hash"`
	Index           string   `json:"index_block_hash"`
	Microblocks     []string `json:"microblocks_accepted"`
	TxCount         int      `json:"tx_count"`
	Txs             []string `json:"txs"`
}

func read[T any](t testing.TB, w *httptest.ResponseRecorder) T {
	t.Helper()
	var v T
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

const (
	byHeight = "/extended/v1/block/by_burn_block_height/"
	byHash   = "/extended/v1/block/by_burn_block_hash/"
	blockURL = "/extended/v1/block"
	burnURL  = "/extended/v2/burn-blocks/"
	zeros    = "0000000000000000000000000000000000000000000000000000000000000000"
)

func validation(message string) string {
	return `{"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":` + strconv.Quote(message) + `}`
}

func thrown(status int, message string) string {
	return fmt.Sprintf(`{"statusCode":%d,"error":%q,"message":%q}`, status, http.StatusText(status), message)
}
