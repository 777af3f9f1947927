package facts

import "strings"

// versions are the functions and keywords that not every version of Clarity has, with the first
// and the last version that has them: tried in the virtual machine of clarinet-sdk 3.21.0, those
// of Clarity 6 from stacks-core 4.0.2.
var versions = []struct {
	first, last byte
	words       string
	instead     map[string]string
}{
	{1, 2, "block-height get-block-info?", map[string]string{"block-height": "stacks-block-height", "get-block-info?": "get-stacks-block-info?"}},
	{1, 3, "as-contract", map[string]string{"as-contract": "as-contract?"}},
	{1, 4, "at-block", nil},
	{2, 0, "bit-and bit-or bit-not bit-xor bit-shift-left bit-shift-right slice? replace-at? element-at? index-of?", nil},
	{2, 0, "to-consensus-buff? from-consensus-buff? is-standard principal-destruct? principal-construct?", nil},
	{2, 0, "string-to-int? string-to-uint? int-to-ascii int-to-utf8 stx-account stx-transfer-memo? get-burn-block-info?", nil},
	{2, 0, "buff-to-int-le buff-to-uint-le buff-to-int-be buff-to-uint-be chain-id is-in-mainnet tx-sponsor?", nil},
	{3, 0, "stacks-block-height tenure-height get-stacks-block-info? get-tenure-info?", nil},
	{4, 0, "contract-hash? to-ascii? restrict-assets? as-contract? secp256r1-verify with-stx with-ft with-nft with-stacking", nil},
	{4, 0, "with-all-assets-unsafe stacks-block-time current-contract", nil},
	{6, 0, "ed25519-verify verify-merkle-proof get-bitcoin-tx-output?", nil},
}

// Word is a function or keyword that not every version of Clarity has.
type Word struct {
	First, Last byte   // versions that have it; Last is 0 if all later ones do
	Instead     string // what later ones have instead, "" for nothing
}

// WordOf returns in which versions of Clarity a word is; false for one that is none, or in all.
func WordOf(name string) (Word, bool) {
	for _, v := range versions {
		for _, word := range strings.Fields(v.words) {
			if word == name {
				return Word{v.first, v.last, v.instead[name]}, true
			}
		}
	}
	return Word{}, false
}
