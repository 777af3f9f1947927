package walletcmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"chainscope/tui/approval/words"
	"chainscope/tui/command/cli"
	"chainscope/tui/text"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// typedAhead is the number of lines that are read from the terminal before they are needed.
const typedAhead = 1024

// prompter asks the user on the terminal. One question is at a time.
type prompter struct {
	out io.Writer
	// fresh leaves out what was typed before a question came up: where others
	// cause the questions, a line meant for one must not answer the next.
	fresh bool
	style sectionStyle
	turn  sync.Mutex
	lines chan string // closed at the end of input
}

// newPrompter makes a prompter. It reads nothing before listen.
func newPrompter(a *cli.App) *prompter {
	p := &prompter{out: a.Streams.Err, lines: make(chan string, typedAhead)}
	p.style = sectionStyle{bold: a.ColorOn(a.Streams.Err), width: widthOf(a.Streams.Err)}
	return p
}

// listen begins to read the terminal, until it ends. From here on nothing else may read
// it: what requests a secret comes before.
func (p *prompter) listen(a *cli.App) {
	a.Guard.Go(func() {
		defer close(p.lines)
		for scanner := bufio.NewScanner(a.Streams.In); scanner.Scan(); {
			p.lines <- scanner.Text()
		}
	})
}

// behaviourOf returns how wallets answer by --approve, with the prompter that asks. It
// needs a terminal to ask on.
func behaviourOf(a *cli.App, how string) (provider.Behaviour, *prompter, error) {
	switch how {
	case approveAlways:
		return provider.Approves, nil, nil
	case approveNever:
		return provider.Rejects, nil, nil
	}
	if err := needsTerminalToPrompt(a); err != nil {
		return "", nil, err
	}
	return provider.Asks, newPrompter(a), nil
}

// needsTerminalToPrompt refuses to ask where nobody can answer.
func needsTerminalToPrompt(a *cli.App) error {
	if cli.IsTerminal(a.Streams.In) && cli.IsTerminal(a.Streams.Err) {
		return nil
	}
	return cli.Usagef("--approve ask needs a terminal on standard input and standard error\nuse --approve=always or --approve=never").TryFlag("approve", approveAlways)
}

// approve shows a description and asks. Origin is that of the page that asks, ""
// for none. The forecast is nil where there is none.
func (p *prompter) approve(ctx context.Context, origin string, d signer.Description, f *node.Forecast) (signer.Decision, error) {
	p.turn.Lock()
	defer p.turn.Unlock()
	if origin != "" {
		fmt.Fprintf(p.out, "\n%s asks\n", text.Line(origin))
	}
	d.Warnings = alarms(d.Warnings)
	sections, exact := words.Describe(d, time.Now()), service.Exact(d, f)
	if f != nil {
		sections = words.Foretold(sections, f, "")
	}
	p.show(sections)
	switch {
	case exact != nil:
		fmt.Fprintln(p.out, "(a approves; fee N, nonce N, or exact for the post-conditions of the forecast, changes the transaction; anything else rejects)")
	case d.Transaction != nil:
		fmt.Fprintln(p.out, "(a approves; fee N or nonce N changes the transaction; anything else rejects)")
	}
	for {
		answer, err := p.prompt(ctx, "approve? [a/N] ")
		if err != nil {
			return signer.Decision{}, err
		}
		edit, isEdit, problem := readEdit(answer)
		switch {
		case isEdit && d.Transaction != nil && problem == "":
			return signer.Decision{Edit: edit}, nil
		case exact != nil && answer == "exact":
			return signer.Decision{Edit: signer.Edit{Conditions: exact}}, nil
		case isEdit && d.Transaction != nil:
			fmt.Fprintln(p.out, problem)
		default:
			return signer.Decision{Approved: strings.EqualFold(answer, "a")}, nil
		}
	}
}

// promptOrigin asks whether pages of an origin may call the wallet.
func (p *prompter) promptOrigin(ctx context.Context, origin string) (string, error) {
	p.turn.Lock()
	defer p.turn.Unlock()
	fmt.Fprintf(p.out, "\n%s wants to talk to the wallet for the first time\n", text.Line(origin))
	return p.prompt(ctx, "allow it? a allows, b blocks it for good [a/b/N] ")
}

// prompt prints a question and waits for a line. The end of input answers with
// nothing.
func (p *prompter) prompt(ctx context.Context, question string) (string, error) {
	for drained := !p.fresh; !drained; {
		select {
		case _, open := <-p.lines:
			drained = !open
		default:
			drained = true
		}
	}
	fmt.Fprint(p.out, question)
	select {
	case line, open := <-p.lines:
		if !open {
			fmt.Fprintln(p.out)
		}
		return strings.TrimSpace(line), nil
	case <-ctx.Done():
		fmt.Fprintln(p.out, "withdrawn")
		return "", ctx.Err()
	}
}

// readEdit reads "fee N" and "nonce N".
func readEdit(line string) (edit signer.Edit, isEdit bool, problem string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "fee" && words[0] != "nonce" {
		return edit, false, ""
	}
	if len(words) != 2 {
		return edit, true, "write " + words[0] + " and a number"
	}
	n, err := strconv.ParseUint(strings.NewReplacer(",", "", "_", "").Replace(words[1]), 10, 64)
	if err != nil {
		return edit, true, fmt.Sprintf("%s is a whole number from 0 to 18446744073709551615", words[0])
	}
	if words[0] == "fee" {
		edit.Fee = &n
	} else {
		edit.Nonce = &n
	}
	return edit, true, ""
}

// show prints a description. What the other parts explain in words is left
// out in raw form.
func (p *prompter) show(sections []words.Section) {
	var b strings.Builder
	writeSections(&b, sections, p.style)
	_, _ = io.WriteString(p.out, b.String()+"\n")
}
