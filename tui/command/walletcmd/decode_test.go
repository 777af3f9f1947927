package walletcmd

import (
	"strings"
	"testing"

	"chainscope/tui/command/cli"
	"chainscope/tui/decoded"
)

func TestOtherReadingsAreNamedBesideTheFirst(t *testing.T) {
	var out, errs strings.Builder
	a := &cli.App{Streams: cli.Streams{Out: &out, Err: &errs}}
	a.Settings.Output = "json"
	if err := printDecoded(t.Context(), a, []decoded.Reading{{Kind: "tx", Value: 1}, {Kind: "clarity"}, {Kind: "psbt"}}); err != nil {
		t.Fatal(err)
	}
	if out.String() != `{"kind":"tx","value":1}`+"\n" || !strings.Contains(errs.String(), "clarity and psbt") {
		t.Errorf("stdout %s, stderr %s", out.String(), errs.String())
	}
}
