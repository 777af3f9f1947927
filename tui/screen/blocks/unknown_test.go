package blocks

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"chainscope/apiclient/apitest"
	"chainscope/tui/nav"
)

// afterTheSunset answers the list of blocks as API 9 does when the routes of v1
// are switched off, from its recording. change may alter the three blocks.
func afterTheSunset(t *testing.T, change func(string) string) http.Handler {
	t.Helper()
	raw, err := apitest.Recorded.ReadFile("recorded/generations/v2-blocks-list.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers []struct {
		Path string          `json:"path"`
		Body json.RawMessage `json:"body"`
	}
	if err := json.Unmarshal(raw, &answers); err != nil {
		t.Fatal(err)
	}
	if answers[0].Path != "/extended/v2/blocks?limit=3" {
		t.Fatalf("the recording begins with %s", answers[0].Path)
	}
	body := change(strings.Replace(string(answers[0].Body), `"total": 50`, `"total": 3`, 1))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path != "/extended/v2/blocks" {
			w.WriteHeader(http.StatusGone)
			_, _ = io.WriteString(w, `{"error":"Gone","message":"This endpoint has been disabled."}`)
			return
		}
		_, _ = io.WriteString(w, body)
	})
}

func TestWhatARouteDoesNotReportIsUnknownAndNotNone(t *testing.T) {
	s := begin(t, 160, 60, "dark")
	s.front = afterTheSunset(t, func(body string) string { return body })
	s.open(nav.Blocks())
	if row := regexp.MustCompile(`0x5705546\S+ +136 +(\S+) `).FindStringSubmatch(s.text()); row == nil || row[1] != "3" {
		t.Errorf("the row of block 50 is %q in\n%s", row, s.text())
	}
	s.sees("Transactions 3", "unknown: not reported by this API")
	s.seesNot("Transactions 0", "none")
}

func TestANumberThatNoRouteReportsIsAQuestionMark(t *testing.T) {
	s := begin(t, 160, 60, "dark")
	count := regexp.MustCompile(`"tx_count": \d+,`)
	s.front = afterTheSunset(t, func(body string) string { return count.ReplaceAllString(body, "") })
	s.open(nav.Blocks())
	if row := regexp.MustCompile(`0x5705546\S+ +136 +(\S+) `).FindStringSubmatch(s.text()); row == nil || row[1] != "?" {
		t.Errorf("the row of block 50 is %q in\n%s", row, s.text())
	}
	s.sees("Transactions ?")
}
