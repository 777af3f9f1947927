package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Duration is a length of time written as Go writes it: "10s", "1m30s". It is a struct
// because the decoder would put a number, which has no unit, into a time.Duration.
type Duration struct{ length time.Duration }

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return BadValue(text, "%q is not a duration such as \"10s\" or \"1m30s\"", text)
	}
	d.length = v
	return nil
}

// String writes the duration as UnmarshalText reads it.
func (d Duration) String() string { return d.length.String() }

// Config holds what config.toml may say. A nil field was not given. The keys are
// the names of the flags; those of the embedded mock and the wallet have
// tables of their own. How requests are approved is never in a file.
type Config struct {
	API      *string   `toml:"api"`
	Header   []string  `toml:"header"`
	Timeout  *Duration `toml:"timeout"`
	Output   *string   `toml:"output"`
	NoColor  *bool     `toml:"no-color"`
	StateDir *string   `toml:"state-dir"`
	LogFile  *string   `toml:"log-file"`

	Theme *string `toml:"theme"`
	ASCII *bool   `toml:"ascii"`
	Mouse *bool   `toml:"mouse"`

	Restore *bool `toml:"restore"`
	// KnownNames says that accounts are shown with their names.
	KnownNames *bool   `toml:"known-names"`
	Notify     *string `toml:"notify"`

	Mock   MockConfig   `toml:"mock"`
	Wallet WalletConfig `toml:"wallet"`

	// Command are keys that run a program on what is under the cursor.
	Command []CommandConfig `toml:"command" flag:"-"`

	// Keys rebinds actions, by the action's name: one key or several.
	Keys map[string]KeyList `toml:"keys" flag:"-"`

	// Columns are those that lists show, in their order, by the name of the list.
	Columns map[string][]string `toml:"columns" flag:"-"`

	path      string
	positions map[string]string
}

// Problem returns an error about a key of the file, by its path such as mock.seed, that
// says the file, the line and the column. Of several keys the first that the file has
// counts.
func (c Config) Problem(reason string, keys ...string) error {
	for _, key := range keys {
		if at, found := c.positions[key]; found {
			return fmt.Errorf("config %s: %s%s", c.path, at, reason)
		}
	}
	return fmt.Errorf("config %s: %s", c.path, reason)
}

// MockConfig is the table [mock]: the flags --mock-… of the embedded mock.
type MockConfig struct {
	Addr          *string   `toml:"addr"`
	Seed          *uint64   `toml:"seed"`
	Freeze        *string   `toml:"freeze"`
	BlockInterval *Duration `toml:"block-interval"`
	BurnInterval  *Duration `toml:"burn-interval"`
	Names         *int      `toml:"names"`
	Scenario      *string   `toml:"scenario"`
	Latency       *Duration `toml:"latency"`
	Fault         []string  `toml:"fault"`
	Replay        *string   `toml:"replay"`
	AccessLog     *bool     `toml:"access-log"`
}

// WalletConfig is the table [wallet]: the flags of the wallet commands.
type WalletConfig struct {
	Account                *uint32 `toml:"account"`
	Network                *string `toml:"network"`
	Provider               *string `toml:"provider"`
	MnemonicFile           *string `toml:"mnemonic-file"`
	PassphraseFile         *string `toml:"passphrase-file"`
	Keystore               *string `toml:"keystore"`
	KeystorePassphraseFile *string `toml:"keystore-passphrase-file"`
}

// CommandConfig is a table [[command]]: a key that runs a program.
type CommandConfig struct {
	Key   string   `toml:"key"`
	Name  string   `toml:"name"`
	Run   []string `toml:"run"`
	Stdin string   `toml:"stdin"`
}

// KeyList is one key or a list of keys.
type KeyList []string

// UnmarshalText reads a single key. Lists are read by Config's loader.
func (k *KeyList) UnmarshalText(text []byte) error {
	*k = KeyList{string(text)}
	return nil
}

// LoadConfig reads a configuration file, which may be a pipe. A missing one is an
// error only when it is required, that is, when the user named it. Bindings lists
// the names that the table of keys may have. Errors say the line and column.
func LoadConfig(path string, required bool, bindings func() []string) (Config, error) {
	text, err := readConfig(path)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return Config{}, nil
	}
	if err != nil {
		return Config{}, fmt.Errorf("config: %w", err)
	}
	c, err := ParseConfig(text, bindings())
	if err != nil {
		return Config{}, fmt.Errorf("config %s: %w", path, err)
	}
	c.path = path
	return c, nil
}

func readConfig(path string) ([]byte, error) {
	if path == "" {
		return nil, fs.ErrNotExist
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxDocument+1))
	if err == nil && len(text) > maxDocument {
		err = &fs.PathError{Op: "read", Path: path, Err: errTooLarge}
	}
	return text, err
}

// ParseConfig reads the text of a configuration file, strictly: an unknown key,
// or a name under [keys] that is none of the bindings, is an error with its line
// and column.
func ParseConfig(text []byte, bindings []string) (Config, error) {
	var c Config
	if err := DecodeStrictly(text, &c); err != nil {
		return Config{}, err
	}
	c.positions = positions(text)
	var unknown []string
	for name := range c.Keys {
		if !slices.Contains(bindings, name) {
			unknown = append(unknown, c.positions["keys."+name]+unknownKey("keys."+name))
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return Config{}, errors.New(strings.Join(unknown, "; "))
	}
	return c, nil
}

// Bindings returns the keys that the file gives to bindings, by name.
func (c Config) Bindings() map[string][]string {
	keys := map[string][]string{}
	for name, list := range c.Keys {
		keys[name] = list
	}
	return keys
}

// FlagValue holds what the file says for a flag.
type FlagValue struct {
	// Key is the path of the file's key: mock.seed for the flag --mock-seed.
	Key    string
	Values []string
}

// Flags returns what the file says for flags, by the flag's name. Keys of the table
// [mock] become mock-…; those of [wallet] keep their names.
func (c Config) Flags() map[string]FlagValue {
	flags := map[string]FlagValue{}
	collectFlags(flags, "", "", reflect.ValueOf(c))
	return flags
}

func collectFlags(flags map[string]FlagValue, table, prefix string, v reflect.Value) {
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		name := field.Tag.Get("toml")
		switch {
		case name == "" || field.Tag.Get("flag") == "-":
		case value.Kind() == reflect.Struct && name == "mock":
			collectFlags(flags, "mock.", "mock-", value)
		case value.Kind() == reflect.Struct:
			collectFlags(flags, name+".", prefix, value)
		case value.Kind() == reflect.Slice && !value.IsNil():
			flags[prefix+name] = FlagValue{table + name, value.Interface().([]string)}
		case value.Kind() == reflect.Pointer && !value.IsNil():
			flags[prefix+name] = FlagValue{table + name, []string{flagText(value.Elem())}}
		}
	}
}

func flagText(v reflect.Value) string {
	if d, ok := v.Interface().(Duration); ok {
		return d.String()
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	default:
		return v.String()
	}
}
