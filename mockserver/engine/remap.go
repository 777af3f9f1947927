package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// A requirement of a project is a contract of mainnet. On a devnet Clarinet deploys it by an
// account of the project, and changes what names it. The same is done here: contracts run on
// testnet addresses alone.

// DevnetPlan is the file of a project that says under which addresses requirements are
// deployed.
var DevnetPlan = filepath.Join("deployments", "default.devnet-plan.yaml")

// sbtcBuiltin are the contracts of sBTC that the virtual machine has, in the order in which they need
// each other. A plan leaves them out.
var sbtcBuiltin = []string{"sbtc-registry", "sbtc-token"}

// requirement describes how the devnet plan deploys a requirement.
type requirement struct {
	ID         string            `yaml:"contract-id"`
	Sender     string            `yaml:"remap-sender"`
	Principals map[string]string `yaml:"remap-principals"`
}

// remapping describes what replaces contracts and addresses in the sources of a project.
type remapping struct {
	planned   map[string]requirement // of the devnet plan, by contract
	deployer  string
	accounts  []string
	contracts map[string]string // of requirements
}

// newRemapping reads the devnet plan of a project, if it has one.
func newRemapping(folder string, d *deploymentPlan) (*remapping, error) {
	m := &remapping{planned: map[string]requirement{}, contracts: map[string]string{}}
	for _, w := range d.Genesis.Wallets {
		m.accounts = append(m.accounts, w.Address)
		if w.Name == "deployer" {
			m.deployer = w.Address
		}
	}
	text, err := readRegular(filepath.Join(folder, DevnetPlan))
	if errors.Is(err, os.ErrNotExist) {
		return m, nil
	}
	var plan struct {
		Plan struct {
			Batches []struct {
				Transactions []struct {
					Requirement requirement `yaml:"requirement-publish"`
				} `yaml:"transactions"`
			} `yaml:"batches"`
		} `yaml:"plan"`
	}
	if err == nil {
		err = yaml.Unmarshal(text, &plan)
	}
	if err != nil {
		return nil, unreadPlan(err)
	}
	for _, batch := range plan.Plan.Batches {
		for _, t := range batch.Transactions {
			m.planned[t.Requirement.ID] = t.Requirement
		}
	}
	return m, nil
}

var planLine = pattern(`line (\d+): (cannot unmarshal)?(.*)`)

// unreadPlan returns where a plan is not what it has to be.
func unreadPlan(err error) error {
	f := planLine().FindStringSubmatch(err.Error())
	switch {
	case f == nil:
		return fmt.Errorf("%s: %w", DevnetPlan, reason(err))
	case f[2] != "":
		f[3] = "a plan has batches of transactions here, and this is something else"
	}
	return fmt.Errorf("%s:%s: %s", DevnetPlan, f[1], f[3])
}

// of returns how a requirement is deployed: by default by the deployer of the project.
func (m *remapping) of(id string) requirement {
	issuer, _, _ := strings.Cut(id, ".")
	r := m.planned[id]
	if r.Sender == "" {
		r.Sender = m.deployer
	}
	if r.Principals == nil {
		r.Principals = map[string]string{issuer: r.Sender}
	}
	return r
}

// apply deploys the requirements of a project under their new addresses, and uses those in the
// other transactions.
func (m *remapping) apply(all []Staged) error {
	if err := m.clash(all); err != nil {
		return err
	}
	for i := range all {
		if err := m.remap(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

func (m *remapping) remap(s *Staged) (err error) {
	principals := map[string]string{}
	sender := s.Sender.String()
	switch p := s.Payload.(type) {
	case stxtx.SmartContract:
		if s.Sender.Address.Mainnet() {
			r := m.of(sender + "." + p.Name)
			sender, principals = r.Sender, r.Principals
		}
		p.Code = m.text(p.Code, principals)
		s.Payload = p
	case stxtx.ContractCall:
		if s.Sender.Address.Mainnet() {
			sender = m.of(sender + ".").Sender
		}
		if p.Contract, err = clarity.ParseContract(m.text(p.Contract.String(), nil)); err != nil {
			return err
		}
		for i, arg := range p.Args {
			if p.Args[i], err = clarity.ParseLiteral(m.text(clarity.Repr(arg), nil)); err != nil {
				return err
			}
		}
		s.Payload = p
	}
	if s.Sender, err = clarity.ParsePrincipal(sender); err == nil && !s.Sender.Address.Testnet() {
		err = errors.New("contracts run on testnet addresses alone")
	}
	if err != nil {
		return fmt.Errorf("the deployment plan: a transaction of %q: %w", sender, err)
	}
	return nil
}

// onMainnet finds what may be addresses of mainnet in a source.
var onMainnet = pattern(`\bS[PM][0-9A-HJKMNP-TV-Z]{28,41}(\.[a-zA-Z][a-zA-Z0-9_-]*)?`)

// text replaces contracts of requirements, and addresses, in a source.
func (m *remapping) text(source string, principals map[string]string) string {
	return onMainnet().ReplaceAllStringFunc(source, func(id string) string {
		if there, ok := m.contracts[id]; ok {
			return there
		}
		address, name, _ := strings.Cut(id, ".")
		if there, ok := principals[address]; ok {
			return there + id[len(address):len(id)-len(name)] + name
		}
		return id
	})
}

// addSBTC puts the sBTC contracts of the virtual machine first, on each network of which something in
// the project needs them. The token that accounts have amounts of is that of mainnet, if it is there.
func (e *Engine) addSBTC(ctx context.Context, p *Project, m *remapping) error {
	for _, testnet := range []bool{true, false} {
		if err := e.addSBTCOf(ctx, facts.SBTC(testnet), p, m); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) addSBTCOf(ctx context.Context, address string, p *Project, m *remapping) error {
	issuer, err := clarity.ParsePrincipal(address)
	if err != nil {
		return err
	}
	there, needed := map[string]bool{}, false
	for _, s := range p.Transactions {
		deploy, ok := s.Payload.(stxtx.SmartContract)
		needed = needed || ok && (s.Sender == issuer || strings.Contains(deploy.Code, address))
		if ok && s.Sender == issuer {
			there[deploy.Name] = true
		}
	}
	if !needed {
		return nil
	}
	var first []Staged
	for _, name := range sbtcBuiltin {
		if there[name] {
			continue
		}
		source, err := e.builtinSource(ctx, facts.SBTC(false)+"."+name)
		if err != nil {
			return err
		}
		first = append(first, Staged{issuer, stxtx.SmartContract{Name: name, Code: source, ClarityVersion: 3}})
	}
	p.Transactions = append(first, p.Transactions...)
	holder := address
	if issuer.Address.Mainnet() {
		holder = m.of(address + ".sbtc-token").Sender
	}
	token, err := clarity.ParseContract(holder + ".sbtc-token")
	p.SBTC = stxtx.Asset{Contract: token, Name: "sbtc-token"}
	return err
}

// Builtin returns the text of a contract that every virtual machine has. It is read once.
func (s *Session) Builtin(id string) (string, error) {
	e := s.engine
	e.reading.Lock()
	defer e.reading.Unlock()
	if text, ok := e.builtin[id]; ok {
		return text, nil
	}
	text, err := e.builtinSource(context.Background(), id)
	if err == nil {
		e.builtin[id] = text
	}
	return text, err
}

// builtinSource requests the text of a contract that the virtual machine has.
func (e *Engine) builtinSource(ctx context.Context, id string) (string, error) {
	p, err := e.running(ctx)
	if err != nil {
		return "", err
	}
	var answer struct {
		Source *string `json:"source"`
	}
	if err := p.begin("builtin", map[string]any{"contract": id}).wait(openTime, &answer); err != nil {
		return "", err
	}
	if answer.Source == nil {
		return "", fmt.Errorf("the project needs %s, which the virtual machine does not have", id)
	}
	return *answer.Source, nil
}

// Notes returns what is not as the project has it, a line each: contracts that are left out, and under
// which addresses requirements are deployed.
func (p *Project) Notes() []string {
	lines := slices.Clone(p.left)
	for _, id := range slices.Sorted(maps.Keys(p.remapped)) {
		lines = append(lines, "the requirement "+id+" is "+p.remapped[id])
	}
	return lines
}
