//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/tui/text"
	"chainscope/wallet/clarity"
)

const (
	foundersName = "muneeb.btc"
	namesOwner   = "SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"
	heldToken    = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar"
	movedToken   = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights"
	registry     = "SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF/BNS-V2"
)

// answers requests the API over plain HTTP, without the program's client; a request with a body is a
// POST. It fails the test when the API refuses.
func (m *server) answers(path, body string, into any) {
	m.t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	request, err := http.NewRequest(method, "http://"+m.Addr+path, strings.NewReader(body))
	if err != nil {
		m.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || json.Unmarshal(text, into) != nil {
		m.t.Fatalf("%s %s: %s %v %.300s", method, path, answer.Status, err, text)
	}
}

// requests returns the number of the newest request, and those of the API that came after another one.
func (m *server) requests(after int) (newest int, paths []string) {
	m.t.Helper()
	var log struct {
		Requests []struct{ Method, Path string }
		Next     int
	}
	m.answers(fmt.Sprintf("/mock/v1/requests?after=%d", after), "", &log)
	for _, r := range log.Requests {
		// Names beside addresses come afterwards, out of what is left of a budget.
		if !strings.HasPrefix(r.Path, "/mock/") && !strings.HasSuffix(r.Path, "/get-primary") {
			paths = append(paths, r.Method+" "+r.Path)
		}
	}
	return log.Next, paths
}

// prints runs the program's command, reads its JSON, and returns the requests that it took.
func (m *server) prints(into any, args ...string) []string {
	m.t.Helper()
	before, _ := m.requests(0)
	cmd := exec.Command(binary, append(args, "-o", "json", "--api", "http://"+m.Addr)...)
	var stderr bytes.Buffer
	cmd.Env, cmd.Stderr = environ(m.t.TempDir()), &stderr
	out, err := cmd.Output()
	if err != nil || json.Unmarshal(out, into) != nil {
		m.t.Fatalf("%v: %v\n%.300s\n%s", args, err, out, stderr.String())
	}
	_, took := m.requests(before)
	return took
}

// owner returns who owns a name, according to the registry itself.
func (m *server) owner(name, namespace string) (owner string) {
	m.t.Helper()
	var called struct{ Result string }
	args := fmt.Sprintf(`["0x02%08x%x","0x02%08x%x"]`, len(name), name, len(namespace), namespace)
	m.answers("/v2/contracts/call-read/"+registry+"/get-bns-info", `{"sender":"`+namesOwner+`","arguments":`+args+`}`, &called)
	value, err := clarity.DecodeHex(called.Result)
	if err != nil {
		m.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(fmt.Sprint(value), "{owner ")
	owner, _, _ = strings.Cut(rest, "}")
	return owner
}

// apiTransaction is a transaction as a route of v1 or of v3 has it.
type apiTransaction struct {
	TxID          string `json:"tx_id"`
	Status        string
	TxStatus      string `json:"tx_status"`
	Type          string
	TxType        string `json:"tx_type"`
	BlockHeight   int    `json:"block_height"`
	BlockTime     int64  `json:"block_time"`
	TokenTransfer struct {
		Recipient        string
		RecipientAddress string `json:"recipient_address"`
		Amount           string
	} `json:"token_transfer"`
	Block struct {
		Height int
		Time   int64
	}
}

// transaction returns a transaction as the API has it.
func (m *server) transaction(version, id string) (tx apiTransaction) {
	m.t.Helper()
	if version != "sunset" {
		m.answers("/extended/v1/tx/"+id, "", &tx)
		return tx
	}
	m.answers("/extended/v3/transactions/"+id, "", &tx)
	tx.TxStatus, tx.TxType, tx.BlockHeight, tx.BlockTime = tx.Status, tx.Type, tx.Block.Height, tx.Block.Time
	tx.TokenTransfer.RecipientAddress = tx.TokenTransfer.Recipient
	return tx
}

// ofType returns the ids of the transactions of a type between two times, the newest first: as the
// API chooses them or, where it does not, from all down to the first of the times.
func (m *server) ofType(version, kind string, since, until time.Time) (ids []string) {
	m.t.Helper()
	var page struct {
		Total   int
		Cursor  struct{ Next string }
		Results []apiTransaction
	}
	if version != "sunset" {
		for {
			m.answers(fmt.Sprintf("/extended/v1/tx?type=%s&start_time=%d&end_time=%d&limit=50&offset=%d", kind, since.Unix(), until.Unix(), len(ids)), "", &page)
			for _, tx := range page.Results {
				ids = append(ids, tx.TxID)
			}
			if len(ids) >= page.Total || len(page.Results) == 0 {
				return ids
			}
		}
	}
	for at := "/extended/v3/transactions?limit=50"; ; at = "/extended/v3/transactions?limit=50&cursor=" + page.Cursor.Next {
		m.answers(at, "", &page)
		for _, tx := range page.Results {
			switch when := time.Unix(tx.Block.Time, 0); {
			case when.Before(since):
				return ids
			case tx.Type == kind && !when.After(until):
				ids = append(ids, tx.TxID)
			}
		}
	}
}

// tip returns the height of the newest block.
func (m *server) tip() int {
	m.t.Helper()
	var page struct{ Results []struct{ Height int } }
	m.answers("/extended/v2/blocks?limit=1", "", &page)
	return page.Results[0].Height
}

// transfer has the wallet sign and send a transfer of STX, and returns the transaction and its id.
func (m *server) transfer() (signed, id string) {
	m.t.Helper()
	var answer struct{ Txid, Transaction string }
	m.prints(&answer, "wallet", "request", "stx_transferStx", `{"recipient":"`+namesOwner+`","amount":"1234567","memo":"rent"}`, "--approve", "always")
	if answer.Transaction == "" || answer.Txid == "" {
		m.t.Fatalf("the wallet answers %+v", answer)
	}
	return answer.Transaction, "0x" + strings.TrimPrefix(answer.Txid, "0x")
}

// What users ask is answered by command and by keys as the API itself answers it, whichever
// generation of it is there, and within the 25 requests that a live one takes in a minute.
func TestWhatUsersAskIsAnsweredAsTheAPIAnswersIt(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"8", "9", "sunset"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			m := serve(t, "127.0.0.1:0", "--api-version", version, "--freeze", "2026-01-01T12:00:00Z")
			k := &keyboard{terminal: openIn(t, []string{"CHAINSCOPE_KNOWN_NAMES=true"}, 200, 60, "--api", "http://"+m.Addr)}
			k.alerts()
			q := &questions{keyboard: k, m: m, version: version}
			q.home()
			q.name()
			q.pasted()
			q.chosen()
			q.held()
			q.mine()
			q.otherChain()
			k.quit()
		})
	}
}

// questions are asked of an explorer and of commands on a mock.
type questions struct {
	*keyboard
	m       *server
	version string
}

// takes runs what presses keys, and checks how many requests that took.
func (q *questions) takes(what string, most int, presses func()) {
	q.t.Helper()
	before, _ := q.m.requests(0)
	presses()
	_, took := q.m.requests(before)
	q.t.Logf("%s: %d requests", what, len(took))
	if len(took) > most {
		q.t.Errorf("%s takes %d requests, want at most %d:\n%s", what, len(took), most, strings.Join(took, "\n"))
	}
}

// goesTo pastes a thing into the box that takes anything, and opens its best reading.
func (q *questions) goesTo(thing, reading string) {
	q.t.Helper()
	q.opens(goToKey, "Go to anything")
	q.pastes(thing)
	q.shows("▸ " + reading)
	q.hit(enterKey)
	q.hides("Go to anything")
}

// prints runs a command as the explorer is asked, and holds what it took to a bound.
func (q *questions) prints(most int, into any, args ...string) {
	q.t.Helper()
	took := q.m.prints(into, args...)
	if len(took) > most {
		q.t.Errorf("%v takes %d requests, want at most %d:\n%s", args, len(took), most, strings.Join(took, "\n"))
	}
}

// home is complete in a large window: the newest transactions, those that wait, the own balance.
func (q *questions) home() {
	tip := text.Count(int64(q.m.tip()))
	q.takes("home", 12, func() { q.shows("Newest transactions", "0 pending", "1,000,000 STX", tip, ownWallet) })
}

// name is a thing with its owner, and a link to the account.
func (q *questions) name() {
	owner := q.m.owner("muneeb", "btc")
	q.takes("a name, with what the box finds", 5, func() {
		q.goesTo(foundersName, "name")
		q.shows("Name "+foundersName, "owner      "+owner, "expires    never", "BNS v2")
	})
	q.takes("the account of its owner", 14, func() {
		q.hit("l", downKey, enterKey)
		q.shows("Account "+owner+"  "+foundersName, "next nonce", "12.3456 HBD")
	})
	var printed struct {
		Owner, Registry string
		Expires         *int `json:"expires_at_burn_height"`
	}
	q.prints(3, &printed, "name", foundersName)
	if owner == "" || printed.Owner != owner || printed.Registry != "bns-v2" || printed.Expires != nil {
		q.t.Errorf("the command prints %+v of the name of %s", printed, owner)
	}
}

// pasted is explained without a request, as the API has it once it is sent.
func (q *questions) pasted() {
	signed, id := q.m.transfer()
	tx := q.m.transaction(q.version, id)
	q.takes("what is pasted", 0, func() {
		q.goesTo(signed, "signed transaction")
		q.shows("Send STX", "1.234567 STX", "to            "+tx.TokenTransfer.RecipientAddress, "txid          "+strings.TrimPrefix(tx.TxID, "0x"))
	})
	var printed struct {
		Kind  string
		Value struct {
			Txid    string
			Payload struct{ Amount, Recipient string }
		}
	}
	q.prints(0, &printed, "wallet", "decode", signed)
	if got := printed.Value; "0x"+got.Txid != tx.TxID || got.Payload.Amount != tx.TokenTransfer.Amount || got.Payload.Recipient != tx.TokenTransfer.RecipientAddress {
		q.t.Errorf("decode prints %+v of %+v", printed, tx)
	}
}

// chosen are transactions of a type between two times.
func (q *questions) chosen() {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	ids := q.m.ofType(q.version, "smart_contract", noon.Add(-20*time.Minute), noon.Add(-10*time.Minute))
	if len(ids) < 3 {
		q.t.Fatalf("the API has %d", len(ids))
	}
	q.takes("which transactions", 20, func() {
		q.hit("6")
		q.shows("▸ 0x", "Transactions  100 of ")
		q.opens("/", "type: from: to:")
		q.pastes("type:smart_contract since:20m until:10m")
		q.shows("enter ask the API")
		q.hit(enterKey)
		q.until("lists what the API lists", func(screen string) bool {
			_, rows, _ := strings.Cut(screen, "TRANSACTION ")
			at := 0
			for _, id := range ids {
				next := strings.Index(rows[at:], id[:7])
				if next < 0 {
					return false
				}
				at += next
			}
			said := fmt.Sprintf("%d on the chain", len(ids))
			if q.version == "sunset" {
				said = "chosen here"
			}
			return strings.Contains(screen, said)
		})
	})
	var printed struct{ Results []apiTransaction }
	q.prints(15, &printed, "txs", "--type", "smart_contract", "--since", "20m", "--until", "10m", "--limit", "50")
	var got []string
	for _, tx := range printed.Results {
		got = append(got, tx.TxID)
	}
	if !slices.Equal(got, ids) {
		q.t.Errorf("the command chooses %q, the API %q", got, ids)
	}
}

// held are a token's holders, and the moves of another.
func (q *questions) held() {
	var holders, printed struct {
		Total   int
		Results []struct{ Address, Balance string }
	}
	q.m.answers("/extended/v1/tokens/ft/"+heldToken+"::harbor-dollar/holders?limit=50", "", &holders)
	q.takes("holders", 20, func() {
		q.goesTo("ft "+heldToken+" --holders", "holders")
		q.shows(fmt.Sprintf("%d of %d", holders.Total, holders.Total), "account          "+holders.Results[0].Address, "smallest unit  "+holders.Results[0].Balance)
	})
	q.prints(5, &printed, "ft", heldToken, "--holders")
	if len(printed.Results) < 3 || !slices.Equal(printed.Results, holders.Results) {
		q.t.Errorf("the command prints the holders %v, the API %v", printed, holders)
	}
	type move struct {
		Sender, Recipient string
		TxID              string `json:"tx_id"`
	}
	var moves, told struct{ Results []move }
	q.m.answers("/extended/v1/tokens/nft/history?asset_identifier="+movedToken+"::light&value=0x01"+strings.Repeat("0", 31)+"1", "", &moves)
	q.takes("moves", 4, func() {
		q.goesTo("nft "+movedToken+" 1 --history", "moves")
		q.shows("from         "+moves.Results[0].Sender, "to           "+moves.Results[0].Recipient, "transaction  "+moves.Results[0].TxID)
	})
	q.prints(5, &told, "nft", movedToken, "1", "--history")
	if len(told.Results) != len(moves.Results) || told.Results[0].Recipient != moves.Results[0].Recipient {
		q.t.Errorf("the command prints the moves %v, the API %v", told, moves)
	}
}

// mine is what became of the transaction that the wallet of the explorer sent, said at a place that
// does not list it.
func (q *questions) mine() {
	q.hit("5")
	q.opens("n", "New request")
	q.hit(downKey, enterKey)
	q.shows("stx_transferStx", "Send request")
	q.hit(exampleKey)
	q.shows("1.500000 STX")
	q.hit(sendKey)
	q.approves("Approve request")
	q.shows("pending: the next block takes it")
	q.hit("3")
	q.shows("usda-token")
	q.m.mines()
	said := regexp.MustCompile(`your stx_transferStx ([0-9a-f]{8})….* in block ([0-9,]+) \(ok true\); ! opens it`)
	tip := text.Count(int64(q.m.tip()))
	var words []string
	q.takes("what became of mine", 8, func() {
		words = said.FindStringSubmatch(q.until("says what became of it", said.MatchString))
		q.hit("!")
		q.shows("Transaction 0x"+words[1], "✓ success", "block           "+tip, "amount          1.5 STX")
	})
	id := "0x" + regexp.MustCompile(words[1]+`[0-9a-f]{56}`).FindString(q.now())
	if tx := q.m.transaction(q.version, id); tx.TxStatus != "success" || text.Count(int64(tx.BlockHeight)) != words[2] {
		q.t.Errorf("the status line says block %s of %+v", words[2], tx)
	}
	var why struct{ Status, Sentence string }
	if q.prints(4, &why, "tx", id, "--why"); why.Status != "success" {
		q.t.Errorf("the command prints %+v", why)
	}
}

// otherChain is another API without a restart; nothing of the first one is left on the screen.
func (q *questions) otherChain() {
	other := serve(q.t, "127.0.0.1:0", "--api-version", q.version, "--freeze", "2025-12-01T12:00:00Z", "--seed", "7")
	q.hit("1")
	own, theirs := text.Count(int64(q.m.tip())), text.Count(int64(other.tip()))
	q.shows("│ Block " + own)
	opens := func(m *server, shows, hides string) {
		q.opens(":", "Commands")
		q.pastes("api http://" + m.Addr)
		q.shows("▸ api http://" + m.Addr)
		q.hit(enterKey)
		q.shows(shows, m.Addr)
		q.hides(hides)
	}
	before, _ := other.requests(0)
	opens(other, "│ "+theirs, own)
	if _, took := other.requests(before); len(took) > 14 {
		q.t.Errorf("the other chain takes %d requests:\n%s", len(took), strings.Join(took, "\n"))
	}
	q.takes("the first chain again", 8, func() { opens(q.m, "│ Block "+own, theirs) })
}
