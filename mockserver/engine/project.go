package engine

import (
	"cmp"
	"context"
	"crypto/sha512"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// maxSource bounds a contract of a project, in bytes.
const maxSource = 1 << 20

// Project is a Clarinet project: the balances that it begins with, and the transactions that come
// before anything else, in order.
type Project struct {
	Folder       string
	Accounts     []Account
	Transactions []Staged
	// Files are the paths of contracts, by their names.
	Files map[string]string
	// SBTC is the token that accounts have amounts of, the zero asset if the project has none.
	SBTC stxtx.Asset

	remapped map[string]string // requirements
	left     []string          // contracts that are not deployed, and why
}

// Contracts names what the project deploys, in its order.
func (p *Project) Contracts() []string {
	var names []string
	for _, t := range p.Transactions {
		if c, ok := t.Payload.(stxtx.SmartContract); ok {
			names = append(names, t.Sender.String()+"."+c.Name)
		}
	}
	return names
}

// Account is an account of a project.
type Account struct {
	Name      string
	Principal clarity.Principal
	Balance   uint64 // micro-STX
	SBTC      uint64 // in its smallest unit
}

// Staged is a transaction of a project. Nobody signed it.
type Staged struct {
	Sender  clarity.Principal
	Payload stxtx.Payload
}

// Transaction returns the staged transaction with a nonce of its sender, and its id.
func (s Staged) Transaction(nonce uint64) (*stxtx.Transaction, [32]byte, error) {
	t := &stxtx.Transaction{
		Version: stxtx.VersionTestnet, ChainID: stxtx.ChainIDTestnet,
		Auth:       stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: s.Sender.Address.Hash160, Nonce: nonce}},
		AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeAllow, Payload: s.Payload,
	}
	if s.Sender.Address.Mainnet() {
		t.Version, t.ChainID = stxtx.VersionMainnet, stxtx.ChainIDMainnet
	}
	if v := s.Sender.Address.Version; v == c32.TestnetP2SH || v == c32.MainnetP2SH {
		t.Auth.Origin.HashMode = stxtx.HashP2WPKH // one of those that give such an address
	}
	raw, err := t.Encode()
	return t, sha512.Sum512_256(raw), err
}

// deploymentPlan is a plan of Clarinet, as far as it is of use here.
type deploymentPlan struct {
	Genesis struct {
		Wallets []struct {
			Name    string `yaml:"name"`
			Address string `yaml:"address"`
			Balance string `yaml:"balance"`
			SBTC    string `yaml:"sbtc-balance"`
		} `yaml:"wallets"`
	} `yaml:"genesis"`
	Plan struct {
		Batches []struct {
			Transactions []plannedTransaction `yaml:"transactions"`
		} `yaml:"batches"`
	} `yaml:"plan"`
}

type plannedTransaction struct {
	Kind     string `yaml:"transaction-type"`
	Contract string `yaml:"contract-name"`
	Sender   string `yaml:"emulated-sender"`
	Path     string `yaml:"path"`
	Version  byte   `yaml:"clarity-version"`

	ID         string   `yaml:"contract-id"` // of a call
	Method     string   `yaml:"method"`
	Parameters []string `yaml:"parameters"`
}

// ReadProject reads the Clarinet project in a folder. Nothing is written there.
func (e *Engine) ReadProject(ctx context.Context, folder string, from Sources) (*Project, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(folder, "Clarinet.toml")); err != nil {
		return nil, fmt.Errorf("%w; give the folder of a Clarinet project", err)
	}
	message, err := checkProject(folder)
	if err != nil {
		return nil, err
	}
	plan, sources, err := e.planOf(ctx, message, from)
	if err != nil {
		return nil, message.explain(err)
	}
	predeployed := func(id clarity.Principal) bool { return isThere(id, sources, from) }
	if from.Live != nil {
		predeployed = plan.isLive
	}
	project, err := plan.project(folder, predeployed, func(t *plannedTransaction) (string, byte, error) { return sourceOf(folder, t, sources) })
	if err != nil {
		return nil, err
	}
	if project.left = message.left; from.Live != nil {
		return project, nil // requirements are where they are on the live chain
	}
	m, err := newRemapping(folder, plan)
	if err != nil {
		return nil, err
	}
	if err := e.addSBTC(ctx, project, m); err != nil {
		return nil, err
	}
	project.remapped = m.contracts
	return project, m.apply(project.Transactions)
}

// project makes the transactions of a plan: contracts that are there anyway are left out, and the texts
// of the others are read.
func (d *deploymentPlan) project(folder string, deployed func(clarity.Principal) bool, read func(*plannedTransaction) (string, byte, error)) (*Project, error) {
	out := &Project{Folder: folder, Files: map[string]string{}}
	for _, w := range d.Genesis.Wallets {
		p, err := clarity.ParsePrincipal(w.Address)
		if err != nil {
			return nil, fmt.Errorf("the account %s: %w", w.Name, err)
		}
		balance, err := strconv.ParseUint(w.Balance, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the balance of %s: %w", w.Name, err)
		}
		sbtc, err := strconv.ParseUint(cmp.Or(w.SBTC, "0"), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the sBTC of %s: %w", w.Name, err)
		}
		out.Accounts = append(out.Accounts, Account{w.Name, p, balance, sbtc})
	}
	for _, batch := range d.Plan.Batches {
		for _, t := range batch.Transactions {
			if id, err := clarity.ParseContract(t.Sender + "." + t.Contract); err == nil && t.Kind == "emulated-contract-publish" && deployed(id) {
				continue
			}
			staged, err := t.staged(read)
			if err != nil {
				return nil, err
			}
			out.Transactions = append(out.Transactions, staged)
			if t.Path != "" {
				out.Files[t.Contract] = sourcePath(folder, t.Path)
			}
		}
	}
	return out, nil
}

func (t *plannedTransaction) staged(read func(*plannedTransaction) (string, byte, error)) (s Staged, err error) {
	if s.Sender, err = clarity.ParsePrincipal(t.Sender); err != nil {
		return s, fmt.Errorf("the deployment plan: %s by %q: %w", t.Kind, t.Sender, err)
	}
	switch t.Kind {
	case "emulated-contract-publish":
		source, version, err := read(t)
		s.Payload = stxtx.SmartContract{Name: t.Contract, Code: source, ClarityVersion: version}
		return s, err
	case "emulated-contract-call":
		call := stxtx.ContractCall{Function: t.Method}
		if call.Contract, err = clarity.ParseContract(t.ID); err != nil {
			return s, fmt.Errorf("the deployment plan: a call of %q: %w", t.ID, err)
		}
		for _, text := range t.Parameters {
			v, err := clarity.ParseLiteral(text)
			if err != nil {
				return s, fmt.Errorf("the deployment plan: %s of %s: %q: %w", t.Method, t.ID, text, err)
			}
			call.Args = append(call.Args, v)
		}
		s.Payload = call
		return s, nil
	}
	return s, fmt.Errorf("the deployment plan has %s, which chainscope does not know; it knows emulated-contract-publish and emulated-contract-call", t.Kind)
}

// sourcePath returns the path of a contract of a project in a folder.
func sourcePath(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, filepath.FromSlash(path))
}

// readSource reads the text of a contract.
func readSource(folder, path string) (string, error) {
	if path == "" {
		return "", errors.New("the deployment plan has a contract without a path")
	}
	text, err := readRegular(sourcePath(folder, path))
	return string(text), err
}

// readRegular reads a file of a project. What is no regular file might never end.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxSource:
		return nil, fmt.Errorf("%q is no regular file of at most %d bytes", path, maxSource)
	}
	return os.ReadFile(path)
}
