package mockserver

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// benched returns a server whose clock is stopped.
func benched(b *testing.B) *Server {
	b.Helper()
	at := newClock().at
	s, err := New(Config{Freeze: &at})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

func benchedControl(b *testing.B, s *Server, route, body string) {
	b.Helper()
	if w := post(s, "/mock/v1/"+route, "application/json", []byte(body)); w.Code != http.StatusOK {
		b.Fatalf("%s: %d %s", route, w.Code, w.Body)
	}
}

// transfers signs n transfers, up to 25 of each sender.
func transfers(b *testing.B, n int, of string) [][]byte {
	b.Helper()
	all := make([][]byte, 0, n)
	recipient := to(b, someone("bob").address(true), 1)
	for i := 0; len(all) < n; i++ {
		who := someone(fmt.Sprint(of, i))
		for nonce := range uint64(25) {
			if len(all) < n {
				all = append(all, who.signed(b, who.mainnetTx(nonce, 300+uint64(len(all)%50), recipient)))
			}
		}
	}
	return all
}

func broadcastAll(b *testing.B, s *Server, all [][]byte) {
	b.Helper()
	for _, raw := range all {
		if w := broadcastRaw(s, raw); w.Code != http.StatusOK {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}

// BenchmarkBroadcastWithTenConditions sends token transfers that no block has yet.
func BenchmarkBroadcastWithTenConditions(b *testing.B) {
	s := benched(b)
	token := stxtx.Asset{Contract: clarity.Principal{}, Name: "usda"}
	token.Contract, _ = clarity.ParseContract("SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token")
	all := make([][]byte, 1_000)
	for i := range all {
		who := someone(fmt.Sprint(i))
		me, _ := clarity.ParsePrincipal(who.address(true))
		tx := who.mainnetTx(0, 3_000, stxtx.ContractCall{Contract: token.Contract, Function: "transfer", Args: []clarity.Value{
			clarity.NewUInt(1), me, token.Contract, clarity.None{},
		}})
		for n := range uint64(10) {
			tx.PostConditions = append(tx.PostConditions, stxtx.PostCondition{
				Asset: stxtx.AssetFT, Principal: &me, Condition: stxtx.SentLessOrEqual, Amount: n + 1, Token: token,
			})
		}
		all[i] = who.signed(b, tx)
	}
	benchedControl(b, s, "snapshot", `{"name":"empty"}`)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%len(all) == 0 {
			b.StopTimer()
			benchedControl(b, s, "revert", `{"to":"empty"}`)
			b.StartTimer()
		}
		if w := broadcastRaw(s, all[i%len(all)]); w.Code != http.StatusOK {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}

// BenchmarkMineABlockOf1000 mines a thousand transfers and reads the block.
func BenchmarkMineABlockOf1000(b *testing.B) {
	s := benched(b)
	broadcastAll(b, s, transfers(b, 1_000, "miner "))
	benchedControl(b, s, "snapshot", `{"name":"full"}`)
	b.ReportAllocs()
	for b.Loop() {
		benchedControl(b, s, "mine", `{"blocks":1}`)
		b.StopTimer()
		if body := get(s, "/extended/v1/block?limit=1").Body.String(); strings.Count(body, `"0x`) < 1_000 {
			b.Fatal("the block is not full")
		}
		benchedControl(b, s, "revert", `{"to":"full"}`)
		b.StartTimer()
	}
}

// BenchmarkPages reads pages of a chain on which a thousand transfers were mined.
func BenchmarkPages(b *testing.B) {
	s := benched(b)
	all := transfers(b, 1_000, "payer ")
	for len(all) > 0 {
		broadcastAll(b, s, all[:25])
		benchedControl(b, s, "mine", `{"blocks":1}`)
		all = all[25:]
	}
	for name, target := range map[string]string{"blocks": "/extended/v1/block?limit=30", "transactions": "/extended/v1/tx?limit=50"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := get(s, target); w.Code != http.StatusOK {
					b.Fatalf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
}

// BenchmarkPagesOfStrangers reads pages of transactions that nobody sent.
func BenchmarkPagesOfStrangers(b *testing.B) {
	s := benched(b)
	newest := read[listBody](b, get(s, "/extended/v1/block?limit=1")).Results[0]
	for name, target := range map[string]string{
		"newest": "/extended/v1/tx?limit=50", "block": "/extended/v1/tx/block/" + newest.Hash,
		"filtered": "/extended/v1/tx?limit=50&type=contract_call", "contract": "/extended/v1/address/SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token/transactions?limit=50",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := get(s, target); w.Code != http.StatusOK {
					b.Fatalf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
}

// BenchmarkSnapshotAndRevertOf10000 takes snapshots of a ledger with ten thousand
// transactions, and goes back over one more.
func BenchmarkSnapshotAndRevertOf10000(b *testing.B) {
	s := benched(b)
	broadcastAll(b, s, transfers(b, 10_000, "saver "))
	benchedControl(b, s, "mine", `{"blocks":1}`)
	one := transfers(b, 1, "last ")
	b.Run("snapshot", func(b *testing.B) {
		for b.Loop() {
			benchedControl(b, s, "snapshot", `{"name":"x"}`)
		}
	})
	b.Run("revert", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			broadcastAll(b, s, one)
			benchedControl(b, s, "mine", `{"blocks":1}`)
			b.StartTimer()
			benchedControl(b, s, "revert", `{"to":"x"}`)
		}
	})
}

// BenchmarkMemoryOf100000 mines a hundred thousand transactions in one process.
func BenchmarkMemoryOf100000(b *testing.B) {
	for range b.N {
		s := benched(b)
		for round := range 100 {
			broadcastAll(b, s, transfers(b, 1_000, fmt.Sprint("crowd ", round, " ")))
			benchedControl(b, s, "mine", `{"blocks":1}`)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MiB-heap")
		b.ReportMetric(peakMiB(), "MiB-peak")
		runtime.KeepAlive(s)
	}
}

// peakMiB returns the most memory that the process had, 0 where the system does not say.
func peakMiB() (most float64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			_, _ = fmt.Sscan(rest, &most) // kB; 0 where it is none
		}
	}
	return most / 1024
}
