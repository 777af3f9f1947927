package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// Requirement is the text of a contract that a project requires.
type Requirement struct {
	Source  string `json:"source"`
	Clarity byte   `json:"clarity"` // 0 where none was named
	// Predeployed reports that it is in every session from the start.
	Predeployed bool `json:"-"`

	missing bool
}

// Sources finds the texts of requirements that a project's cache lacks.
type Sources struct {
	// Known returns a contract that the mock has.
	Known func(id clarity.Principal) (Requirement, bool)
	// Fetch reads one from an API, or returns ErrNoContract; nil where none is read.
	Fetch func(ctx context.Context, id string) (Requirement, error)
	// API is the URL of that API.
	API string
	// Live returns the text of a contract of the live chain on which sessions are built, or ErrNoContract;
	// nil where there is none. Requirements are contracts of it then, and nothing of them is deployed.
	Live func(ctx context.Context, id clarity.Principal) (string, error)
}

// mostRounds bounds how deep contracts that requirements call are looked for.
const mostRounds = 64

// planOf returns how a project is deployed, and the requirements that are not in its cache.
func (e *Engine) planOf(ctx context.Context, m *manifest, from Sources) (*deploymentPlan, map[string]Requirement, error) {
	p, err := e.running(ctx)
	if err != nil {
		return nil, nil, err
	}
	sources, err := e.sourcesOf(ctx, m, from)
	if err != nil {
		return nil, nil, err
	}
	for range mostRounds {
		var answer struct {
			Plan    string   `json:"plan"`
			Missing []string `json:"missing"`
		}
		if err := p.begin("plan", map[string]any{"folder": m.folder, "sources": sources}).wait(openTime, &answer); err != nil {
			return nil, nil, err
		}
		if len(answer.Missing) == 0 {
			plan, err := readPlan(answer.Plan)
			if err == nil && from.Live != nil {
				plan, err = readPlan(plan.onNetwork(answer.Plan, e.opt.mainnet()))
			}
			return plan, sources, err
		}
		for _, id := range answer.Missing { // what no source names, such as the deposit contract of sBTC
			r, err := e.requirement(ctx, id, from)
			if r.missing && from.Live != nil { // those of the manifest are there
				r = notThere
			}
			if err == nil && r.missing {
				err = &MissingError{IDs: []string{fmt.Sprintf("%s (%s:%d)", id, manifestFile, m.requirementLine(id))}, API: from.API}
			}
			if err != nil {
				return nil, nil, err
			}
			r.Clarity = max(r.Clarity, 1)
			sources[id] = r
		}
	}
	return nil, nil, fmt.Errorf("its requirements call others, and those others, more than %d deep", mostRounds)
}

func readPlan(text string) (*deploymentPlan, error) {
	var plan deploymentPlan
	if err := yaml.Unmarshal([]byte(text), &plan); err != nil {
		return nil, fmt.Errorf("the deployment plan: %w", err)
	}
	return &plan, nil
}

// onNetwork gives the accounts of a plan the addresses that they have on a network, wherever the text of the
// plan names them.
func (d *deploymentPlan) onNetwork(text string, mainnet bool) string {
	for _, w := range d.Genesis.Wallets {
		a, err := c32.ParseAddress(w.Address)
		if err != nil || a.Mainnet() == mainnet {
			continue
		}
		for _, pair := range [][2]byte{{c32.TestnetP2PKH, c32.MainnetP2PKH}, {c32.TestnetP2SH, c32.MainnetP2SH}} {
			if a.Version == pair[0] {
				a.Version = pair[1]
			} else if a.Version == pair[1] {
				a.Version = pair[0]
			}
		}
		text = strings.ReplaceAll(text, w.Address, a.String())
	}
	return text
}

// isLive reports whether a contract of a plan is one of the live chain: all are that none of the project's
// accounts deploys.
func (d *deploymentPlan) isLive(id clarity.Principal) bool {
	for _, w := range d.Genesis.Wallets {
		if w.Address == id.Address.String() {
			return false
		}
	}
	return true
}

// requirement finds the text of a requirement that the project's cache lacks.
func (e *Engine) requirement(ctx context.Context, text string, from Sources) (r Requirement, err error) {
	id, err := clarity.ParseContract(text)
	if err != nil {
		return r, fmt.Errorf("the requirement %q: %w", text, err)
	}
	if from.Known != nil {
		if r, known := from.Known(id); known {
			return r, nil
		}
	}
	issuer := id.Address.String()
	switch {
	case boot(issuer):
		r.Source, err = e.builtinSource(ctx, text)
		r.Clarity, r.Predeployed = 2, true
		return r, err
	case from.Live != nil:
		if r.Source, err = from.Live(ctx, id); errors.Is(err, ErrNoContract) {
			return Requirement{missing: true}, nil
		}
		return r, err
	case sbtcIssuer(issuer) && slices.Contains(sbtcBuiltin, id.Contract):
		r.Source, err = e.builtinSource(ctx, facts.SBTC(false)+"."+id.Contract)
		r.Clarity = 3
		return r, err
	case from.Fetch != nil:
		if r, err = from.Fetch(ctx, text); err == nil || !errors.Is(err, ErrNoContract) {
			return r, err
		}
	}
	if sbtcIssuer(issuer) {
		// Clarinet adds a deposit contract by itself. Where a project names it, the deploy says so.
		return notThere, nil
	}
	return Requirement{missing: true}, nil
}

// notThere is given to Clarinet in place of a contract that is not needed to order the others.
var notThere = Requirement{Source: ";; not there", Clarity: 3, Predeployed: true}

func boot(issuer string) bool { return issuer == facts.Boot(false) || issuer == facts.Boot(true) }

func sbtcIssuer(issuer string) bool { return issuer == facts.SBTC(false) || issuer == facts.SBTC(true) }

// isThere reports whether a contract of a plan is in every session anyway.
func isThere(id clarity.Principal, sources map[string]Requirement, from Sources) bool {
	if sources[id.String()].Predeployed || boot(id.Address.String()) {
		return true
	}
	if from.Known == nil {
		return false
	}
	r, known := from.Known(id)
	return known && r.Predeployed
}

// sourceOf reads the text of a contract of a plan, and its version: a requirement that the cache
// lacks, or a file.
func sourceOf(folder string, t *plannedTransaction, sources map[string]Requirement) (string, byte, error) {
	if r, found := sources[t.Sender+"."+t.Contract]; found {
		return r.Source, r.Clarity, nil
	}
	text, err := readSource(folder, t.Path)
	return text, t.Version, err
}

// clash reports which of a project's contracts have one address: a requirement that would take the
// place of another contract gets the address that its issuer has on testnet, or that of an account.
func (m *remapping) clash(all []Staged) error {
	taken := map[string]string{}
	for _, s := range all {
		if deploy, ok := s.Payload.(stxtx.SmartContract); ok && !s.Sender.Address.Mainnet() {
			id := s.Sender.String() + "." + deploy.Name
			if taken[id] != "" {
				return fmt.Errorf("two contracts would be deployed as %s; give one of them another name in Clarinet.toml", id)
			}
			taken[id] = id
		}
	}
	for _, s := range all {
		deploy, ok := s.Payload.(stxtx.SmartContract)
		if !ok || !s.Sender.Address.Mainnet() {
			continue
		}
		id := s.Sender.String() + "." + deploy.Name
		there := m.of(id).Sender + "." + deploy.Name
		if _, planned := m.planned[id]; taken[there] != "" && !planned {
			own := s.Sender
			own.Address.Version = map[byte]byte{c32.MainnetP2PKH: c32.TestnetP2PKH, c32.MainnetP2SH: c32.TestnetP2SH}[own.Address.Version]
			for _, sender := range append([]string{own.String()}, m.accounts...) {
				if taken[sender+"."+deploy.Name] == "" {
					m.planned[id] = requirement{ID: id, Sender: sender}
					there = sender + "." + deploy.Name
					break
				}
			}
		}
		if other := taken[there]; other != "" {
			return fmt.Errorf("%s and %s would both be deployed as %s; give one of them another address in %s:\n- requirement-publish:\n    contract-id: %s\n    remap-sender: ST…", other, id, there, DevnetPlan, id)
		}
		taken[there], m.contracts[id] = id, there
	}
	return nil
}
