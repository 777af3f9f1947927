package command

import (
	"encoding/json"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

// repaired runs a repair and returns what it signed.
func repaired(t *testing.T, args ...string) (*stxtx.Transaction, signed) {
	t.Helper()
	code, stdout, stderr := run(t, t.Context(), append([]string{"wallet"}, args...)...)
	var s signed
	if err := json.Unmarshal([]byte(stdout), &s); err != nil || code != 0 {
		t.Fatalf("%v: exit %d, %v\n%s\n%s", args, code, err, stdout, stderr)
	}
	tx, err := stxtx.DecodeHex(s.Transaction)
	if err != nil || tx.Verify() != nil {
		t.Fatalf("%v: %v, %v", args, err, tx.Verify())
	}
	return tx, s
}

func TestWhatIsStuckIsRepairedOnARunningMock(t *testing.T) {
	mock := serveMock(t)
	at := []string{"--api", mock.address, "--approve", "always", "--network", "testnet"}
	status := func(id, want string) {
		t.Helper()
		if _, tx := fetch(t, "GET", mock.address+"/extended/v1/tx/0x"+id, ""); !strings.Contains(tx, `"tx_status":"`+want+`"`) {
			t.Errorf("%s is not %s: %s", id, want, tx)
		}
	}
	fails := func(exit int, kind, words string, args ...string) {
		t.Helper()
		code, _, stderr := run(t, t.Context(), append(append([]string{"wallet"}, args...), append(at, "-o", "json")...)...)
		if code != exit || !strings.Contains(stderr, `"kind":"`+kind+`"`) || !strings.Contains(stderr, words) {
			t.Errorf("%v: exit %d, %s, want %d, %s, %q", args, code, stderr, exit, kind, words)
		}
	}
	params := `{"recipient":"ST3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMEXRWMFR","amount":"1500000","fee":400,"nonce":1}`
	first, _ := signedBy(t, append([]string{"stx_transferStx", params}, at...)...)
	tx, second := repaired(t, append([]string{"replace", "0x" + first.TxID, "--fee", "900"}, at...)...)
	if tx.Auth.Origin.Fee != 900 || tx.Auth.Origin.Nonce != 1 || tx.Payload.(stxtx.TokenTransfer).Amount != 1500000 {
		t.Errorf("replaced by %+v", tx)
	}
	status(first.TxID, "dropped_replace_by_fee")
	fails(2, "invalid_input", "took its place", "replace", first.TxID, "--fee", "1200")
	fails(2, "invalid_input", "must be at least 901", "replace", second.TxID, "--fee", "900")
	fails(2, "usage", "--fee", "replace", second.TxID)
	fails(2, "invalid_input", "the transaction", "replace", "0x12", "--fee", "900")
	fails(2, "usage", "one of the two", "cancel")
	fails(3, "not_found", "knows no transaction", "cancel", strings.Repeat("ab", 32))

	tx, third := repaired(t, append([]string{"cancel", second.TxID}, at...)...)
	if tx.Auth.Origin.Fee != 990 || tx.Payload.(stxtx.TokenTransfer).Amount != 1 {
		t.Errorf("canceled by %+v", tx)
	}
	status(third.TxID, "pending")
	tx, filled := repaired(t, append([]string{"cancel", "--nonce", "0"}, at...)...)
	if tx.Auth.Origin.Nonce != 0 {
		t.Errorf("filled by %+v", tx)
	}

	params = strings.Replace(params, `"fee":400,"nonce":1`, `"sponsored":true,"nonce":2`, 1)
	code, stdout, stderr := run(t, t.Context(), append([]string{"wallet", "request", "stx_transferStx", params}, at...)...)
	var half signed
	if err := json.Unmarshal([]byte(stdout), &half); err != nil || code != 0 {
		t.Fatalf("%s, %s", stdout, stderr)
	}
	tx, whole := repaired(t, append([]string{"sponsor", half.Transaction, "--account", "2", "--fee", "700"}, at...)...)
	if tx.Auth.Sponsor.Fee != 700 || tx.Auth.Origin.Nonce != 2 {
		t.Errorf("sponsored: %+v", tx.Auth)
	}
	fails(2, "invalid_input", "it is not sponsored", "sponsor", third.Transaction, "--fee", "700")
	if code, body := fetch(t, "POST", mock.address+"/mock/v1/mine", `{"blocks":1}`); code != 200 {
		t.Fatalf("%d %s", code, body)
	}
	for _, id := range []string{third.TxID, filled.TxID, whole.TxID} {
		status(id, "success")
	}
	fails(2, "invalid_input", "already", "cancel", third.TxID)
	fails(2, "invalid_input", "was used already", "cancel", "--nonce", "0")
}

// What another program signed and waits is replaced too: its bytes come from the API, or where that has no
// route of v1, from the node behind it.
func TestWhatAnotherProgramSentIsReplaced(t *testing.T) {
	for _, version := range []string{"9", "v3"} {
		mock := serveMock(t, "--api-version", version)
		at := []string{"--api", mock.address, "--approve", "always", "--network", "testnet"}
		first, _ := signedBy(t, append([]string{"stx_transferStx", `{"recipient":"ST3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMEXRWMFR","amount":"7"}`, "--state-dir", t.TempDir()}, at...)...)
		tx, _ := repaired(t, append([]string{"replace", first.TxID, "--fee", "9000", "--state-dir", t.TempDir()}, at...)...)
		if tx.Auth.Origin.Fee != 9000 || tx.Payload.(stxtx.TokenTransfer).Amount != 7 {
			t.Errorf("%s: replaced by %+v", version, tx)
		}
		_, answer := fetch(t, "GET", mock.address+"/v2/transactions/unconfirmed/"+first.TxID, "")
		if !strings.Contains(answer, "not found in mempool") {
			t.Errorf("%s: the node still has %s", version, answer)
		}
	}
}
