package command

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

const holder = "SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9"

func TestAWatchedHolderSendsOnAMockThatImpersonatesIt(t *testing.T) {
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		t.Run(version, func(t *testing.T) {
			mock := serveMock(t, "--api-version", version)
			send := []string{
				"stx_transferStx", `{"recipient":"SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7","amount":"1500000"}`,
				"--watch", holder, "--approve", "always", "--api", mock.address,
			}
			code, stdout, stderr := run(t, t.Context(), append([]string{"wallet", "request"}, send...)...)
			if code != 7 || stdout != "" || !strings.Contains(stderr, "only a mock that impersonates the address takes its transactions; start it with --impersonate "+holder) {
				t.Fatalf("exit %d, %s%s", code, stdout, stderr)
			}
			if code, body := fetch(t, "POST", mock.address+"/mock/v1/impersonations", `{"addresses":["`+holder+`"]}`); code != 200 {
				t.Fatalf("%d %s", code, body)
			}
			s, _ := signedBy(t, send...)
			tx, err := stxtx.DecodeHex(s.Transaction)
			if err != nil || tx.Auth.Origin.Signatures() != 0 || tx.Auth.Origin.Address(true).String() != holder {
				t.Errorf("%+v, %v", tx, err)
			}
			fetch(t, "POST", mock.address+"/mock/v1/mine", `{"blocks":1}`)
			for _, c := range []struct{ words, command string }{
				{"sent 1.5 STX to SP2J…9EJ7, unsigned", "txs --limit 30"},
				{"none: the mock impersonates", "tx 0x" + s.TxID},
				{"sent 1.5 STX to SP2J…9EJ7, unsigned", "account " + holder + " --transactions"},
			} {
				code, stdout, stderr := run(t, t.Context(), append(strings.Fields(c.command), "--api", mock.address)...)
				if code != 0 || !strings.Contains(stdout, c.words) {
					t.Errorf("%s: exit %d, %s%s", c.command, code, stdout, stderr)
				}
			}
		})
	}
}

// What a watched holder sent is replaced, canceled and a gap of its nonces filled, without its key.
func TestAWatchedHolderRepairsWhatItSent(t *testing.T) {
	mock := serveMock(t, "--freeze", "2026-01-01T00:00:00Z", "--impersonate", holder)
	watching := []string{"--watch", holder, "--approve", "always", "--api", mock.address}
	repair := func(exit int, words ...string) (s signed) {
		t.Helper()
		code, stdout, stderr := run(t, t.Context(), append(append([]string{"wallet"}, words...), watching...)...)
		if code != exit {
			t.Fatalf("%v: exit %d, %s%s", words, code, stdout, stderr)
		}
		if exit != 0 {
			return signed{Transaction: stderr}
		}
		if err := json.Unmarshal([]byte(stdout), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	const pay = `{"recipient":"SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7","amount":"1500000"}`
	sent, _ := signedBy(t, append([]string{"stx_transferStx", pay}, watching...)...)
	if s := repair(2, "replace", sent.TxID, "--fee", "1"); !strings.Contains(s.Transaction, "too low") {
		t.Error(s.Transaction)
	}
	raised := repair(0, "replace", sent.TxID, "--fee", "90000")
	canceled := repair(0, "cancel", raised.TxID)
	_, _ = signedBy(t, append([]string{"stx_transferStx", strings.Replace(pay, "}", `,"nonce":2}`, 1)}, watching...)...)
	filled := repair(0, "cancel", "--nonce", "1")
	for _, c := range []struct {
		signed
		nonce, fee uint64
		to         string
		amount     uint64
	}{
		{raised, 0, 90000, "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", 1_500_000},
		{canceled, 0, 99000, "SP000000000000000000002Q6VF78", 1},
		{filled, 1, 0, "SP000000000000000000002Q6VF78", 1},
	} {
		tx, err := stxtx.DecodeHex(c.Transaction)
		if err != nil {
			t.Fatal(err)
		}
		o, pays := tx.Auth.Origin, tx.Payload.(stxtx.TokenTransfer)
		if o.Signatures() != 0 || o.Address(true).String() != holder || o.Nonce != c.nonce || c.fee > 0 && o.Fee != c.fee || pays.Recipient.String() != c.to || pays.Amount != c.amount {
			t.Errorf("%+v, %+v, want %+v", o, pays, c)
		}
	}
	fetch(t, "POST", mock.address+"/mock/v1/mine", `{"blocks":1}`)
	for id, status := range map[string]string{sent.TxID: "dropped_replace_by_fee", raised.TxID: "dropped_replace_by_fee", canceled.TxID: "success", filled.TxID: "success"} {
		if _, body := fetch(t, "GET", mock.address+"/extended/v1/tx/0x"+id, ""); !strings.Contains(body, `"tx_status":"`+status+`"`) {
			t.Errorf("%s is not %s: %s", id, status, body)
		}
	}
	// Nobody else's, and nobody's where it is not impersonated any more.
	other, _ := signedBy(t, "stx_transferStx", `{"recipient":"`+holder+`","amount":"5"}`, "--network", "mainnet", "--approve", "always", "--api", mock.address)
	if s := repair(2, "cancel", other.TxID); !strings.Contains(s.Transaction, "is not the address that the wallet watches") {
		t.Error(s.Transaction)
	}
	waits, _ := signedBy(t, append([]string{"stx_transferStx", pay}, watching...)...)
	fetch(t, "DELETE", mock.address+"/mock/v1/impersonations", "")
	if s := repair(7, "cancel", waits.TxID); !strings.Contains(s.Transaction, "start it with --impersonate "+holder) {
		t.Error(s.Transaction)
	}
}

func TestAWatchedHolderSendsNothingToALiveAPI(t *testing.T) {
	api := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		if strings.HasPrefix(r.URL.Path, "/mock/v1/impersonations") {
			jsonAnswer(w, 200, `{"addresses":["all"]}`)
			return
		}
		jsonAnswer(w, 404, `{"error":"Not found"}`)
	})
	code, stdout, stderr := run(t, t.Context(), "wallet", "request", "stx_transferStx",
		`{"recipient":"SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7","amount":"5","fee":300,"nonce":1}`, "--watch", holder, "--approve", "always", "--api", api)
	if code != 7 || stdout != "" || !strings.Contains(stderr, "is not a mock API") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
}
