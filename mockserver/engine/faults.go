package engine

import (
	"encoding/json"
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
	REPL      struct {
		Remote struct {
			Enabled any `toml:"enabled"`
			API     any `toml:"api_url"`
			Height  any `toml:"initial_height"`
		} `toml:"remote_data"`
	} `toml:"repl"`

	folder    string
	text      string
	mnemonics map[string]int // of the accounts: how many words
	left      []string       // contracts that are not deployed, and why
}

// described holds what a manifest says of its project.
type described struct {
	Requirements []struct {
		ID string `toml:"contract_id"`
	} `toml:"requirements"`
	Cache string `toml:"cache_dir"`
}

// declared is a contract of a manifest.
type declared struct {
	Path    string `toml:"path"`
	Clarity *int64 `toml:"clarity_version"` // nil for none
	Epoch   any    `toml:"epoch"`           // a text or a number
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
	if err := m.checkSettings(); err != nil {
		return nil, err
	}
	for _, name := range m.names() {
		if m.Contracts[name].Path == "" {
			m.left = append(m.left, fmt.Sprintf("%s:%d: the contract %s has no path and is left out", manifestFile, m.line(name, ""), name))
			continue
		}
		if err := m.check(name, m.Contracts[name]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// checkSettings finds what the virtual machine has no words for, or dies of.
func (m *manifest) checkSettings() error {
	var settings struct {
		Network  any                       `toml:"network"`
		Accounts map[string]map[string]any `toml:"accounts"`
	}
	if _, err := m.read(settingsFile, &settings); err != nil {
		return err
	}
	if settings.Network == nil {
		return fmt.Errorf("%s: there is no [network]", settingsFile)
	}
	if _, there := settings.Accounts["deployer"]; !there {
		return fmt.Errorf("%s: there is no [accounts.deployer], which deploys the contracts", settingsFile)
	}
	m.mnemonics = map[string]int{}
	for name, account := range settings.Accounts {
		words, _ := account["mnemonic"].(string)
		m.mnemonics[name] = len(strings.Fields(words))
		if path, given := account["derivation"].(string); given && !derivation().MatchString(path) {
			return fmt.Errorf("%s: the derivation %q of [accounts.%s] is no path such as m/44'/5757'/0'/0/0", settingsFile, path, name)
		}
	}
	return nil
}

// owner names the account whose mnemonic is not valid, as far as the message identifies it.
func (m *manifest) owner(message string) string {
	var names []string
	for name, words := range m.mnemonics {
		if !strings.Contains(message, "word count") || strings.Contains(message, fmt.Sprintf("count: %d.", words)) {
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		return "[accounts." + names[0] + "]"
	}
	return "one of [accounts]"
}

// read reads a file in the form of TOML.
func (m *manifest) read(name string, into any) (string, error) {
	text, err := readRegular(filepath.Join(m.folder, filepath.FromSlash(name)))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, reason(err))
	}
	err = toml.Unmarshal(text, into)
	if at, is := errors.AsType[*toml.DecodeError](err); is {
		line, column := at.Position()
		message := strings.TrimPrefix(at.Error(), "toml: ")
		if kinds := kindsOf().FindStringSubmatch(message); kinds != nil {
			message = fmt.Sprintf("a TOML %s where %s belongs", kinds[1], map[string]string{"string": "a string", "int64": "an integer"}[kinds[2]])
		}
		return "", fmt.Errorf("%s:%d:%d: %s", name, line, column, message)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(text), nil
}

// reason returns an error of a file without the words of the call.
func reason(err error) error {
	if under := errors.Unwrap(err); under != nil {
		return under
	}
	return err
}

// names returns the contracts in the order of the manifest.
func (m *manifest) names() []string {
	names := slices.Collect(maps.Keys(m.Contracts))
	slices.SortFunc(names, func(a, b string) int { return m.line(a, "") - m.line(b, "") })
	return names
}

// line returns the line on which a contract, or a key of it, is declared.
func (m *manifest) line(name, key string) int {
	found, bare := 0, strings.ReplaceAll(name, " ", "")
	for i, text := range strings.Split(m.text, "\n") {
		text = strings.ReplaceAll(strings.TrimSpace(text), " ", "")
		switch {
		case found > 0 && strings.HasPrefix(text, "["):
			return found
		case found > 0 && key != "" && strings.HasPrefix(text, key+"="):
			return i + 1
		case found == 0 && (strings.HasPrefix(text, "[contracts."+bare+"]") || strings.HasPrefix(text, `[contracts."`+bare+`"]`)):
			found = i + 1
		}
	}
	return max(found, 1)
}

func (m *manifest) wrong(name, key, format string, args ...any) error {
	return fmt.Errorf("%s:%d: the contract %s: %s", manifestFile, m.line(name, key), name, fmt.Sprintf(format, args...))
}

func (m *manifest) check(name string, c declared) error {
	if !contractName().MatchString(name) {
		return m.wrong(name, "", "the name is not that of a contract: a letter, and at most 39 letters, digits, - and _ after it")
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
	switch v := c.Clarity; {
	case v == nil:
	case *v < 1 || *v > newest:
		return m.wrong(name, "clarity_version", "clarity_version = %d is none of 1 to %d", *v, newest)
	case c.Epoch != nil && *v > int64(epoch.Clarity):
		return m.wrong(name, "clarity_version", "clarity_version = %d is newer than epoch = %v, which takes 1 to %d", *v, c.Epoch, epoch.Clarity)
	}
	return nil
}

var (
	circular  = pattern(`CircularReference\(\[(.*?)\]\)`)
	mnemonics = pattern(`mnemonic \(located in [^)]*\) for deploying address is invalid: (.*)`)
	planFile  = pattern(`unable to read file (.*)`)
	badID     = pattern(`malformatted contract_id: (.*)`)
	// metadata is said of a file beside a requirement in the cache, placeOf of files that are read by their form.
	metadata       = pattern(`Unable to parse metadata file: (.*)`)
	placeOf        = pattern(`(.*) at line (\d+) column (\d+)$`)
	structName     = pattern(`expected struct \w+`)
	kindsOf        = pattern(`cannot decode TOML (\w+) into struct field \S+ of type (\w+)`)
	derivation     = pattern(`^m(/[0-9]+'?)+$`)
	interdependent = pattern(`detected interdependent functions \(([^,)]+)(.*)\)`)
	contractName   = pattern(`^[a-zA-Z][a-zA-Z0-9_-]{0,39}$`)
)

// explain says in one sentence, with its place, why the virtual machine cannot read a project.
func (m *manifest) explain(err error) error {
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	message, _, _ := strings.Cut(refused.Message, "\n")
	if f := circular().FindStringSubmatch(message); f != nil {
		names := strings.Split(strings.ReplaceAll(f[1], `"`, ""), ", ")
		what := fmt.Sprintf("the contracts %s need each other in a circle", strings.Join(names, ", "))
		if len(names) == 1 {
			what = fmt.Sprintf("the contract %s needs itself", names[0])
		}
		return fmt.Errorf("%s:%d: %s", manifestFile, max(m.line(names[0], ""), m.requirementLine(names[0])), what)
	}
	if f := mnemonics().FindStringSubmatch(message); f != nil {
		return fmt.Errorf("%s: the mnemonic of %s is not valid: %s", settingsFile, m.owner(f[1]), f[1])
	}
	if f := planFile().FindStringSubmatch(message); f != nil {
		return placedIn(simnetPlan, f[1])
	}
	if f := metadata().FindStringSubmatch(message); f != nil {
		return placedIn(m.unread(), f[1])
	}
	if f := badID().FindStringSubmatch(message); f != nil {
		return fmt.Errorf("%s:%d: the requirement %q is no contract such as SP000000000000000000002Q6VF78.bns", manifestFile, m.requirementLine(f[1]), f[1])
	}
	if strings.Contains(message, "missing field `project`") {
		return fmt.Errorf("%s: there is no [project]", manifestFile)
	}
	message = strings.TrimPrefix(message, "error: ")
	for _, name := range m.names() {
		if c := m.Contracts[name]; c.Clarity != nil && c.Epoch == nil && strings.HasPrefix(message, fmt.Sprintf("Clarity %d can not be used with ", *c.Clarity)) {
			return m.wrong(name, "clarity_version", "%s, which is its epoch where none is given; give one", message)
		}
		path := m.Contracts[name].Path
		text, err := readSource(m.folder, path)
		if err != nil {
			continue
		}
		if at, ofThis := strings.CutPrefix(message, sourcePath(m.folder, path)); ofThis {
			return inContract(name, path, at, text)
		}
		if mistake := contracts.Check(text); mistake != nil {
			return fmt.Errorf("%s:%w", path, mistake)
		}
		if before, _, windows := strings.Cut(text, "\r"); windows {
			return fmt.Errorf("%s:%d: a line ends with a carriage return, which no node reads; end lines with a line feed alone", path, 1+strings.Count(before, "\n"))
		}
	}
	return fmt.Errorf("%s: %s", manifestFile, message)
}

// inContract returns what is wrong with a contract, with its place; that of functions that call each other
// is found here.
func inContract(name, path, message, text string) error {
	place, message, _ := strings.Cut(message, ": ")
	if f := interdependent().FindStringSubmatch(message); f != nil {
		line, column := locate(f[1], text, 0, 0)
		place, message = fmt.Sprintf(":%d:%d", line, column), fmt.Sprintf("the functions %s%s call each other, which no function may", f[1], f[2])
	}
	return fmt.Errorf("%s%s: the contract %s: %s", path, place, name, message)
}

// placedIn puts a file before a message, with the line and the column at the end of that.
func placedIn(file, message string) error {
	message = structName().ReplaceAllString(message, "expected a table")
	if f := placeOf().FindStringSubmatch(message); f != nil {
		return fmt.Errorf("%s:%s:%s: %s", file, f[2], f[3], f[1])
	}
	return fmt.Errorf("%s: %s", file, message)
}

// unread returns the first file beside a requirement in the cache that says nothing of an epoch which the
// virtual machine knows; the folder where all do.
func (m *manifest) unread() string {
	files, _ := filepath.Glob(m.cached("*"))
	for _, file := range files {
		file = strings.TrimSuffix(file, ".clar") + ".json"
		text, err := readRegular(file)
		var message struct{ Epoch string }
		known := slices.ContainsFunc(facts.Epochs, func(e facts.Epoch) bool {
			return strings.ReplaceAll(e.ID, "_", "") == strings.ReplaceAll(message.Epoch, "_", "")
		})
		if err == nil && (json.Unmarshal(text, &message) != nil || !known) {
			return m.within(file)
		}
	}
	return m.within(filepath.Dir(m.cached("*")))
}

// within returns a path as messages have it: from the folder of the project.
func (m *manifest) within(path string) string { return Within(m.folder, path) }

// Within returns a path from a folder, or the path where it is elsewhere.
func Within(folder, path string) string {
	if from, err := filepath.Rel(folder, path); err == nil {
		return filepath.ToSlash(from)
	}
	return path
}

// pattern compiles an expression when it is first used: few programs start a project.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
