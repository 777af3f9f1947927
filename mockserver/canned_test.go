package mockserver

import (
	"fmt"
	"testing"

	"chainscope/wallet/clarity"
)

// A non-fungible token is minted once: a call that mints one that is there fails, and it is
// free again when it was burned.
func TestATokenThatIsThereIsNotMintedAgain(t *testing.T) {
	d := newTrade(t, Config{})
	club := d.people[2].address(true) + ".club"
	entry := fmt.Sprintf(`{"contract":%q,"calls":{"join":{"result":"(ok true)","moves":[{"asset":"%s::card","to":"sender","id":"$1"}]},
		"leave":{"result":"(ok true)","moves":[{"asset":"%s::card","from":"sender","id":"$1"}]}}}`, club, club, club)
	if w := post(d.s, "/mock/v1/contracts", "application/json", []byte(entry)); w.Code != 200 {
		t.Fatal(w.Body)
	}
	for i, tt := range []struct {
		who      int
		function string
		result   string
	}{{0, "join", "(ok true)"}, {0, "join", "(err u1)"}, {1, "join", "(err u1)"}, {1, "leave", "(err u1)"}, {0, "leave", "(ok true)"}, {1, "join", "(ok true)"}} {
		if m := d.mined(tt.who, d.call(tt.who, club, tt.function, clarity.NewUInt(7))); m.Result.Repr != tt.result {
			t.Errorf("%d: %s by %d answers %s, want %s", i, tt.function, tt.who, m.Result.Repr, tt.result)
		}
	}
}
