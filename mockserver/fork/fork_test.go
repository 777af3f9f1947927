package fork_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chainscope/apiclient"
	"chainscope/mockserver/fork"
	"chainscope/mockserver/fork/forktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open opens a fork of the node at the height that it has answers for.
func open(t *testing.T, n *forktest.Node, change func(*fork.Options)) *fork.Source {
	t.Helper()
	height := int64(forktest.Height)
	o := fork.Options{Client: n.Client(t), Height: &height, Pause: time.Millisecond, Patience: 20 * time.Second}
	if change != nil {
		change(&o)
	}
	s, err := fork.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func in(dir string) func(*fork.Options) { return func(o *fork.Options) { o.Cache = dir } }

func without(dir string) func(*fork.Options) {
	return func(o *fork.Options) { o.Cache, o.Offline = dir, true }
}

var (
	count   = forktest.Value("vm::" + forktest.Deployer + ".tally::1::count")
	nothing = forktest.Value("vm::" + forktest.Deployer + ".tally::1::nothing")
	tally   = "/v2/clarity/metadata/" + forktest.Deployer + "/tally/vm-metadata::9::contract?tip=" + forktest.IndexHash[2:]
)

func read(t *testing.T, s *fork.Source, path string) (status int, body string) {
	t.Helper()
	a, err := s.Read(context.Background(), path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return a.Status, strings.Join(strings.Fields(string(a.Body)), "")
}

func TestTheTipIsTheBlockOfTheHeight(t *testing.T) {
	n := forktest.New(t)
	tip := open(t, n, nil).Tip()
	want := fork.Tip{
		API: n.URL, Network: "mainnet", Height: 8_700_000, Hash: "0x00000000000000000000000000000000000000000000000000000000df74c060", IndexHash: forktest.IndexHash,
		ParentHash: "0x00000000000000000000000000000000000000000000000000000000df74c05f", ParentIndexHash: "0x00000000000000000000000000000000000000000000000000000000ac44c05f",
		Time: 1_766_000_000, Tenure: 300_000, BurnHeight: 961_000, BurnHash: "0x00000000000000000000000000000000000000000000000000000000000b17c0", BurnTime: 1_765_999_000,
		ConsensusHash: "0x1111111111111111111111111111111111111111",
	}
	if tip != want {
		t.Errorf("%+v\nwant %+v", tip, want)
	}
}

func TestWithoutAHeightItIsTenBlocksBelowTheTip(t *testing.T) {
	n := forktest.New(t)
	n.Set("/v2/info", http.StatusOK, `{"network_id":2147483648,"stacks_tip_height":8700010}`)
	if tip := open(t, n, func(o *fork.Options) { o.Height = nil }).Tip(); tip.Height != 8_700_000 || tip.Network != "testnet" {
		t.Errorf("%+v", tip)
	}
}

func TestAHeightBeyondTheTipIsRefusedAndTheTipNamed(t *testing.T) {
	height := int64(8_705_001)
	_, err := fork.Open(context.Background(), fork.Options{Client: forktest.New(t).Client(t), Height: &height})
	var beyond *fork.TooHighError
	if !errors.As(err, &beyond) || beyond.Tip != 8_705_000 || !strings.Contains(err.Error(), "8705000") {
		t.Error(err)
	}
}

func TestAValueIsRequestedOnceHoweverManyReadIt(t *testing.T) {
	n := forktest.New(t)
	patient, err := apiclient.New(apiclient.Options{BaseURL: n.URL}) // one that gives up counts twice
	if err != nil {
		t.Fatal(err)
	}
	defer patient.Close()
	s := open(t, n, func(o *fork.Options) { o.Client = patient })
	before := len(n.Requests())
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for path, want := range map[string]int{count: 200, nothing: 404} {
				if a, err := s.Read(context.Background(), path); err != nil || a.Status != want {
					t.Errorf("%d, %v", a.Status, err)
				}
			}
		})
	}
	all.Wait()
	if requests := n.Requests()[before:]; len(requests) != 2 {
		t.Errorf("requested %q", requests)
	}
}

func TestOfAContractThatIsNotThereNothingMoreIsRequested(t *testing.T) {
	n, dir := forktest.New(t), t.TempDir()
	s := open(t, n, in(dir))
	of := func(key string) string {
		return "/v2/clarity/metadata/" + forktest.Holder + "/mine/" + key + "?tip=" + forktest.IndexHash[2:]
	}
	for _, key := range []string{"vm-metadata::6::total", "vm-metadata::9::contract-size"} {
		read(t, s, of(key))
	}
	before := len(n.Requests())
	for _, again := range []*fork.Source{s, open(t, n, without(dir))} {
		if status, _ := read(t, again, of("analysis")); status != 404 || len(n.Requests()) != before {
			t.Errorf("status %d, %d requests", status, len(n.Requests())-before)
		}
	}
	if read(t, s, tally); len(n.Requests()) != before+1 {
		t.Error("another contract was not requested")
	}
}

func TestTheSecondTimeNothingIsRequested(t *testing.T) {
	n, dir := forktest.New(t), t.TempDir()
	s := open(t, n, func(o *fork.Options) {
		o.Cache, o.Report = dir, func(m string) {
			if strings.Contains(m, "kept") {
				t.Error(m)
			}
		}
	})
	for _, path := range []string{count, nothing, tally} {
		read(t, s, path)
	}
	before := len(n.Requests())
	elsewhere := forktest.New(t) // at another address, of which nothing is needed
	for _, again := range []*fork.Source{open(t, n, in(dir)), open(t, elsewhere, without(dir))} {
		if again.Tip() != s.Tip() {
			t.Errorf("%+v", again.Tip())
		}
		if status, body := read(t, again, count); status != 200 || body != `{"data":"010000000000000000000000000000000c"}` {
			t.Errorf("%d %s", status, body)
		}
		if status, _ := read(t, again, nothing); status != 404 {
			t.Errorf("%d", status)
		}
		if got := again.Status(); got.Reads != 0 || got.Cached != 2 {
			t.Errorf("%+v", got)
		}
	}
	if more := append(n.Requests()[before:], elsewhere.Requests()...); len(more) != 0 {
		t.Errorf("requested %q", more)
	}
}

func TestOfflineNamesWhatIsMissing(t *testing.T) {
	n, dir := forktest.New(t), t.TempDir()
	read(t, open(t, n, in(dir)), tally)
	s := open(t, n, without(dir))
	read(t, s, tally)
	before := len(n.Requests())
	_, err := s.Read(context.Background(), count)
	if err == nil || !strings.Contains(err.Error(), "the variable count of "+forktest.Deployer+".tally") || !strings.Contains(err.Error(), "not kept in") {
		t.Error(err)
	}
	_, err = fork.Open(context.Background(), fork.Options{Client: n.Client(t), Cache: t.TempDir(), Offline: true})
	if err == nil || !strings.Contains(err.Error(), "nothing of it is kept") || len(n.Requests()) != before {
		t.Errorf("%v, %d requests", err, len(n.Requests())-before)
	}
}

func TestADamagedFileIsReadAnewAndNamedOffline(t *testing.T) {
	for what, damage := range map[string]func(text []byte) []byte{
		"cut":   func(text []byte) []byte { return text[:len(text)/2] },
		"empty": func([]byte) []byte { return nil },
		"a bit": func(text []byte) []byte { return []byte(strings.Replace(string(text), "0c\\\"", "0d\\\"", 1)) },
		"not found": func(text []byte) []byte {
			return []byte(strings.Replace(string(text), `"status": 200`, `"status": 404`, 1))
		},
		"of other": func(text []byte) []byte { return []byte(strings.Replace(string(text), "/marf/01", "/marf/02", 1)) },
	} {
		t.Run(what, func(t *testing.T) {
			n, dir := forktest.New(t), t.TempDir()
			read(t, open(t, n, in(dir)), count)
			files, _ := filepath.Glob(filepath.Join(dir, "mainnet", forktest.IndexHash[2:], "*.json"))
			damaged := ""
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(text), count[:40]) {
					damaged = file
					if err := os.WriteFile(file, damage(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			_, err := open(t, n, without(dir)).Read(context.Background(), count)
			if err == nil || !strings.Contains(err.Error(), filepath.Base(damaged)) || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("offline: %v", err)
			}
			if _, body := read(t, open(t, n, in(dir)), count); !strings.Contains(body, "0c") {
				t.Errorf("online: %s", body)
			}
			read(t, open(t, n, without(dir)), count) // and it is whole again
		})
	}
}

// Each request of an opening and some reads has each fault, once and for ever.
func TestNoFaultIsTakenForAnAbsentValue(t *testing.T) {
	paths := []string{count, tally, nothing}
	run := func(t *testing.T, n *forktest.Node, dir string) (got string, err error) {
		height := int64(forktest.Height)
		s, err := fork.Open(context.Background(), fork.Options{Client: n.Client(t), Height: &height, Cache: dir, Pause: time.Millisecond, Patience: 500 * time.Millisecond})
		if err != nil {
			return "", err
		}
		defer s.Close()
		for _, path := range paths {
			a, err := s.Read(context.Background(), path)
			if err != nil {
				return got, err
			}
			got += fmt.Sprintf("%d %s\n", a.Status, a.Body)
		}
		return got, nil
	}
	plain := forktest.New(t)
	want, err := run(t, plain, "")
	if err != nil {
		t.Fatal(err)
	}
	requests := len(plain.Requests())
	for _, fault := range forktest.Faults {
		for at := 1; at <= requests; at++ {
			t.Run(fmt.Sprintf("%s of request %d", fault, at), func(t *testing.T) {
				t.Parallel()
				n, dir := forktest.New(t), t.TempDir()
				n.Fail(func(i int, _ string) forktest.Fault {
					if i == at {
						return fault
					}
					return forktest.None
				})
				if got, err := run(t, n, dir); got != want || err != nil {
					t.Errorf("once: %v\n%s", err, got)
				}
				n.Fail(func(i int, path string) forktest.Fault {
					if path == plain.Requests()[at-1] {
						return fault
					}
					return forktest.None
				})
				var unread *fork.UnreadError
				got, err := run(t, n, t.TempDir())
				if !errors.As(err, &unread) || !strings.HasPrefix(want, got) {
					t.Errorf("for ever: %v\n%s", err, got)
				}
				if got, err := run(t, n, dir); got != want || err != nil { // in the folder is what came once
					t.Errorf("kept: %v\n%s", err, got)
				}
			})
		}
	}
}

func TestAnAccountHasWhatItHadAtTheBlock(t *testing.T) {
	n := forktest.New(t)
	n.Set("/v2/accounts/"+forktest.Deployer+"?proof=0&tip="+forktest.IndexHash[2:], http.StatusOK, `{"balance":"0x10","locked":"0x20","unlock_height":962000,"nonce":3}`)
	s := open(t, n, nil)
	for who, want := range map[string]fork.Account{forktest.Deployer: {16, 32, 962_000, 3}, forktest.Holder: {123_000_000, 0, 0, 17}} {
		if got, err := s.Account(context.Background(), who); got != want || err != nil {
			t.Errorf("%s: %+v, %v", who, got, err)
		}
	}
}

func TestWhileTheServerMakesItWaitThatIsSaid(t *testing.T) {
	n := forktest.New(t)
	var reported []string
	s := open(t, n, func(o *fork.Options) { o.Report = func(m string) { reported = append(reported, m) } })
	read(t, s, tally)
	requested := make(chan struct{}, 1000)
	n.Fail(func(i int, _ string) forktest.Fault {
		requested <- struct{}{}
		if i < 40 {
			return forktest.Limited
		}
		return forktest.None
	})
	done := make(chan error, 1)
	go func() {
		_, err := s.Read(context.Background(), count)
		done <- err
	}()
	<-requested
	for deadline := time.Now().Add(10 * time.Second); s.Status().Waiting == 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if got := s.Status(); got.Waiting != 1 || !strings.HasPrefix(got.Reason, "for the quota, until ") || got.Reading != "the variable count of "+forktest.Deployer+".tally" {
		t.Errorf("%+v", got)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := s.Status(); got.Waiting != 0 || got.Reading != "" {
		t.Errorf("%+v", got)
	}
}

func TestTheLineOfTheProgress(t *testing.T) {
	for want, s := range map[string]fork.Status{
		"37 values of mainnet read, 12 a second, 2 waiting for the quota, until 14:03:10": {Reads: 37, PerSecond: 12, Waiting: 2, Reason: "for the quota, until 14:03:10"},
		"1 value of mainnet read, 5 from the folder, 1 waiting since no answer":           {Reads: 1, Cached: 5, Waiting: 1, Reason: "no answer"},
	} {
		if got := s.Line("mainnet"); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
