package signer

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

// deployed signs a deploy, and returns the version of Clarity that the transaction and the
// description have.
func deployed(t *testing.T, version string, env Env) (signed, described byte, err error) {
	t.Helper()
	call, err := Parse("stx_deployContract", json.RawMessage(`{"name":"ping","clarityCode":"(print 1)","fee":500,"nonce":1`+version+`}`), env)
	if err != nil {
		return 0, 0, err
	}
	if call, err = call.Prepare(context.Background()); err != nil {
		return 0, 0, err
	}
	var out struct{ Transaction string }
	text, err := call.Sign(context.Background())
	if err != nil {
		return 0, 0, err
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	tx, err := stxtx.DecodeHex(out.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	return tx.Payload.(stxtx.SmartContract).ClarityVersion, call.Describe().Deploy.ClarityVersion, nil
}

func TestADeployThatNamesNoClarityHasTheNewestOfItsEpoch(t *testing.T) {
	for _, c := range []struct {
		name, version string
		source        Source
		versionless   bool
		want          byte
	}{
		{"no node", "", nil, false, 6},
		{"a node in 4.0", "", &chain{epoch: "Epoch40"}, false, 6},
		{"a node in 3.4", "", &chain{epoch: "Epoch34"}, false, 5},
		{"a node in 3.3", "", &chain{epoch: "Epoch33"}, false, 4},
		{"a node in an epoch to come", "", &chain{epoch: "Epoch41"}, false, 6},
		{"a node that fails", "", &chain{epoch: "Epoch33", err: errors.New("down")}, false, 6},
		{"a version that the epoch has", `,"clarityVersion":4`, &chain{epoch: "Epoch33"}, false, 4},
		{"an old version", `,"clarityVersion":1`, &chain{epoch: "Epoch40"}, false, 1},
		{"no version in Leather", "", &chain{epoch: "Epoch40"}, true, 0},
		{"a version in Leather", `,"clarityVersion":"5"`, &chain{epoch: "Epoch40"}, true, 5},
	} {
		env := testEnv()
		env.Source, env.Versionless = c.source, c.versionless
		signed, described, err := deployed(t, c.version, env)
		if err != nil || signed != c.want || described != c.want {
			t.Errorf("%s: Clarity %d signed and %d described, want %d: %v", c.name, signed, described, c.want, err)
		}
	}
}

func TestAClarityThatTheEpochDoesNotTakeIsRefusedWithThoseThatItTakes(t *testing.T) {
	for _, c := range []struct{ version, epoch, want string }{
		{"7", "Epoch40", "from 1 to 6"},
		{"6", "Epoch34", "from 1 to 5: the network is in epoch 3.4"},
		{"5", "Epoch33", "from 1 to 4: the network is in epoch 3.3"},
	} {
		env := testEnv()
		env.Source = &chain{epoch: c.epoch}
		_, _, err := deployed(t, `,"clarityVersion":`+c.version, env)
		var refused *jsonrpc.Error
		if !errors.As(err, &refused) || refused.Code != jsonrpc.InvalidParams || !strings.Contains(err.Error(), "clarityVersion") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Clarity %s in %s: %v", c.version, c.epoch, err)
		}
	}
}

func TestASourceThatNoNodeReadsIsWarnedOfWithLineAndColumn(t *testing.T) {
	for source, want := range map[string]string{
		`(ok 1)\r\n(ok 2)`:      "line 1, column 7 has a carriage return, which no node reads: a source has printable ASCII, tabs and line feeds; end lines with a line feed alone",
		`(ok 1)\n\t;; über all`: "line 2, column 5 has U+00FC, which no node reads: a source has printable ASCII, tabs and line feeds",
		`;; \u0007`:             "line 1, column 4 has U+0007, which no node reads: a source has printable ASCII, tabs and line feeds",
		`(ok 1)\n\t;; ~ all`:    "",
	} {
		call, err := Parse("stx_deployContract", json.RawMessage(`{"name":"ping","clarityCode":"`+source+`"}`), testEnv())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, w := range call.Describe().Warnings {
			if w.Kind == WarnUnreadable && w.Path == "clarityCode" {
				got = w.Text
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}
