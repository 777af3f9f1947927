package measure

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// The keys of account 0 of the public test mnemonic, "abandon … about", which
// the wallet has when it is given none: the Stacks key m/44'/5757'/0'/0/0, the
// Bitcoin key m/84'/0'/0'/0/0 and the hash of its public key.
const (
	stacksKey      = "47382d0211f3bbb11812b5e60b696a93d7ad0a91cdeb2162f7d69d4adef48b5d"
	bitcoinKey     = "4604b4b710fe91f584fff084e1a9159fe4f8408fff380596a604948474ce4fa3"
	bitcoinHash160 = "c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2"
)

// signing is what both sides sign: the requests of the wallet's own benchmarks.
type signing struct {
	Seconds    float64           `json:"seconds"` // for each operation
	Only       []string          `json:"only"`    // the operations
	Key        string            `json:"key"`
	BitcoinKey string            `json:"bitcoinKey"`
	Transfer   map[string]string `json:"transfer"`
	Message    string            `json:"message"`
	PSBTs      map[string]string `json:"psbts"`
}

func newSigning(b *testing.B) signing {
	b.Helper()
	return signing{
		Seconds: 0.5, Key: stacksKey, BitcoinKey: bitcoinKey,
		Transfer: map[string]string{"recipient": "SP1BHFJ5GAA7ZX6ZJQ8BSAPFNMAACB89DDGSTNAND", "amount": "2500000", "memo": "hello", "fee": "1200", "nonce": "7"},
		Message:  "Hello World",
		PSBTs:    map[string]string{"psbt1": psbtOf(b, 1), "psbt10": psbtOf(b, 10)},
	}
}

// psbtOf returns a PSBT in base64 that spends p2wpkh outputs of bitcoinKey.
func psbtOf(b *testing.B, inputs int) string {
	b.Helper()
	hash, err := hex.DecodeString(bitcoinHash160)
	if err != nil {
		b.Fatal(err)
	}
	script := append([]byte{txscript.OP_0, 20}, hash...)
	tx := wire.NewMsgTx(2)
	for i := range inputs {
		tx.AddTxIn(wire.NewTxIn(wire.NewOutPoint(&chainhash.Hash{byte(i + 1)}, 0), nil, nil))
	}
	tx.AddTxOut(wire.NewTxOut(int64(90_000*inputs), script))
	packet, err := psbt.NewFromUnsignedTx(tx)
	if err != nil {
		b.Fatal(err)
	}
	for i := range packet.Inputs {
		packet.Inputs[i].WitnessUtxo = wire.NewTxOut(100_000, script)
	}
	text, err := packet.B64Encode()
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// timed is what the peers tell about one operation.
type timed struct {
	Microseconds float64 `json:"us"`
	Result       struct{ Transaction, TxID, Signature, PSBT string }
}

// javascript runs operations with the libraries.
func (s signing) javascript(b *testing.B, only ...string) map[string]timed {
	b.Helper()
	s.Only = only
	in, err := json.Marshal(s)
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(peer(b, "node"), filepath.Join("peers", "sign.mjs"))
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(in)), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%v: %v; .ci/measure installs the libraries and sets CHAINSCOPE_PEERS", cmd.Args, err)
	}
	var times map[string]timed
	if err := json.Unmarshal(out, &times); err != nil {
		b.Fatal(err)
	}
	return times
}

// turns is how often ours and the libraries take turns.
const turns = 5

// inTurn times ours and the libraries in turn, since a machine that slows down for
// some seconds would else slow down one of them. It gives the microseconds of each
// turn by the name of the benchmark and of the operation.
func (s signing) inTurn(b *testing.B, pattern string, only ...string) (ours, theirs map[string][]float64) {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "signer.test")
	build := exec.Command("go", "test", "-c", "-o", binary, "./wallet/signer")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", build.Args, err, out)
	}
	ours, theirs = map[string][]float64{}, map[string][]float64{}
	for range turns {
		for name, operation := range s.javascript(b, only...) {
			theirs[name] = append(theirs[name], operation.Microseconds)
			s.compare(b, name, operation)
		}
		cmd := exec.Command(binary, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", "0.4s")
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Fields(line); len(f) > 3 && f[3] == "ns/op" {
				name := strings.TrimSuffix(strings.TrimPrefix(f[0], "Benchmark"), "-"+strconv.Itoa(runtime.GOMAXPROCS(0)))
				ns, err := strconv.ParseFloat(f[2], 64)
				if err != nil {
					b.Fatal(err)
				}
				ours[name] = append(ours[name], ns/1000)
			}
		}
	}
	return ours, theirs
}

// times returns how many times as long the first took as the second: the median of
// their turns.
func times(b *testing.B, first, second []float64) float64 {
	b.Helper()
	if len(first) != turns || len(second) != turns {
		b.Fatalf("%d and %d turns, want %d", len(first), len(second), turns)
	}
	ratios := make([]float64, turns)
	for i := range ratios {
		ratios[i] = first[i] / second[i]
	}
	return quantile(ratios, 0.5)
}

func middle(micros []float64) string { return at(quantile(micros, 0.5), "µs") }

// compare fails unless the wallet signs the same as the libraries.
func (s signing) compare(b *testing.B, name string, theirs timed) {
	b.Helper()
	method, params := "signPsbt", any(map[string]string{"psbt": s.PSBTs[name]})
	switch name {
	case "transfer":
		method, params = "stx_transferStx", s.Transfer
	case "message":
		method, params = "stx_signMessage", map[string]string{"message": s.Message}
	}
	text, err := json.Marshal(params)
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(program(b), "wallet", "request", method, string(text), "--approve", "always", "--state-dir", b.TempDir())
	result, err := cmd.Output()
	if err != nil {
		b.Fatalf("%v: %v", cmd.Args, err)
	}
	ours := theirs
	if err := json.Unmarshal(result, &ours.Result); err != nil {
		b.Fatal(err)
	}
	if ours.Result.PSBT != "" { // the order of its entries is free
		ours.Result.PSBT, theirs.Result.PSBT = rewritten(b, ours.Result.PSBT), rewritten(b, theirs.Result.PSBT)
	}
	if ours != theirs {
		b.Fatalf("%s: signed %+v, the libraries sign %+v", name, ours.Result, theirs.Result)
	}
}

func rewritten(b *testing.B, text string) string {
	b.Helper()
	p, err := psbt.NewFromRawBytes(strings.NewReader(text), true)
	if err != nil {
		b.Fatal(err)
	}
	var raw bytes.Buffer
	if err := p.Serialize(&raw); err != nil {
		b.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(raw.Bytes())
}

// signed reports a request, from its params to its result, beside the library and
// beside what the Go libraries alone need.
func signed(b *testing.B, id, what, library string, least float64, ours, theirs, reference []float64) {
	b.Helper()
	faster := times(b, theirs, ours)
	report(b, figure{
		ID: id, What: what, Goal: fmt.Sprintf("≥ %g × %s", least, library),
		Ours: middle(ours), Peer: middle(theirs), Reference: middle(reference), Ratio: fmt.Sprintf("%.1f ×", faster), Met: faster >= least,
	})
}

func within(b *testing.B, id, what, limit string, most float64, ours, reference []float64) {
	b.Helper()
	longer := times(b, ours, reference)
	report(b, figure{
		ID: id, What: what, Goal: fmt.Sprintf("≤ %g × %s", most, limit),
		Ours: middle(ours), Reference: middle(reference), Ratio: ratio(longer), Met: longer <= most,
	})
}

func BenchmarkSignTransfer(b *testing.B) {
	ours, theirs := newSigning(b).inTurn(b, "^Benchmark(TransferStx|FloorTransfer)$", "transfer")
	signed(b, "G1", "signed STX transfer, params to bytes", "stacks.js 7.6.0", 12, ours["TransferStx"], theirs["transfer"], ours["FloorTransfer"])
	within(b, "G1", "signed STX transfer beside its hashes and the library's signature", "the reference", 1.5, ours["TransferStx"], ours["FloorTransfer"])
}

func BenchmarkSignMessage(b *testing.B) {
	ours, theirs := newSigning(b).inTurn(b, "^Benchmark(SignMessage|FloorSignCompact)$", "message")
	signed(b, "G2", "signed message, params to rsv", "stacks.js 7.6.0", 5, ours["SignMessage"], theirs["message"], ours["FloorSignCompact"])
	within(b, "G2", "signed message beside the library's SignCompact", "SignCompact", 1.3, ours["SignMessage"], ours["FloorSignCompact"])
}

func BenchmarkSignPSBT(b *testing.B) {
	ours, theirs := newSigning(b).inTurn(b, "^Benchmark(SignPSBT|FloorPSBT)$/^inputs=10?$", "psbt1", "psbt10")
	one, ten := ours["SignPSBT/inputs=1"], ours["SignPSBT/inputs=10"]
	signed(b, "G3", "PSBT of 1 input, text to signed text", "btc-signer 2.4.1", 12, one, theirs["psbt1"], ours["FloorPSBT/inputs=1"])
	signed(b, "G3", "PSBT of 10 inputs", "btc-signer 2.4.1", 20, ten, theirs["psbt10"], ours["FloorPSBT/inputs=10"])
	within(b, "G3", "PSBT of 10 inputs beside 1", "one input", 11, ten, one)
}
