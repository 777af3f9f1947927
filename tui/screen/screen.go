// Package screen says what a place of the explorer is to the frame around it.
//
// A screen is a plain struct, not a bubbletea model. The root model owns one of
// each, passes it sizes, keys and messages, and draws the lines that it returns.
// To add one: implement Screen in a package of its own below this one, keep
// what comes from afar in remote.Value, do I/O only in commands made with Fetch
// (one command, one message, which carries its remote.Key), turn untrusted
// text into cells with tui/text only, and register it in tui/screens.go.
//
// This package must not import a screen or the root model.
package screen

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/apiclient/wire"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/service"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Screen is one of the places of the explorer.
type Screen interface {
	// Open goes to a place of the screen's kinds. The state is what State
	// returned when the place was left, nil for a first visit.
	Open(place nav.Place, state any) tea.Cmd
	// Place returns the current place, as precisely as the screen can.
	Place() nav.Place
	// State holds what Open needs to come back: cursor, scroll, filter.
	State() any
	// Leave cancels the requests under way, Resume makes those again that had failed then and
	// still count: it is called after Open.
	Leave()
	Resume() tea.Cmd

	// Redraw forgets what was drawn, because times are written another way.
	Redraw()

	// Update takes every message that is not the root's own.
	Update(msg tea.Msg) tea.Cmd
	// Refresh requests again what is shown.
	Refresh() tea.Cmd
	// RetryNow requests again what failed: the server answers again.
	RetryNow() tea.Cmd
	// Live requests what is new, while live tail is on; nil when the place does
	// not change.
	Live() tea.Cmd
	Status() Status

	// The View of a screen draws exactly as many lines as it is high.
	Page
}

// Page draws and takes keys: a screen, or what fills one.
type Page interface {
	SetSize(width, height int)
	SetTheme(th *theme.Theme)
	// Key takes a key that the root has no use for; false when the page has
	// none either.
	Key(msg tea.KeyMsg) (tea.Cmd, bool)
	// Typing reports whether keys are text, so that the root keeps only esc,
	// enter, tab and ctrl keys for itself.
	Typing() bool
	// View draws no more lines than the page is high, none wider than the page.
	View(now time.Time) []string
	Subject() Subject
	// Scopes are the scopes of the key map that hold here, the nearest first.
	Scopes() []string
}

// Joiner is a screen that takes a block that the server pushed. It returns false when
// the block does not follow on what it shows, so that it has to request it.
type Joiner interface {
	Join(apiclient.Pushed) (cmd tea.Cmd, joined bool)
}

// Addressed is a screen that shows accounts and contracts.
type Addressed interface {
	// Principals returns the one under the cursor, else all that are shown of the thing there.
	Principals() []string
	// PrincipalsInSight returns those that are in sight, in rows of a list and in a detail.
	PrincipalsInSight() []string
}

// Clicker is a screen that takes clicks of the mouse, at a cell of its own.
type Clicker interface{ Click(x, y int) tea.Cmd }

// Env holds what every screen is given.
type Env struct {
	// Context ends with the program; requests are derived from it.
	Context context.Context
	Client  *apiclient.Client
	Keys    *keymap.Map
	Now     func() time.Time
	// Columns are those that the user wants lists to show, by the name of the list.
	Columns map[string][]string
	// Times is shared by all screens and changed by the root.
	Times *Times
	// Web is the address of the web explorer for this network, "" for none.
	Web string
	// WebQuery holds what the web explorer's addresses end with.
	WebQuery string
	// Attempt is the last attempt that the client reported, nil before any.
	Attempt func() *apiclient.Attempt
	// Tip is the newest block that is known, which the root keeps.
	Tip Tip
	// Last describes the way to the current place, if something was typed; the root keeps it.
	Last GoMsg
	// Wallet holds what signs; nil is none. Screens get its messages by Update.
	Wallet *service.Service
	// Called says what accounts and contracts are called; the root keeps it.
	Called resource.Naming
	// Labelled returns the one account or contract that has a label of the user's own, "" for none.
	Labelled func(label string) (principal string)
	// Send hands the root a message that leads on, such as a GoMsg, which it handles before the
	// next one. As commands they could come after keys that were typed ahead, and these
	// would act on the place that is left.
	Send func(tea.Msg)
	// Tick makes the command that sends a message after a time; nil is tea.Tick.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	// Guard starts goroutines, so that a panic in one restores the terminal.
	Guard *term.Guard
	// Split describes how the user divides the screen between list and detail. All screens
	// hold the same, so that the panes keep their place when the place changes.
	Split *Split
}

// CallOf returns the call of the wallet that signed a transaction, and reports whether
// one did.
func (e *Env) CallOf(txid string) (service.Call, bool) {
	if e.Wallet == nil {
		return service.Call{}, false
	}
	return e.Wallet.CallOf(txid)
}

// OfLabel returns the address that has a label where an address is wanted, and what is wrong with
// what was typed, and reports whether that is a label. The address takes the place of
// the label before anything is sent, so that what is sent is seen.
func (e *Env) OfLabel(typed string) (problem, address string, is bool) {
	label, is := strings.CutPrefix(typed, resource.LabelMark)
	if !is || e.Labelled == nil {
		return "", "", false
	}
	if address = e.Labelled(label); address == "" {
		return "no address has this label, or several have it", "", true
	}
	return "is a label: the address that has it is wanted", address, true
}

// LoadCalls lets the wallet read the calls that other processes have made, and request what
// became of transactions that no block has yet.
func (e *Env) LoadCalls() tea.Cmd {
	if e.Wallet == nil {
		return nil
	}
	w, ctx := e.Wallet, e.Context
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		w.Poll(wire.AtLowPriority(ctx))
		return nil
	}
}

// ReadCalls lets the wallet read the calls that other processes have made, without a request.
func (e *Env) ReadCalls() tea.Cmd {
	if e.Wallet == nil {
		return nil
	}
	w := e.Wallet
	return func() tea.Msg {
		w.ReadAdded()
		return nil
	}
}

// patience bounds the wallet's requests about transactions.
const patience = 10 * time.Second

// ChainNow returns what time it is on the chain, which the ages of blocks count from: a mock
// has a clock of its own.
func (e *Env) ChainNow() time.Time {
	if e.Client == nil {
		return e.Now()
	}
	return e.Client.ChainTime(e.Now())
}

// WebPage returns the address of a page of the web explorer, "" where there is none.
func (e *Env) WebPage(path string) string {
	if e.Web == "" {
		return ""
	}
	return e.Web + path + e.WebQuery
}

// MayGoBack reports whether the chain may lose blocks without others in their place.
func (e *Env) MayGoBack() bool { return e.Client != nil && e.Client.MayGoBack() }

// Limit returns how many requests the server takes in a minute, 0 when none is known.
func (e *Env) Limit() int {
	if e.Client == nil {
		return 0
	}
	return e.Client.Gate().Budget().Limit
}

// Times describes how points in time are written.
type Times struct {
	Mode TimeMode
	Zone *time.Location
}

// TimeMode is one of age, local time and UTC.
type TimeMode int

// The modes in the order in which the key cycles them.
const (
	Ages TimeMode = iota
	LocalTime
	UTCTime
)

// TimeModes are all modes in that order.
var TimeModes = []TimeMode{Ages, LocalTime, UTCTime}

// Next goes to the next mode.
func (t *Times) Next() { t.Mode = (t.Mode + 1) % TimeMode(len(TimeModes)) }

// Name of the mode.
func (t *Times) Name() string { return [...]string{"age", "local time", "UTC"}[t.Mode] }

// Short writes a time for a narrow column: 4 to 8 cells.
func (t *Times) Short(now, at time.Time) string {
	switch t.Mode {
	case LocalTime:
		return clock(now.In(t.Zone), at.In(t.Zone))
	case UTCTime:
		return clock(now.UTC(), at.UTC())
	}
	if at.After(now) {
		return "now" // also where the clock of a chain runs ahead
	}
	return text.AgeShort(now, at)
}

// clock writes the time of day, or the date when it is another day.
func clock(now, at time.Time) string {
	if now.YearDay() == at.YearDay() && now.Year() == at.Year() {
		return at.Format("15:04:05")
	}
	return at.Format("06-01-02")
}

// Long writes a time for a detail: the time and the age.
func (t *Times) Long(now, at time.Time) string {
	age := text.Age(now, at)
	if at.After(now) {
		age = "now"
	}
	if t.Mode == LocalTime {
		return text.Local(at, t.Zone) + "  (" + age + ")"
	}
	return text.UTC(at) + "  (" + age + ")"
}

// Subject holds what the keys of the frame work on: what is under the cursor.
type Subject struct {
	Title  string // untrusted text is cleaned when drawn
	Copies []Copy
	Raw    json.RawMessage // as the server sent it, nil for none
	Web    string          // its address in the web explorer, "" for none
	// At is the place of the thing, for what prints or requests it alone; the zero place
	// where it is that of the screen.
	At nav.Place
	// ExchangeID finds the request behind it in the log, 0 for none.
	ExchangeID uint64
	// Export makes the rows of the list that it is in; nil for none.
	Export func() Table
}

// Copy is one thing that can be copied.
type Copy struct {
	Key   string // one letter, unique among the copies
	Label string
	Text  string
}

// Table holds what can be exported.
type Table struct {
	Name    string // for the file's name: letters, digits and dashes
	Columns []string
	Rows    [][]string
	JSON    []json.RawMessage // one value a row
}

// Status holds what the frame's status line shows of the screen.
type Status struct {
	ExchangeID uint64    // the last request behind what is shown
	FetchedAt  time.Time // when it came, zero when nothing did
	Busy       bool      // a request is under way
	Since      time.Time // since when
	Err        error     // why the last request failed
	Again      time.Time // when what failed is requested again by itself, zero for never
	Still      bool      // live tail requests nothing here
	ReadsTip   bool      // live tail reads the newest blocks here
	Follows    bool      // what is shown changes with each block
	Restless   bool      // what is shown changes without a block, and costs next to nothing to read
	Position   string    // "1/9,211"
	Hint       string    // what the place's own keys do
	Crumb      string    // where one is inside the place
	NewRows    int       // rows that came and are not shown yet
	NewWord    string    // what one of them is called, "" for a block
}

// GoMsg makes the root go to a place.
type GoMsg struct {
	Place nav.Place
	// Typed is the input that means the place, "" for nothing; Otherwise is what else
	// it may mean.
	Typed     string
	Otherwise []string
}

// Visit goes to a place before the next key. There is no command left to run.
func (e *Env) Visit(p nav.Place) tea.Cmd {
	e.Send(GoMsg{Place: p})
	return nil
}

// RequestWalletMsg makes the wallet's place fill the form of a method in, without params with
// an example.
type RequestWalletMsg struct {
	Method string
	Params json.RawMessage
}

// RequestWallet sends RequestWalletMsg.
func (e *Env) RequestWallet(method string, params json.RawMessage) tea.Cmd {
	e.Send(RequestWalletMsg{method, params})
	return nil
}

// UseMsg makes the root do what a key of the frame does.
type UseMsg struct{ Binding *key.Binding }

// Use sends UseMsg. The binding is one of Env.Keys.Global.
func (e *Env) Use(b *key.Binding) tea.Cmd {
	e.Send(UseMsg{b})
	return nil
}

// NoticeMsg makes the root show a sentence for some seconds.
type NoticeMsg struct {
	Text string // untrusted text is cleaned when drawn
	Bad  bool
}

// Notice returns the command of NoticeMsg.
func Notice(text string) tea.Cmd { return func() tea.Msg { return NoticeMsg{Text: text} } }

// DueMsg does what was planned for a time, once that has come.
type DueMsg func() tea.Cmd

// Fetched is the one message of a request: its key, and what came of it.
type Fetched[T any] struct {
	Key   remote.Key
	Value T
	Err   error
	At    time.Time
}

// Fetch begins a request for a value and returns the command that makes it. A failure is
// to be shown soon, and planned again: see browser.Frame.RetryLater.
func Fetch[T any](env *Env, v *remote.Value[T], load func(context.Context) (T, error)) tea.Cmd {
	ctx, key := v.Start(env.Context, env.Now())
	return func() tea.Msg {
		value, err := load(apiclient.WithFewAttempts(ctx))
		return Fetched[T]{Key: key, Value: value, Err: err, At: env.Now()}
	}
}

// FetchAhead returns Fetch for what nobody waits for: live tail, and rows that are fetched
// before they are looked at. When the server's limit has no room for it, nothing is
// sent and the value stays as it was.
func FetchAhead[T any](env *Env, v *remote.Value[T], load func(context.Context) (T, error)) tea.Cmd {
	return Fetch(env, v, func(ctx context.Context) (T, error) {
		value, err := load(wire.AtLowPriority(ctx))
		if apiclient.KindOf(err) == apiclient.RateLimited && env.Client != nil && !env.Client.Gate().ClosedToLowPriority().IsZero() {
			err = remote.ErrNotNow
		}
		return value, err
	})
}
