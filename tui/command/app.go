package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/state"
)

// app is one run of the program.
type app struct {
	streams  Streams
	settings settings
	config   state.Config
	keys     *keymap.Map // with the changes of the config
	// fromCommandLine holds the flags that were given on the command line.
	fromCommandLine map[string]bool
	// layered is set once the environment and the configuration are read.
	layered bool
	// fullScreen is set when the explorer is about to own the terminal.
	fullScreen bool
	// onAttempt is told of each attempt of a call; nil for nobody.
	onAttempt func(apiclient.Attempt)
}

// Main runs the program with its arguments (without its name) and returns the
// exit code.
func Main(args []string, streams Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return Run(ctx, args, streams)
}

// Run is Main with a context that ends as the first SIGINT or SIGTERM would
// end the command.
func Run(ctx context.Context, args []string, streams Streams) int {
	a := &app{streams: streams}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if errors.Is(err, syscall.EPIPE) {
		return 1 // whoever read the output has gone: nobody to tell
	}
	failure := asError(err)
	if failure.Kind == KindTimeout && ctx.Err() != nil {
		failure = asError(context.Canceled)
	}
	failure.write(streams.Err, a.wantsJSON(args))
	return failure.ExitCode()
}

// json reports whether -o json is in force.
func (a *app) json() bool { return a.settings.output == "json" }

// colour reports whether the output may be styled.
func (a *app) colour() bool { return a.colourOn(a.streams.Out) }

// colourOn reports whether what goes to a stream may be styled.
func (a *app) colourOn(stream any) bool {
	if a.settings.noColor || !isTerminal(stream) {
		return false
	}
	if v, ok := a.streams.Env("NO_COLOR"); ok && v != "" {
		return false
	}
	term, _ := a.streams.Env("TERM")
	return term != "dumb"
}

// wantsJSON reports whether errors are to be JSON. When the flags could not be
// read, it looks for -o json by itself.
func (a *app) wantsJSON(args []string) bool {
	if a.layered {
		return a.json()
	}
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

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// exactArgs wants exactly the arguments that the usage line names.
func exactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		words := "arguments"
		if n == 1 {
			words = "argument"
		}
		return usagef("%s takes %d %s, got %d\nusage: chainscope %s", cmd.CommandPath(), n, words, len(args), cmd.Use)
	}
}

func (a *app) print(lines ...string) error {
	_, err := fmt.Fprintln(a.streams.Out, strings.Join(lines, "\n"))
	return err
}
