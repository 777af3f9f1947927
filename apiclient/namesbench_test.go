//go:build unix

package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func clientOf(b testing.TB, url string) *Client {
	b.Helper()
	c, err := New(Options{BaseURL: url})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	return c
}

const delay, delayedPages, workers = 20 * time.Millisecond, 200, 8

// BenchmarkDelayedNames reads 200 pages, each answered after 20 ms, with 8
// workers, and reports in how much of the time that 8 workers cannot go below,
// how many requests the server saw at once, and after how many answer times the
// first page was there.
func BenchmarkDelayedNames(b *testing.B) {
	url := serveNames(b, delay, delayedPages)
	c := clientOf(b, url)
	var first time.Duration
	for b.Loop() {
		b.StopTimer()
		time.Sleep(2 * delay) // the server is still busy with pages past the end
		b.StartTimer()
		next, began := 1, time.Now()
		err := c.NamesPages(b.Context(), "btc", AllNamesQuery{Workers: workers}, func(page int, names []string) error {
			if page == 1 {
				first = time.Since(began)
			}
			if page != next || names[0] != fmt.Sprintf("name%06d.btc", (page-1)*100) {
				return fmt.Errorf("page %d, want %d, begins with %s", page, next, names[0])
			}
			next++
			return nil
		})
		if err != nil || next != delayedPages+1 {
			b.Fatal(next, err)
		}
	}
	reportDelayed(b)
	b.ReportMetric(first.Seconds()/delay.Seconds(), "answers-to-first")
	most := getAll(b, url+"/most")
	n, _ := strconv.Atoi(string(most))
	if n > workers {
		b.Fatalf("%d requests at once", n)
	}
	b.ReportMetric(float64(n), "at-once")
}

// BenchmarkDelayedDiscard is the same server requested pages that are known to be
// there by net/http, which reads nothing out of them: what the server and this
// machine's clock allow.
func BenchmarkDelayedDiscard(b *testing.B) {
	url := serveNames(b, delay, delayedPages)
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: 64, MaxIdleConnsPerHost: 64}}
	b.Cleanup(client.CloseIdleConnections)
	for b.Loop() {
		err := inParallel(workers, delayedPages, func(page int) error {
			resp, err := client.Get(url + "/v1/namespaces/btc/names?page=" + strconv.Itoa(page))
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			_, err = io.Copy(io.Discard, resp.Body)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	reportDelayed(b)
}

func reportDelayed(b *testing.B) {
	b.Helper()
	each := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(each.Seconds()/(delay*delayedPages/workers).Seconds(), "x-ideal")
}

func getAll(b *testing.B, url string) []byte {
	b.Helper()
	resp, err := http.Get(url)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	return all
}

// BenchmarkPage measures what a page of 100 names costs this process, with 8 workers
// on loopback: the client with all it does, a user's own loop over net/http with
// encoding/json, and net/http that reads nothing out of the body.
func BenchmarkPage(b *testing.B) {
	const pages = 1000
	url := serveNames(b, 0, pages)
	plain := func(read func(io.Reader) error) func() error {
		client := &http.Client{Transport: &http.Transport{MaxIdleConns: 64, MaxIdleConnsPerHost: 64}}
		b.Cleanup(client.CloseIdleConnections)
		return func() error {
			return inParallel(workers, pages, func(page int) error {
				resp, err := client.Get(url + "/v1/namespaces/btc/names?page=" + strconv.Itoa(page))
				if err != nil {
					return err
				}
				defer resp.Body.Close()
				return read(resp.Body)
			})
		}
	}
	c := clientOf(b, url)
	for name, readAll := range map[string]func() error{
		"chainscope": func() error {
			list, err := c.AllNames(b.Context(), "btc", AllNamesQuery{Workers: workers})
			if err == nil && list.Len() != pages*100 {
				err = fmt.Errorf("%d names", list.Len())
			}
			return err
		},
		"json": plain(func(body io.Reader) error {
			text, err := io.ReadAll(body)
			if err != nil {
				return err
			}
			var names []string
			return json.Unmarshal(text, &names)
		}),
		"discard": plain(func(body io.Reader) error {
			_, err := io.Copy(io.Discard, body)
			return err
		}),
	} {
		b.Run(name, func(b *testing.B) {
			if err := readAll(); err != nil { // connections are made
				b.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			used := processorTime()
			for b.Loop() {
				if err := readAll(); err != nil {
					b.Fatal(err)
				}
			}
			used = processorTime() - used
			runtime.ReadMemStats(&after)
			all := float64(b.N * pages)
			b.ReportMetric(float64(used.Microseconds())/all, "cpu-us/page")
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/all, "allocs/page")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/all, "B/page")
		})
	}
}

// inParallel calls do for 1 to n, so many at once.
func inParallel(workers, n int, do func(int) error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, workers)
	for w := range workers {
		group.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1))
				if i > n {
					return
				}
				errs[w] = do(i)
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// processorTime returns what this process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkAllNames reads 500,000 names and weighs what is held of them, and
// what the heap grew by.
func BenchmarkAllNames(b *testing.B) {
	const pages = 5000
	url := serveNames(b, 0, pages)
	c := clientOf(b, url)
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	var list *NameList
	for b.Loop() {
		var err error
		list, err = c.AllNames(context.Background(), "btc", AllNamesQuery{})
		if err != nil || list.Len() != pages*100 {
			b.Fatal(list, err)
		}
	}
	grown := heap() - before
	b.ReportMetric(float64(list.Weight())/float64(list.Len()), "B/name")
	b.ReportMetric(grown/float64(list.Len()), "heap-B/name")
}
