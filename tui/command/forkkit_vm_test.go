//go:build clarity

package command

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"chainscope/mockserver/fork/forktest"
)

// onFork starts the bridge of the test kit on a fork, as `use` does for a test, and prints what it is of and
// what the holder has there.
const onFork = `
import { Session } from './index.js';
const [, fork, engine, holder, other] = process.argv;
const session = await Session.start({ fork: JSON.parse(fork), args: ['--mock-clarity-engine', engine] });
try {
  await session.begin();
  const of = await (await fetch(session.chain.url + '/mock/v1/fork')).json();
  const account = await (await fetch(session.chain.url + '/v2/accounts/' + holder + '?proof=0')).json();
  const unread = JSON.parse(fork).offline && (await fetch(session.chain.url + '/v2/accounts/' + other + '?proof=0')).status;
  console.log(JSON.stringify({ ...of, ...account, unread: unread || 0 }));
} finally {
  await session.close();
}
`

// A dapp's tests begin on the state of a live chain, and the second time need no network; what was not read then is not there.
func TestTheTestKitStartsOnAForkInTheVirtualMachine(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "chainscope")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	engine, err := filepath.Abs("../../mockserver/engine/chainscope-clarity/chainscope-clarity.js")
	if err != nil {
		t.Fatal(err)
	}
	node, cache := forktest.New(t), t.TempDir()
	for i, reads := range []bool{true, false} {
		before := len(node.Requests())
		fork := fmt.Sprintf(`{"api":%q,"height":%d,"cache":%q,"offline":%v}`, node.URL, forktest.Height, cache, !reads)
		cmd := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", onFork, fork, "node "+engine, forktest.Holder, forktest.Deployer)
		cmd.Dir = "../../wallet/bridge/testkit"
		cmd.Env = append(cmd.Environ(), "CHAINSCOPE_BIN="+binary)
		out, err := cmd.Output()
		var is struct {
			Network, Balance string
			Height           int64
			Nonce, Unread    int
		}
		if err != nil || json.Unmarshal(out, &is) != nil || is.Network != "mainnet" || is.Height != forktest.Height ||
			is.Balance != "0x0000000000000000000000000754d4c0" || is.Nonce != 17 || is.Unread != map[bool]int{false: 503}[reads] {
			t.Fatalf("start %d: %s %v", i, out, err)
		}
		if sent := len(node.Requests()) - before; (sent > 0) != reads {
			t.Errorf("start %d: %d requests of the live chain", i, sent)
		}
	}
}
