package mockserver

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// networkHeader lets a client that knows its network say so: the chain is one,
// but a node of the test network calls itself so.
const networkHeader = "X-Mock-Network"

func (x *exchange) onTestnet() bool {
	return strings.EqualFold(x.r.Header.Get(networkHeader), "testnet")
}

// infoBody is a node's view of itself; its hashes have no 0x.
type infoBody struct {
	PeerVersion      uint32          `json:"peer_version"`
	PoXConsensus     string          `json:"pox_consensus"`
	BurnHeight       int64           `json:"burn_block_height"`
	StablePoX        string          `json:"stable_pox_consensus"`
	StableBurnHeight int64           `json:"stable_burn_block_height"`
	ServerVersion    string          `json:"server_version"`
	NetworkID        uint32          `json:"network_id"`
	ParentNetworkID  uint32          `json:"parent_network_id"`
	TipHeight        int64           `json:"stacks_tip_height"`
	Tip              string          `json:"stacks_tip"`
	TipConsensus     string          `json:"stacks_tip_consensus_hash"`
	Genesis          string          `json:"genesis_chainstate_hash"`
	UnanchoredTip    string          `json:"unanchored_tip"`
	UnanchoredSeq    *int            `json:"unanchored_seq"`
	TenureHeight     int64           `json:"tenure_height"`
	ExitAt           *int64          `json:"exit_at_block_height"`
	Synced           bool            `json:"is_fully_synced"`
	PublicKey        string          `json:"node_public_key"`
	PublicKeyHash    string          `json:"node_public_key_hash"`
	Affirmations     affirmationBody `json:"affirmations"`
	LastAnchor       anchorBody      `json:"last_pox_anchor"`
	StackerDBs       []string        `json:"stackerdbs"`
}

type affirmationBody struct {
	Heaviest      string `json:"heaviest"`
	Tip           string `json:"stacks_tip"`
	Sortition     string `json:"sortition_tip"`
	TentativeBest string `json:"tentative_best"`
}

type anchorBody struct {
	Hash string `json:"anchor_block_hash"`
	TxID string `json:"anchor_block_txid"`
}

// Numbers by which nodes of the two networks know each other.
const (
	mainnetID       = 1
	testnetID       = 0x80000000
	mainnetParentID = 0xd9b4bef9 // Bitcoin's magic number
	testnetParentID = 0x0709110b
	// peerVersion is that of epoch 3.3.
	peerVersion = 0x18000000 | 0x0e
)

// stableDepth is how far behind the newest burn block a node calls one stable.
const stableDepth = 7

func serveInfo(x *exchange) {
	v := x.state().View
	tip, _ := v.Block(v.Tip())
	digest := func(what string, n int) string {
		sum := sha256.Sum256([]byte(what))
		return hex.EncodeToString(sum[:n])
	}
	burn := tip.BurnHash.String()
	body := infoBody{
		PeerVersion: peerVersion, NetworkID: mainnetID, ParentNetworkID: mainnetParentID,
		PoXConsensus: digest("consensus "+burn, 20), TipConsensus: digest("consensus "+burn, 20), StablePoX: digest("stable "+burn, 20),
		BurnHeight: tip.BurnHeight, StableBurnHeight: tip.BurnHeight - stableDepth,
		ServerVersion: "stacks-node 3.3.0.0.0 (chainscope mock)", TipHeight: tip.Height, Tip: strings.TrimPrefix(tip.Hash.String(), "0x"),
		Genesis: digest("genesis", 32), UnanchoredTip: strings.Repeat("0", 64), TenureHeight: tip.Tenure, Synced: true,
		PublicKey: "02" + digest("node", 32), PublicKeyHash: digest("node key", 20),
		LastAnchor: anchorBody{digest("anchor "+burn, 32), digest("anchor transaction "+burn, 32)}, StackerDBs: []string{},
	}
	if x.onTestnet() {
		body.NetworkID, body.ParentNetworkID = testnetID, testnetParentID
	}
	x.value(http.StatusOK, body)
}

// madeUpID is an identifier of 32 bytes for something that has none.
func madeUpID(what string) string {
	sum := sha256.Sum256([]byte(what))
	return with0x(sum[:])
}

// targetTime is how long a burn block should take, in seconds.
type targetTime struct {
	Target int `json:"target_block_time"`
}

var targetTimes = map[string]targetTime{"mainnet": {600}, "testnet": {120}}

func serveBlockTimes(x *exchange) { x.value(http.StatusOK, targetTimes) }

func serveBlockTime(x *exchange) {
	target, ok := targetTimes[x.param(0)]
	if !ok {
		x.invalid("params/network must be equal to one of the allowed values")
		return
	}
	x.value(http.StatusOK, target)
}
