package command

import (
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
