package apiclient

import (
	"testing"

	"chainscope/apiclient/apitest"
)

// One request reports what has a hash, with or without its 0x, in every generation.
func TestASearchReportsWhatHasAHash(t *testing.T) {
	for _, version := range []string{apitest.Version8, apitest.Version9, apitest.Sunset} {
		c := recordedClient(t, version)
		for hash, want := range map[string]string{
			"0xa11d1be9ff2319c1a17b324e8823d2b2225e39a25e33414884810e7a8b7e75e6": "tx_id",
			"2e46004c26786610fde792762ae01e81b64ba3554347fa55dd5488454dc032ec":   "mempool_tx_id",
			"0x17e6ffd645db520e1b02f84f181b1407b705fbe03c40a015e8a24fcbc077509f": FoundBlock,
		} {
			if a, err := c.Search(t.Context(), hash); err != nil || a.Value.Kind != want {
				t.Errorf("%s: %s is %q, %v; want %q", version, hash, a.Value.Kind, err, want)
			}
		}
		unknown := "0xabababababababababababababababababababababababababababababababab"
		if _, err := c.Search(t.Context(), unknown); KindOf(err) != NotFound {
			t.Errorf("%s: what nothing has: %v", version, err)
		}
	}
}
