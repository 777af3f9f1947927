package walletcmd

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"chainscope/apiclient/wire"
	"chainscope/tui/command/cli"
	"chainscope/wallet"
	"chainscope/wallet/bridge"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// walletDesk answers the questions of a wallet while a command runs: the flags select
// the wallet, the user at the terminal decides the rest, as far as --approve
// leaves it to them.
type walletDesk struct {
	app      *cli.App
	flags    *Flags
	wallet   *service.Service
	prompter *prompter // nil when nobody is asked
	note     func(format string, args ...any)

	closeLog  func()                        // closes the log of the calls
	questions map[uint64]context.CancelFunc // that are being asked
	prompting sync.WaitGroup
	ended     chan struct{}
}

// openDesk opens a wallet and reads its messages until close. Note takes what a
// person should know.
func openDesk(ctx context.Context, a *cli.App, flags *Flags, o service.Options, p *prompter, note func(string, ...any)) (*walletDesk, error) {
	var closeLog func()
	var err error
	if o.OnCall, closeLog, err = logCalls(ctx, a); err != nil {
		return nil, err
	}
	o.Requester, o.Sleep, o.Go = service.FromCommand, a.Streams.Wait, a.Guard.Go
	o.Account, o.Network, o.Persona = flags.account, flags.network, service.Persona(flags.persona)
	if o.Node != nil {
		o.API = a.Settings.NameOf(o.Node.BaseURL())
	}
	w, err := service.New(o)
	if err != nil {
		closeLog()
		return nil, cli.Usagef("%v", err)
	}
	d := &walletDesk{
		app: a, flags: flags, wallet: w, prompter: p, note: note, closeLog: closeLog,
		questions: map[uint64]context.CancelFunc{}, ended: make(chan struct{}),
	}
	if p != nil {
		p.listen(a) // the keys are open: no passphrase is requested any more
	}
	a.Guard.Go(d.listen)
	return d, nil
}

// close ends the wallet. Everything it had to say is said once close returns.
func (d *walletDesk) close() {
	d.wallet.Close()
	<-d.ended
	d.closeLog()
}

func (d *walletDesk) listen() {
	defer close(d.ended)
	for {
		m, ok := d.wallet.Next(context.Background()) // until the wallet is closed
		if !ok {
			break
		}
		d.handle(m)
	}
	for _, cancel := range d.questions {
		cancel()
	}
	d.prompting.Wait()
}

func (d *walletDesk) handle(m service.Message) {
	switch m := m.(type) {
	case service.SelectionNeeded:
		d.wallet.Choose(m.ID, d.selectRow(m.Rows))
	case service.ApprovalNeeded:
		d.prompt(m.ID, func(ctx context.Context) { d.wallet.Decide(m.ID, d.decide(ctx, m)) })
	case service.OriginNeeded:
		d.prompt(m.ID, func(ctx context.Context) { d.wallet.DecideOrigin(m.ID, d.promptOrigin(ctx, m.Origin)) })
	case service.Withdrawn:
		if cancel, prompted := d.questions[m.ID]; prompted {
			cancel()
		}
		if m.Requester.Kind == service.FromPage && m.Method != "" {
			d.note("%s of %s is withdrawn: %s", m.Method, m.Requester, m.Reason)
		}
	case service.CallChanged:
		if c := m.Call; c.Done && c.Kind == service.KindPage {
			d.noteSent(c, d.note)
			if c.Error != nil && c.Decision == "" {
				d.note("%s of %s failed: %s", c.Method, c.Requester, c.Error.Message)
			}
		}
	case service.Notice:
		d.note("%s", m.Text)
	}
}

// prompt puts a question to the user, beside the messages that may withdraw it.
func (d *walletDesk) prompt(id uint64, question func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	d.questions[id] = cancel
	d.prompting.Go(func() {
		defer d.app.Guard.Recover()
		defer cancel()
		question(ctx)
	})
}

// foreseen bounds how long a forecast is waited for before a question is asked.
const foreseen = 5 * time.Second

// decide shows what is to be approved, and asks. An answer that cannot be read
// rejects.
func (d *walletDesk) decide(ctx context.Context, m service.ApprovalNeeded) signer.Decision {
	if d.prompter == nil {
		return signer.Decision{}
	}
	who := ""
	if m.Requester.Kind == service.FromPage {
		who = m.Requester.Origin
	}
	prompted, cancel := context.WithTimeout(ctx, foreseen)
	forecast, err := d.wallet.Forecast(prompted, m.Description)
	if cancel(); err != nil {
		forecast = nil // what is signed is described all the same
	}
	decision, err := d.prompter.approve(ctx, who, m.Description, forecast)
	if err != nil {
		return signer.Decision{}
	}
	return decision
}

// promptOrigin asks whether pages of an origin may call the wallet.
func (d *walletDesk) promptOrigin(ctx context.Context, origin string) bridge.Access {
	if d.prompter == nil {
		return bridge.Undecided
	}
	answer, err := d.prompter.promptOrigin(ctx, origin)
	switch {
	case err != nil:
	case strings.EqualFold(answer, "a"):
		return bridge.Allowed
	case strings.EqualFold(answer, "b"):
		return bridge.Blocked
	}
	return bridge.Undecided
}

// selectRow answers the library's selector with the wallet that the flags name,
// else the remembered one, else ours. A row that is not offered cannot be
// chosen; the selector is then dismissed.
func (d *walletDesk) selectRow(rows []wallet.Row) string {
	library := d.wallet.Library()
	wanted := d.flags.provider
	if wanted == "" {
		wanted = library.SelectedProviderID()
	}
	if wanted == "" || library.Registry().Lookup(wanted) == nil {
		wanted = provider.ChainscopeID
	}
	var there []string
	for _, r := range rows {
		if r.Installed {
			there = append(there, r.ID)
		}
	}
	if slices.Contains(there, wanted) {
		return wanted
	}
	if len(there) == 0 {
		there = []string{"none that can be chosen"}
	}
	d.note("the selector was dismissed: it has no row %s, it has %s", wanted, strings.Join(there, ", "))
	return ""
}

// noteSent notes what became of a signed transaction.
func (d *walletDesk) noteSent(c service.Call, note func(string, ...any)) {
	if c.TxID != "" || c.NotSent != "" {
		note("%s", c.Line(d.wallet.StatusOf(c)))
	}
}

// logCalls returns what writes a line of --log-file for a call of the wallet, nil without that file,
// and what closes it.
func logCalls(ctx context.Context, a *cli.App) (func(service.Call, bridge.Account), func(), error) {
	log, err := a.OpenLog(ctx)
	if err != nil || log == nil {
		return nil, func() {}, err
	}
	logger := slog.New(slog.NewJSONHandler(log, nil))
	return func(c service.Call, of bridge.Account) {
		attributes := []any{"method", c.Method, "kind", c.Kind, "from", c.Requester.String()}
		for _, more := range [][2]string{{"by", of.By}, {"txid", of.TxID}, {"status", of.Status}} {
			if more[1] != "" {
				attributes = append(attributes, more[0], wire.Cut(more[1], cli.MaxLogText))
			}
		}
		logger.Info("call", attributes...)
	}, func() { _ = log.Close() }, nil
}
