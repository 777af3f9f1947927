package apiclient

import (
	"net/http"
	"strings"
	"testing"
)

// A block that was replaced is found by its hash: one route has it that the others lack.
func TestAReplacedBlockIsFoundByItsHash(t *testing.T) {
	hash := "0x" + strings.Repeat("ab", 32)
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/extended/v1/block/"+hash {
			answer(w, 200, `{"canonical":false,"height":7,"hash":"`+hash+`","index_block_hash":"`+hash+`"}`)
			return
		}
		answer(w, 404, `{"statusCode":404,"error":"Not Found","message":"Block not found"}`)
	})
	found, ofBurnBlock, err := client.FindBlock(t.Context(), hash)
	if err != nil || ofBurnBlock || found.Value.Height != 7 || found.Value.Canonical {
		t.Errorf("found %+v, of a burn block: %v, %v", found.Value, ofBurnBlock, err)
	}
}
