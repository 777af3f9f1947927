package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
)

func newVersion(app *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := buildVersion()
			if app.JSON() {
				return app.PrintJSON(cmd.Context(), v)
			}
			line := "chainscope " + v.Version
			if v.Revision != "" {
				line += " (" + v.Revision + ")"
			}
			_, err := fmt.Fprintf(app.Streams.Out, "%s %s %s/%s\n", line, v.Go, runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

type version struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
}

// released is the version of a release; the linker sets it.
var released string

// buildVersion returns the version of the release, and what the Go tool recorded in
// the program.
func buildVersion() version {
	v := version{Version: "devel", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	if released != "" {
		v.Version = released
	}
	if !ok {
		return v
	}
	modified := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				modified = ", modified"
			}
		}
	}
	if v.Revision != "" {
		v.Revision += modified
	}
	return v
}
