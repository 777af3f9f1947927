package command

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
	"chainscope/tui/state"
	"chainscope/tui/term"
	"chainscope/tui/text"
)

// app is one run of the program.
type app struct {
	streams  Streams
	typed    []string // the arguments
	settings settings
	config   state.Config
	keys     *keymap.Map // with the changes of the config
	// fromCommandLine holds the flags that were given on the command line.
	fromCommandLine map[string]bool
	// from says of the other flags that have a value where it is, as errors say it.
	from map[string]string
	// layered is set once the environment and the configuration are read.
	layered bool
	// fullScreen is set when the explorer is about to own the terminal.
	fullScreen bool
	// now is the clock of the explorer and its embedded mock; nil is the system's.
	now func() time.Time
	// onAttempt is called for each attempt of a call; it may be nil.
	onAttempt func(apiclient.Attempt)
	// owner is set when the run is the whole process, whose standard logger it
	// may direct.
	owner bool

	// embedded is the address of the mock that runs in this process, "" for none.
	embedded string

	// guard runs goroutines beside the explorer.
	guard term.Guard

	// endless is set by a command that prints until it is interrupted.
	endless bool

	mu sync.Mutex
	// notices are kept for the end with -o json.
	notices []string
	// logFailures are the files beside the result that lack something, by their flags.
	logFailures logFailures
}

// end prints the failure that a command ended with, nil for none, and what was kept for
// the end. It returns the exit code.
func (a *app) end(ctx context.Context, err error) int {
	lost := a.logFailures.end(a.notice)
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
	failure := asError(err)
	failure.Message = a.nameSource(failure.Message)
	failure.notices = a.notices
	if failure.Kind == KindTimeout && ctx.Err() != nil {
		failure = asError(context.Canceled)
	}
	failure.write(a.streams.Err, a.wantsJSON(), failure.line(a.typed))
	return failure.ExitCode()
}

// notice tells the user at the terminal something beside the result, such as
// that a damaged file was set aside. With -o json it is kept for the end, where
// standard error gets one object; a command without an end writes an object for each.
func (a *app) notice(message string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.json() && a.endless:
		writeObject(a.streams.Err, map[string][]string{"notices": {message}})
		return
	case a.json():
		a.notices = append(a.notices, message)
		return
	}
	fmt.Fprintln(a.streams.Err, "chainscope: "+text.Line(message))
}

// writeNotices writes the notices that were kept.
func (a *app) writeNotices() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.notices) > 0 {
		writeObject(a.streams.Err, map[string][]string{"notices": a.notices})
	}
}

// json reports whether the output is JSON, and errors with it.
func (a *app) json() bool {
	return a.settings.output == formatJSON || a.settings.output == formatNDJSON || a.settings.jq != ""
}

// rows reports whether an answer is printed by its rows, with columns of the JSON
// answer.
func (a *app) rows() bool {
	switch a.settings.output {
	case formatNDJSON, formatCSV:
		return true
	case formatTable:
		return a.settings.fields != ""
	}
	return false
}

// withRows marks commands whose answers have rows, with the columns that these can have, as far
// as that is known. Some have others with an argument: those of withRowsOfOne.
const (
	withRows      = "chainscope/with-rows"
	withRowsOfOne = "chainscope/with-rows-of-one"
)

// alwaysJSON marks commands that print JSON whatever --output says.
const alwaysJSON = "chainscope/always-json"

// readSettings reads the settings of a command.
func (a *app) readSettings(cmd *cobra.Command) error {
	if cmd.Annotations[withoutConfig] == "" {
		if err := a.layer(cmd); err != nil {
			return err
		}
		a.fitOutput(cmd)
	}
	a.layered = true
	return nil
}

// checkSettings refuses settings that are wrong, or not for a command.
func (a *app) checkSettings(cmd *cobra.Command) error {
	if err := a.settings.check(); err != nil {
		return err
	}
	return a.checkRows(cmd)
}

// fitOutput leaves out what the environment or the config says of the output where it is not
// for this line: they hold for every command, also for those without rows.
func (a *app) fitOutput(cmd *cobra.Command) {
	s, typed := &a.settings, a.fromCommandLine
	rows := cmd.Annotations[withRows] != ""
	if s.output == formatCSV && (!rows && !typed["output"] || cmd.Annotations[alwaysJSON] != "") {
		s.output = formatTable
	}
	if !typed["fields"] && (!rows || typed["jq"] || typed["output"] && s.output == formatJSON) {
		s.fields = ""
	}
	if !typed["jq"] && (typed["fields"] || typed["output"] && s.output == formatCSV) {
		s.jq = ""
	}
	switch {
	case typed["output"]:
	case typed["jq"] && s.output == formatCSV:
		s.output = formatJSON
	case typed["fields"] && s.output == formatJSON:
		s.output = formatNDJSON
	}
}

// checkRows refuses csv and columns for a command that has none.
func (a *app) checkRows(cmd *cobra.Command) error {
	if cmd.Annotations[withRows] != "" || a.settings.output != formatCSV && a.settings.fields == "" {
		return nil
	}
	what := "--fields"
	if a.settings.output == formatCSV {
		what = "--output csv"
	}
	return usagef("%s: %s prints no rows; use -o json", what, commandName(cmd))
}

// color reports whether the output may be styled.
func (a *app) color() bool { return a.colorOn(a.streams.Out) }

// colorOn reports whether the output to a stream may be styled.
func (a *app) colorOn(stream any) bool {
	if a.settings.noColor || !isTerminal(stream) {
		return false
	}
	if v, ok := a.streams.Env("NO_COLOR"); ok && v != "" {
		return false
	}
	term, _ := a.streams.Env("TERM")
	return term != "dumb"
}

// wantsJSON reports whether errors are written as JSON. When the flags could not
// be parsed, it looks for -o json itself.
func (a *app) wantsJSON() bool {
	if a.layered {
		return a.json()
	}
	args := a.typed
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
	if value, ok := a.streams.Env("CHAINSCOPE_OUTPUT"); ok && value != "" {
		return value == "json"
	}
	return a.config.Output != nil && *a.config.Output == "json"
}

// commandName returns the name of a command without that of the program, which
// is before every error.
func commandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %q", commandName(cmd), args[0]).tryWithout(cmd, args[0])
	}
	return nil
}

// exactArgs requires exactly the arguments that the usage line names.
func exactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		words := "arguments"
		if n == 1 {
			words = "argument"
		}
		return usagef("%s takes %d %s, got %d\nusage: chainscope %s", commandName(cmd), n, words, len(args), cmd.Use)
	}
}

// print prints lines.
func (a *app) print(lines ...string) error {
	_, err := fmt.Fprintln(a.streams.Out, strings.Join(lines, "\n"))
	return err
}

// tell prints a line for the user at the terminal.
func (a *app) tell(format string, args ...any) {
	fmt.Fprintln(a.streams.Err, text.Line(fmt.Sprintf(format, args...)))
}

// stateFolder returns the folder of what is remembered.
func (a *app) stateFolder() (string, error) {
	if dir := cmp.Or(a.settings.stateDir, state.Dir()); dir != "" {
		return dir, nil
	}
	return "", usagef("--state-dir: no home folder is known (HOME is not set); use --state-dir DIR")
}

// openStore opens the folder of what is remembered. It touches no file yet.
func (a *app) openStore(notice func(string)) (*state.Store, error) {
	dir, err := a.stateFolder()
	if err != nil {
		return nil, err
	}
	store, err := state.Open(state.Options{Dir: dir, Notice: notice})
	if err != nil {
		return nil, usagef("--state-dir: %v", err)
	}
	return store, nil
}
