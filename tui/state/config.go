package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Duration is a length of time written as Go writes it: "10s", "1m30s".
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a duration such as 10s or 1m30s", text)
	}
	*d = Duration(v)
	return nil
}

// String writes the duration as UnmarshalText reads it.
func (d Duration) String() string { return time.Duration(d).String() }

// Config is what config.toml may say. A nil field was not given. The keys are
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

	Restore *bool   `toml:"restore"`
	Notify  *string `toml:"notify"`

	Mock   MockConfig   `toml:"mock"`
	Wallet WalletConfig `toml:"wallet"`

	// Command are keys that run a program on what is under the cursor.
	Command []CommandConfig `toml:"command" flag:"-"`

	// Keys rebinds actions, by the action's name: one key or several.
	Keys map[string]KeyList `toml:"keys" flag:"-"`
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
	if len(c.Keys) == 0 {
		return c, nil
	}
	// The decoder knows where a name stands only for the fields of a struct.
	known := reflect.New(withBindings(bindings))
	if err := DecodeStrictly(text, known.Interface()); err != nil {
		return Config{}, err
	}
	return c, nil
}

// withBindings returns the type of a Config whose table of keys has a field for
// each binding and takes no other.
func withBindings(bindings []string) reflect.Type {
	names := make([]reflect.StructField, len(bindings))
	for i, name := range bindings {
		names[i] = reflect.StructField{
			Name: fmt.Sprintf("Binding%d", i), Type: reflect.TypeFor[KeyList](),
			Tag: reflect.StructTag(fmt.Sprintf(`toml:%q`, name)),
		}
	}
	config := reflect.TypeFor[Config]()
	fields := make([]reflect.StructField, config.NumField())
	for i := range fields {
		fields[i] = config.Field(i)
		fields[i].Offset, fields[i].Index = 0, nil
		if fields[i].Name == "Keys" {
			fields[i].Type = reflect.StructOf(names)
		}
	}
	return reflect.StructOf(fields)
}

// DecodeStrictly reads TOML into a struct. A key that the struct does not have is an
// error; errors say the line and column.
func DecodeStrictly(text []byte, into any) error {
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var missing *toml.StrictMissingError
	var broken *toml.DecodeError
	switch {
	case errors.As(err, &missing):
		var problems []string
		for _, e := range missing.Errors {
			line, column := e.Position()
			problems = append(problems, fmt.Sprintf("line %d, column %d: unknown key %q", line, column, strings.Join(e.Key(), ".")))
		}
		return errors.New(strings.Join(problems, "; "))
	case errors.As(err, &broken):
		line, column := broken.Position()
		return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(broken.Error(), "toml: "))
	case err != nil:
		return err
	}
	return nil
}

// Bindings returns the keys that the file gives to bindings, by name.
func (c Config) Bindings() map[string][]string {
	keys := map[string][]string{}
	for name, list := range c.Keys {
		keys[name] = list
	}
	return keys
}

// Flags returns what the file says for flags: the flag's name and its values.
// Keys of the table [mock] become mock-…; those of [wallet] keep their names.
func (c Config) Flags() map[string][]string {
	flags := map[string][]string{}
	collectFlags(flags, "", reflect.ValueOf(c))
	return flags
}

func collectFlags(flags map[string][]string, prefix string, v reflect.Value) {
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		name := field.Tag.Get("toml")
		switch {
		case field.Tag.Get("flag") == "-":
		case value.Kind() == reflect.Struct && name == "mock":
			collectFlags(flags, "mock-", value)
		case value.Kind() == reflect.Struct:
			collectFlags(flags, prefix, value)
		case value.Kind() == reflect.Slice && !value.IsNil():
			flags[prefix+name] = value.Interface().([]string)
		case value.Kind() == reflect.Pointer && !value.IsNil():
			flags[prefix+name] = []string{flagText(value.Elem())}
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
