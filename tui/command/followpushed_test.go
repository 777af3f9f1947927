package command

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/tui/command/cli"
)

// pushedFollower is blocks --follow in this process, on a mock whose chain grows when it is
// told to. No pause ends before it is told to.
type pushedFollower struct {
	t    *testing.T
	mock *serving
	out  *safeBuffer
	wake chan struct{}
	code chan int
	stop context.CancelFunc
}

// follow waits for the requests that come before the first pushed block.
func follow(t *testing.T, requests int, mockArgs ...string) *pushedFollower {
	t.Helper()
	var read atomic.Int64 // the follower waits after each time that it has read the list
	ctx, stop := context.WithCancel(t.Context())
	f := &pushedFollower{t: t, mock: serveMock(t, mockArgs...), out: &safeBuffer{}, wake: make(chan struct{}), code: make(chan int, 1), stop: stop}
	streams := cli.Streams{
		In: strings.NewReader(""), Out: f.out, Err: &safeBuffer{}, Env: stateIn(t.TempDir()),
		Sleep: func(ctx context.Context, d time.Duration) error {
			read.Add(1)
			select {
			case <-f.wake:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	}
	go func() {
		f.code <- Run(ctx, []string{"blocks", "--follow", "--limit", "2", "-o", "csv", "--fields", "height,hash", "--api", f.mock.address}, streams)
	}()
	f.sees("1000000,")
	f.until(func() bool { return f.asks() == requests && read.Load() >= 2 }) // at the start, and when the channel is open
	return f
}

func (f *pushedFollower) until(done func() bool) {
	f.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			f.t.Fatalf("nothing more came; printed\n%s", f.out)
		}
	}
}

func (f *pushedFollower) sees(text string) {
	f.t.Helper()
	f.until(func() bool { return strings.Contains(f.out.String(), text) })
}

// asks counts the requests for lists of blocks.
func (f *pushedFollower) asks() (n int) {
	f.t.Helper()
	var asked struct {
		Requests []struct{ Path string }
	}
	_, body := fetch(f.t, "GET", f.mock.address+"/mock/v1/requests", "")
	if err := json.Unmarshal([]byte(body), &asked); err != nil {
		f.t.Fatal(err)
	}
	for _, r := range asked.Requests {
		if strings.HasPrefix(r.Path, "/extended/v1/block") || strings.HasPrefix(r.Path, "/extended/v2/blocks") {
			n++
		}
	}
	return n
}

// ends interrupts the command and holds what it printed against the chain: each block of
// the chain's end once, in order.
func (f *pushedFollower) ends() {
	f.t.Helper()
	f.stop()
	if code := <-f.code; code != 130 {
		f.t.Errorf("exit code %d", code)
	}
	_, want, _ := run(f.t, f.t.Context(), "blocks", "--limit", "30", "-o", "csv", "--fields", "height,hash", "--api", f.mock.address)
	chain := strings.Split(strings.TrimSpace(want), "\n")[1:]
	slices.Reverse(chain)
	got := strings.Split(strings.TrimSpace(f.out.String()), "\n")[1:]
	if at := slices.Index(chain, got[0]); at < 0 || !slices.Equal(chain[at:], got) {
		f.t.Errorf("printed\n%s\nthe chain is\n%s", strings.Join(got, "\n"), want)
	}
}

func TestFollowPrintsWhatIsPushedWithoutARequest(t *testing.T) {
	f := follow(t, 2) // at the start, and when the channel is open
	for _, height := range []string{"1000001,", "1000002,", "1000003,"} {
		mines(t, f.mock)
		f.sees(height)
	}
	if n := f.asks(); n != 2 {
		t.Errorf("%d requests", n)
	}
	f.ends()
}

func TestFollowRequestsNothingWhenABlockIsPushedTwice(t *testing.T) {
	f := follow(t, 2, "--fault", "event=block,fault=double")
	for _, height := range []string{"1000001,", "1000002,", "1000003,"} {
		mines(t, f.mock)
		f.sees(height)
	}
	if n := f.asks(); n != 2 {
		t.Errorf("%d requests", n)
	}
	f.ends()
}

// After the sunset the list has other fields than what is pushed: a pushed block is read
// from the list, so that all lines have the same ones.
func TestFollowRequestsTheBlockWhereThePushedOneHasOtherFields(t *testing.T) {
	f := follow(t, 3, "--api-version", "sunset") // by v1, which is gone, and twice by v2
	mines(t, f.mock)
	f.sees("1000001,")
	if n := f.asks(); n != 4 {
		t.Errorf("%d requests", n)
	}
	f.ends()
}

// Of blocks that are lost, sent twice or out of order each is printed once, in order; so
// it is when the channel breaks.
func TestFollowPrintsEachBlockOnceOverABadChannel(t *testing.T) {
	for _, fault := range []string{"fault=drop,rate=0.4", "fault=double", "fault=reorder,rate=0.5", "fault=reset,times=1"} {
		t.Run(fault, func(t *testing.T) {
			f := follow(t, 2, "--fault", "event=block,"+fault)
			for range 8 {
				mines(t, f.mock)
			}
			f.until(func() bool { // the pause ends: what the channel lost is in the list
				select {
				case f.wake <- struct{}{}:
				default:
				}
				return strings.Contains(f.out.String(), "1000008,")
			})
			f.ends()
		})
	}
}

// A reorganization replaces blocks that were printed: each block is printed once, and the
// last one of a height is that of the chain.
func TestFollowPrintsWhatReplacesABlock(t *testing.T) {
	f := follow(t, 2)
	for range 3 {
		mines(t, f.mock)
	}
	f.sees("1000003,")
	if status, body := fetch(t, "POST", f.mock.address+"/mock/v1/reorg", `{"depth":2}`); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	mines(t, f.mock)
	f.sees("1000004,")
	last, times := map[string]string{}, map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(f.out.String()), "\n")[1:] {
		height, hash, _ := strings.Cut(line, ",")
		last[height] = hash
		times[hash]++
	}
	f.stop()
	<-f.code
	_, chain, _ := run(t, t.Context(), "blocks", "--limit", "4", "-o", "csv", "--fields", "height,hash", "--api", f.mock.address)
	for _, line := range strings.Split(strings.TrimSpace(chain), "\n")[1:] {
		if height, hash, _ := strings.Cut(line, ","); last[height] != hash {
			t.Errorf("block %s: printed %s, the chain has %s", height, last[height], hash)
		}
	}
	for hash, n := range times {
		if n > 1 {
			t.Errorf("%s was printed %d times", hash, n)
		}
	}
	if len(times) != 8 { // 999999 to 1000004, and two that were replaced
		t.Errorf("%d blocks were printed:\n%s", len(times), f.out)
	}
}
