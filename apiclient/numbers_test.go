package apiclient

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"testing"
)

// integers are the values that every field of whole numbers is tried with.
var integers = []string{
	"0", "-1", "-2", fmt.Sprint(math.MinInt64), "2147483647", "2147483648", "-2147483648", "-2147483649",
	"9007199254740991", "9007199254740992", "9007199254740993", "9223372036854775806", "9223372036854775807",
	"9223372036854775808", "-9223372036854775809", "1e300", "-1e300", "9.007199254740993e15",
}

// Each kind of field takes a part of the integers.
var (
	counted   = []string{"0", "2147483647", "2147483648", "9007199254740991"}
	minusOne  = append([]string{"-1"}, counted...)
	thirtyTwo = []string{"0", "-1", "-2", "2147483647", "-2147483648"}
)

func TestNoImpossibleNumberIsTaken(t *testing.T) {
	block := func(field string) string { return `{"hash":"0x1","` + field + `":%s}` }
	list := func(row string) string { return `{"results":[{},` + row + `]}` }
	ctx := t.Context()
	type read func(*Client) error
	blocks := func(c *Client) error { _, err := c.Blocks(ctx, Page{}); return err }
	listing := func(c *Client) error { _, err := c.BurnBlockBlocks(ctx, "1", Page{}); return err }
	single := map[string]read{
		"by burn height": func(c *Client) error { _, err := c.BlockByBurnHeight(ctx, 1); return err },
		"by burn hash": func(c *Client) error {
			_, err := c.BlockByBurnHash(ctx, fmt.Sprintf("%064d", 1))
			return err
		},
	}
	// Of a token a number that is wrong is left unknown.
	known := func(n *int, path string, err error) error {
		if err == nil && n == nil {
			err = &Error{Kind: Decode, FieldPath: path, BodyOffset: 1}
		}
		return err
	}
	decimals := func(c *Client) error {
		a, err := c.FungibleToken(ctx, somePrincipal, "")
		return known(a.Value.Decimals, "decimals", err)
	}
	ft := func(c *Client) error {
		a, err := c.FungibleToken(ctx, somePrincipal, "")
		return known(a.Value.Metadata.SIP, "metadata.sip", err)
	}
	nft := func(c *Client) error {
		a, err := c.NonFungibleToken(ctx, somePrincipal, "1", "")
		return known(a.Value.Metadata.SIP, "metadata.sip", err)
	}

	shared := map[string][]string{
		"height": counted, "block_time": counted, "burn_block_time": counted, "burn_block_height": counted, "tenure_height": minusOne,
		"execution_cost_read_count": counted, "execution_cost_read_length": counted, "execution_cost_runtime": counted,
		"execution_cost_write_count": counted, "execution_cost_write_length": counted,
	}
	for field, filters := range shared {
		for name, call := range single {
			everyInteger(t, name, call, block(field), field, filters)
		}
		everyInteger(t, "recent blocks", blocks, list(block(field)), "results[1]."+field, filters)
		everyInteger(t, "blocks of a burn block", listing, list(block(field)), "results[1]."+field, filters)
	}
	everyInteger(t, "recent blocks", blocks, list(block("parent_microblock_sequence")), "results[1].parent_microblock_sequence", minusOne)
	everyInteger(t, "recent blocks", blocks, list(`{"microblock_tx_count":{"0xa":1,"0xb":%s}}`), "results[1].microblock_tx_count.0xb", counted)
	everyInteger(t, "blocks of a burn block", listing, list(block("tx_count")), "results[1].tx_count", counted)
	for _, field := range []string{"limit", "offset", "total"} {
		everyInteger(t, "recent blocks", blocks, `{"results":[],"`+field+`":%s}`, field, counted)
		everyInteger(t, "blocks of a burn block", listing, `{"results":[],"`+field+`":%s}`, field, counted)
	}
	everyInteger(t, "fungible token", decimals, `{"tx_id":"0x01","decimals":%s}`, "decimals", thirtyTwo)
	everyInteger(t, "fungible token", ft, `{"tx_id":"0x01","metadata":{"sip":%s}}`, "metadata.sip", thirtyTwo)
	everyInteger(t, "non-fungible token", nft, `{"tx_id":"0x01","metadata":{"sip":%s}}`, "metadata.sip", thirtyTwo)
}

// everyInteger requests an answer with each integer in one field. Those that the
// field does not take must be decode errors with its path.
func everyInteger(t *testing.T, what string, call func(*Client) error, body, path string, filters []string) {
	t.Helper()
	taken := map[string]bool{}
	for _, n := range filters {
		taken[n] = true
	}
	for _, n := range integers {
		c := newClient(t, Options{BaseURL: "http://api.test", Transport: inMemory(func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, fmt.Sprintf(body, n))
		})})
		err := call(c)
		if taken[n] {
			if err != nil {
				t.Errorf("%s: %s of %s: %v", what, path, n, err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Kind != Decode || e.FieldPath != path || e.BodyOffset == 0 {
			t.Errorf("%s: %s of %s: %v", what, path, n, err)
		}
	}
}

func TestWhatIsWrongWithANumberIsSaid(t *testing.T) {
	for body, want := range map[string]string{
		`{"height":-1}`:               "height: the number is negative (byte 10)",
		`{"tenure_height":-2}`:        "tenure_height: the number is below -1 (byte 17)",
		`{"height":9007199254740992}`: "height: the number is above 2^53-1 (byte 10)",
	} {
		if _, err := decode[Block]([]byte(body)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}
