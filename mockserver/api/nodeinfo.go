package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"chainscope/wallet/facts"
)

// networkHeader lets a client name its network: both share one chain, but a node of the test
// network reports itself as such. The chain of a project is testnet: its contracts and accounts are
// there.
const networkHeader = "X-Mock-Network"

func (x *Exchange) onTestnet() bool {
	if f := x.Service.Fork; f != nil {
		return f.Testnet()
	}
	return x.Service.Project || strings.EqualFold(x.R.Header.Get(networkHeader), "testnet")
}

// Numbers by which nodes of the two networks recognize each other.
const (
	mainnetID       = 1
	testnetID       = 0x80000000
	mainnetParentID = 0xd9b4bef9 // Bitcoin's magic number
	testnetParentID = 0x0709110b
	peerVersion     = 0x18000000 // its last byte is the epoch's
)

// stableDepth is the distance behind the newest burn block from which a node calls one stable.
const stableDepth = 7

// serveInfo returns a node's view of itself; its hashes have no 0x.
func serveInfo(x *Exchange) {
	v := x.state().View
	tip, _ := v.Known(v.Tip())
	digest := func(what string, n int) string {
		sum := sha256.Sum256([]byte(what))
		return hex.EncodeToString(sum[:n])
	}
	burn := tip.BurnHash.String()
	network, parent := int64(mainnetID), int64(mainnetParentID)
	if x.onTestnet() {
		network, parent = testnetID, testnetParentID
	}
	x.object(object{
		{"peer_version", peerVersion | x.Service.Epoch.Peer},
		{"pox_consensus", digest("consensus "+burn, 20)},
		{"burn_block_height", tip.BurnHeight},
		{"stable_pox_consensus", digest("stable "+burn, 20)},
		{"stable_burn_block_height", tip.BurnHeight - stableDepth},
		{"server_version", x.Service.Epoch.Server() + " (chainscope mock)"},
		{"network_id", network},
		{"parent_network_id", parent},
		{"stacks_tip_height", tip.Height},
		{"stacks_tip", strings.TrimPrefix(tip.Hash.String(), "0x")},
		{"stacks_tip_consensus_hash", digest("consensus "+burn, 20)},
		{"genesis_chainstate_hash", digest("genesis", 32)},
		{"unanchored_tip", strings.Repeat("0", 64)},
		{"unanchored_seq", nil},
		{"tenure_height", tip.Tenure},
		{"exit_at_block_height", nil},
		{"is_fully_synced", true},
		{"node_public_key", "02" + digest("node", 32)},
		{"node_public_key_hash", digest("node key", 20)},
		{"affirmations", object{{"heaviest", ""}, {"stacks_tip", ""}, {"sortition_tip", ""}, {"tentative_best", ""}}},
		{"last_pox_anchor", object{
			{"anchor_block_hash", digest("anchor "+burn, 32)}, {"anchor_block_txid", digest("anchor transaction "+burn, 32)},
		}},
		{"stackerdbs", []string{}},
	})
}

// madeUpID returns an identifier of 32 bytes for something that has none.
func madeUpID(what string) string {
	sum := sha256.Sum256([]byte(what))
	return with0x(sum[:])
}

// targetTime is the time that a burn block should take, in seconds.
type targetTime struct {
	Target int `json:"target_block_time"`
}

var targetTimes = map[string]targetTime{"mainnet": {600}, "testnet": {120}}

func serveBlockTimes(x *Exchange) {
	if !x.done() {
		x.object(object{{"mainnet", targetTimes["mainnet"]}, {"testnet", targetTimes["testnet"]}})
	}
}

func serveBlockTime(x *Exchange) {
	target, ok := targetTimes[x.param(0)]
	if !ok {
		x.invalid("params/network must be equal to one of the allowed values")
	}
	if !x.done() {
		x.Value(http.StatusOK, target)
	}
}

// serveStatus answers /extended. The burn heights at which stacked coins were released went
// with API 9.
func serveStatus(x *Exchange) {
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	tip, _ := v.Known(v.Tip())
	body := object{{"server_version", "stacks-blockchain-api " + x.Service.Generation.version()}, {"status", "ready"}}
	if x.Service.Generation == api8 {
		begins := x.era()
		for i, epoch := range facts.Unlocks {
			body = append(body, field{fmt.Sprintf("pox_v%d_unlock_height", i+1), begins.since(epoch) + 1})
		}
	}
	x.object(append(body, field{"chain_tip", object{
		{"block_height", tip.Height}, {"block_hash", tip.Hash}, {"index_block_hash", tip.Index}, {"burn_block_height", v.NewestBurnHeight()},
	}}))
}

func redirectToStatus(x *Exchange) {
	h := x.W.Header()
	h["Location"] = []string{x.Base + "/extended"}
	h["X-Api-Version"] = x.Service.version
	h["Cache-Control"] = noStoreHeader
	h["Content-Length"] = []string{"0"}
	x.W.WriteHeader(http.StatusMovedPermanently)
}
