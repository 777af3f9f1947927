package engine

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"chainscope/mockserver/contracts"
	"chainscope/wallet/facts"
)

// The files of a project, as messages name them.
const (
	manifestFile = "Clarinet.toml"
	settingsFile = "settings/Devnet.toml"
	simnetPlan   = "deployments/default.simnet-plan.yaml"
)

// manifest is a Clarinet.toml, as far as mistakes in it are found here.
type manifest struct {
	Project   *described          `toml:"project"`
	Contracts map[string]declared `toml:"contracts"`

	folder string
	text   string
}

// described is what a manifest says of its project.
type described struct {
	Requirements []struct {
		ID string `toml:"contract_id"`
	} `toml:"requirements"`
	Cache string `toml:"cache_dir"`
}

// declared is a contract of a manifest.
type declared struct {
	Path    string `toml:"path"`
	Clarity int64  `toml:"clarity_version"`
	Epoch   any    `toml:"epoch"` // a text or a number
}

// checkProject finds what is wrong with a project before the virtual machine reads it, which has
// only its own words for that.
func checkProject(folder string) (*manifest, error) {
	m := &manifest{folder: folder}
	text, err := m.read(manifestFile, m)
	if err != nil {
		return nil, err
	}
	m.text = text
	if m.Project == nil {
		return m, nil // the virtual machine says what is missing
	}
	var settings struct {
		Accounts map[string]any `toml:"accounts"`
	}
	if _, err := m.read(settingsFile, &settings); err != nil {
		return nil, err
	}
	if _, there := settings.Accounts["deployer"]; !there {
		return nil, fmt.Errorf("%s: there is no [accounts.deployer], which deploys the contracts", settingsFile)
	}
	for _, name := range m.names() {
		if err := m.check(name, m.Contracts[name]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// read reads a file in the form of TOML.
func (m *manifest) read(name string, into any) (string, error) {
	text, err := readRegular(filepath.Join(m.folder, filepath.FromSlash(name)))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, reason(err))
	}
	err = toml.Unmarshal(text, into)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return "", fmt.Errorf("%s:%d:%d: %s", name, line, column, strings.TrimPrefix(at.Error(), "toml: "))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(text), nil
}

// reason is an error of a file without the words of the call.
func reason(err error) error {
	if under := errors.Unwrap(err); under != nil {
		return under
	}
	return err
}

// names are the contracts in the order of the manifest.
func (m *manifest) names() []string {
	names := slices.Collect(maps.Keys(m.Contracts))
	slices.SortFunc(names, func(a, b string) int { return m.line(a, "") - m.line(b, "") })
	return names
}

// line is the line on which a contract, or a key of it, is declared.
func (m *manifest) line(name, key string) int {
	found := 0
	for i, text := range strings.Split(m.text, "\n") {
		text = strings.ReplaceAll(strings.TrimSpace(text), " ", "")
		switch {
		case found > 0 && strings.HasPrefix(text, "["):
			return found
		case found > 0 && key != "" && strings.HasPrefix(text, key+"="):
			return i + 1
		case found == 0 && (strings.HasPrefix(text, "[contracts."+name+"]") || strings.HasPrefix(text, `[contracts."`+name+`"]`)):
			found = i + 1
		}
	}
	return max(found, 1)
}

func (m *manifest) wrong(name, key, format string, args ...any) error {
	return fmt.Errorf("%s:%d: the contract %s: %s", manifestFile, m.line(name, key), name, fmt.Sprintf(format, args...))
}

func (m *manifest) check(name string, c declared) error {
	if c.Path == "" {
		return m.wrong(name, "", "it has no path")
	}
	if _, err := readRegular(sourcePath(m.folder, c.Path)); err != nil {
		return m.wrong(name, "path", "%s: %v", c.Path, reason(err))
	}
	epoch := facts.Current()
	if c.Epoch != nil {
		written := fmt.Sprint(c.Epoch)
		if n, ok := c.Epoch.(float64); ok {
			written = strconv.FormatFloat(n, 'f', -1, 64)
		}
		if n, err := strconv.ParseInt(written, 10, 64); err == nil {
			written = fmt.Sprintf("%d.0", n)
		}
		found, known := facts.EpochOf(written)
		switch {
		case known:
			epoch = found
		case written != "latest":
			return m.wrong(name, "epoch", "epoch %v is none that the network has had; the newest is %s", c.Epoch, epoch.Name)
		}
	}
	newest := int64(facts.Current().Clarity)
	switch {
	case c.Clarity < 0 || c.Clarity > newest:
		return m.wrong(name, "clarity_version", "clarity_version = %d is none of 1 to %d", c.Clarity, newest)
	case c.Epoch != nil && c.Clarity > int64(epoch.Clarity):
		return m.wrong(name, "clarity_version", "clarity_version = %d is newer than epoch = %v, which takes 1 to %d", c.Clarity, c.Epoch, epoch.Clarity)
	}
	return nil
}

var (
	circular  = pattern(`CircularReference\(\[(.*?)\]\)`)
	mnemonics = pattern(`mnemonic \(located in [^)]*\) for deploying address is invalid: (.*)`)
	planFile  = pattern(`unable to read file (.*)`)
	badID     = pattern(`malformatted contract_id: (.*)`)
)

// explain says in one sentence, with its place, why the virtual machine cannot read a project.
func (m *manifest) explain(err error) error {
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	said, _, _ := strings.Cut(refused.Message, "\n")
	if f := circular().FindStringSubmatch(said); f != nil {
		names := strings.Split(strings.ReplaceAll(f[1], `"`, ""), ", ")
		return fmt.Errorf("%s:%d: the contracts %s need each other in a circle", manifestFile, max(m.line(names[0], ""), m.requirementLine(names[0])), strings.Join(names, ", "))
	}
	if f := mnemonics().FindStringSubmatch(said); f != nil {
		return fmt.Errorf("%s: the mnemonic of [accounts.deployer] is not valid: %s", settingsFile, f[1])
	}
	if f := planFile().FindStringSubmatch(said); f != nil {
		return fmt.Errorf("%s: %s", simnetPlan, f[1])
	}
	if f := badID().FindStringSubmatch(said); f != nil {
		return fmt.Errorf("%s:%d: the requirement %q is no contract such as SP000000000000000000002Q6VF78.bns", manifestFile, m.requirementLine(f[1]), f[1])
	}
	if strings.Contains(said, "missing field `project`") {
		return fmt.Errorf("%s: there is no [project]", manifestFile)
	}
	said = strings.TrimPrefix(said, "error: ")
	for _, name := range m.names() {
		path := m.Contracts[name].Path
		text, err := readSource(m.folder, path)
		if err != nil {
			continue
		}
		if mistake := contracts.Check(text); mistake != nil {
			return fmt.Errorf("%s:%w", path, mistake)
		}
	}
	return fmt.Errorf("%s: %s", manifestFile, said)
}

// pattern compiles an expression when it is first used: few programs start a project.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
