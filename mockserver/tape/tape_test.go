package tape

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func example() *Exchange {
	return &Exchange{
		Method: "GET", Target: "/extended/v1/block?limit=1", Status: 200, Upstream: "https://api.example",
		Recorded: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Header:   http.Header{"Content-Type": {"application/json; charset=utf-8"}, "Etag": {`"0x1"`}, "Link": {"a", "b"}},
		Body:     []byte("{\"limit\":1}\n\n\x00\xff"),
	}
}

func TestAFileOfATapeReadsAsWritten(t *testing.T) {
	want := "chainscope tape 1\nRequest: GET /extended/v1/block?limit=1\nStatus: 200\nRecorded: 2026-01-01T00:00:00Z\nUpstream: https://api.example\nLength: 15\n\n" +
		"Content-Type: application/json; charset=utf-8\nEtag: \"0x1\"\nLink: a\nLink: b\n\n{\"limit\":1}\n\n\x00\xff"
	data := example().Encode()
	if string(data) != want {
		t.Errorf("got\n%s", data)
	}
	back, err := decode(data)
	if err != nil || cmp.Diff(example(), back) != "" {
		t.Errorf("%v %s", err, cmp.Diff(example(), back))
	}
}

func TestAnyBodySurvivesATape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := example()
		e.Body = rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		e.Status = rapid.IntRange(200, 599).Draw(t, "status")
		e.Header = http.Header{}
		back, err := decode(e.Encode())
		if err != nil || string(back.Body) != string(e.Body) || back.Status != e.Status {
			t.Fatalf("%v: %+v", err, back)
		}
	})
}

func TestDamagedFilesSayWhatIsWrong(t *testing.T) {
	good := string(example().Encode())
	for name, c := range map[string]struct{ data, says string }{
		"empty":            {"", "line 1"},
		"another format":   {"HTTP/1.1 200 OK\n", "line 1"},
		"cut in the lines": {good[:40], "own lines"},
		"no request":       {strings.Replace(good, "GET /", "GET ", 1), "Request"},
		"a wild status":    {strings.Replace(good, "Status: 200", "Status: 99", 1), "Status"},
		"no time":          {strings.Replace(good, "2026-01-01T", "2026-01-01 ", 1), "Recorded"},
		"no length":        {strings.Replace(good, "Length: 15", "Length: x", 1), "Length"},
		"a body cut short": {good[:len(good)-1], "damaged"},
		"a longer body":    {good + "x", "damaged"},
	} {
		if _, err := decode([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestOpeningAFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "--record") {
		t.Errorf("an empty folder: %v", err)
	}
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("README.txt", []byte("notes are left alone"))
	write("a.http", example().Encode())
	p, err := Open(dir)
	if err != nil || p.Len() != 1 {
		t.Fatalf("%v", err)
	}
	write("broken.http", []byte("x"))
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), `"broken.http"`) {
		t.Errorf("a damaged file: %v", err)
	}
}

func TestRequestsThatAreTheSame(t *testing.T) {
	p := &Player{by: map[string]*Exchange{}}
	for _, target := range []string{"/extended/v1/block", "/v1/namespaces/btc/names?page=2&unanchored=true", "/metadata/v1/ft/x"} {
		p.by["GET "+target] = &Exchange{Method: "GET", Target: target, Status: 404}
	}
	for target, want := range map[string]bool{
		"/extended/v1/block": true, "/extended/v1/block/": true, "/extended/v1/block?limit=20&offset=0": true, "/extended/v1/block/?offset=0": true,
		"/extended/v1/block?limit=21": false, "/v1/namespaces/btc/names?unanchored=true&page=2": true,
		"/v1/namespaces/btc/names?unanchored=true&page=2&api_key=x": true, "/v1/namespaces/btc/names?page=2": false,
		"/metadata/v1/ft/x?locale=": true, "/metadata/v1/ft/x?locale=en": false,
	} {
		u, err := url.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{"GET", "HEAD"} {
			if _, ok := p.Find(method, u, ""); ok != want {
				t.Errorf("%s %s: found %v", method, target, ok)
			}
		}
		if _, ok := p.Find("POST", u, ""); ok {
			t.Errorf("POST %s: found", target)
		}
	}
}

func TestPagesWithoutParentsAreJoinedOnlyWithinOneTip(t *testing.T) {
	p := &Player{by: map[string]*Exchange{}}
	add := func(target, body string) {
		p.by["GET "+target] = &Exchange{Method: "GET", Target: target, Status: 200, Body: []byte(body)}
	}
	add("/extended/v1/block?limit=2&offset=0", `{"limit":2,"offset":0,"total":5,"results":["e","d"]}`)
	add("/extended/v1/block?limit=2&offset=2", `{"limit":2,"offset":2,"total":5,"results":["c","b"]}`)
	add("/extended/v1/block?limit=1&offset=4", `{"limit":1,"offset":4,"total":6,"results":["b2"]}`)
	for target, want := range map[string]string{
		"/extended/v1/block?limit=3&offset=1":       `{"limit":3,"offset":1,"total":5,"results":["d","c","b"]}`,
		"/extended/v1/block?limit=1&offset=4":       `{"limit":1,"offset":4,"total":6,"results":["b2"]}`,
		"/extended/v1/block?limit=2&offset=3":       "",
		"/extended/v1/block?limit=3&offset=6":       `{"limit":3,"offset":6,"total":6,"results":[]}`,
		"/extended/v1/block?limit=0&offset=0":       "",
		"/extended/v1/block?limit=31":               "",
		"/extended/v1/block?limit=x":                "",
		"/extended/v2/burn-blocks/1/blocks?limit=1": "",
	} {
		u, err := url.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if e, ok := p.Find("GET", u, ""); ok {
			got = string(e.Body)
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", target, got, want)
		}
	}
}

// block returns a row of the chain's list at a height of a fork.
func block(height int, fork, parent string) string {
	return fmt.Sprintf(`{"height":%d,"hash":"%d%s","parent_block_hash":"%d%s"}`, height, height, fork, height-1, parent)
}

func TestPagesOfTheChainAreJoinedOverATipThatMoved(t *testing.T) {
	page := func(total, offset int, rows ...string) *Exchange {
		target := fmt.Sprintf("/extended/v1/block?limit=%d&offset=%d", len(rows), offset)
		body := fmt.Sprintf(`{"limit":%d,"offset":%d,"total":%d,"results":[%s]}`, len(rows), offset, total, strings.Join(rows, ","))
		return &Exchange{Method: "GET", Target: target, Status: 200, Body: []byte(body)}
	}
	newest := page(7, 0, block(7, "a", "a"), block(6, "a", "a"))
	older := page(5, 0, block(5, "a", "a"), block(4, "a", "a"), block(3, "a", "a"))
	replaced := page(5, 0, block(5, "b", "b"), block(4, "b", "a"), block(3, "a", "a"))
	for _, c := range []struct {
		name  string
		pages []*Exchange
		query string
		want  string // heights and forks, "" for not found
	}{
		{"a page over both", []*Exchange{newest, older}, "?limit=4", "7a 6a 5a 4a"},
		{"a later page", []*Exchange{newest, older}, "?limit=2&offset=3", "4a 3a"},
		{"a page with a gap", []*Exchange{newest, older}, "?limit=6", ""},
		{"a page over a fork", []*Exchange{newest, replaced}, "?limit=4", ""},
		{"the part of the other fork", []*Exchange{newest, replaced}, "?limit=2&offset=2", "5b 4b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Player{by: map[string]*Exchange{}}
			for i, e := range c.pages {
				p.by[fmt.Sprint(i)] = e
			}
			u, err := url.Parse("/extended/v1/block" + c.query)
			if err != nil {
				t.Fatal(err)
			}
			e, ok := p.Find("GET", u, "")
			if !ok {
				if c.want != "" {
					t.Fatal("not found")
				}
				return
			}
			var got struct {
				Total   int
				Results []struct{ Hash string }
			}
			if err := json.Unmarshal(e.Body, &got); err != nil {
				t.Fatal(err)
			}
			var hashes []string
			for _, r := range got.Results {
				hashes = append(hashes, r.Hash)
			}
			if text := strings.Join(hashes, " "); text != c.want || !e.Joined || got.Total != 7 {
				t.Errorf("got %s of %d, joined %v; want %s", text, got.Total, e.Joined, c.want)
			}
		})
	}
}

func TestWhatIsNearIsNamedFirst(t *testing.T) {
	p := &Player{by: map[string]*Exchange{}}
	for _, target := range []string{"/a/b/c", "/a/b?x=1", "/a", "/z"} {
		p.by["GET "+target] = &Exchange{Method: "GET", Target: target}
	}
	u := &url.URL{Path: "/a/b/d"}
	if got := fmt.Sprint(p.Near(u, 3)); got != "[GET /a/b/c GET /a/b?x=1 GET /a]" {
		t.Error(got)
	}
	if got := p.Near(u, 9); len(got) != 4 {
		t.Errorf("%d of 4", len(got))
	}
}

func TestFileNamesAreSafeAndUnique(t *testing.T) {
	seen := map[string]string{}
	for _, target := range []string{"/", "/a", "/A", "/a?b", "/a/b", "/../../etc/passwd", "/con", "/" + strings.Repeat("x", 500), "/" + strings.Repeat("x", 501), "/\x1b[2J%00:*"} {
		name := FileName("GET", target, "")
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || len(name) > 120 || strings.Contains(name, "..") {
			t.Errorf("%q is filed as %q", target, name)
		}
		if other, ok := seen[strings.ToLower(name)]; ok {
			t.Errorf("%q and %q are filed as %q", target, other, name)
		}
		seen[strings.ToLower(name)] = target
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(example().Encode())
	f.Add([]byte("chainscope tape 1\n\n\n"))
	f.Add([]byte("chainscope tape 1\nRequest: GET /\nStatus: 200\nRecorded: 2026-01-01T00:00:00Z\nLength: 0\n\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := decode(data)
		if err != nil {
			return
		}
		again, err := decode(e.Encode())
		if err != nil || string(again.Body) != string(e.Body) || again.Target != e.Target {
			t.Errorf("%v: %+v became %+v", err, e, again)
		}
	})
}
