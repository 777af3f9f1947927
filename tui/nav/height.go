package nav

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxHeight is the greatest height the API's database can hold.
const maxHeight = math.MaxInt32

var errHeight = errors.New("above 2,147,483,647, the greatest height there can be")

func (r *recogniser) recogniseLatest(in string) {
	switch strings.ToLower(in) {
	case "latest", "tip", "newest":
		r.ok(rankBest, "newest burn block", "latest", LatestBurnBlock(), "that has a Stacks block")
	}
}

// recogniseHeight reads a number: a burn height, a block height, and at an
// NFT contract a token id.
func (r *recogniser) recogniseHeight(in string) {
	if p, err := Parse("block " + in); err == nil && strings.HasPrefix(in, "height:") {
		if p.Ref.Height <= maxHeight {
			r.ok(rankBest, "block height", in, p, "")
		} else {
			r.fail(rankFailedNear, "block height", in, errHeight.Error(), "")
		}
		return
	}
	text := strings.TrimPrefix(in, "#")
	digits := ungroup(text)
	if strings.Count(text, " ") > 0 && onlyDigits(strings.ReplaceAll(digits, " ", "")) {
		digits = strings.ReplaceAll(digits, " ", "")
	}
	if !onlyDigits(digits) {
		switch {
		case onlyDigits(strings.TrimPrefix(digits, "-")):
			r.fail(rankFailedNear, "height", in, "heights are not negative", "")
		case onlyDigits(strings.Replace(digits, ".", "", 1)):
			r.fail(rankFailedNear, "height", in, "heights are whole numbers", strings.ReplaceAll(in, ".", ""))
		default:
			r.fail(rankFailedFar, "height", in, "not a number", "")
		}
		return
	}
	if r.ctx.Here.Kind == KindNFT {
		if id, err := ParseTokenID(digits); err == nil {
			r.ok(rankGood, "token id", id, NFT(r.ctx.Here.Principal, id, r.ctx.Here.Locale), "of the contract shown")
		}
	}
	if len(digits) == hashDigits {
		return // a hash that happens to have no letter
	}
	height, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || height > maxHeight {
		r.fail(rankFailedNear, "height", in, errHeight.Error(), "")
		return
	}
	text = strconv.FormatInt(height, 10)
	burn, block := rankBest, rankThird
	burnNote, blockNote := "its newest Stacks block", "reached by paging"
	if r.ctx.BurnTip > 0 && height > r.ctx.BurnTip {
		burn += 3
		burnNote = fmt.Sprintf("above the newest burn height seen, %d", r.ctx.BurnTip)
	}
	if r.ctx.Tip > 0 && height > r.ctx.Tip {
		r.fail(rankFailedNear, "block height", text, fmt.Sprintf("above the newest block height seen, %d", r.ctx.Tip), "")
	} else {
		if burn > rankBest {
			block = rankBest
		}
		r.ok(block, "block height", text, BlockAtHeight(height), blockNote)
	}
	r.ok(burn, "burn height", text, BlockAtBurnHeight(height), burnNote)
	r.ok(burn+1, "blocks of burn height", text, BurnBlockAtHeight(height), "all Stacks blocks of the burn block")
}

// recogniseHash reads 64 hex digits: the hash of a burn block, of a block or its index
// hash. A loaded block that has it, also as a transaction, comes first.
func (r *recogniser) recogniseHash(in string) {
	hash, err := ParseHash(in)
	if err != nil {
		if shortened(in) {
			r.fail(rankFailedNear, "hash", in, "a shortened hash; all 64 hex digits are needed", "")
			return
		}
		rank := rankFailedFar
		if strings.HasPrefix(strings.ToLower(in), "0x") || len(in) > 40 && !strings.ContainsAny(in, "./: ") && checkAddress(in) != nil {
			rank = rankFailedNear
		}
		r.fail(rank, "hash", in, err.Error(), "")
		return
	}
	r.readHash(hash, rankSecond)
}

// minedHash begins the hashes of burn blocks, and hardly any other.
const minedHash = "0x0000000000"

// readHash adds the readings of a well-formed hash, the burn hash at a rank.
func (r *recogniser) readHash(hash string, rank int) {
	found := r.loaded(hash)
	r.ok(rank, "burn hash", hash, BlockAtBurnHash(hash), "its newest Stacks block")
	r.ok(rank+1, "blocks of burn hash", hash, BurnBlockAtHash(hash), "all Stacks blocks of the burn block")
	if !found {
		either := rank - 1
		if strings.HasPrefix(hash, minedHash) {
			either = rank + 2
		}
		r.ok(either, "transaction or block", hash, Hash(hash), "one request shows which")
		r.ok(rank+2, "block hash or index hash", hash, BlockByIndexHash(hash), "where the server looks them up")
		r.ok(rank+2, "transaction id", hash, Transaction(hash), "what it did, and why it failed")
	}
}

func (r *recogniser) loaded(hash string) bool {
	if r.ctx.Loaded == nil {
		return false
	}
	hits := r.ctx.Loaded(hash)
	for _, hit := range hits {
		r.ok(rankBest, hit.What, hash, hit.Place, "of a loaded block")
	}
	return len(hits) > 0
}

// shortened reports hashes copied from a screen that cut them: 0x7f3a…c91e.
func shortened(s string) bool {
	s = strings.ToLower(s)
	head, tail, ok := strings.Cut(s, "…")
	if !ok {
		if head, tail, ok = strings.Cut(s, "..."); !ok {
			return false
		}
	}
	head, zero := strings.CutPrefix(head, "0x")
	for _, r := range head + tail {
		if !isHex(r) {
			return false
		}
	}
	return zero || head+tail != ""
}

func onlyDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
