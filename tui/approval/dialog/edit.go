package dialog

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/form"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// edit is the form for fee and nonce.
type edit struct {
	*form.Form
	texts [2]string // fee, nonce
	done  bool      // both are right, and were accepted
	least uint64    // fee, micro-STX
	fixed string    // the only nonce that there can be, "" for any
}

const (
	feeField = iota
	nonceField
)

func newEdit(d signer.Description) *edit {
	t := d.Transaction
	e := &edit{texts: [2]string{strconv.FormatUint(t.Fee, 10), strconv.FormatUint(t.Nonce, 10)}, least: d.LeastFee()}
	if d.Repair != nil && d.Repair.Kind != signer.Sponsor {
		e.fixed = e.texts[nonceField]
	}
	e.Form = form.New(e, &keymap.Map{}, 6, "") // no key but those of every form
	return e
}

func (e *edit) hint() string { return "enter describe again  tab next field  esc back" }

// Slots returns fee and nonce.
func (e *edit) Slots() []form.Slot {
	return []form.Slot{
		{Key: feeField, Label: "fee", Text: e.texts[feeField]},
		{Key: nonceField, Label: "nonce", Text: e.texts[nonceField]},
	}
}

// Check judges a number.
func (e *edit) Check(at any) form.Verdict {
	v := form.Right("")
	var err error
	if at == nonceField {
		var nonce uint64
		if nonce, err = parseNonce(e.texts[nonceField]); err == nil && e.fixed != "" && strconv.FormatUint(nonce, 10) != e.fixed {
			err = errors.New("must stay " + e.fixed + ", the nonce that is stuck")
		}
	} else {
		var fee uint64
		if fee, err = parseFee(e.texts[feeField]); err == nil {
			v.Note = text.Amount(new(big.Int).SetUint64(fee), stxDecimals) + " STX"
			if fee < e.least {
				err = fmt.Errorf("at least %d micro-STX", e.least)
			}
		}
	}
	if err != nil {
		v.Problem = err.Error()
	}
	return v
}

// Enter takes a text.
func (e *edit) Enter(at any, typed string) { e.texts[at.(int)] = typed }

// Send takes note that both are right, or goes to what is not.
func (e *edit) Send() tea.Cmd {
	if e.done = !e.Incomplete(); !e.done {
		e.GoToProblem()
	}
	return nil
}

// change returns what differs from the transaction.
func (e *edit) change(t signer.Transaction) (signer.Edit, bool) {
	var change signer.Edit
	if fee, err := parseFee(e.texts[feeField]); err == nil && fee != t.Fee {
		change.Fee = &fee
	}
	if nonce, err := parseNonce(e.texts[nonceField]); err == nil && nonce != t.Nonce {
		change.Nonce = &nonce
	}
	return change, change != signer.Edit{}
}

// stxDecimals is the number of decimals that an STX has.
const stxDecimals = 6

// parseFee reads micro-STX, or STX when the unit follows.
func parseFee(s string) (uint64, error) {
	s = strings.NewReplacer(",", "", "_", "", " ", "").Replace(strings.ToLower(s))
	number, isSTX := strings.CutSuffix(s, "stx")
	if micro, ok := strings.CutSuffix(number, "u"); ok && isSTX {
		number, isSTX = micro, false
	}
	if number == "" {
		return 0, errors.New("fee: is missing; 3000 are micro-STX, 0.003 STX are STX")
	}
	whole, fraction, point := strings.Cut(number, ".")
	switch {
	case point && !isSTX:
		return 0, errors.New("fee: micro-STX have no fraction; write 0.003 STX for STX")
	case isSTX && len(fraction) > stxDecimals:
		return 0, errors.New("fee: an STX has 6 decimals")
	case isSTX:
		number = whole + fraction + strings.Repeat("0", stxDecimals-len(fraction))
	}
	fee, err := strconv.ParseUint(number, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("fee: is too large")
	case err != nil:
		return 0, errors.New("fee: is no number; 3000 are micro-STX, 0.003 STX are STX")
	}
	return fee, nil
}

func parseNonce(s string) (uint64, error) {
	nonce, err := strconv.ParseUint(strings.NewReplacer(",", "", "_", "", " ", "").Replace(s), 10, 64)
	if err != nil {
		return 0, errors.New("nonce: must be an integer from 0")
	}
	return nonce, nil
}

// view draws the form.
func (e *edit) view(th *theme.Theme, width int) []string {
	lines := append([]string{th.Strong.Render("Change fee and nonce"), ""}, e.View(th, width, 5)...)
	return append(lines, th.Muted.Render(text.Truncate("enter shows the changed transaction; it is approved there.", width)))
}
