package command

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A name that leaves the namespace between two pages moves those behind it: what may be
// missing is said, and a list of which nothing is printed yet is read again.
func TestNamesThatChangeWhileTheyAreReadAreSaid(t *testing.T) {
	for _, format := range []string{"csv", "json"} {
		var lock sync.Mutex
		first, requests := 0, 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			lock.Lock()
			defer lock.Unlock()
			page := 0
			_, _ = fmt.Sscan(r.URL.Query().Get("page"), &page)
			if requests++; page == 2 {
				first = 1 // name000 has left
			}
			w.Header().Set("Content-Type", "application/json")
			names := []string{}
			for n := first + 100*page; n < min(first+100*page+100, 350); n++ {
				names = append(names, fmt.Sprintf("name%03d.test", n))
			}
			if len(names) == 0 {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, `{"error":"Invalid page"}`)
				return
			}
			_ = json.NewEncoder(w).Encode(names)
		}))
		code, out, errs := run(t, t.Context(), "names", "test", "--all", "-o", format, "--api", server.URL)
		server.Close()
		if format == "csv" && (code != 5 || !strings.Contains(errs, "names may be missing")) {
			t.Errorf("csv: exit code %d: %s", code, errs)
		}
		if format == "json" && (code != 0 || strings.Count(out, ".test") != 349) {
			t.Errorf("json: exit code %d, %d names: %s", code, strings.Count(out, ".test"), errs)
		}
	}
}
