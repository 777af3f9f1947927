package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/decoded"
	"chainscope/tui/nav"
)

// recogniseTarget returns what the arguments of the explorer mean, the best reading. A
// mistyped command is refused unless it came after --.
func recogniseTarget(args []string, dashed bool, commands []string) (nav.Reading, error) {
	if len(args) == 0 {
		return nav.Reading{}, nil
	}
	target := strings.Join(args, " ")
	readings := nav.Recognise(target, nav.RecogniseContext{Decoded: decoded.Recognise})
	if len(readings) == 0 {
		return nav.Reading{}, cli.Usagef("THING is empty; leave it out to open the explorer")
	}
	if !dashed && len(args) == 1 {
		if suggestion := cli.Nearest(target, commands); suggestion != "" {
			e := cli.MistypedCommand(target, suggestion)
			if readings[0].OK() {
				e.Message += fmt.Sprintf("\nto open the %s %q: chainscope -- %s", readings[0].Name, target, target)
			}
			return nav.Reading{}, e
		}
	}
	if readings[0].OK() {
		return readings[0], nil
	}
	if e := foreignCommand(args); e != nil && !dashed {
		return nav.Reading{}, e
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%q is neither a command nor a place to go to", target)
	for _, r := range readings {
		fmt.Fprintf(&b, "\n  as a %s: %s", r.Name, r.Reason)
		if r.Fix != "" {
			fmt.Fprintf(&b, " (try %s)", r.Fix)
		}
	}
	b.WriteString("\nsee: chainscope --help")
	e := cli.Usagef("%s", b.String())
	if what, line := cli.ShownBy(target); what != "" {
		e.Message = fmt.Sprintf("the explorer does not open %s, but a command shows it", what)
		e = e.Try(line...)
	}
	return nav.Reading{}, e
}

// learnWait bounds how long the explorer waits to learn what it was opened at.
const learnWait = 2 * time.Second

// startAt returns where the explorer opens for what was recognised. A word that may be
// anything, a token or a name, is typed into the box that finds things: it has more to go
// by than its form. A namespace that exists is one, and of a hash the server reports what
// has it.
func startAt(ctx context.Context, client *apiclient.Client, target nav.Reading) (place nav.Place, typed string) {
	ctx, cancel := context.WithTimeout(ctx, learnWait)
	defer cancel()
	if target.Place.Kind == nav.KindHash {
		return tui.PlaceOfHash(ctx, client, target.Place.TxID), ""
	}
	if !target.Guess {
		return target.Place, ""
	}
	if all, err := client.Namespaces(ctx); err == nil && slices.Contains(all.Value, target.Place.Namespace) {
		return target.Place, ""
	}
	return nav.Home(), target.About
}
