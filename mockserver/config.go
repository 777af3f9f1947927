package mockserver

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"chainscope/apiclient/wire"
	"chainscope/mockserver/api"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/names"
	"chainscope/mockserver/world"
	"chainscope/wallet/atomicfile"
	"chainscope/wallet/facts"
)

// Config describes what a Server answers and how. The zero value is a healthy mock
// chain with seed 0 and the default pace.
type Config struct {
	// Seed chooses the chain; two servers with one seed, one pace and one clock
	// answer the same.
	Seed uint64
	// Freeze stops the clock of the chain. nil lets it run.
	Freeze *time.Time
	// BlockInterval is the mean time between Stacks blocks, 0 for 10 s.
	BlockInterval time.Duration
	// BurnInterval is the mean time between burn blocks, 0 for 10 min.
	BurnInterval time.Duration
	// Names is the number of names in the namespace btc, 0 for 250,000.
	Names int
	// Scenario is one of fault.Scenarios, "" for healthy.
	Scenario string
	// Latency is added to every answer outside /mock/v1.
	Latency time.Duration
	// Faults are applied in order, see package fault.
	Faults []fault.Rule
	// Replay is a folder that tape recorded; what it holds is served, nothing else.
	Replay string
	// Upstream is the base URL of a live API to which what only reads is forwarded.
	Upstream string
	// Record is the folder that keeps what the upstream answered.
	Record string
	// APIVersion is one of APIVersions, "" for that of today.
	APIVersion string
	// Epoch is one of Epochs, "" for the one in which the API has run: that of today but for 8.
	Epoch string
	// Worlds serves named worlds under /w/NAME/, each isolated from the others.
	Worlds bool
	// Automine mines a block as soon as a transaction waits for one.
	Automine bool
	// Impersonate holds addresses, or "all", whose transactions are taken whoever signed them.
	Impersonate []string
	// Contracts is a YAML file with canned answers of contracts, see package
	// contracts.
	Contracts string
	// AnyContract lets unknown contracts be called: they answer (ok true).
	AnyContract bool
	// Clarity lets deployed contracts run, in a program that is installed beside this one, on
	// a young chain.
	Clarity bool
	// ClarityEngine is the command of that program, "" to look for it.
	ClarityEngine string
	// Project is the folder of a Clarinet project, whose contracts are deployed first and whose
	// accounts have what it says. It needs Clarity.
	Project string
	// FetchRequirements is the URL of an API from which requirements of the project are read
	// that its cache lacks, "" for none; RequirementsDir is a folder that keeps them.
	FetchRequirements, RequirementsDir string
	// Fork is the base URL of the API of a live chain whose state the chain continues, "" for none.
	// Contracts run then.
	Fork string
	// ForkHeight is the block of it, nil for one that is not replaced any more.
	ForkHeight *int64
	// ForkCache is a folder that keeps what is read of it, "" for none. ForkOffline takes everything from
	// there.
	ForkCache   string
	ForkOffline bool
	// Header is sent to the live API of Upstream, Fork or FetchRequirements, where a client's own
	// request does not say otherwise.
	Header http.Header
	// Coverage is a file to which is added, when the server is closed, what was reached in
	// contracts that run, in lcov's form; "" for none. It needs Clarity.
	Coverage string
	// State is a file that keeps what is done to the server's own world, with a folder
	// beside it for named worlds. If it is there, the server starts from it. No other
	// server can use it until this one is closed or its process ends.
	State string
	// Report is given messages for the user, such as that the end of the state file was lost; nil
	// drops them.
	Report func(message string)
	// Refused is given each call that was refused because nobody has described its contract or
	// function, with the node's reason; nil drops them.
	Refused func(contract, function, reason string)
	// AccessLog gets one line per request, nil for none.
	AccessLog io.Writer
	// BodyTimeout bounds how long the body of a request may take to arrive, 0 for
	// 10 s. A slower one is answered 408 and its connection closed.
	BodyTimeout time.Duration
	// IdleTimeout bounds how long a connection is kept without a request, 0 for
	// 2 min.
	IdleTimeout time.Duration
	// Now is the wall clock, nil for time.Now.
	Now func() time.Time
	// Sleep waits or returns the context's error, nil for real time.
	Sleep func(context.Context, time.Duration) error

	born     int64          // of a young chain, Unix milliseconds
	forkedAt world.ForkedAt // of the state file
	// forkPatience bounds how long one value of a live chain may take, 0 for the source's own bound.
	forkPatience time.Duration
}

// Time limits of a connection.
const (
	headerTimeout      = 10 * time.Second
	defaultBodyTimeout = 10 * time.Second
	defaultIdleTimeout = 2 * time.Minute
)

// fillIn replaces zero values that have a default.
func (c *Config) fillIn() {
	c.BodyTimeout = cmp.Or(c.BodyTimeout, defaultBodyTimeout)
	c.IdleTimeout = cmp.Or(c.IdleTimeout, defaultIdleTimeout)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Report == nil {
		c.Report = func(string) {}
	}
	if c.Refused == nil {
		c.Refused = func(string, string, string) {}
	}
	if c.Sleep == nil {
		c.Sleep = wire.Sleep
	}
}

// ConfigError names the flag of `chainscope mock` whose value cannot be used.
type ConfigError struct {
	Flag   string // with its dashes: "--scenario"
	Reason string // what is wrong and what would be right
}

func (e *ConfigError) Error() string { return e.Flag + ": " + e.Reason }

// badFlag returns a ConfigError.
func badFlag(flag, format string, args ...any) error {
	return &ConfigError{Flag: flag, Reason: fmt.Sprintf(format, args...)}
}

// check refuses what cannot be served; the pace of the chain and the freeze are
// checked where the chain is made.
func (c Config) check() error {
	if _, err := fault.ParseScenario(c.Scenario); c.Scenario != "" && err != nil {
		return badFlag("--scenario", "%v", err)
	}
	if c.Latency < 0 {
		return badFlag("--latency", "%v is negative; give 0 or more, such as 40ms", c.Latency)
	}
	if c.Names < 0 {
		return badFlag("--names", "%d is negative; give the number of names, such as 250000", c.Names)
	}
	for _, r := range c.Faults {
		if err := r.Check(); err != nil {
			return badFlag("--fault", "%v", err)
		}
	}
	for _, a := range c.Impersonate {
		if err := world.CheckImpersonated(a); err != nil {
			return badFlag("--impersonate", "%v", err)
		}
	}
	if err := c.checkFork(); err != nil {
		return err
	}
	if c.Replay != "" && c.Upstream != "" {
		return badFlag("--replay", "cannot be used with --upstream: a server replays or records, not both")
	}
	if flag := c.needsChain(); flag != "" && (c.Replay != "" || c.Upstream != "") {
		return badFlag(flag, "needs the mock chain; it cannot be used with --replay or --upstream")
	}
	if c.Scenario == string(fault.Reorg) && (c.Replay != "" || c.Upstream != "") {
		return badFlag("--scenario", "%s needs the mock chain; with --replay or --upstream use one of the others", c.Scenario)
	}
	if c.Record != "" && c.Upstream == "" {
		return badFlag("--record", "needs --upstream URL, the live API to record")
	}
	if c.Upstream != "" {
		u, err := url.Parse(c.Upstream)
		switch {
		case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
			return badFlag("--upstream", "%s is no http or https URL; give one such as https://api.hiro.so", redactedURL(c.Upstream))
		case u.User != nil:
			return badFlag("--upstream", "must not hold a user name or password; send an API key with the request header x-api-key")
		case u.RawQuery != "" || u.Fragment != "":
			return badFlag("--upstream", "must end with its path; remove the query and the fragment")
		}
	}
	if c.Replay != "" {
		info, err := os.Stat(c.Replay)
		if err != nil {
			return badFlag("--replay", "%v; give a folder made with --record", err)
		}
		if !info.IsDir() {
			return badFlag("--replay", "%s is no folder; give one made with --record", strconv.QuoteToASCII(c.Replay))
		}
	}
	return nil
}

// needsChain returns a flag that makes no sense without the mock chain, "" for
// none.
func (c Config) needsChain() string {
	switch {
	case c.APIVersion != "" && c.APIVersion != facts.DefaultRelease:
		return "--api-version"
	case c.Epoch != "":
		return "--epoch"
	case c.Worlds:
		return "--worlds"
	case c.Automine:
		return "--automine"
	case len(c.Impersonate) > 0:
		return "--impersonate"
	case c.Contracts != "":
		return "--contracts"
	case c.Clarity:
		return "--clarity"
	case c.State != "":
		return "--state"
	case c.Freeze != nil:
		return "--freeze"
	case c.BlockInterval != 0 && c.BlockInterval != defaultBlockInterval:
		return "--block-interval"
	case c.BurnInterval != 0 && c.BurnInterval != defaultBurnInterval:
		return "--burn-interval"
	case c.Names != 0 && c.Names != names.DefaultCount:
		return "--names"
	}
	return ""
}

// maxContractsFile bounds the file of canned answers, in bytes.
const maxContractsFile = 4 << 20

// readContracts reads the canned answers.
func (c Config) readContracts() (contracts.Book, error) {
	if c.Contracts == "" {
		return contracts.Book{}, nil
	}
	f, _, err := atomicfile.OpenRegular(c.Contracts, os.O_RDONLY, 0)
	if err != nil {
		return contracts.Book{}, badFlag("--contracts", "%v; give a YAML file with a list of %s", err, contracts.Example)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxContractsFile+1))
	if err == nil && len(data) > maxContractsFile {
		err = fmt.Errorf("it is larger than %d bytes", maxContractsFile)
	}
	if err != nil {
		return contracts.Book{}, badFlag("--contracts", "%s: %v", quoted(c.Contracts), err)
	}
	book, err := contracts.ParseYAML(data)
	if err != nil {
		return book, badFlag("--contracts", "%s: %v", quoted(c.Contracts), err)
	}
	return book, nil
}

// openState takes the state file for this server, nil if none is requested. On a fork contracts run.
func (c *Config) openState() (*world.StateFile, error) {
	c.Clarity = c.Clarity || c.Fork != ""
	if c.State == "" {
		return nil, nil //nolint:nilnil // no file is no error
	}
	file, err := world.OpenStateFile(c.State)
	if err != nil {
		return nil, badFlag("--state", "%s: %v", quoted(c.State), err)
	}
	return file, nil
}

// useChain takes the chain from a state file. A flag that requests another chain is
// refused.
func (c *Config) useChain(file *world.StateFile) error {
	if file == nil || file.New {
		return nil
	}
	p, err := file.Header.Params()
	if err != nil {
		return badFlag("--state", "%s: %v", quoted(c.State), err)
	}
	differs := func(flag string, holds, requested any) error {
		return badFlag("--state", "%s holds a chain with %s %v, not %v; leave the flag out, or name another file", quoted(c.State), flag, holds, requested)
	}
	switch {
	case c.Seed != 0 && c.Seed != p.Seed:
		return differs("--seed", p.Seed, c.Seed)
	case c.BlockInterval != 0 && c.BlockInterval != defaultBlockInterval && c.BlockInterval != p.BlockInterval:
		return differs("--block-interval", p.BlockInterval, c.BlockInterval)
	case c.BurnInterval != 0 && c.BurnInterval != defaultBurnInterval && c.BurnInterval != p.BurnInterval:
		return differs("--burn-interval", p.BurnInterval, c.BurnInterval)
	case (c.Fork != "") != (file.Header.Fork.Height != 0):
		return badFlag("--state", "%s", c.otherFork(file.Header.Fork))
	case c.ForkHeight != nil && *c.ForkHeight != file.Header.Fork.Height:
		return differs("--fork-height", file.Header.Fork.Height, *c.ForkHeight)
	case c.Clarity != (p.Born != 0):
		return badFlag("--state", "%s", c.otherKind(p.Born != 0))
	case c.Names != 0 && c.Names != names.DefaultCount && c.Names != file.Header.Names:
		return differs("--names", file.Header.Names, c.Names)
	case c.Epoch != "" && c.Epoch != file.Header.Epoch && c.Fork == "":
		return differs("--epoch", file.Header.Epoch, c.Epoch)
	case c.Freeze != nil && (file.Header.Freeze == nil || !file.Header.Freeze.Equal(*c.Freeze)):
		return badFlag("--state", "%s holds a chain with another clock; leave --freeze out, or name another file", quoted(c.State))
	}
	c.Seed, c.BlockInterval, c.BurnInterval, c.born = p.Seed, p.BlockInterval, p.BurnInterval, p.Born
	c.Names, c.Freeze, c.Epoch = file.Header.Names, file.Header.Freeze, file.Header.Epoch
	if at := file.Header.Fork; at.Height != 0 {
		c.ForkHeight, c.forkedAt, c.Epoch = &at.Height, at, ""
	}
	return nil
}

// otherFork says that a state file has a fork, or has none.
func (c *Config) otherFork(at world.ForkedAt) string {
	if at.Height != 0 {
		return fmt.Sprintf("%s holds a fork of %s at height %d; add --fork, or name another file", quoted(c.State), at.Network, at.Height)
	}
	return quoted(c.State) + " holds a chain that is no fork; leave --fork out, or name another file"
}

// otherKind says that a state file has a chain on which contracts run, or has not.
func (c *Config) otherKind(runs bool) string {
	if runs {
		return quoted(c.State) + " holds a chain on which contracts run; add --clarity, or name another file"
	}
	return quoted(c.State) + " holds a chain on which no contracts run; leave --clarity out, or name another file"
}

// quoted returns a file's name as it is shown in an error.
func quoted(path string) string { return strconv.QuoteToASCII(path) }

// redactedURL cuts what may be a credential out of a URL that is shown in an error.
func redactedURL(s string) string {
	u, err := url.Parse(s)
	switch {
	case err == nil && u.Opaque == "":
		u.RawQuery, u.Fragment = "", ""
		return quoted(u.Redacted())
	case !strings.ContainsAny(s, "@?#"):
		return quoted(s)
	}
	return "the value given"
}

// APIVersions lists the values of Config.APIVersion, the oldest first.
func APIVersions() []string {
	var names []string
	for _, r := range facts.Releases {
		names = append(names, r.Flag)
	}
	return names
}

// Epochs lists the values of Config.Epoch, the default first.
func Epochs() []string { return facts.Playable }

// turn finds the service and the network that are played. An API that is named alone
// comes with the network of its time. Errors are *ConfigError.
func (c Config) turn() (api.Generation, facts.Epoch, error) {
	flag := cmp.Or(c.APIVersion, facts.DefaultRelease)
	at := slices.Index(APIVersions(), flag)
	if at < 0 {
		return 0, facts.Epoch{}, badFlag("--api-version", "no API version %q; it is one of %s", flag, strings.Join(APIVersions(), ", "))
	}
	g := api.Generation(at + 1)
	name := cmp.Or(c.Epoch, facts.Releases[at].Epochs[0])
	epoch, _ := facts.EpochOf(name)
	if !slices.Contains(Epochs(), name) {
		return 0, epoch, badFlag("--epoch", "no epoch %q that is played; it is one of %s", name, strings.Join(Epochs(), ", "))
	}
	return g, epoch, nil
}

// oddPair says that a service and a network have never run together, "" if they have.
func oddPair(g api.Generation, e facts.Epoch) string {
	r := g.Release()
	if slices.Contains(r.Epochs, e.Name) {
		return ""
	}
	return fmt.Sprintf("the API's %s has never run in epoch %s; it is played all the same", strings.TrimPrefix(r.Version, "v"), e.Name)
}
