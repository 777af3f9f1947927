package mockserver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chainscope/mockserver/contracts"
	"chainscope/wallet/clarity"
)

type undescribed struct {
	Undescribed []contracts.Lack
	Contracts   string
	Next        int64
}

// What was not described is written as a file that describes it: a server with that file
// answers all of it.
func TestWhatIsUndescribedIsAFileOfContracts(t *testing.T) {
	const (
		fund  = "SP000000000000000000002Q6VF78.fund"
		gold  = "SP000000000000000000002Q6VF78.gold"
		other = "SP000000000000000000002Q6VF78.other"
	)
	var log strings.Builder
	d := newTrade(t, Config{AccessLog: &log})
	hostile, err := clarity.EncodeHex(clarity.UTF8("a, {b: \u202e\x1b # c'\n\""))
	if err != nil {
		t.Fatal(err)
	}
	askAll := func(s *Server) string {
		t.Helper()
		var all []string
		readOnly := func(contract, function string, args ...string) {
			body := fmt.Sprintf(`{"sender":"SP000000000000000000002Q6VF78","arguments":[%s]}`, strings.Join(args, ","))
			all = append(all, post(s, "/v2/contracts/call-read/"+strings.Replace(contract, ".", "/", 1)+"/"+function, "application/json", []byte(body)).Body.String())
		}
		one := `"0x0100000000000000000000000000000001"`
		readOnly(fund, "get-goal")
		readOnly(fund, "get-pledge", one)
		readOnly(fund, "get-pledge", `"0x`+hostile+`"`)
		readOnly(fund, "ok-name%3F%3F", `"0x`+hostile+`"`)
		readOnly(fund, "%1b%5b2J")
		readOnly(other, "get-token-uri", one)
		for _, key := range []string{one, one, `"0x` + hostile + `"`} {
			all = append(all, post(s, "/v2/map_entry/"+strings.Replace(gold, ".", "/", 1)+"/scores?proof=0", "application/json", []byte(key)).Body.String())
		}
		for _, path := range []string{"data_var", "constant_val"} {
			all = append(all, get(s, "/v2/"+path+"/"+strings.Replace(gold, ".", "/", 1)+"/on?proof=0").Body.String())
		}
		get(s, "/v2/contracts/interface/SP000000000000000000002Q6VF78/looked-at")
		get(s, "/extended/v1/contract/"+gold)
		return strings.Join(all, "\n")
	}
	askAll(d.s)
	if status, _ := d.post(0, d.call(0, fund, "pledge", clarity.NewUInt(5))); status != 400 {
		t.Fatalf("the call answers %d", status)
	}
	if got := read[undescribed](t, get(d.s, "/mock/v1/undescribed?after=12")); len(got.Undescribed) != 1 || got.Undescribed[0].Name != "pledge" {
		t.Errorf("after 12: %+v", got)
	}
	got := read[undescribed](t, get(d.s, "/mock/v1/undescribed"))
	want := `# What was requested and is not described. Write what it answers, and give this file to --contracts.
- contract: SP000000000000000000002Q6VF78.fund
  reads:
    get-goal: {result: none}
    get-pledge: {result: none} # asked with u"a, {b: \u202e\u001b # c'\n\""
    'ok-name??': {result: none} # asked with u"a, {b: \u202e\u001b # c'\n\""
  calls:
    pledge: {result: (ok true)} # asked with u5
- contract: SP000000000000000000002Q6VF78.other
  reads:
    get-token-uri: {result: none} # asked with u1
# Its source or interface was requested: give "source" where that matters.
- contract: SP000000000000000000002Q6VF78.gold
  maps:
    scores:
      - key: u1
        value: u0
      - key: 'u"a, {b: \u202e\u001b # c''\n\""'
        value: u0
  vars:
    on: u0
  constants:
    on: u0
# Its source or interface was requested: give "source" where that matters.
# - contract: SP000000000000000000002Q6VF78.looked-at
`
	if got.Contracts != want || got.Next != 13 {
		t.Errorf("%d\n%s\nwant\n%s", got.Next, got.Contracts, want)
	}
	for _, said := range []string{
		`SP000000000000000000002Q6VF78.fund::get-goal: it is not described (reads); describe it with --contracts`,
		`SP000000000000000000002Q6VF78.fund::pledge: NoSuchContract; describe it with --contracts, or take any call with --any-contract`,
	} {
		if !strings.Contains(log.String(), said) {
			t.Errorf("the access log does not say %q: %s", said, &log)
		}
	}

	file := filepath.Join(t.TempDir(), "contracts.yaml")
	if err := os.WriteFile(file, []byte(got.Contracts), 0o600); err != nil {
		t.Fatal(err)
	}
	described := newTrade(t, Config{Contracts: file})
	answers := askAll(described.s)
	if strings.Contains(answers, "NoSuchContract") || strings.Contains(answers, "mock:") || strings.Contains(answers, `{"data":"0x09"}`) || strings.Contains(answers, "not found") {
		t.Errorf("the file leaves something open: %s", answers)
	}
	if m := described.mined(0, described.call(0, fund, "pledge", clarity.NewUInt(5))); m.Status != "success" {
		t.Errorf("%+v", m)
	}
	if left := read[undescribed](t, get(described.s, "/mock/v1/undescribed")); len(left.Undescribed) != 2 {
		t.Errorf("only the sources are left: %+v", left)
	}
}

// A page's own mistake is no lack: what is described answers as a node does.
func TestAMistakeOfThePageIsNotListedAsUndescribed(t *testing.T) {
	d := newTrade(t, Config{})
	contract, _, _ := strings.Cut(usda, "::")
	url := "/v2/contracts/call-read/" + strings.Replace(contract, ".", "/", 1) + "/"
	for _, function := range []string{"get-name", "get-balance", "nothing-like-it"} {
		post(d.s, url+function, "application/json", []byte(`{"sender":"SP000000000000000000002Q6VF78","arguments":[]}`))
	}
	d.post(0, d.call(0, contract, "nothing-like-it"))
	if got := read[undescribed](t, get(d.s, "/mock/v1/undescribed")); len(got.Undescribed) != 0 || got.Contracts != "" {
		t.Errorf("%+v", got)
	}
}
