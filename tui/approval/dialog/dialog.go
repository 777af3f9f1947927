package dialog

import (
	"strings"
	"time"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/bridge"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// AnswerKind says what a key came to.
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
)

// Answer is what the owner of the dialog has to do.
type Answer struct {
	Kind     AnswerKind
	ID       uint64          // of the question
	Decision signer.Decision // of Decided
	Origin   string          // of OriginDecided and RejectedAndBlocked, untrusted
	Choice   bridge.Access   // of OriginDecided
	Text     string          // of Copied, raw
}

// Dialog is the approval dialog. It shows the question that came first.
type Dialog struct {
	theme     *theme.Theme
	questions []*question
	queue     []service.Waiting
	arming    arming

	width, height int // of the window
	body          int // lines of the description in sight, as last drawn
}

// question is one thing to decide.
type question struct {
	approval service.ApprovalAsked
	origin   *service.OriginAsked // instead of the approval
	page     *page                // made when it is first drawn
	raw      []part               // made when it is first asked for
	showRaw  int                  // 0 is the description in words, then raw from 1
	edit     *edit
	// asked again: the edit was given and the new description is still to come
	again bool
}

func (q *question) id() uint64 {
	if q.origin != nil {
		return q.origin.ID
	}
	return q.approval.ID
}

// New returns a dialog with nothing to ask.
func New(th *theme.Theme) *Dialog { return &Dialog{theme: th} }

// SetTheme changes the colours.
func (d *Dialog) SetTheme(th *theme.Theme) {
	d.theme = th
	for _, q := range d.questions {
		q.page = nil
	}
}

// SetSize tells the size of the window.
func (d *Dialog) SetSize(width, height int) { d.width, d.height = width, height }

// SetQueue tells who waits.
func (d *Dialog) SetQueue(list []service.Waiting) { d.queue = list }

// Open reports whether there is something to decide. Then all keys are the
// dialog's.
func (d *Dialog) Open() bool { return len(d.questions) > 0 }

// ObserveKey takes note of a key that came while there was nothing to decide.
func (d *Dialog) ObserveKey(msg tea.KeyMsg, now time.Time) { d.arming.passed(msg.String(), now) }

// NeedsTick reports whether the dialog will look different soon without a key:
// keys do not count yet.
func (d *Dialog) NeedsTick(now time.Time) bool { return d.Open() && d.arming.left(now) > 0 }

// Ask asks about a request.
func (d *Dialog) Ask(a service.ApprovalAsked, now time.Time) {
	for i, q := range d.questions {
		if q.again && q.approval.CallID == a.CallID {
			d.questions[i] = &question{approval: a}
			if i == 0 {
				d.arming.start(now)
			}
			return
		}
	}
	d.add(&question{approval: a}, now)
}

// AskOrigin asks about an origin.
func (d *Dialog) AskOrigin(o service.OriginAsked, now time.Time) {
	d.add(&question{origin: &o}, now)
}

func (d *Dialog) add(q *question, now time.Time) {
	d.questions = append(d.questions, q)
	if len(d.questions) == 1 {
		d.arming.start(now)
	}
}

// Withdraw takes a question back; false when it is not asked any more.
func (d *Dialog) Withdraw(id uint64, now time.Time) bool {
	for i, q := range d.questions {
		if q.id() == id {
			d.remove(i, now)
			return true
		}
	}
	return false
}

// CallDone tells that a call has ended: an edit of it that failed has no next
// round.
func (d *Dialog) CallDone(callID uint64, now time.Time) {
	for i, q := range d.questions {
		if q.origin == nil && q.again && q.approval.CallID == callID {
			d.remove(i, now)
			return
		}
	}
}

func (d *Dialog) remove(i int, now time.Time) {
	d.questions = append(d.questions[:i], d.questions[i+1:]...)
	if i == 0 {
		d.arming.start(now) // another question, or keys for it later
	}
}

// Key handles a key; all keys are taken.
func (d *Dialog) Key(msg tea.KeyMsg, now time.Time) Answer {
	if !d.Open() {
		return Answer{}
	}
	q := d.questions[0]
	name := msg.String()
	if !d.arming.counts(name, approves(q, name), now) || q.again {
		return Answer{}
	}
	if q.edit != nil {
		return d.editKey(q, msg)
	}
	if d.scroll(q, name, now) {
		return Answer{}
	}
	if q.origin != nil {
		return d.originKey(q, name, now)
	}
	return d.approvalKey(q, name, now)
}

// approves tells whether a key gives something away.
func approves(q *question, name string) bool { return q.edit == nil && name == keyApprove }

// The keys of the dialog. They are not rebound: what approves is the same on
// every machine.
const (
	keyApprove = "a"
	keyBlock   = "b"
	keyEdit    = "e"
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
		if q.approval.Asker.Kind != service.FromPage {
			return Answer{}
		}
		answer.Kind, answer.Origin = RejectedAndBlocked, q.approval.Asker.Origin
	case keyEdit:
		if q.approval.Editable() && d.readable() {
			q.edit = newEdit(*q.approval.Description.Transaction)
		}
		return Answer{}
	case keyRaw, "tab":
		q.nextRaw()
		return Answer{}
	case "shift+tab":
		q.showRaw, q.page = 0, nil
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
		answer.Choice = bridge.Blocked
	default:
		return Answer{}
	}
	d.remove(0, now)
	return answer
}

func (d *Dialog) editKey(q *question, msg tea.KeyMsg) Answer {
	switch q.edit.key(msg) {
	case editLeft:
		q.edit = nil
	case editDone:
		change, changed := q.edit.change(*q.approval.Description.Transaction)
		q.edit = nil
		if changed {
			q.again = true
			return Answer{Kind: Decided, ID: q.approval.ID, Decision: signer.Decision{Edit: change}}
		}
	}
	return Answer{}
}

// scroll handles the keys that move.
func (d *Dialog) scroll(q *question, name string, now time.Time) bool {
	if !d.readable() {
		return false
	}
	body := d.bodyHeight(q, now)
	p := d.page(q, d.bodyWidth(), now)
	top, step := &p.top, max(1, body-1)
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
		*top = len(p.lines)
	default:
		return false
	}
	p.clamp(body)
	return true
}

// The least window in which a description can be read.
const (
	minWidth  = 40
	minHeight = 12
)

func (d *Dialog) readable() bool { return d.width >= minWidth && d.height >= minHeight }

// Hint names the keys.
func (d *Dialog) Hint() string {
	if !d.Open() {
		return ""
	}
	q := d.questions[0]
	switch {
	case !d.readable():
		return "esc reject"
	case q.again:
		return "the new transaction is being described"
	case q.edit != nil:
		return q.edit.hint()
	case q.origin != nil:
		return "a allow  esc refuse once  b block for good"
	}
	hints := []string{"a approve", "esc reject"}
	if q.approval.Asker.Kind == service.FromPage {
		hints = append(hints, "b reject+block")
	}
	if q.approval.Editable() {
		hints = append(hints, "e edit")
	}
	return strings.Join(append(hints, "r raw", "y copy", "↑↓ scroll"), "  ")
}

// Withdrawal says that a request was taken back.
func Withdrawal(w service.Withdrawn) string {
	what := w.Method
	if what == "" {
		what = "a question"
	}
	return text.Line(what + " of " + w.Asker.String() + " was withdrawn: " + w.Reason)
}
