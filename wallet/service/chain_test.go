package service

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"chainscope/wallet/node"
)

// The first request of a transaction is answered last, and says what was true before a newer answer, or before
// the wallet was reverted to a snapshot.
func TestAnOlderAnswerAboutATransactionIsDropped(t *testing.T) {
	txid := strings.Repeat("ab", 32)
	for name, c := range map[string]struct {
		between func(*desk)
		height  int64
	}{
		"a newer answer": {func(d *desk) {
			if _, err := d.Transaction(d.t.Context(), txid); err != nil {
				d.t.Error(err)
			}
		}, 7},
		"a revert": {func(d *desk) { d.Snapshot("before"); d.Revert("before") }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d, began, release := slowChain(t)
			late := make(chan error, 1)
			go func() {
				tx, err := d.Transaction(t.Context(), txid)
				if err == nil && tx.Status != "pending" {
					t.Errorf("the first request was answered %+v", tx)
				}
				late <- err
			}()
			<-began
			c.between(d)
			close(release)
			if err := <-late; err != nil {
				t.Fatal(err)
			}
			if tx, known := d.LastKnown(txid); known != (c.height > 0) || tx.BlockHeight != c.height {
				t.Errorf("what is known is %+v, %v", tx, known)
			}
		})
	}
}

// slowChain returns a wallet on a chain that holds the first request of a transaction until it is released,
// and then says that the transaction is pending; the next ones find it in a block.
func slowChain(t *testing.T) (d *desk, began, release chan struct{}) {
	var requests atomic.Int64
	began, release = make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if requests.Add(1) == 1 {
			close(began)
			<-release
			io.WriteString(w, `{"tx_status":"pending"}`)
			return
		}
		io.WriteString(w, `{"tx_status":"success","block_height":7}`)
	}))
	t.Cleanup(server.Close)
	n, err := node.New(node.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return open(t, Options{Node: n}), began, release
}
