package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/resource"
	"chainscope/tui/state"
	"chainscope/wallet/facts"
)

// Base URLs of the named APIs.
const (
	APIMock    = "mock"
	mainnetURL = "https://api.hiro.so"
	testnetURL = "https://api.testnet.hiro.so"
)

// Settings are the flags that every command has.
type Settings struct {
	API      string
	Headers  []string
	Timeout  time.Duration
	Output   string
	fields   string
	jq       string
	Filter   *JQFilter // of jq, nil for none
	NoColor  bool
	Config   string
	StateDir string
	logFile  string
	Mock     MockFlags
}

// Register adds the flags.
func (s *Settings) Register(fs *pflag.FlagSet) {
	fs.StringVar(&s.API, "api", APIMock, "`API` to ask: mock, mainnet, testnet or a URL")
	fs.StringArrayVar(&s.Headers, "header", nil, "request `header`, 'Name: value', sent to the API only (repeatable)")
	fs.DurationVar(&s.Timeout, "timeout", 10*time.Second, "`time` that one API call may take, retries included")
	fs.StringVarP(&s.Output, "output", "o", "table", "`format` of the output: table, json, ndjson or csv")
	fs.StringVar(&s.fields, "fields", "", "`columns` of table, ndjson and csv: names of the JSON answer such as height,txs.0")
	fs.StringVar(&s.jq, "jq", "", "filter JSON output with a jq `expression`; --timeout bounds the time to each result")
	fs.BoolVar(&s.NoColor, "no-color", false, "no colors (NO_COLOR does the same)")
	fs.StringVar(&s.Config, "config", "", "configuration `file` (default chainscope/config.toml in the XDG config folder, on Linux ~/.config)")
	fs.StringVar(&s.StateDir, "state-dir", "", "`folder` for bookmarks, history and the like (default chainscope in the XDG state folder, on Linux ~/.local/state)")
	fs.StringVar(&s.logFile, "log-file", "", "append a line per request of the API and per call of the wallet to a `file`")
	s.Mock.Register(fs, MockPrefix)
}

func (s *Settings) check() error {
	if !slices.Contains(Formats, s.Output) {
		return Usagef("--output: unsupported format %q (want table, json, ndjson or csv)", s.Output).TryFlag("output", suggestFormat(s.Output))
	}
	if err := s.checkColumns(); err != nil {
		return err
	}
	if s.Timeout <= 0 {
		return Usagef("--timeout: %v must be more than 0, such as 10s", s.Timeout)
	}
	if _, err := s.BaseURL(); err != nil {
		return err
	}
	if _, err := s.Header(); err != nil {
		return err
	}
	return s.Mock.check(MockPrefix)
}

// suggestFormat returns the format that a word means which none has.
func suggestFormat(word string) string {
	switch word {
	case "jsonl", "json-lines", "jsonlines":
		return FormatNDJSON
	case "tsv":
		return FormatCSV
	}
	return cmp.Or(Nearest(word, Formats), FormatJSON)
}

// checkColumns refuses --fields and --jq where they say nothing, and compiles the
// expression.
func (s *Settings) checkColumns() (err error) {
	switch {
	case s.jq != "" && s.fields != "":
		return Usagef("use --jq or --fields, not both")
	case s.jq != "" && s.Output == FormatCSV:
		return Usagef("--jq: filters JSON; use -o json or -o ndjson")
	case s.fields != "" && s.Output == FormatJSON:
		return Usagef("--fields: columns of table, ndjson and csv; use --jq with -o json")
	case slices.Contains(s.Columns(), ""):
		return Usagef("--fields: %q has an empty name; use names such as height,hash", s.fields)
	}
	if s.jq != "" {
		s.Filter, err = newJQ(s.jq, s.Timeout)
	}
	return err
}

// BaseURL returns the address of the API, "" for the embedded mock.
func (s *Settings) BaseURL() (string, error) { return APIURL("--api", s.API) }

// NameOf names the API at a base URL for people.
func (s *Settings) NameOf(baseURL string) string {
	switch s.API {
	case APIMock:
		return "MOCK"
	case apiclient.Mainnet, apiclient.Testnet:
		return s.API
	}
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" {
		return u.Host
	}
	return baseURL
}

// Known returns the network that --api names, "" where the server has to report it.
func (s *Settings) Known() string {
	switch {
	case s.API == APIMock && (s.Mock.Project != "" && s.Mock.fork == "" || s.Mock.fork == apiclient.Testnet), s.API == apiclient.Testnet:
		return apiclient.Testnet
	case s.API == APIMock && (s.Mock.fork == "" || s.Mock.fork == apiclient.Mainnet), s.API == apiclient.Mainnet:
		return apiclient.Mainnet
	}
	return ""
}

// APIURL returns the URL that a value of --api means, "" for the embedded mock. name is
// what errors call the value.
func APIURL(name, api string) (string, error) {
	switch api {
	case APIMock:
		return "", nil
	case "mainnet":
		return mainnetURL, nil
	case "testnet":
		return testnetURL, nil
	}
	u, err := url.Parse(api)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		e := Usagef("%s: unknown API %q; use mock, mainnet, testnet or a URL such as http://127.0.0.1:3999", name, api)
		if strings.HasSuffix(name, "fork") {
			e = Usagef("%s: unknown API %q; use mainnet, testnet or a URL such as https://api.hiro.so", name, api)
		}
		switch suggestion := suggestAPI(api); {
		case suggestion == "":
		case name == "--api":
			e = e.TryFlag("api", suggestion)
		case suggestion == APIMock && strings.HasSuffix(name, "fork"):
		default:
			e = e.TryWord(api, suggestion)
		}
		return "", e
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", Usagef("%s: the URL must have no user, query or fragment; send an API key with --header 'x-api-key: …'", name)
	}
	return api, nil
}

// suggestAPI returns what a value of --api that is none may mean, "" where nothing is near.
func suggestAPI(api string) string {
	names := []string{APIMock, "mainnet", "testnet"}
	if suggestion := Nearest(strings.ToLower(api), names); suggestion != "" {
		return suggestion
	}
	for _, name := range names {
		if word := strings.ToLower(api); word == name || len(word) > 2 && strings.HasPrefix(name, word) {
			return name
		}
	}
	u, err := url.Parse("https://" + api)
	if err != nil || strings.Contains(api, "://") || u.Host == "" || u.User != nil {
		return ""
	}
	switch host := u.Hostname(); {
	case host == "localhost" && u.Port() == "", net.ParseIP(host).IsLoopback() && u.Port() == "":
		return "http://" + host + ":3999"
	case host == "localhost" || net.ParseIP(host) != nil:
		return "http://" + api
	case strings.Contains(host, "."):
		return "https://" + api
	}
	return ""
}

// Header reads the values of --header. Errors never repeat a value.
func (s *Settings) Header() (http.Header, error) {
	h := http.Header{}
	for i, line := range s.Headers {
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsFunc(name, notToken) {
			return nil, Usagef("--header: number %d is not of the form 'Name: value'", i+1)
		}
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return nil, Usagef("--header: the value of %s has a control character", name)
		}
		h.Add(name, value)
	}
	return h, nil
}

// hiroKey is the environment variable with the key that Hiro's APIs take, as Clarinet has it.
const hiroKey = "HIRO_API_KEY"

// Header returns what is sent to the API at a base URL: the values of --header, and the key of
// HIRO_API_KEY unless they have one.
func (a *App) Header(baseURL string) (http.Header, error) {
	given, err := a.Settings.Header()
	if err != nil || given.Get("x-api-key") != "" {
		return given, err
	}
	key, err := a.keyFor(baseURL)
	maps.Copy(given, key)
	return given, err
}

// keyFor returns the header with the key of HIRO_API_KEY for an API of Hiro over TLS, none for others.
func (a *App) keyFor(baseURL string) (http.Header, error) {
	h := http.Header{}
	u, err := url.Parse(baseURL)
	if err != nil || u.Scheme != "https" || !slices.Contains(facts.HiroHosts, u.Hostname()) {
		return h, nil //nolint:nilerr // who connects says what is wrong with the URL
	}
	key, _ := a.Streams.Env(hiroKey)
	if key = strings.TrimSpace(key); strings.ContainsFunc(key, unicode.IsControl) {
		return h, Usagef("%s: the value has a control character", hiroKey)
	}
	if key != "" {
		h.Set("x-api-key", key)
	}
	return h, nil
}

// notToken reports whether the name of a header cannot have a character.
func notToken(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
}

// Annotations of flags and commands.
const (
	// FlagOnly flags are read from the command line and nowhere else.
	FlagOnly = "chainscope/flag-only"
	// WithoutConfig commands read neither environment nor configuration.
	WithoutConfig = "chainscope/without-config"
)

// Layer fills in the flags that the command line did not give: from the
// environment, else from the configuration file, else the default stays.
func (a *App) Layer(cmd *cobra.Command) error {
	given := map[string]bool{}
	cmd.Flags().Visit(func(f *pflag.Flag) { given[f.Name] = true })
	a.FromCommandLine, a.from = given, map[string]string{}

	config := cmd.Flags().Lookup("config")
	if err := a.fromEnvironment(cmd, config); err != nil {
		return err
	}
	path, named := a.Settings.Config, a.Settings.Config != ""
	if !named {
		path = state.ConfigFile()
	}
	keys := keymap.Default()
	loaded, err := Awaited(cmd.Context(), func() (state.Config, error) {
		return state.LoadConfig(path, named, keys.BindingNames)
	})
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return err
		}
		if _, is := errors.AsType[*fs.PathError](err); is && named {
			return AtFile(Usagef("--config: %v", err), "config", path)
		}
		return Usagef("%v", err)
	}
	a.Config = loaded
	if err := keys.Rebind(loaded.Bindings()); err != nil {
		var about []string
		if problem := new(keymap.Problem); errors.As(err, &problem) {
			for _, name := range problem.Bindings {
				about = append(about, "keys."+name)
			}
		}
		return Usagef("%v", loaded.Problem(err.Error(), about...))
	}
	a.Keys = keys
	if list, err := resource.CheckOwn(loaded.Columns); err != nil {
		return Usagef("%v", loaded.Problem("columns: "+err.Error(), "columns."+list))
	}
	fromFile := loaded.Flags()

	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if err != nil || given[f.Name] || f.Name == "config" || f.Name == "help" || f.Annotations[FlagOnly] != nil {
			return
		}
		if err = a.fromEnvironment(cmd, f); err != nil || f.Changed {
			return
		}
		message, ok := fromFile[f.Name]
		if !ok && IsMock(cmd) && f.Name != "addr" {
			message, ok = fromFile[MockPrefix+f.Name]
		}
		if ok {
			a.from[f.Name] = loaded.Problem(message.Key, message.Key).Error()
			err = setFlag(f, message.Values)
		}
	})
	return err
}

func (a *App) fromEnvironment(cmd *cobra.Command, f *pflag.Flag) error {
	if f.Changed {
		return nil
	}
	for _, name := range environmentNames(cmd, f) {
		value, ok := a.Streams.Env(name)
		if !ok || value == "" {
			continue
		}
		values := []string{value}
		if _, list := f.Value.(pflag.SliceValue); list {
			values = slices.DeleteFunc(strings.Split(value, "\n"), func(s string) bool { return strings.TrimSpace(s) == "" })
		}
		a.from[f.Name] = name
		return setFlag(f, values)
	}
	return nil
}

// nameSource names the environment variable, or the line of the config, that gave a flag
// the value which an error complains of, in place of the flag.
func (a *App) nameSource(message string) string {
	flag, rest, found := strings.Cut(message, ":")
	if source := a.from[strings.TrimPrefix(flag, "--")]; found && source != "" && strings.HasPrefix(flag, "--") {
		return source + ":" + rest
	}
	return message
}

// environmentNames returns the variables that set a flag; the first one that is
// set wins. The flags of the mock command also take the variables of the embedded
// mock, except for its address: both may run at once.
func environmentNames(cmd *cobra.Command, f *pflag.Flag) []string {
	variable := func(flag string) string {
		return "CHAINSCOPE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
	}
	names := []string{variable(f.Name)}
	if IsMock(cmd) && f.Name != "addr" && cmd.LocalNonPersistentFlags().Lookup(f.Name) != nil {
		names = append(names, variable(MockPrefix+f.Name))
	}
	return names
}

func setFlag(f *pflag.Flag, values []string) error {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		f.Changed = true
		return list.Replace(values)
	}
	if err := f.Value.Set(values[0]); err != nil {
		return BadValue(f, values[0])
	}
	f.Changed = true
	return nil
}

// IsMock reports whether a command is that of the mock.
func IsMock(cmd *cobra.Command) bool { return cmd.Name() == "mock" }

// Formats of the output.
const (
	FormatTable  = "table"
	FormatJSON   = "json"
	FormatNDJSON = "ndjson" // a line a row
	FormatCSV    = "csv"    // with a header line
)

var Formats = []string{FormatTable, FormatJSON, FormatNDJSON, FormatCSV}

// Columns returns the names of --fields.
func (s *Settings) Columns() []string {
	if s.fields == "" {
		return nil
	}
	names := strings.Split(s.fields, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

// BadValue returns the error of a value that a flag does not take.
func BadValue(f *pflag.Flag, value string) *Error {
	return Usagef("--%s: %s", f.Name, valueProblem(f, value))
}

// valueProblem returns what value a flag would have taken.
func valueProblem(f *pflag.Flag, value string) string {
	switch kind := f.Value.Type(); kind {
	case "int", "uint32", "uint64":
		return fmt.Sprintf("%q is not a whole number, or out of range", value)
	case "duration":
		return fmt.Sprintf("%q is not a duration such as 10s or 1m30s", value)
	case "bool":
		return fmt.Sprintf("%q is neither true nor false", value)
	default:
		return fmt.Sprintf("%q is not a valid %s", value, kind)
	}
}
