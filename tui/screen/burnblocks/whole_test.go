package burnblocks

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/query"

	"github.com/charmbracelet/x/ansi"
)

var orderByTxs = query.Order{Column: "txs", Descending: true}

// alone returns a server that gives burn blocks only one by one, and no sum of transactions, and
// so many answers a minute.
func alone(t *testing.T, limit string) *driver {
	t.Helper()
	m := mock(t, func() time.Time { return uitest.Noon })
	d := drive(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("RateLimit-Limit", limit)
		w.Header().Set("RateLimit-Remaining", limit)
		if r.URL.Path == "/extended/v2/burn-blocks" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"message":"Route GET:/extended/v2/burn-blocks not found","error":"Not Found","statusCode":404}`))
			return
		}
		m.ServeHTTP(w, r)
	}), "mono")
	d.screen.SetSize(120, 60)
	d.Open(nav.BurnBlocks())
	d.Press("G", "g") // what is in sight is read
	return d
}

// txsColumnOf returns the column of transactions of the burn blocks on the screen.
func (d *driver) txsColumnOf() []string {
	var out []string
	for _, line := range strings.Split(ansi.Strip(d.Frame()), "\n") {
		f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "▸"))
		if len(f) > 3 && len(f[0]) == 7 && strings.HasPrefix(f[0], "930,") {
			out = append(out, f[2])
		}
	}
	return out
}

// A number that is counted in full is never behind one of which only a part is known.
func TestBurnBlocksThatAreNotCountedAreSortedApart(t *testing.T) {
	d := alone(t, "90000")
	d.screen.SortBy(orderByTxs)
	shown := d.txsColumnOf()
	most, parts := 1<<60, 0
	for _, txs := range shown {
		n, err := strconv.Atoi(txs)
		switch {
		case strings.HasSuffix(txs, "+"):
			parts++
		case err == nil && (parts > 0 || n > most):
			t.Fatalf("%s stands behind a part or a lower number: %v", txs, shown)
		case err == nil:
			most = n
		}
	}
	if parts < 5 {
		t.Fatalf("%d burn blocks are not counted: %v", parts, shown)
	}
}

// Where the server lists the sums, they are shown and ordered by, whatever blocks are loaded.
func TestTheServersSumsStandForBurnBlocksThatAreLoadedInPart(t *testing.T) {
	d := live(t)
	d.screen.SetSize(120, 60)
	d.Open(nav.BurnBlocks())
	d.screen.SortBy(orderByTxs)
	shown, most := d.txsColumnOf(), 1<<60
	for _, txs := range shown {
		n, err := strconv.Atoi(txs)
		if txs != "-" && err != nil || n > most {
			t.Fatalf("%s after %d: %v", txs, most, shown)
		}
		most = n
	}
}

func TestTheExportDoesNotTakeAPartForTheWhole(t *testing.T) {
	d := alone(t, "90000")
	table := d.screen.Subject().Export()
	parts := 0
	for i, row := range table.Rows {
		blocks, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(row)
		}
		if whole := !strings.HasSuffix(row[3], "+"); whole != (blocks <= 30) || whole == strings.Contains(string(table.JSON[i]), `"total_tx_count":null`) {
			t.Errorf("%v is exported as %s", row, table.JSON[i])
		}
		if strings.HasSuffix(row[3], "+") {
			parts++
		}
	}
	if strings.Join(table.Columns, " ") != "burn_block_height burn_block_hash stacks_block_count total_tx_count time" || parts == 0 {
		t.Errorf("%d in part, columns %v", parts, table.Columns)
	}
}
