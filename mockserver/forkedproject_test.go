package mockserver

import (
	"strings"
	"testing"

	"chainscope/mockserver/fork/forktest"
)

// forkedProject returns a project that requires a contract of the live chain and has one of its own.
func forkedProject(t *testing.T, requirement, source string) string {
	t.Helper()
	alice := someone("alice").address(false)
	return projectOf(t, map[string]string{
		"Clarinet.toml":        "[project]\nname = \"x\"\n[[project.requirements]]\ncontract_id = \"" + requirement + "\"\n[contracts.c]\npath = \"c.clar\"\n",
		"settings/Devnet.toml": "[network]\nname = \"devnet\"\n[accounts.deployer]\nmnemonic = \"abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about\"\nbalance = 5_000_000_000\n",
		"c.clar":               source,
		"plan.yaml": "genesis:\n  wallets:\n  - {name: deployer, address: " + alice + ", balance: '5000000000', sbtc-balance: '5'}\nplan:\n  batches:\n  - transactions:\n" +
			publish(forktest.Deployer, "tally", "gone.clar") + publish(alice, "c", "c.clar"),
	})
}

// A project is deployed on top of the live chain's state, by its accounts at their addresses there, in blocks
// that the chain begins with; what it requires is the live chain's own and is not deployed.
func TestAProjectIsDeployedOnAFork(t *testing.T) {
	node := forktest.New(t)
	cfg := onFork(node)
	cfg.Project = forkedProject(t, forktest.Deployer+".tally", "(define-read-only (f) '"+forktest.Deployer+".tally)")
	alice := someone("alice").address(true)
	node.Set("/v2/accounts/"+alice+"?proof=0&tip="+forktest.IndexHash[2:], 200, `{"balance":"0x05","locked":"0x00","unlock_height":0,"nonce":7}`)
	var reported []string
	cfg.Report = func(line string) { reported = append(reported, line) }
	s, _ := newServer(t, cfg)
	info, _ := answered(t, s, "/v2/info", 200)
	if info["stacks_tip_height"] != 8_700_001.0 {
		t.Errorf("the tip: %v", info["stacks_tip_height"])
	}
	source, _ := answered(t, s, "/v2/contracts/source/"+alice+"/c?proof=0", 200)
	if text := source["source"]; text != "(define-read-only (f) '"+forktest.Deployer+".tally)" || source["publish_height"] != 8_700_001.0 {
		t.Errorf("the contract: %v", source)
	}
	account, _ := answered(t, s, "/v2/accounts/"+alice+"?proof=0", 200)
	if account["balance"] != "0x0000000000000000000000012a05f200" || account["nonce"] != 8.0 {
		t.Errorf("the deployer: %v", account)
	}
	live, header := answered(t, s, "/v2/contracts/source/"+strings.Replace(forktest.Deployer, ".", "/", 1)+"/tally?proof=0", 404)
	if header.Get("X-Mock-Forwarded") != node.URL {
		t.Errorf("the requirement is not the live chain's: %v %v", live, header)
	}
	if all := strings.Join(reported, "\n"); !strings.Contains(all, "the project has deployed "+alice+".c") {
		t.Errorf("it is reported as %s", all)
	}
	control(t, s, "/mock/v1/mine", `{"blocks":1}`)
	if first, _ := answered(t, s, "/extended/v2/blocks/8700001", 200); first["parent_index_block_hash"] != forktest.IndexHash || first["tx_count"] != 1.0 {
		t.Errorf("its block: %v", first)
	}
}

// A requirement that the live chain does not have is named; one that could not be read is not missing.
func TestRequirementsOfAProjectOnAFork(t *testing.T) {
	node := forktest.New(t)
	cfg := onFork(node)
	cfg.Project = forkedProject(t, forktest.Deployer+".nothing", "(ok)")
	want := "1 requirement is not on the live chain at height 8700000, which " + node.URL + " has: " + forktest.Deployer + ".nothing (Clarinet.toml:4)"
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	node.Fail(func(_ int, path string) forktest.Fault {
		if strings.Contains(path, "/nothing/") {
			return forktest.Failing
		}
		return forktest.None
	})
	if _, err := New(cfg); err == nil || !isUnread(err) || !strings.Contains(err.Error(), "could not be read: the source of "+forktest.Deployer+".nothing") {
		t.Errorf("while it cannot be read: %v", err)
	}
	node.Fail(func(_ int, path string) forktest.Fault {
		if strings.Contains(path, "/v2/accounts/") {
			return forktest.Failing
		}
		return forktest.None
	})
	cfg.Project = forkedProject(t, forktest.Deployer+".tally", "(ok)")
	if _, err := New(cfg); err == nil || !isUnread(err) || !strings.Contains(err.Error(), "could not be read: the account "+someone("alice").address(true)) {
		t.Errorf("an account that cannot be read: %v", err)
	}
}
