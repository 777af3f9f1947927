package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/resource"
	"chainscope/tui/state"
	"chainscope/tui/term"
	"chainscope/tui/text"
)

// App is one run of the program.
type App struct {
	Streams  Streams
	Typed    []string // the arguments
	Settings Settings
	Config   state.Config
	Keys     *keymap.Map // with the changes of the config
	// FromCommandLine holds the flags that were given on the command line.
	FromCommandLine map[string]bool
	// from says of the other flags that have a value where it is, as errors say it.
	from map[string]string
	// layered is set once the environment and the configuration are read.
	layered bool
	// FullScreen is set when the explorer is about to own the terminal.
	FullScreen bool
	// quiet drops notices, while the explorer owns the terminal.
	quiet bool
	// Now is the clock of the explorer and its embedded mock; nil is the system's.
	Now func() time.Time
	// OnAttempt is called for each attempt of a call; it may be nil.
	OnAttempt func(apiclient.Attempt)
	// Owner is set when the run is the whole process, whose standard logger it
	// may direct.
	Owner bool

	// embedded is the address of the mock that runs in this process, "" for none.
	embedded string

	// Guard runs goroutines beside the explorer.
	Guard term.Guard

	// Endless is set by a command that prints until it is interrupted.
	Endless bool

	// Labelled is set by Naming where the user has labels.
	Labelled bool
	naming   resource.Naming

	mu sync.Mutex
	// notices are kept for the end with -o json.
	notices []string
	// logFailures are the files beside the result that lack something, by their flags.
	logFailures logFailures
}

// End prints the failure that a command ended with, nil for none, and what was kept for
// the end. It returns the exit code.
func (a *App) End(ctx context.Context, err error) int {
	lost := a.logFailures.end(a.Notice)
	if err == nil {
		a.writeNotices()
		if lost {
			return KindUnexpected.ExitCode()
		}
		return 0
	}
	if errors.Is(err, syscall.EPIPE) {
		return 1 // whoever read the output has gone
	}
	failure := AsError(err)
	failure.Message = a.nameSource(failure.Message)
	failure.notices = a.notices
	if failure.Kind == KindTimeout && ctx.Err() != nil {
		failure = AsError(context.Canceled)
	}
	failure.write(a.Streams.Err, a.wantsJSON(), failure.Line(a.Typed))
	return failure.ExitCode()
}

// Notice shows the user at the terminal something beside the result, such as
// that a damaged file was set aside. With -o json it is kept for the end, where
// standard error gets one object; a command without an end writes an object for each.
func (a *App) Notice(message string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.quiet:
		return
	case a.JSON() && a.Endless:
		writeObject(a.Streams.Err, map[string][]string{"notices": {message}})
		return
	case a.JSON():
		a.notices = append(a.notices, message)
		return
	}
	fmt.Fprintln(a.Streams.Err, "chainscope: "+text.Line(message))
}

// Quiet drops notices until the function that it returns is called.
func (a *App) Quiet() (end func()) {
	set := func(quiet bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.quiet = quiet
	}
	set(true)
	return func() { set(false) }
}

// writeNotices writes the notices that were kept.
func (a *App) writeNotices() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.notices) > 0 {
		writeObject(a.Streams.Err, map[string][]string{"notices": a.notices})
	}
}

// JSON reports whether the output is JSON, and errors with it.
func (a *App) JSON() bool {
	return a.Settings.Output == FormatJSON || a.Settings.Output == FormatNDJSON || a.Settings.jq != ""
}

// Rows reports whether an answer is printed by its rows, with columns of the JSON
// answer.
func (a *App) Rows() bool {
	switch a.Settings.Output {
	case FormatNDJSON, FormatCSV:
		return true
	case FormatTable:
		return a.Settings.fields != ""
	}
	return false
}

// WithRows marks commands whose answers have rows, with the columns that these can have, as far
// as that is known. Some have others with an argument: those of WithRowsOfOne.
const (
	WithRows      = "chainscope/with-rows"
	WithRowsOfOne = "chainscope/with-rows-of-one"
)

// AlwaysJSON marks commands that print JSON whatever --output says.
const AlwaysJSON = "chainscope/always-json"

// ReadSettings reads the settings of a command.
func (a *App) ReadSettings(cmd *cobra.Command) error {
	if cmd.Annotations[WithoutConfig] == "" {
		if err := a.Layer(cmd); err != nil {
			return err
		}
		a.fitOutput(cmd)
	}
	a.layered = true
	return nil
}

// CheckSettings refuses settings that are wrong, or not for a command.
func (a *App) CheckSettings(cmd *cobra.Command) error {
	if err := a.Settings.check(); err != nil {
		return err
	}
	return a.checkRows(cmd)
}

// fitOutput leaves out what the environment or the config says of the output where it is not
// for this line: they hold for every command, also for those without rows.
func (a *App) fitOutput(cmd *cobra.Command) {
	s, typed := &a.Settings, a.FromCommandLine
	rows := cmd.Annotations[WithRows] != ""
	if s.Output == FormatCSV && (!rows && !typed["output"] || cmd.Annotations[AlwaysJSON] != "") {
		s.Output = FormatTable
	}
	if !typed["fields"] && (!rows || typed["jq"] || typed["output"] && s.Output == FormatJSON) {
		s.fields = ""
	}
	if !typed["jq"] && (typed["fields"] || typed["output"] && s.Output == FormatCSV) {
		s.jq = ""
	}
	switch {
	case typed["output"]:
	case typed["jq"] && s.Output == FormatCSV:
		s.Output = FormatJSON
	case typed["fields"] && s.Output == FormatJSON:
		s.Output = FormatNDJSON
	}
}

// checkRows refuses csv and columns for a command that has none.
func (a *App) checkRows(cmd *cobra.Command) error {
	if cmd.Annotations[WithRows] != "" || a.Settings.Output != FormatCSV && a.Settings.fields == "" {
		return nil
	}
	what := "--fields"
	if a.Settings.Output == FormatCSV {
		what = "--output csv"
	}
	return Usagef("%s: %s prints no rows; use -o json", what, CommandName(cmd))
}

// Color reports whether the output may be styled.
func (a *App) Color() bool { return a.ColorOn(a.Streams.Out) }

// ColorOn reports whether the output to a stream may be styled.
func (a *App) ColorOn(stream any) bool {
	if a.Settings.NoColor || !IsTerminal(stream) {
		return false
	}
	if v, ok := a.Streams.Env("NO_COLOR"); ok && v != "" {
		return false
	}
	term, _ := a.Streams.Env("TERM")
	return term != "dumb"
}

// wantsJSON reports whether errors are written as JSON. When the flags could not
// be parsed, it looks for -o json itself.
func (a *App) wantsJSON() bool {
	if a.layered {
		return a.JSON()
	}
	args := a.Typed
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	for i := len(args) - 1; i >= 0; i-- {
		arg := args[i]
		for _, flag := range []string{"-o", "--output"} {
			if arg == flag && i+1 < len(args) {
				return args[i+1] == "json"
			}
		}
		if value, ok := strings.CutPrefix(arg, "--output="); ok {
			return value == "json"
		}
		if value, ok := strings.CutPrefix(arg, "-o"); ok && value != "" && !strings.HasPrefix(arg, "--") {
			return strings.TrimPrefix(value, "=") == "json"
		}
	}
	if value, ok := a.Streams.Env("CHAINSCOPE_OUTPUT"); ok && value != "" {
		return value == "json"
	}
	return a.Config.Output != nil && *a.Config.Output == "json"
}

// CommandName returns the name of a command without that of the program, which
// is before every error.
func CommandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// NoArgs refuses arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no argument, got %q", CommandName(cmd), args[0]).tryWithout(cmd, args[0])
	}
	return nil
}

// ExactArgs requires exactly the arguments that the usage line names.
func ExactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		words := "arguments"
		if n == 1 {
			words = "argument"
		}
		return Usagef("%s takes %d %s, got %d\nusage: chainscope %s", CommandName(cmd), n, words, len(args), cmd.Use)
	}
}

// CompleteFlag completes a flag with the words that it takes.
func CompleteFlag(cmd *cobra.Command, flag string, words []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// Print prints lines.
func (a *App) Print(lines ...string) error {
	_, err := fmt.Fprintln(a.Streams.Out, strings.Join(lines, "\n"))
	return err
}

// PrintNote prints a line for the user at the terminal.
func (a *App) PrintNote(format string, args ...any) {
	fmt.Fprintln(a.Streams.Err, text.Line(fmt.Sprintf(format, args...)))
}

// stateFolder returns the folder of what is remembered.
func (a *App) stateFolder() (string, error) {
	if dir := cmp.Or(a.Settings.StateDir, state.Dir()); dir != "" {
		return dir, nil
	}
	return "", Usagef("--state-dir: no home folder is known (HOME is not set); use --state-dir DIR")
}

// Naming returns the labels of the user's own, read once.
func (a *App) Naming() resource.Naming {
	if a.naming != nil {
		return a.naming
	}
	var labels map[string]string
	store, err := a.OpenStore(a.Notice)
	if err == nil {
		labels, err = store.Labels()
	}
	if err != nil {
		a.Notice("the labels cannot be read: " + err.Error())
	}
	a.Labelled = len(labels) > 0
	a.naming = func(principal string) string {
		if label := labels[principal]; label != "" {
			return resource.LabelMark + label
		}
		return ""
	}
	return a.naming
}

// OpenStore opens the folder of what is remembered. It touches no file yet.
func (a *App) OpenStore(notice func(string)) (*state.Store, error) {
	dir, err := a.stateFolder()
	if err != nil {
		return nil, err
	}
	store, err := state.Open(state.Options{Dir: dir, Notice: notice})
	if err != nil {
		return nil, Usagef("--state-dir: %v", err)
	}
	return store, nil
}
