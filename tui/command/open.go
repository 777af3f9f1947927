package command

import (
	"github.com/spf13/cobra"

	"chainscope/tui/nav"
)

// openExplorer runs the explorer at a place on the API of the settings.
func openExplorer(cmd *cobra.Command, app *app, flags *explorerFlags, place nav.Place) error {
	c, err := app.connect()
	if err != nil {
		return err
	}
	defer c.close()
	return &Error{Kind: KindUnexpected, Message: "this build has no explorer yet"}
}
