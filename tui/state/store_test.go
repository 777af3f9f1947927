package state

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// writerDir makes the test binary a writer in that folder, for the tests that
// need another process.
const writerDir = "CHAINSCOPE_TEST_WRITER_DIR"

type counter struct {
	Count   int
	Padding string
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerDir); dir != "" {
		writeForever(dir)
	}
	os.Exit(m.Run())
}

// writeForever counts in a document and a log, and tells each step on stdout.
func writeForever(dir string) {
	s, err := Open(Options{Dir: dir, Notice: func(n string) { fmt.Println("notice", n) }})
	for err == nil {
		var now int
		if err = Update(s, "counter", func(c *counter) error {
			c.Count++
			c.Padding = strings.Repeat("x", 8<<10)
			now = c.Count
			return nil
		}); err == nil {
			err = s.Append("timeline", counter{Count: now})
		}
		fmt.Println("wrote", now)
	}
	fmt.Println("failed", err)
	os.Exit(1)
}

func open(t *testing.T) (*Store, *[]string) {
	t.Helper()
	var mu sync.Mutex
	notices := &[]string{}
	s, err := Open(Options{
		Dir:    filepath.Join(t.TempDir(), "state"),
		Notice: func(n string) { mu.Lock(); *notices = append(*notices, n); mu.Unlock() },
		Now:    func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, notices
}

func TestDocumentsAreKeptAndRemoved(t *testing.T) {
	s, _ := open(t)
	var got map[string]int
	if found, err := s.Get("bookmarks", &got); found || err != nil {
		t.Fatalf("found %v, %v before anything was written", found, err)
	}
	if _, err := os.Stat(s.Dir()); !os.IsNotExist(err) {
		t.Error("reading made the folder")
	}
	if err := s.Set("bookmarks", map[string]int{"a": 1}); err != nil {
		t.Fatal(err)
	}
	if err := Update(s, "bookmarks", func(m *map[string]int) error { (*m)["b"] = 2; return nil }); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Get("bookmarks", &got); !found || err != nil {
		t.Fatal(found, err)
	}
	if diff := cmp.Diff(map[string]int{"a": 1, "b": 2}, got); diff != "" {
		t.Error(diff)
	}
	refused := errors.New("refused")
	if err := s.Update("bookmarks", func(json.RawMessage) (any, error) { return 5, refused }); !errors.Is(err, refused) {
		t.Errorf("error %v", err)
	}
	for range 2 {
		if err := s.Delete("bookmarks"); err != nil {
			t.Fatal(err)
		}
	}
	if found, _ := s.Get("bookmarks", &got); found {
		t.Error("still there")
	}
}

func TestFilesAreForTheirOwnerOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // has no such modes
	}
	s, _ := open(t)
	if err := errors.Join(s.Set("history", 1), s.Append("timeline", 1)); err != nil {
		t.Fatal(err)
	}
	modes := map[string]string{}
	for _, f := range []string{"", "history.json", "timeline.jsonl", "history.lock"} {
		info, err := os.Stat(filepath.Join(s.Dir(), f))
		if err != nil {
			t.Fatal(err)
		}
		modes[f] = info.Mode().Perm().String()
	}
	want := map[string]string{"": "-rwx------", "history.json": "-rw-------", "timeline.jsonl": "-rw-------", "history.lock": "-rw-------"}
	if diff := cmp.Diff(want, modes); diff != "" {
		t.Error(diff)
	}
}

func TestNamesStayInTheFolder(t *testing.T) {
	s, _ := open(t)
	for _, name := range []string{"", "../x", "a/b", "A", "a.b", "a b"} {
		if err := s.Set(name, 1); err == nil {
			t.Errorf("document %q was written", name)
		}
		if err := s.Append(name, 1); err == nil {
			t.Errorf("log %q was written", name)
		}
	}
}

func TestADamagedDocumentIsSetAsideAndReported(t *testing.T) {
	s, notices := open(t)
	damage := func(text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(s.Dir(), 0o700), os.WriteFile(filepath.Join(s.Dir(), "history.json"), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	aside := func(n string) string {
		text, err := os.ReadFile(filepath.Join(s.Dir(), "history.damaged-20260102T030405Z"+n+".json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	damage(`{"half`)
	var list []string
	if found, err := s.Get("history", &list); found || err != nil {
		t.Fatal(found, err)
	}
	damage("7")
	if found, err := s.Get("history", &list); found || err != nil {
		t.Fatal(found, err)
	}
	damage("{}")
	if err := Update(s, "history", func(l *[]string) error { *l = append(*l, "new"); return nil }); err != nil {
		t.Fatal(err)
	}
	damage2 := []string{aside(""), aside("-2"), aside("-3")}
	if diff := cmp.Diff([]string{`{"half`, "7", "{}"}, damage2); diff != "" {
		t.Error(diff)
	}
	if len(*notices) != 3 || !strings.Contains((*notices)[1], "history.damaged-20260102T030405Z-2.json") {
		t.Errorf("notices %q", *notices)
	}
	if found, err := s.Get("history", &list); !found || err != nil || len(list) != 1 {
		t.Error(found, err, list)
	}
}

func TestALogGivesItsNewestLines(t *testing.T) {
	s, notices := open(t)
	if lines, err := s.Last("timeline", 5); err != nil || lines != nil {
		t.Fatal(lines, err)
	}
	for i := range 10 {
		if err := s.Append("timeline", i); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(filepath.Join(s.Dir(), "timeline.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"cut off`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := s.Append("timeline", 10); err != nil {
		t.Fatal(err)
	}
	lines, err := s.Last("timeline", 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%s", lines); got != "[8 9 10]" {
		t.Errorf("lines %s", got)
	}
	if len(*notices) != 1 || !strings.Contains((*notices)[0], "1 damaged lines") {
		t.Errorf("notices %q", *notices)
	}
}

func TestAFolderThatCannotBeMadeIsAClearError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(Options{Dir: filepath.Join(file, "state")})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set("history", 1); err == nil || !strings.Contains(err.Error(), "state folder") {
		t.Errorf("error %v", err)
	}
	if _, err := Open(Options{}); err == nil {
		t.Error("a store without a folder")
	}
}

func TestGoroutinesLoseNoUpdate(t *testing.T) {
	s, _ := open(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 10 {
				if err := Update(s, "counter", func(c *counter) error { c.Count++; return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	var c counter
	if _, err := s.Get("counter", &c); err != nil || c.Count != 80 {
		t.Error(c, err)
	}
}

// writer starts another process that writes until it is killed.
func writer(t *testing.T, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerDir+"="+dir, "TMPDIR="+t.TempDir()) // what it writes when it is killed
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

func TestTwoProcessesLoseNoUpdate(t *testing.T) {
	s, notices := open(t)
	type child struct {
		cmd *exec.Cmd
		out *bufio.Scanner
	}
	var children []child
	for range 2 {
		cmd, out := writer(t, s.Dir())
		children = append(children, child{cmd, out})
	}
	for range 20 {
		for _, c := range children {
			if !c.out.Scan() || !strings.HasPrefix(c.out.Text(), "wrote ") {
				t.Errorf("writer says %q", c.out.Text())
			}
		}
		if err := Update(s, "counter", func(c *counter) error { c.Count++; return nil }); err != nil {
			t.Error(err)
		}
	}
	for _, c := range children {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
	}
	var c counter
	if _, err := s.Get("counter", &c); err != nil || c.Count < 60 {
		t.Error(c.Count, err)
	}
	lines, err := s.Last("timeline", 1<<20)
	if err != nil || len(lines) < 40 {
		t.Error(len(lines), err)
	}
	seen := map[int]bool{}
	for _, line := range lines {
		var c counter
		if err := json.Unmarshal(line, &c); err != nil || seen[c.Count] {
			t.Errorf("line %s: %v, seen before: %v", line, err, seen[c.Count])
		}
		seen[c.Count] = true
	}
	if len(*notices) > 0 {
		t.Errorf("notices %q", *notices)
	}
}

func TestAWriterMayBeKilledAtAnyMoment(t *testing.T) {
	s, notices := open(t)
	const kills = 200
	random := rand.New(rand.NewPCG(1, 2))
	last := 0
	for range kills {
		cmd, out := writer(t, s.Dir())
		for range 1 + random.IntN(3) {
			if !out.Scan() || !strings.HasPrefix(out.Text(), "wrote ") {
				t.Fatalf("writer says %q", out.Text())
			}
		}
		for range random.IntN(2000) { // somewhere inside the next write
			runtime.Gosched()
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		var c counter
		if found, err := s.Get("counter", &c); !found || err != nil {
			t.Fatal(found, err)
		}
		if c.Count <= last {
			t.Fatalf("counted back from %d to %d", last, c.Count)
		}
		last = c.Count
	}
	lines, err := s.Last("timeline", 1<<20)
	if err != nil || len(lines) > last || len(lines) < last-kills {
		t.Errorf("%d lines for %d counts: %v", len(lines), last, err)
	}
	if len(*notices) > 0 {
		t.Errorf("notices %q", *notices)
	}
	if err := s.Set("counter", counter{}); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if diff := cmp.Diff([]string{"counter.json", "counter.lock", "timeline.jsonl", "timeline.lock"}, names); diff != "" {
		t.Errorf("left in the folder:\n%s", diff)
	}
}

func TestALogThatHasGrownTooLongKeepsItsNewestLines(t *testing.T) {
	s, err := Open(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Shorten("calls", 100); err != nil {
		t.Errorf("shortening none: %v", err)
	}
	for i := range 100 {
		if err := s.Append("calls", i); err != nil {
			t.Fatal(err)
		}
	}
	for _, limit := range []int64{1000, 100} {
		if err := s.Shorten("calls", limit); err != nil {
			t.Fatal(err)
		}
		lines, err := s.Last("calls", 1000)
		if err != nil || string(lines[len(lines)-1]) != "99" {
			t.Fatalf("limit %d: %s, %v", limit, lines, err)
		}
		want := 100
		if limit == 100 {
			want = 50 / len("99\n")
		}
		if len(lines) != want {
			t.Errorf("limit %d: %d lines are left, want %d", limit, len(lines), want)
		}
	}
}
