package command

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/tui/nav"
	"chainscope/tui/shellquote"
	"chainscope/wallet/service"
)

// explorerFlags are those of the explorer alone.
type explorerFlags struct {
	theme string
	ascii bool
	mouse bool
	// bridge is the address of the bridge, "" for none.
	bridge string
	wallet walletFlags
}

func (e *explorerFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&e.theme, "theme", "", "`theme` of the explorer (default one that suits the terminal)")
	fs.BoolVar(&e.ascii, "ascii", false, "draw with seven-bit characters only")
	fs.BoolVar(&e.mouse, "mouse", false, "listen to the mouse from the start")
	fs.StringVar(&e.bridge, "bridge", "", "let web pages use the wallet: the bridge listens on `ADDR` (without one on "+service.DefaultBridgeAddr+")")
	fs.Lookup("bridge").NoOptDefVal = service.DefaultBridgeAddr
	e.wallet.registerKeys(fs)
}

// explore opens the explorer at the place that the arguments mean.
func explore(cmd *cobra.Command, app *app, flags *explorerFlags, args []string) error {
	var commands []string
	for _, c := range cmd.Commands() {
		commands = append(commands, c.Name())
	}
	place, err := recogniseThing(args, cmd.ArgsLenAtDash() == 0, commands)
	if err != nil {
		return err
	}
	if !isTerminal(app.streams.In) || !isTerminal(app.streams.Out) {
		return needsTerminal(place)
	}
	if err := flags.wallet.check(); err != nil {
		return err
	}
	app.fullScreen = true
	return openExplorer(cmd, app, flags, place)
}

// needsTerminal refuses to open the explorer without a terminal, and names the
// command that prints the same.
func needsTerminal(place nav.Place) error {
	args, exact := place.Command()
	verb := "prints the same"
	if !exact {
		verb = "comes nearest"
	}
	return usagef("the explorer needs a terminal, and standard input or output is none\n%s: %s", verb, shellquote.Command(append([]string{"chainscope"}, args...)...))
}
