package dialog

import (
	"strings"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/bridge"
	"chainscope/wallet/node"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// AnswerKind holds what a key meant.
type AnswerKind int

// A key scrolls or is swallowed; or it answers a question, or asks to copy.
const (
	None AnswerKind = iota
	Decided
	OriginDecided
	// RejectedAndBlocked: the request is rejected, and its origin is to be
	// blocked with all that it has waiting.
	RejectedAndBlocked
	Copied
	// CostRequested: what a forecast costs on the live network is to be said; ForecastRequested: it is to begin.
	CostRequested
	ForecastRequested
)

// Answer holds what the owner of the dialog has to do.
type Answer struct {
	Kind     AnswerKind
	ID       uint64          // of the question
	Decision signer.Decision // of Decided
	Origin   string          // of OriginDecided and RejectedAndBlocked, untrusted
	Choice   bridge.Access   // of OriginDecided
	Text     string          // of Copied, raw
}

// Stakes say what an approval can do to coins.
type Stakes int

const (
	RealCoins Stakes = iota // a live API and the user's own keys
	TestKeys                // a live API, and keys that everyone has
	MockOnly                // the API is a mock: nothing leaves this machine
)

// Dialog is the approval dialog. It shows the question that came first.
type Dialog struct {
	theme     *theme.Theme
	questions []*question
	queue     []service.Waiting
	arming    arming
	stakes    Stakes
	// onFork returns how far a forecast on a fork of the live network is; nil where there can be none.
	onFork func() string

	width, height int // of the window
}

// question is one thing to decide.
type question struct {
	approval service.ApprovalNeeded
	origin   *service.OriginNeeded // instead of the approval
	at       time.Time             // when it was asked
	page     *page                 // what is scrolled, made for the width of the window
	raw      []part                // made when it is first requested
	showRaw  int                   // 0 is the description in words, then raw from 1
	read     bool                  // all of the description has been in sight
	edit     *edit
	editing  bool // the form for fee and nonce is open
	blocking bool // whether to block the origin is being asked
	// asked again: the edit was given and the new description is still to come
	again bool
	// forecast describes how its transaction would end; idle where there is none.
	forecast remote.Value[*node.Forecast]
	// cost says what a forecast costs on the live network, "" while nobody wanted to know; nothing is run
	// before offered.
	cost    string
	offered bool
}

func (q *question) id() uint64 {
	if q.origin != nil {
		return q.origin.ID
	}
	return q.approval.ID
}

// New returns a dialog with nothing to ask.
func New(th *theme.Theme) *Dialog { return &Dialog{theme: th} }

// SetTheme changes the colors.
func (d *Dialog) SetTheme(th *theme.Theme) {
	d.theme = th
	d.layout()
}

// SetStakes returns what an approval can do to coins; RealCoins unless set.
func (d *Dialog) SetStakes(s Stakes) {
	d.stakes = s
	d.layout()
}

// SetOnFork says that a forecast can be made on a fork of the live network, and what returns how far one is.
func (d *Dialog) SetOnFork(far func() string) { d.onFork = far }

// SetSize sets the size of the window. Where that brings text into view which was
// not there before, keys have to wait as they did for the question.
func (d *Dialog) SetSize(width, height int, now time.Time) {
	before := d.inSight()
	d.width, d.height = width, height
	d.layout()
	if d.Open() && !strings.Contains(before, d.inSight()) {
		d.arming.start(now)
	}
}

// inSight returns the text of the page in the window without its spaces, which
// depend on the width.
func (d *Dialog) inSight() string {
	if !d.Open() || !d.readable() || d.questions[0].page == nil {
		return ""
	}
	q := d.questions[0]
	end := min(q.page.top+d.bodyHeight(q), len(q.page.lines))
	return strings.Join(strings.Fields(ansi.Strip(strings.Join(q.page.lines[q.page.top:end], " "))), "")
}

// layout makes the page of the question on screen for the width of the window.
// It shows about the same place in lines of another length.
func (d *Dialog) layout() {
	if !d.Open() || !d.readable() {
		return
	}
	q, width := d.questions[0], d.bodyWidth()
	p := &page{width: width}
	if q.page != nil {
		p.top = q.page.top * q.page.width / max(1, width)
		p.seen = min(q.page.seen, q.page.seen*q.page.width/max(1, width)) // at most what was seen of the new lines
	}
	switch {
	case q.origin != nil:
		p.lines = originPage(d.theme, *q.origin, width)
	case q.showRaw > 0:
		p.lines = text.Block(q.raw[q.showRaw-1].text, width)
	default:
		p.lines = describe(d.theme, q, d.stakes, width)
	}
	q.page = p
	d.scrolled(q)
}

// SetQueue takes the list of the requests that wait.
func (d *Dialog) SetQueue(list []service.Waiting) { d.queue = list }

// Open reports whether there is something to decide. Then all keys are the
// dialog's.
func (d *Dialog) Open() bool { return len(d.questions) > 0 }

// ObserveKey takes note of a key that came while there was nothing to decide.
func (d *Dialog) ObserveKey(msg tea.KeyMsg, now time.Time) { d.arming.observe(msg.String(), now) }

// NeedsTick reports whether the dialog will look different soon without a key:
// keys do not count yet.
func (d *Dialog) NeedsTick(now time.Time) bool { return d.Open() && d.arming.left(now) > 0 }

// Ask asks about a request.
func (d *Dialog) Ask(a service.ApprovalNeeded, now time.Time) {
	for i, q := range d.questions {
		if q.again && q.approval.CallID == a.CallID {
			q.forecast.Cancel()
			d.questions[i] = &question{approval: a, at: now}
			if i == 0 {
				d.show(now)
			}
			return
		}
	}
	d.add(&question{approval: a, at: now}, now)
}

// AskOrigin asks about an origin.
func (d *Dialog) AskOrigin(o service.OriginNeeded, now time.Time) {
	d.add(&question{origin: &o, at: now}, now)
}

func (d *Dialog) add(q *question, now time.Time) {
	d.questions = append(d.questions, q)
	if len(d.questions) == 1 {
		d.show(now)
	}
}

// show puts the first question on screen: keys have to wait for it.
func (d *Dialog) show(now time.Time) {
	d.arming.start(now)
	d.layout()
}

// Withdraw removes a question and reports whether it was still asked.
func (d *Dialog) Withdraw(id uint64, now time.Time) bool {
	for i, q := range d.questions {
		if q.id() == id {
			d.remove(i, now)
			return true
		}
	}
	return false
}

// CallDone takes note that a call has ended: an edit of it that failed has no
// next round.
func (d *Dialog) CallDone(callID uint64, now time.Time) {
	for i, q := range d.questions {
		if q.origin == nil && q.again && q.approval.CallID == callID {
			d.remove(i, now)
			return
		}
	}
}

func (d *Dialog) remove(i int, now time.Time) {
	d.questions[i].forecast.Cancel()
	d.questions = append(d.questions[:i], d.questions[i+1:]...)
	if i == 0 {
		d.show(now)
	}
}

// Key handles a key; all keys are taken. A key is alone when nothing else came in
// the same read; a paste never is.
func (d *Dialog) Key(msg tea.KeyMsg, alone bool, now time.Time) Answer {
	if !d.Open() {
		return Answer{}
	}
	q := d.questions[0]
	if q.editing {
		return d.editKey(q, msg, now)
	}
	name := msg.String()
	if !d.arming.counts(press{name, alone && !msg.Paste}, now) || q.again {
		return Answer{}
	}
	switch {
	case q.blocking:
		return d.blockKey(q, name, now)
	case d.scroll(q, name):
		return Answer{}
	case name == keyApprove && !q.read:
		d.readOn(q, now)
		return Answer{}
	case q.origin != nil:
		return d.originKey(q, name, now)
	}
	return d.approvalKey(q, name, now)
}

// The keys of the dialog. They are not rebound: what approves is the same on
// every machine.
const (
	keyApprove = "a"
	keyBlock   = "b"
	keyConfirm = "y" // blocks, once b has asked
	keyEdit    = "e"
	keyExact   = "p" // writes the post-conditions of the forecast
	keyForesee = "f" // on a live network
	keyRaw     = "r"
	keyCopy    = "y"
)

func (d *Dialog) approvalKey(q *question, name string, now time.Time) Answer {
	answer := Answer{Kind: Decided, ID: q.approval.ID}
	switch name {
	case keyApprove:
		if !d.readable() {
			return Answer{}
		}
		answer.Decision.Approved = true
	case "esc", "enter", "d":
	case keyBlock:
		if q.approval.Requester.Kind == service.FromPage {
			d.offerBlocking(q, now)
		}
		return Answer{}
	case keyEdit:
		if q.approval.Editable() && d.readable() {
			q.editing = true
			if q.edit == nil { // what was typed before is there again
				q.edit = newEdit(q.approval.Description)
			}
		}
		return Answer{}
	case keyExact:
		return d.exact(q, now)
	case keyForesee:
		return d.wantForecast(q)
	case keyRaw, "tab":
		q.nextRaw()
		d.layout()
		return Answer{}
	case "shift+tab":
		q.showRaw, q.page = 0, nil
		d.layout()
		return Answer{}
	case keyCopy:
		return Answer{Kind: Copied, ID: q.id(), Text: q.text()}
	default:
		return Answer{}
	}
	d.remove(0, now)
	return answer
}

func (d *Dialog) originKey(q *question, name string, now time.Time) Answer {
	answer := Answer{Kind: OriginDecided, ID: q.origin.ID, Origin: q.origin.Origin}
	switch name {
	case keyApprove:
		if !d.readable() {
			return Answer{}
		}
		answer.Choice = bridge.Allowed
	case "esc", "enter", "d":
		answer.Choice = bridge.Undecided
	case keyBlock:
		d.offerBlocking(q, now)
		return Answer{}
	default:
		return Answer{}
	}
	d.remove(0, now)
	return answer
}

// offerBlocking asks whether to block the origin for good. Keys have to wait again.
func (d *Dialog) offerBlocking(q *question, now time.Time) {
	q.blocking = true
	d.arming.start(now)
}

// blockKey handles a key while that is asked.
func (d *Dialog) blockKey(q *question, name string, now time.Time) Answer {
	switch {
	case name == "esc" || name == "enter":
		q.blocking = false
		d.arming.start(now)
		return Answer{}
	case name != keyConfirm || !d.readable():
		return Answer{}
	}
	answer := Answer{Kind: RejectedAndBlocked, ID: q.id(), Origin: q.approval.Requester.Origin}
	if q.origin != nil {
		answer = Answer{Kind: OriginDecided, ID: q.id(), Origin: q.origin.Origin, Choice: bridge.Blocked}
	}
	d.remove(0, now)
	return answer
}

// editKey handles a key of the form for fee and nonce, which approves nothing.
func (d *Dialog) editKey(q *question, msg tea.KeyMsg, now time.Time) Answer {
	if msg.String() == "esc" {
		q.editing = false
		d.arming.start(now)
		return Answer{}
	}
	q.edit.Key(msg)
	if !q.edit.done {
		return Answer{}
	}
	change, changed := q.edit.change(*q.approval.Description.Transaction)
	q.edit, q.editing = nil, false
	d.arming.start(now)
	if !changed {
		return Answer{}
	}
	q.again = true
	return Answer{Kind: Decided, ID: q.approval.ID, Decision: signer.Decision{Edit: change}}
}

// scroll handles the keys that move.
func (d *Dialog) scroll(q *question, name string) bool {
	if !d.readable() || q.page == nil {
		return false
	}
	body := d.bodyHeight(q)
	top, step := &q.page.top, max(1, body-1)
	switch name {
	case "up", "k":
		*top--
	case "down", "j":
		*top++
	case "pgup", "ctrl+u":
		*top -= step
	case "pgdown", "ctrl+d", " ":
		*top += step
	case "home", "g":
		*top = 0
	case "end", "G":
		*top = len(q.page.lines)
	default:
		return false
	}
	d.scrolled(q)
	return true
}

// scrolled takes note of what has come in sight.
func (d *Dialog) scrolled(q *question) {
	q.page.clamp(d.bodyHeight(q))
	q.read = q.read || q.showRaw == 0 && q.page.seen == len(q.page.lines)
}

// readOn shows what has not been in sight of the description: what nobody can have read
// cannot be approved. Keys have to wait as they did for the question.
func (d *Dialog) readOn(q *question, now time.Time) {
	if !d.readable() {
		return
	}
	if q.showRaw > 0 {
		q.showRaw, q.page = 0, nil
		d.layout()
	} else {
		q.page.top = q.page.seen - 1
		d.scrolled(q)
	}
	d.arming.start(now)
}

// The least window in which a description can be read.
const (
	minWidth  = 40
	minHeight = 12
)

func (d *Dialog) readable() bool { return d.width >= minWidth && d.height >= minHeight }

// Withdrawal returns a sentence about a request that was withdrawn.
func Withdrawal(w service.Withdrawn) string {
	what := w.Method
	if what == "" {
		what = "a question"
	}
	return text.Line(what + " of " + w.Requester.String() + " was withdrawn: " + w.Reason)
}
