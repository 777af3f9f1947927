package command

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/tui/command/cli"
	"chainscope/tui/command/walletcmd"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/wallet/service"
)

// explorerFlags are those of the explorer alone.
type explorerFlags struct {
	theme string
	ascii bool
	mouse bool
	// restore begins where the last session was left, and notify says how the
	// user is alerted when a page waits.
	restore bool
	// names says that accounts in sight are shown with their names.
	names  bool
	notify string
	// bridge is the address of the bridge, "" for none.
	bridge string
	wallet walletcmd.Flags
	// film draws for a film, whatever this terminal can show.
	film bool
	// demo lets the explorer be left for a demo.
	demo bool
}

func (e *explorerFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&e.theme, "theme", "", "`theme` of the explorer: a name, or a file (default one that suits the terminal)")
	fs.BoolVar(&e.ascii, "ascii", false, "draw with seven-bit characters only")
	fs.BoolVar(&e.mouse, "mouse", false, "listen to the mouse from the start")
	fs.BoolVar(&e.restore, "restore", true, "begin where the last session was left")
	fs.BoolVar(&e.names, "known-names", true, "show accounts with their names of BNS v2, each read by one request that gives way to all others")
	fs.StringVar(&e.notify, "notify", "all", "`how` to alert you when a page needs approval: all (bell, title and notification), bell or off")
	fs.StringVar(&e.bridge, "bridge", "", "let web pages use the wallet: the bridge listens on `ADDR` (without one on "+service.DefaultBridgeAddr+"); their requests to public APIs go to --api where that is on this machine")
	fs.Lookup("bridge").NoOptDefVal = service.DefaultBridgeAddr
	e.wallet.RegisterKeys(fs)
}

// explore opens the explorer at the place that the arguments mean.
func explore(cmd *cobra.Command, app *cli.App, flags *explorerFlags, args []string) error {
	target, err := recogniseTarget(args, cmd.ArgsLenAtDash() == 0, cli.CommandNames(cmd))
	if err != nil {
		return err
	}
	if problem := noFullScreen(app); problem != "" {
		return needsTerminal(problem, target.Place)
	}
	if err := flags.wallet.Check(); err != nil {
		return err
	}
	flags.wallet.Follow(cmd, &app.Settings.Mock)
	app.FullScreen, flags.demo = true, true
	return openExplorer(cmd, app, flags, target)
}

// noFullScreen returns why the explorer cannot be shown, "" if it can.
func noFullScreen(a *cli.App) string {
	switch term, _ := a.Streams.Env("TERM"); {
	case !cli.IsTerminal(a.Streams.Out):
		return "stdout is not a terminal"
	case !cli.IsTerminal(a.Streams.In):
		return "stdin is not a terminal"
	case term == "dumb":
		return "the terminal cannot show the explorer (TERM=dumb)"
	}
	return ""
}

// needsTerminal returns the error where the explorer cannot be shown. It names the
// command that prints the place, or the nearest one.
func needsTerminal(problem string, place nav.Place) error {
	args, _ := place.Command()
	return cli.Usagef("%s; try: %s", problem, text.ShellCommand(append([]string{"chainscope"}, args...)...))
}
