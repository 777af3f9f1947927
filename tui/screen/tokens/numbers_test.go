package tokens

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/tui/nav"
)

// answers gives every request one body.
type answers struct {
	body      string
	requested int
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	a.requested++
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(a.body)),
	}, nil
}

// within fails when f takes longer than anybody waits.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatalf("%s: not drawn in time", what)
	}
}

// Whatever number a server sends in whatever place, the token is drawn or the answer
// refused.
func TestNoNumberOfAServerHangsTheScreen(t *testing.T) {
	numbers := []string{
		"0", "-1", "77", "78", "9007199254740992", "9007199254740993", "9223372036854775806", "9223372036854775807",
		"-9223372036854775808", "18446744073709551616", "0.5", "1e308", "1e-308", strings.Repeat("9", 100_000),
	}
	given := &answers{}
	d := start(t, setup{answer: given, noCatalogue: true})
	d.hold = true // what cannot be read is requested again only after a while
	for _, field := range []string{
		`"decimals":%s`, `"total_supply":%s`, `"decimals":6,"total_supply":"%s"`, `"decimals":%[1]s,"total_supply":"%[1]s"`,
		`"metadata":{"sip":%s}`, `"metadata":{"properties":{"n":%[1]s,"deep":[[%[1]s]]}}`,
		`"metadata":{"attributes":[{"trait_type":"n","display_type":"number","value":%s}]}`,
	} {
		for _, n := range numbers {
			given.body = fmt.Sprintf(`{"name":"A","symbol":"B","tx_id":"0x1","sender_address":"SP1","asset_identifier":"SP1.a::b",`+field+`}`, n)
			within(t, field+" "+n[:min(len(n), 24)], func() {
				for _, place := range []nav.Place{nav.FT(dollar, ""), nav.NFT(dollar, "1", "")} {
					d.open(nav.Tokens())
					before := given.requested
					d.open(place)
					if given.requested == before {
						t.Errorf("%s: nothing was requested", place)
					}
					for _, k := range []string{"j", "G", "enter", "tab"} {
						d.press(k)
						d.view()
					}
				}
			})
		}
	}
}
