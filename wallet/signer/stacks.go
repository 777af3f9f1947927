package signer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

// Indexed returns the path of an entry of a list.
func Indexed(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

func parseTransfer(r *request) (Call, error) {
	id, d, err := r.begin()
	if err != nil {
		return nil, err
	}
	return r.newTransaction(id, d, stxtx.TokenTransfer{
		Recipient: get[clarity.Principal](r, "recipient"), Amount: get[uint64](r, "amount"), Memo: get[[stxtx.MemoBytes]byte](r, "memo"),
	})
}

func (d *Description) describeTransfer(p stxtx.TokenTransfer) {
	w := &d.Warnings
	d.Transfer = &Transfer{p.Recipient.String(), p.Amount, p.MemoText()}
	w.network("recipient", p.Recipient.Address, d.Network)
	w.hidden("memo", hidden.Find(p.MemoText()))
	if d.Transfer.Recipient == d.Account.Address {
		w.add(WarnSelf, "recipient", "the recipient is the sender")
	}
}

func parseCall(r *request) (Call, error) {
	if err := r.sameContract(); err != nil {
		return nil, err
	}
	id, d, err := r.begin()
	if err != nil {
		return nil, err
	}
	return r.newTransaction(id, d, stxtx.ContractCall{
		Contract: get[clarity.Principal](r, "contract"), Function: get[string](r, "functionName"), Args: items[clarity.Value](r, "functionArgs"),
	})
}

// sameContract refuses a contract that is said once more in two params, and differs: what
// functions with callbacks pass on.
func (r *request) sameContract() error {
	if !r.has("contractAddress") && !r.has("contractName") {
		return nil
	}
	for _, name := range []string{"contractAddress", "contractName"} {
		if !r.has(name) {
			return jsonrpc.InvalidParam(name, "is missing, %s", textRule)
		}
	}
	if get[string](r, "contractAddress")+"."+get[string](r, "contractName") != get[clarity.Principal](r, "contract").String() {
		return jsonrpc.InvalidParam("contract", "must be contractAddress and contractName with a point between them, which the request has too")
	}
	return nil
}

func parseDeploy(r *request) (Call, error) {
	id, d, err := r.begin()
	if err != nil {
		return nil, err
	}
	deploy := stxtx.SmartContract{ClarityVersion: facts.Current().Clarity, Name: get[string](r, "name"), Code: get[string](r, "clarityCode")}
	v := theNewest
	switch {
	case r.has("clarityVersion"):
		v, deploy.ClarityVersion = aNamed, get[byte](r, "clarityVersion")
	case r.env.Versionless:
		v, deploy.ClarityVersion = unsettled, 0
	}
	call, err := r.newTransaction(id, d, deploy)
	if c, ok := call.(*transactionCall); ok {
		c.version = v
	}
	return call, err
}

// versionChoice holds what remains to be settled of the version of Clarity when the network's
// epoch is known.
type versionChoice byte

const (
	unsettled versionChoice = iota // nothing: none is named, or it was given signed
	aNamed                         // it must not be newer than the epoch
	theNewest                      // it is the newest of the epoch
)

// settleVersion fits the version of Clarity of a deploy to the epoch of its network. Where
// nobody can say the epoch, it stays.
func (c *transactionCall) settleVersion(ctx context.Context) (*transactionCall, error) {
	deploy, is := c.tx.Payload.(stxtx.SmartContract)
	if !is || c.version == unsettled || c.env.Source == nil {
		return c, nil
	}
	name, err := c.env.Source.Epoch(ctx, c.tx.Mainnet())
	epoch, known := facts.EpochOf(name)
	if err != nil || !known || c.version == aNamed && deploy.ClarityVersion <= epoch.Clarity {
		return c, nil //nolint:nilerr // the epoch is not known
	}
	if c.version == aNamed {
		return nil, jsonrpc.InvalidParam("clarityVersion", "must be a number or a string from 1 to %d: the network is in epoch %s, which takes no newer Clarity", epoch.Clarity, epoch.Name)
	}
	p := c.clone()
	deploy.ClarityVersion = epoch.Clarity
	p.tx.Payload = deploy
	described := *c.base.Deploy
	described.ClarityVersion = epoch.Clarity
	p.base.Deploy = &described
	return p, p.encode()
}

// NewDeploy describes the contract that a payload makes.
func NewDeploy(contract string, p stxtx.SmartContract) Deploy {
	hash := sha256.Sum256([]byte(p.Code))
	lines := strings.Count(p.Code, "\n")
	if p.Code != "" && !strings.HasSuffix(p.Code, "\n") {
		lines++
	}
	return Deploy{contract, p.ClarityVersion, p.Code, lines, hex.EncodeToString(hash[:])}
}

// tokenTransfer begins what both token transfers have: the sender and the description.
func (r *request) tokenTransfer() (id identity, d Description, err error) {
	to := get[clarity.Principal](r, "recipient")
	if id, d, err = r.begin(); err != nil {
		return id, d, err
	}
	d.Token = &Token{Asset: get[stxtx.Asset](r, "asset").String(), Recipient: to.String()}
	d.Warnings.network("recipient", to.Address, d.Network)
	return id, d, nil
}

func parseTransferFT(r *request) (Call, error) {
	id, d, err := r.tokenTransfer()
	if err != nil {
		return nil, err
	}
	asset, to, amount, sender := get[stxtx.Asset](r, "asset"), get[clarity.Principal](r, "recipient"), get[uint64](r, "amount"), id.sender()
	d.Token.Amount = &amount
	payload := stxtx.ContractCall{Contract: asset.Contract, Function: "transfer", Args: []clarity.Value{clarity.NewUInt(amount), sender, to, clarity.None{}}}
	return r.newTransaction(id, d, payload,
		stxtx.PostCondition{Asset: stxtx.AssetFT, Principal: &sender, Condition: stxtx.SentEqual, Amount: amount, Token: asset})
}

func parseTransferNFT(r *request) (Call, error) {
	id, d, err := r.tokenTransfer()
	if err != nil {
		return nil, err
	}
	asset, to, token, sender := get[stxtx.Asset](r, "asset"), get[clarity.Principal](r, "recipient"), get[clarity.Value](r, "assetId"), id.sender()
	d.Token.ID = &stxtx.ExplainValue{Value: token}
	payload := stxtx.ContractCall{Contract: asset.Contract, Function: "transfer", Args: []clarity.Value{token, sender, to}}
	return r.newTransaction(id, d, payload,
		stxtx.PostCondition{Asset: stxtx.AssetNFT, Principal: &sender, Condition: stxtx.NFTSent, Token: asset, TokenID: token})
}
