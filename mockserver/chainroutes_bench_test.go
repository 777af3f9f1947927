package mockserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// BenchmarkBesideABareHandler sends requests to the mock and a bare net/http handler, which
// writes the same bytes prebuilt, in turns over one kept connection each. The
// metric x-bare is the mock's throughput as a share of the bare one's.
func BenchmarkBesideABareHandler(b *testing.B) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := New(Config{Seed: 1, Freeze: &at})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = mock.Close() })
	v := mock.world.State().View
	newest := v.TipBurnHeight()
	random := func(i int) uint64 { return uint64(i) * 0x9e3779b97f4a7c15 % 990_000 }
	for _, bench := range []struct {
		name   string
		target func(i int) string
	}{
		{"the newest 30 blocks", func(int) string { return "/extended/v1/block?limit=30" }},
		{"30 blocks near the tip", func(i int) string { return fmt.Sprintf("/extended/v1/block?limit=30&offset=%d", random(i)%900) }},
		{"30 blocks at random offsets", func(i int) string { return fmt.Sprintf("/extended/v1/block?limit=30&offset=%d", random(i)) }},
		{"30 blocks of a burn block", func(i int) string { return fmt.Sprintf("/extended/v2/burn-blocks/%d/blocks?limit=30", newest) }},
		{"a block by burn height", func(i int) string {
			return fmt.Sprintf("/extended/v1/block/by_burn_block_height/%d", newest-int64(random(i)%8)*16)
		}},
		{"100 names", func(i int) string { return fmt.Sprintf("/v1/namespaces/btc/names?page=%d", 1+random(i)%2500) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			const rounds = 64
			var targets [rounds][]byte
			bodies := make(map[string][]byte, rounds)
			ours := dial(b, mock.Serve)
			for i := range targets {
				target := bench.target(i)
				targets[i] = []byte("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
				bodies[target] = ours.get(b, targets[i], true)
			}
			server := &http.Server{ReadHeaderTimeout: time.Minute}
			server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body := bodies[r.RequestURI]
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
				_, _ = w.Write(body)
			})
			b.Cleanup(func() { _ = server.Close() })
			bare := dial(b, server.Serve)
			var spent [2]time.Duration
			b.ResetTimer()
			for i := range b.N {
				for n, c := range []*conn{ours, bare} {
					started := time.Now()
					c.get(b, targets[i%rounds], false)
					spent[n] += time.Since(started)
				}
			}
			b.ReportMetric(float64(spent[1])/float64(spent[0]), "x-bare")
			b.ReportMetric(float64(spent[0].Nanoseconds())/float64(b.N), "ns-mock/op")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// conn is a client that does as little as HTTP allows, so that the servers'
// own time shows.
type conn struct {
	net.Conn
	r *bufio.Reader
}

func dial(b *testing.B, serve func(net.Listener) error) *conn {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = serve(l) }() // ends with its server
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	return &conn{c, bufio.NewReaderSize(c, 1<<17)}
}

func (c *conn) get(b *testing.B, request []byte, keep bool) []byte {
	if _, err := c.Write(request); err != nil {
		b.Fatal(err)
	}
	length := -1
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			b.Fatal(err)
		}
		if len(line) == 2 {
			break
		}
		if string(line[:min(len(line), 16)]) == "Content-Length: " {
			if length, err = strconv.Atoi(string(line[16 : len(line)-2])); err != nil {
				b.Fatal(err)
			}
		}
	}
	if length < 0 {
		b.Fatal("an answer without a length")
	}
	if keep {
		body := make([]byte, length)
		if _, err := io.ReadFull(c.r, body); err != nil {
			b.Fatal(err)
		}
		return body
	}
	if _, err := c.r.Discard(length); err != nil {
		b.Fatal(err)
	}
	return nil
}
