package walletcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"chainscope/tui/command/cli"
	"chainscope/wallet/keys"
)

// projectSettings returns the file that has the accounts of the embedded mock's Clarinet project.
func projectSettings(a *cli.App) string {
	return filepath.Join(a.Settings.Mock.Project, "settings", "Devnet.toml")
}

// projectAccount is an account of a Clarinet project.
type projectAccount struct {
	Mnemonic   string `toml:"mnemonic"`
	Derivation string `toml:"derivation"`
}

// projectRing makes the keys of the accounts of the project. Account 0 is the deployer, the
// wallets follow by their numbers, and then all others by their names.
func projectRing(ctx context.Context, a *cli.App) (*keys.Ring, error) {
	path := projectSettings(a)
	raw, err := cli.ReadFile(ctx, path, cli.MaxSecretBytes)
	if err != nil {
		return nil, cli.ReadProblem("--"+cli.MockPrefix+"project", path, cli.MaxSecretBytes, err)
	}
	ring, err := settingsRing(raw)
	if err != nil {
		return nil, cli.Usagef("--%sproject: %s: %v", cli.MockPrefix, path, err)
	}
	return ring, nil
}

// settingsRing reads the accounts of the settings of a Clarinet project. The error quotes
// nothing of them.
func settingsRing(raw []byte) (*keys.Ring, error) {
	var settings struct {
		Accounts map[string]projectAccount `toml:"accounts"`
	}
	if err := toml.Unmarshal(raw, &settings); err != nil {
		if at, is := errors.AsType[*toml.DecodeError](err); is {
			line, column := at.Position()
			return nil, fmt.Errorf("line %d, column %d cannot be read as TOML", line, column)
		}
		return nil, errors.New("it cannot be read as TOML")
	}
	var members []keys.Member
	for _, name := range accountOrder(settings.Accounts) {
		m, err := settings.Accounts[name].member()
		if err != nil {
			return nil, fmt.Errorf("the account %.40q: %w", name, err)
		}
		members = append(members, m)
	}
	if len(members) == 0 {
		return nil, errors.New("it has no accounts; add [accounts.deployer] with a mnemonic")
	}
	return keys.Join(members), nil
}

// derivationOf describes how Clarinet writes the path of an account, before its number.
const derivationOf = "m/44'/5757'/0'/0/"

func (p projectAccount) member() (m keys.Member, err error) {
	number, known := strings.CutPrefix(cmp.Or(p.Derivation, derivationOf+"0"), derivationOf)
	n, err := strconv.ParseUint(number, 10, 31)
	if !known || err != nil {
		return m, fmt.Errorf("the derivation %.40q is not %sN", p.Derivation, derivationOf)
	}
	m.Account = uint32(n)
	m.Ring, err = keys.NewRing(keys.NewSecret(p.Mnemonic), keys.Secret{})
	return m, err
}

// accountOrder returns the order of the accounts of a project.
func accountOrder(accounts map[string]projectAccount) []string {
	var names []string
	for name := range accounts {
		names = append(names, name)
	}
	kind := func(name string) int {
		switch {
		case name == "deployer":
			return 0
		case strings.HasPrefix(name, "wallet_"):
			return 1
		}
		return 2
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(kind(a), kind(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return names
}
