package mockserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"

	"chainscope/apiclient/apitest"
)

// unlikeFile has the recorded requests that the mock answers otherwise, by generation, with
// the reason. It only shrinks: what agrees has to go from it.
const unlikeFile = "testdata/unlike-recorded.json"

// TestRecordedRequestsAreAnsweredAsRecorded sends a mock of each generation what the real
// servers answered, of a chain that has the same in it.
func TestRecordedRequestsAreAnsweredAsRecorded(t *testing.T) {
	notRaced(t)
	known, now := map[string]map[string]string{}, map[string]map[string]string{}
	data, err := os.ReadFile(unlikeFile)
	if err == nil {
		err = json.Unmarshal(data, &known)
	}
	if err != nil {
		t.Fatal(err)
	}
	requested, agree := 0, 0
	for _, generation := range []string{apitest.Version8, apitest.Version9, apitest.Sunset} {
		recorded := apitest.Exchanges(generation)
		d := newScene(t, generation, recorded)
		seen := map[bool]entries{true: {}, false: {}} // of v3, and of v1 and v2
		for _, e := range recorded {
			seen[isV3(e)].add("", parseTree(t, []byte(d.replace.Replace(string(e.Body)))))
		}
		now[generation] = map[string]string{}
		for _, e := range recorded {
			requested++
			why, listed := d.differs(e, seen[isV3(e)]), known[generation][e.Name]
			if why != "" {
				now[generation][e.Name] = why
			}
			switch {
			case why == "" && listed != "":
				t.Errorf("%s: %s agrees now: take it from %s", generation, e.Name, unlikeFile)
			case why != "" && listed == "":
				t.Errorf("%s: %s: %s %s: %s", generation, e.Name, e.Method, d.replace.Replace(e.Path), why)
			case why == "":
				agree++
			}
		}
		for name := range known[generation] {
			if !slices.ContainsFunc(recorded, func(e apitest.Exchange) bool { return e.Name == name }) {
				t.Errorf("%s: %s lists %s, which was not recorded", generation, unlikeFile, name)
			}
		}
	}
	if t.Logf("%d of %d agree", agree, requested); requested < 507 {
		t.Errorf("only %d requests are recorded", requested)
	}
	if *update {
		shrink(t, known, now)
	}
}

func isV3(e apitest.Exchange) bool { return strings.HasPrefix(e.Path, "/extended/v3/") }

// TestAnswersAgreeWithTheDocumentOfTheirGeneration holds the same answers against what
// /openapi.json says.
func TestAnswersAgreeWithTheDocumentOfTheirGeneration(t *testing.T) {
	notRaced(t)
	openapi3filter.RegisterBodyDecoder("text/plain", openapi3filter.FileBodyDecoder)
	for _, generation := range []string{apitest.Version8, apitest.Version9, apitest.Sunset} {
		recorded := apitest.Exchanges(generation)
		d := newScene(t, generation, recorded)
		own := []schema{loadSchema(t, "our own", get(d.s, "/openapi.json").Body.Bytes())}
		for _, e := range recorded {
			target := d.replace.Replace(e.Path)
			w := call(d.s, e.Method, target)
			if e.Method == "GET" && !strings.HasPrefix(w.Body.String(), `{"message":"Route `) && agrees(t, own, target, w) == 0 {
				t.Errorf("%s: %s is not in the document", generation, target)
			}
		}
	}
}

// shrink takes what agrees from the list.
func shrink(t *testing.T, known, now map[string]map[string]string) {
	t.Helper()
	for generation, of := range known {
		maps.DeleteFunc(of, func(name, _ string) bool { return now[generation][name] == "" })
	}
	out, err := json.MarshalIndent(known, "", " ")
	if err == nil {
		err = os.WriteFile(unlikeFile, append(out, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// tags are the kinds of validators: of the tip, of a transaction or an account, of the
// mempool, of a block.
var tags = []*regexp.Regexp{
	regexp.MustCompile(`^"0x[0-9a-f]{64}"$`), regexp.MustCompile(`^"[0-9a-f]{64}"$`),
	regexp.MustCompile(`^"[0-9]+\.[0-9]+"$`), regexp.MustCompile(`^"0x[0-9a-f]{64}:true"$`), regexp.MustCompile(`^$`),
}

// differs requests what was recorded, and says what is not as recorded, "" for nothing.
func (d *scene) differs(e apitest.Exchange, seen entries) string {
	d.Helper()
	w := call(d.s, e.Method, d.replace.Replace(e.Path))
	if e.Status == 500 { // a mistake of the real server
		if w.Code == 400 || w.Code == 404 {
			return ""
		}
		return fmt.Sprintf("%d, not 400 or 404", w.Code)
	}
	if w.Code != e.Status {
		return fmt.Sprintf("%d, not %d", w.Code, e.Status)
	}
	if len(e.Headers) == 0 { // of some only the body was kept
		return seen.differ("body", parseTree(d, w.Body.Bytes()), parseTree(d, []byte(d.replace.Replace(string(e.Body)))))
	}
	for _, name := range []string{"content-type", "cache-control", "warning", "location"} {
		if got, want := w.Header().Get(name), d.replace.Replace(e.Headers[name]); got != want {
			return fmt.Sprintf("%s is %q, not %q", name, got, want)
		}
	}
	if got, want := w.Header().Get("X-Api-Version") != "", e.Headers["x-api-version"] != ""; got != want {
		return fmt.Sprintf("x-api-version is there: %t, not %t", got, want)
	}
	etag, want := w.Header().Get("Etag"), e.Headers["etag"]
	for _, kind := range tags {
		if kind.MatchString(etag) != kind.MatchString(want) {
			return fmt.Sprintf("etag is like %q, not like %q", digits0(etag), digits0(want))
		}
	}
	if len(e.Body) == 0 || e.Body[0] == '"' {
		if string(e.Body) == `""` && w.Body.Len() > 0 {
			return "there is a body"
		}
		return ""
	}
	return seen.differ("body", parseTree(d, w.Body.Bytes()), parseTree(d, []byte(d.replace.Replace(string(e.Body)))))
}

// digits0 leaves of a validator how it is written, which is what the list can keep.
func digits0(tag string) string {
	short := regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllString(tag, "…")
	return strings.Trim(regexp.MustCompile(`[0-9]+`).ReplaceAllString(short, "0"), `"`)
}
