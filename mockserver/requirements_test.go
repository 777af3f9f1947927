package mockserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// contractAPI is an API that has contracts, by their ids, and counts what it was requested.
type contractAPI struct {
	*httptest.Server
	mu        sync.Mutex
	texts     map[string]string
	requested map[string]int
	busy      int    // requests that are refused before the first answer
	pause     string // that the API then names, in seconds
}

func serveContracts(t *testing.T, texts map[string]string) *contractAPI {
	t.Helper()
	a := &contractAPI{texts: texts, requested: map[string]int{}, pause: "1"}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *contractAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	id := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	a.requested[id]++
	if a.busy > 0 {
		a.busy--
		w.Header().Set("Retry-After", a.pause)
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":"rate limit"}`)
		return
	}
	text, there := a.texts[id]
	if !there || !strings.HasPrefix(r.URL.Path, "/extended/v1/contract/") {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error":"cannot find contract by ID %s"}`, id)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"tx_id": "0x" + strings.Repeat("ab", 32), "canonical": true, "contract_id": id, "block_height": 5, "clarity_version": 2, "source_code": text, "abi": `{"functions":[]}`,
	})
}

// requiring returns a project that requires a contract of mainnet, and whose plan deploys what that calls.
func requiring(t *testing.T, ids ...string) string {
	t.Helper()
	alice := someone("alice").address(false)
	plan := "genesis:\n  wallets:\n  - {name: deployer, address: " + alice + ", balance: '77000000'}\nplan:\n  batches:\n  - transactions:\n"
	for _, id := range ids {
		issuer, name, _ := strings.Cut(id, ".")
		plan += publish(issuer, name, "none.clar")
	}
	return projectOf(t, map[string]string{
		"Clarinet.toml":        "[project]\nname = \"x\"\n[[project.requirements]]\ncontract_id = \"" + ids[0] + "\"\n",
		"settings/Devnet.toml": "[network]\nname = \"devnet\"\n[accounts.deployer]\nmnemonic = \"x\"\n",
		"plan.yaml":            plan,
	})
}

const pierAddress = "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE"

// What a project requires is read from an API, with what that calls, though two call each other and the
// API refuses once; a second start reads nothing.
func TestRequirementsAreReadFromAnAPIOnce(t *testing.T) {
	one, two := harborAddress+".one", pierAddress+".two"
	api := serveContracts(t, map[string]string{one: "(contract-call? '" + two + " f)", two: "(contract-call? '" + one + " f) ;; the other"})
	api.busy = 1
	cfg := fakeEngine()
	cfg.Project, cfg.FetchRequirements, cfg.RequirementsDir = requiring(t, one, two), api.URL, filepath.Join(t.TempDir(), "kept")
	alice := someone("alice").address(false)
	for range 2 {
		d := newTroupe(t, cfg)
		d.wants(read[struct{ Source string }](t, get(d.s, "/v2/contracts/source/"+alice+"/two?proof=0")).Source, "(contract-call? '"+alice+".one f) ;; the other")
		if api.requested[one] != 2 || api.requested[two] != 1 {
			t.Fatalf("the API received requests for %v", api.requested)
		}
	}
}

// What an API does not have is named together with where it is needed; an API that is away is named.
func TestRequirementsThatAnAPIDoesNotHaveAreNamed(t *testing.T) {
	t.Parallel()
	one, two, three := harborAddress+".one", pierAddress+".two", pierAddress+".three"
	api := serveContracts(t, map[string]string{one: "(contract-call? '" + two + " f)(contract-call? '" + three + " f)"})
	cfg := fakeEngine()
	cfg.Project, cfg.FetchRequirements, cfg.RequirementsDir = requiring(t, one), api.URL, t.TempDir()
	_, err := New(cfg)
	if want := "2 requirements are not in the project's cache, nor at " + api.URL + ": " + two + " (called by " + one + "), " + three + " (called by " + one + ")"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
	api.Close()
	cfg.RequirementsDir = t.TempDir()
	if _, err = New(cfg); err == nil || !strings.Contains(err.Error(), "the requirement "+one+" cannot be read from "+api.URL+": ") {
		t.Errorf("an API that is away: %v", err)
	}
}

// An API that requests a wait for longer than a call of the explorer lasts is waited for.
func TestRequirementsWaitForALimitedAPI(t *testing.T) {
	t.Parallel()
	one := harborAddress + ".one"
	api := serveContracts(t, map[string]string{one: "(ok u1)"})
	api.busy, api.pause = 1, "11"
	cfg := fakeEngine()
	cfg.Project, cfg.FetchRequirements, cfg.RequirementsDir = requiring(t, one), api.URL, t.TempDir()
	newTroupe(t, cfg)
	if api.requested[one] != 2 {
		t.Errorf("the API received requests for %v", api.requested)
	}
}

// What an API answers without a source, or in part, is named, and nothing of it is kept.
func TestRequirementsThatCannotBeReadAreNamed(t *testing.T) {
	one := harborAddress + ".one"
	for body, want := range map[string]string{
		`{"contract_id":"` + one + `","source_code":"","abi":"{}"}`: "the answer has no source",
		`{"contract_id":"` + one + `","source_code":"(o`:            "it ends too early",
	} {
		api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, body)
		}))
		cfg := fakeEngine()
		cfg.Project, cfg.FetchRequirements, cfg.RequirementsDir = requiring(t, one), api.URL, t.TempDir()
		_, err := New(cfg)
		if err == nil || !strings.Contains(err.Error(), "the requirement "+one+" cannot be read from "+api.URL+": ") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if kept, _ := filepath.Glob(filepath.Join(cfg.RequirementsDir, "*")); len(kept) > 0 {
			t.Errorf("kept: %v", kept)
		}
		api.Close()
	}
}
