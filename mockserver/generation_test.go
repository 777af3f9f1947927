package mockserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"chainscope/apiclient/apitest"
)

// version makes a server of a generation serve a test.
func version(name string) func(*Config) { return func(c *Config) { c.APIVersion = name } }

// recordedAnswer holds what a real server said.
type recordedAnswer struct {
	Path    string            `json:"path"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

// recordings reads answers of the real servers.
func recordings(t testing.TB, name string) []recordedAnswer {
	t.Helper()
	return readJSON[[]recordedAnswer](t, "recorded/generations/"+name)
}

// TestEveryRouteLivesAsLongAsTheRealOne requests the same paths from four servers: what
// is deprecated warns, what is retired answers 410 before it looks at anything.
func TestEveryRouteLivesAsLongAsTheRealOne(t *testing.T) {
	const block, hash = "/extended/v2/blocks/5", "0x" + zeros
	rows := []struct {
		target string
		// by generation: 8, 9, sunset, v3. A W before the status is a Warning.
		want string
	}{
		{"/extended", "200 200 200 200"},
		{blockURL + "?limit=1", "W200 W200 W410 W410"},
		{blockURL + "?limit=31", "W400 W400 W410 W410"},
		{byHeight + "756066", "W200 W200 W410 W410"},
		{byHeight + "abc", "W400 W400 W410 W410"},
		{byHash + hash, "W404 W404 W410 W410"},
		{blockURL + "/by_height/5", "W200 W200 W410 W410"},
		{blockURL + "/by_height/99999999", "W404 W404 W410 W410"},
		{blockURL + "/" + hash, "W404 W404 W410 W410"},
		{blockURL + "/0xzz", "W400 W400 W410 W410"},
		{byHash + zeros, "W302 W302 W410 W410"},
		{burnURL + "latest/blocks", "200 200 200 W410"},
		{burnURL + "latest", "200 200 200 W410"},
		{"/extended/v2/burn-blocks?limit=31", "400 400 400 W410"},
		{"/extended/v2/blocks/", "200 200 200 W410"},
		{block, "200 200 200 W410"},
		{"/extended/v2/block-tenures/1/blocks", "200 200 200 W410"},
		{"/extended/v3/blocks?limit=1", "404 404 404 200"},
		{"/extended/v3/blocks/latest", "404 404 404 200"},
		{"/extended/v3/blocks/latest/transactions", "404 200 200 200"},
		{"/extended/v3/transactions/" + hash, "404 404 404 404"},
		{"/extended/v3/principals/SP000000000000000000002Q6VF78/nonces", "404 200 200 200"},
		{"/extended/v3/bitcoin-blocks?limit=1", "404 404 404 200"},
		{"/extended/v3/bitcoin-blocks/latest/blocks", "404 404 404 200"},
		{"/v1/namespaces", "200 200 200 200"},
		{"/v1/namespaces/btc/names", "200 200 200 200"},
		{"/extended/v1/tx/" + hash, "404 W404 W410 W410"},
		{"/extended/v1/address/SP000000000000000000002Q6VF78/nonces", "200 W200 W410 W410"},
		{"/metadata/v1/ft/nobody", "400 400 400 400"},
		{"/nope", "404 404 404 404"},
	}
	for i, name := range APIVersions() {
		s := anchored(t, version(name))
		for _, r := range rows {
			want := strings.Fields(r.want)[i]
			w := fetch(t, s, r.target)
			got := fmt.Sprint(w.Code)
			if w.Header().Get("Warning") != "" {
				got = "W" + got
			}
			if got != want {
				t.Errorf("%s: GET %s: %s, want %s", name, r.target, got, want)
			}
			if w.Code != http.StatusGone {
				continue
			}
			again := fetch(t, s, r.target, "If-None-Match", "*")
			head := request(t, s, "HEAD", r.target)
			if again.Code != 410 || head.Code != 410 || w.Body.String() != string(recordedGone(t)) {
				t.Errorf("%s: GET %s: %d with If-None-Match, HEAD %d: %s", name, r.target, again.Code, head.Code, w.Body)
			}
			for _, h := range []string{"X-Api-Version", "Etag", "Cache-Control"} {
				if w.Header().Get(h) != "" {
					t.Errorf("%s: GET %s: %s: %s on a 410", name, r.target, h, w.Header().Get(h))
				}
			}
		}
	}
}

// recordedGone returns the body of a route that a real server has retired.
func recordedGone(t testing.TB) []byte {
	t.Helper()
	var rows []struct {
		Sunset recordedAnswer `json:"sunset"`
	}
	data, err := apitest.Recorded.ReadFile("recorded/generations/by-generation.json")
	if err != nil || json.Unmarshal(data, &rows) != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Sunset.Status == 410 {
			return []byte(compactKeepingOrder(t, r.Sunset.Body))
		}
	}
	t.Fatal("no 410 was recorded")
	return nil
}

func TestTheDefaultIsTheServiceOfToday(t *testing.T) {
	one, today := anchored(t), anchored(t, version("9"))
	for _, target := range []string{blockURL, burnURL + "latest/blocks", "/v1/namespaces/btc/names?page=x", "/extended", "/extended/v3/blocks"} {
		a, b := fetch(t, one, target), fetch(t, today, target)
		if a.Code != b.Code || a.Body.String() != b.Body.String() {
			t.Errorf("%s: %d %s\nwith --api-version 9: %d %s", target, a.Code, a.Body, b.Code, b.Body)
		}
	}
	_, err := New(Config{APIVersion: "10"})
	if err == nil || err.Error() != `--api-version: no API version "10"; it is one of 8, 9, sunset, v3` {
		t.Error(err)
	}
	_, err = New(Config{APIVersion: "8", Replay: "testdata/tape-epoch3"})
	if err == nil || !strings.Contains(err.Error(), "--api-version: needs the mock chain") {
		t.Error(err)
	}
}

func TestTheServersNameTheirVersion(t *testing.T) {
	for name, want := range map[string]string{"8": "v8.13.6", "9": "v9.0.2", "sunset": "v9.0.2", "v3": "v9.8.0"} {
		s := anchored(t, version(name))
		w := fetch(t, s, "/extended")
		if got := w.Header().Get("X-Api-Version"); got != want+" (chainscope:mock)" {
			t.Errorf("%s: X-API-Version %q", name, got)
		}
		if !strings.HasPrefix(w.Body.String(), `{"server_version":"stacks-blockchain-api `+want+` (`) {
			t.Errorf("%s: %s", name, w.Body)
		}
	}
}

// TestErrorsAreThoseOfTheRealServers requests what was recorded. Where the real
// server answers 500 by a mistake, the mock answers 400 or 404.
func TestErrorsAreThoseOfTheRealServers(t *testing.T) {
	s := anchored(t)
	requested := 0
	for _, file := range []string{"v2-blocks-errors.json", "v2-burn-blocks.json", "v2-block-tenures.json", "v2-reorg.json", "namespaces.json"} {
		for _, r := range recordings(t, file) {
			if r.Status < 400 || strings.HasSuffix(r.Path, "/666102") {
				continue
			}
			// Heights that the recorded chains do not have and the mock's has.
			target := strings.NewReplacer("/blocks/51", "/blocks/1000001", "block-tenures/10/", "block-tenures/140001/").Replace(r.Path)
			w := fetch(t, s, target)
			requested++
			if r.Status == 500 {
				if w.Code != 400 && w.Code != 404 {
					t.Errorf("GET %s: %d %s, the real server's mistake is %s", target, w.Code, w.Body, r.Body)
				}
				continue
			}
			if want := compactKeepingOrder(t, r.Body); w.Code != r.Status || w.Body.String() != want {
				t.Errorf("GET %s: %d %s\nwant %d %s", target, w.Code, w.Body, r.Status, want)
			}
		}
	}
	if requested < 25 {
		t.Errorf("only %d errors were requested", requested)
	}
}

func TestNamesRefuseAsTheirGenerationDoes(t *testing.T) {
	var rows []map[string]json.RawMessage
	data, err := apitest.Recorded.ReadFile("recorded/generations/names-errors.json")
	if err != nil || json.Unmarshal(data, &rows) != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"8", "9", "sunset"} {
		s := anchored(t, version(name))
		for _, row := range rows {
			var path string
			var want recordedAnswer
			if json.Unmarshal(row["path"], &path) != nil || json.Unmarshal(row[name], &want) != nil {
				t.Fatal(row)
			}
			if strings.HasPrefix(path, "/v1/names/") {
				continue
			}
			w := fetch(t, s, strings.Replace(path, "/id/", "/btc/", 1))
			if body := compactKeepingOrder(t, want.Body); w.Code != want.Status || w.Body.String() != body {
				t.Errorf("%s: GET %s: %d %s\nwant %d %s", name, path, w.Code, w.Body, want.Status, body)
			}
		}
	}
}

// TestAnswersHaveTheShapeOfTheRecordedOnes compares the keys and the types, in the
// order in which they come.
func TestAnswersHaveTheShapeOfTheRecordedOnes(t *testing.T) {
	s := anchored(t)
	burn := read[listBody](t, fetch(t, s, blockURL+"?limit=1")).Results[0].BurnBlockHeight
	for file, replace := range map[string][]string{
		"v2-blocks-list.json":   nil,
		"v2-blocks-one.json":    nil,
		"v2-burn-blocks.json":   {"/131", fmt.Sprintf("/%d", burn-1)},
		"namespaces.json":       {"/empty/names", "/btc/names"},
		"v2-block-tenures.json": nil,
	} {
		for _, r := range recordings(t, file) {
			if r.Status != 200 || strings.Contains(r.Path, "0x") || len(r.Path) > 60 || strings.Contains(string(r.Body), `[]`) {
				continue
			}
			target := strings.NewReplacer(replace...).Replace(r.Path)
			if strings.Contains(target, "block-tenures/16/") {
				tip := read[struct {
					Results []struct {
						Tenure int64 `json:"tenure_height"`
					}
				}](t, fetch(t, s, "/extended/v2/blocks?limit=1"))
				target = fmt.Sprintf("/extended/v2/block-tenures/%d/blocks", tip.Results[0].Tenure)
			}
			w := fetch(t, s, target)
			if w.Code != 200 {
				t.Errorf("GET %s: %d %s", target, w.Code, w.Body)
				continue
			}
			if got, want := shapeOf(t, w.Body.Bytes()), shapeOf(t, r.Body); got != want {
				t.Errorf("GET %s: shape %s\nrecorded %s", target, got, want)
			}
		}
	}
	for _, r := range readJSON[[]struct {
		recordedAnswer
		Generation string `json:"generation"`
	}](t, "recorded/generations/status.json") {
		if slices.Contains(APIVersions(), r.Generation) {
			w := fetch(t, anchored(t, version(r.Generation)), "/extended")
			if got, want := shapeOf(t, w.Body.Bytes()), shapeOf(t, r.Body); got != want {
				t.Errorf("%s: shape of /extended %s\nrecorded %s", r.Generation, got, want)
			}
		}
	}
}

// shapeOf writes a JSON text with its keys in their order and a word for each value;
// of an array the first entry. null stands for a text, as it does in a cursor.
func shapeOf(t testing.TB, body []byte) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(body)))
	var value func() string
	value = func() string {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		switch v := token.(type) {
		case json.Delim:
			var parts []string
			for d.More() {
				if v == '[' {
					parts = append(parts, value())
					continue
				}
				key, err := d.Token()
				if err != nil {
					t.Fatal(err)
				}
				parts = append(parts, fmt.Sprint(key)+":"+value())
			}
			_, _ = d.Token() // More has seen the closing one
			if v == '[' {
				return "[" + strings.Join(parts[:min(1, len(parts))], "") + "]"
			}
			return "{" + strings.Join(parts, " ") + "}"
		case nil, string:
			return "text"
		case bool:
			return "bool"
		}
		return "number"
	}
	return value()
}

// compactKeepingOrder removes the blanks between the tokens of a JSON text and
// leaves the order of the keys.
func compactKeepingOrder(t testing.TB, data []byte) string {
	t.Helper()
	out := new(strings.Builder)
	inText := false
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case inText && c == '\\':
			out.WriteByte(c)
			i++
			c = data[i]
		case c == '"':
			inText = !inText
		case !inText && (c == ' ' || c == '\n'):
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}

// TestAnswersAgreeWithTheSchemasOfTheirGeneration holds every answer against what
// the real services publish about themselves.
func TestAnswersAgreeWithTheSchemasOfTheirGeneration(t *testing.T) {
	var all []schema
	for _, file := range []string{"testdata/generations.strict.json", "testdata/token-list.strict.json"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, loadSchema(t, file, data))
	}
	for _, name := range []string{"8", "9", "sunset"} {
		s := anchored(t, version(name))
		for _, target := range generationRequests(t, s) {
			if name == "8" && target == "/extended" {
				continue // the schemas are those of 9, where the unlock heights are gone
			}
			if agrees(t, all, target, fetch(t, s, target)) == 0 {
				t.Errorf("%s: no schema describes GET %s", name, target)
			}
		}
	}
}

// generationRequests are for the routes beside those of the contract.
func generationRequests(t testing.TB, s *Server) []string {
	t.Helper()
	var c catalogBody
	if err := json.Unmarshal(get(s, "/mock/v1/catalog").Body.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	out := []string{"/extended", "/v1/namespaces/"}
	for _, page := range []string{"", "?limit=0", "?limit=1", "?limit=30", "?offset=7", "?offset=300", "?offset=-1"} {
		out = append(out, "/extended/v2/blocks/"+page)
	}
	for _, page := range []string{"", "?limit=0", "?limit=1", "?limit=30", "?offset=7", "?offset=100000000"} {
		out = append(out, "/extended/v2/burn-blocks/"+page)
	}
	for _, h := range c.Heights {
		out = append(out, fmt.Sprintf("/extended/v2/blocks/%d", max(1, h.Height)))
		one := read[struct {
			Index string `json:"index_block_hash"`
		}](t, fetch(t, s, out[len(out)-1]))
		out = append(out, "/extended/v2/blocks/"+one.Index, "/extended/v2/blocks/?limit=5&cursor="+one.Index)
		if w := fetch(t, s, fmt.Sprintf("%s%d", burnURL, h.BurnHeight)); w.Code == 200 {
			out = append(out, fmt.Sprintf("%s%d", burnURL, h.BurnHeight))
		}
	}
	return append(out, "/extended/v2/blocks/latest", burnURL+"latest")
}
