package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/fork"
	"chainscope/wallet/facts"
)

// MockPrefix goes before the flags of the embedded mock.
const MockPrefix = "mock-"

// Default pace of the mock chain and size of its namespace btc.
const (
	defaultBlockInterval = 10 * time.Second
	defaultBurnInterval  = 10 * time.Minute
	defaultMockNames     = 250_000
)

// MockFlags configure a mock API: that of the mock command, or the embedded one.
type MockFlags struct {
	Addr          string
	seed          uint64
	Freeze        string
	blockInterval time.Duration
	burnInterval  time.Duration
	names         int
	scenario      string
	latency       time.Duration
	faults        []string
	replay        string
	apiVersion    string
	epoch         string
	worlds        bool
	automine      bool
	impersonate   []string
	contracts     string
	anyContract   bool
	clarity       bool
	clarityEngine string
	Project       string
	coverage      string
	requirements  string
	state         string
	accessLog     bool
	fork          string
	forkHeight    int64
	forkCache     string
	forkOffline   bool
	remote        bool // the project names the fork

	// Only for the mock command.
	upstream, record string
	UntilEOF         bool
}

// Register adds the flags with a prefix: none for the mock command.
func (m *MockFlags) Register(fs *pflag.FlagSet, prefix string) {
	what := ""
	if prefix == "" {
		fs.StringVar(&m.Addr, "addr", "127.0.0.1:3999", "loopback `address` to listen on")
		fs.StringVar(&m.upstream, "upstream", "", "forward to the live API at a `URL` instead of answering from the mock chain")
		fs.StringVar(&m.record, "record", "", "keep what the upstream answers in a `folder`")
		RegisterUntilEOF(fs, &m.UntilEOF, "mock")
	} else {
		what = "embedded mock: "
		fs.StringVar(&m.Addr, prefix+"addr", "", what+"loopback `address` to listen on (default a free port)")
	}
	fs.Uint64Var(&m.seed, prefix+"seed", 0, what+"`number` that chooses the chain")
	fs.StringVar(&m.Freeze, prefix+"freeze", "", what+"stop the chain's clock at a `time`, RFC 3339")
	fs.DurationVar(&m.blockInterval, prefix+"block-interval", defaultBlockInterval, what+"mean `time` between Stacks blocks")
	fs.DurationVar(&m.burnInterval, prefix+"burn-interval", defaultBurnInterval, what+"mean `time` between burn blocks")
	fs.IntVar(&m.names, prefix+"names", defaultMockNames, what+"`number` of names in the namespace btc")
	fs.StringVar(&m.scenario, prefix+"scenario", "healthy", what+"`scenario`: healthy, slow, flaky, limited, down, corrupt or reorg")
	fs.DurationVar(&m.latency, prefix+"latency", 0, what+"`time` added to every answer")
	fs.StringArrayVar(&m.faults, prefix+"fault", nil, what+"fault `rule` such as status=503,rate=0.1,path=/v1/* (repeatable)")
	fs.StringVar(&m.replay, prefix+"replay", "", what+"serve what --record kept in a `folder`")
	fs.StringVar(&m.apiVersion, prefix+"api-version", facts.DefaultRelease, what+"`version` of the API whose routes are served: 8, 9, sunset or v3")
	fs.StringVar(&m.epoch, prefix+"epoch", "", what+"`epoch` that the network is in: 4.0, 3.4 or 3.3 (default 4.0, or 3.3 with API 8)")
	fs.BoolVar(&m.worlds, prefix+"worlds", false, what+"serve isolated worlds, one under each /w/NAME")
	fs.BoolVar(&m.automine, prefix+"automine", false, what+"mine a block as soon as a transaction waits for one")
	fs.StringArrayVar(&m.impersonate, prefix+"impersonate", nil, what+"take transactions of an `address` without its signature, or of all (repeatable)")
	fs.StringVar(&m.fork, prefix+"fork", "", what+"continue from the state of a live `chain`: mainnet, testnet or the URL of an API; with it contracts run")
	fs.Int64Var(&m.forkHeight, prefix+"fork-height", 0, what+"`height` of the fork (default 10 blocks below the tip)")
	fs.StringVar(&m.forkCache, prefix+"fork-cache", "", what+"keep what is read of the live chain in a `folder` (default fork in the state folder)")
	fs.BoolVar(&m.forkOffline, prefix+"fork-offline", false, what+"read nothing but what --"+prefix+"fork-cache keeps")
	fs.StringVar(&m.contracts, prefix+"contracts", "", what+"YAML `file` with what contracts answer")
	fs.BoolVar(&m.anyContract, prefix+"any-contract", false, what+"let unknown contracts be called: they answer (ok true)")
	fs.BoolVar(&m.clarity, prefix+"clarity", false, what+"let deployed contracts run, in the program chainscope-clarity")
	fs.StringVar(&m.Project, prefix+"project", "", what+"Clarinet project in a `folder` whose contracts are deployed first; with it contracts run")
	fs.StringVar(&m.requirements, prefix+"fetch-requirements", "", what+"read the project's requirements that its cache lacks from the API at a `URL`")
	fs.Lookup(prefix + "fetch-requirements").NoOptDefVal = mainnetURL
	fs.StringVar(&m.coverage, prefix+"coverage", "", what+"add what was reached in contracts to an lcov `file` at the end; with it contracts run")
	fs.StringVar(&m.clarityEngine, prefix+"clarity-engine", "", what+"`command` that runs contracts in place of chainscope-clarity")
	fs.StringVar(&m.state, prefix+"state", "", what+"`file` that keeps what is done to the chain; start from it if it is there")
	fs.BoolVar(&m.accessLog, prefix+"access-log", false, what+"print a line for every request")
}

// Scenarios returns the names of the scenarios.
func Scenarios() []string {
	var names []string
	for _, s := range fault.Scenarios() {
		names = append(names, string(s))
	}
	return names
}

// MineAtOnce lets the embedded mock mine for every transaction, where it has a
// chain of its own.
func (m *MockFlags) MineAtOnce() { m.automine = m.replay == "" }

// ForkCache returns where what is read of live chains is kept, "" for the default, and whether nothing else is
// to be read.
func (m *MockFlags) ForkCache() (dir string, offline bool) { return m.forkCache, m.forkOffline }

// Runs reports whether contracts run.
func (m *MockFlags) Runs() bool {
	return m.clarity || m.Project != "" || m.coverage != "" || m.fork != ""
}

func (m *MockFlags) check(prefix string) error {
	_, err := m.config(prefix, nil)
	return err
}

// config returns the configuration, checked as far as flags can be.
func (m *MockFlags) config(prefix string, accessLog io.Writer) (mockserver.Config, error) {
	c := mockserver.Config{
		Seed: m.seed, BlockInterval: m.blockInterval, BurnInterval: m.burnInterval, Names: m.names,
		Scenario: m.scenario, Latency: m.latency, Replay: m.replay, Upstream: m.upstream, Record: m.record,
		APIVersion: m.apiVersion, Epoch: m.epoch, Worlds: m.worlds, Automine: m.automine, Impersonate: m.impersonate, Contracts: m.contracts, AnyContract: m.anyContract, State: m.state,
		Clarity: m.Runs(), ClarityEngine: m.clarityEngine, Project: m.Project, FetchRequirements: m.requirements, Coverage: m.coverage,
	}
	if m.Freeze != "" {
		at, err := time.Parse(time.RFC3339Nano, m.Freeze)
		if err != nil {
			return c, Usagef("--%sfreeze: %q is not an RFC 3339 time such as 2026-01-01T00:00:00Z", prefix, m.Freeze).
				TryFlag(prefix+"freeze", "2026-01-01T00:00:00Z")
		}
		c.Freeze = &at
	}
	if m.blockInterval <= 0 {
		return c, Usagef("--%sblock-interval: %v must be more than 0, such as 10s", prefix, m.blockInterval)
	}
	if m.burnInterval <= 0 {
		return c, Usagef("--%sburn-interval: %v must be more than 0, such as 10m", prefix, m.burnInterval)
	}
	if m.names < 1 {
		return c, Usagef("--%snames: must be at least 1, got %d", prefix, m.names)
	}
	for _, text := range m.faults {
		rule, err := fault.ParseRule(text)
		if err != nil {
			e := Usagef("--%sfault %q: %v", prefix, text, err)
			if _, err := fault.ParseRule("status=" + text); err == nil {
				e = e.TryFlag(prefix+"fault", "status="+text)
			}
			return c, e
		}
		c.Faults = append(c.Faults, rule)
	}
	if err := m.setFork(&c, prefix); err != nil {
		return c, err
	}
	if m.accessLog {
		c.AccessLog = accessLog
	}
	return c, nil
}

// setFork reads the flags of a fork.
func (m *MockFlags) setFork(c *mockserver.Config, prefix string) (err error) {
	if m.fork == APIMock {
		return Usagef("--%sfork: a mock is no live chain; use mainnet, testnet or a URL", prefix).TryFlag(prefix+"fork", "mainnet")
	}
	if err := m.setRemoteData(prefix); err != nil {
		return err
	}
	if m.fork != "" {
		if c.Fork, err = APIURL("--"+prefix+"fork", m.fork); err != nil {
			return err
		}
	}
	if m.forkHeight != 0 {
		c.ForkHeight = &m.forkHeight
	}
	c.ForkCache, c.ForkOffline = m.forkCache, m.forkOffline
	return nil
}

// setRemoteData makes a fork of the live chain that a project names for its contracts, unless flags name one.
func (m *MockFlags) setRemoteData(prefix string) error {
	if m.fork != "" || m.Project == "" {
		return nil
	}
	on, err := engine.ReadRemoteData(m.Project)
	if err != nil {
		return Usagef("--%sproject: %v", prefix, err)
	}
	if on != nil {
		m.fork, m.forkHeight, m.remote = on.API, cmp.Or(m.forkHeight, on.Height), true
	}
	return nil
}

// readForkFor says with what the live chain is read, and where that is kept.
func (m *MockFlags) readForkFor(app *App, c *mockserver.Config) (err error) {
	if c.Fork == "" {
		return nil
	}
	header := app.Header
	if m.remote {
		header = app.keyFor // what the user gave is for no server that a project names
	}
	if c.Header, err = header(c.Fork); err != nil {
		return err
	}
	c.ForkCache, err = app.ForkFolder(c.ForkCache)
	return err
}

// NewMock returns the server that the flags configure. The app shows the user what is worth
// knowing of it, of calls that are refused too unless the explorer has the screen.
func (m *MockFlags) NewMock(app *App, prefix string, accessLog io.Writer) (*mockserver.Server, error) {
	c, err := m.config(prefix, accessLog)
	if err != nil {
		return nil, err
	}
	c.Report, c.Now = app.Notice, app.Now
	for _, live := range []string{c.Upstream, c.FetchRequirements} {
		if live == "" {
			continue
		}
		if c.Header, err = app.keyFor(live); err != nil {
			return nil, err
		}
	}
	if err := m.readForkFor(app, &c); err != nil {
		return nil, err
	}
	if c.FetchRequirements != "" {
		dir, err := app.stateFolder()
		if err != nil {
			return nil, err
		}
		c.RequirementsDir = filepath.Join(dir, "requirements")
	}
	if !app.FullScreen {
		c.Refused = func(contract, function, reason string) {
			help := fmt.Sprintf("describe the contract with --%scontracts", prefix)
			if reason == "NoSuchContract" {
				help += fmt.Sprintf(", or take any call with --%sany-contract", prefix)
			}
			app.Notice(fmt.Sprintf("%s: the mock refuses to call %s of %s; %s", reason, function, contract, help))
		}
	}
	server, err := mockserver.New(c)
	if _, is := errors.AsType[*fork.UnreadError](err); is {
		return nil, &Error{Kind: cmp.Or(Kind(apiclient.KindOf(err)), KindServer), Message: err.Error()} // no server of ours is missing
	}
	if bad, is := errors.AsType[*mockserver.ConfigError](err); is {
		flag := strings.TrimPrefix(bad.Flag, "--")
		e := Usagef("--%s%s: %s", prefix, flag, bad.Reason)
		switch flag {
		case "scenario":
			return nil, e.TryFlag(prefix+flag, cmp.Or(Nearest(m.scenario, Scenarios()), string(fault.Healthy)))
		case "api-version":
			return nil, e.TryFlag(prefix+flag, facts.DefaultRelease)
		case "epoch":
			return nil, e.TryFlag(prefix+flag, mockserver.Epochs()[0])
		}
		return nil, e
	}
	return server, err
}
