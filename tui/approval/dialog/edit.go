package dialog

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/line"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// edit is the form for fee and nonce.
type edit struct {
	fields [2]line.Line // fee, nonce
	at     int
}

const (
	feeField = iota
	nonceField
)

type editOutcome int

const (
	editStays editOutcome = iota
	editLeft
	editDone
)

// maxField is how many characters a field takes.
const maxField = 24

func newEdit(t signer.Transaction) *edit {
	e := &edit{fields: [2]line.Line{line.NewSize(maxField), line.NewSize(maxField)}}
	e.fields[feeField].SetValue(strconv.FormatUint(t.Fee, 10))
	e.fields[nonceField].SetValue(strconv.FormatUint(t.Nonce, 10))
	return e
}

func (e *edit) hint() string { return "enter describe again  tab next field  esc clear, then back" }

func (e *edit) key(msg tea.KeyMsg) editOutcome {
	if msg.Type == tea.KeyRunes {
		// Only what an amount is written with: digits, 1.5, 1,000, STX.
		msg.Runes = slices.DeleteFunc(slices.Clone(msg.Runes), func(r rune) bool { return !strings.ContainsRune("0123456789.,_ STXstxµu", r) })
	}
	switch e.fields[e.at].Key(msg) {
	case line.Closed:
		return editLeft
	case line.Accepted:
		if e.problem() == nil {
			return editDone
		}
	case line.Ignored:
		switch msg.String() {
		case "tab", "shift+tab", "up", "down":
			e.at = 1 - e.at
		}
	}
	return editStays
}

func (e *edit) problem() error {
	if _, err := parseFee(e.fields[feeField].Value()); err != nil {
		return err
	}
	_, err := parseNonce(e.fields[nonceField].Value())
	return err
}

// change is what differs from the transaction.
func (e *edit) change(t signer.Transaction) (signer.Edit, bool) {
	var change signer.Edit
	if fee, err := parseFee(e.fields[feeField].Value()); err == nil && fee != t.Fee {
		change.Fee = &fee
	}
	if nonce, err := parseNonce(e.fields[nonceField].Value()); err == nil && nonce != t.Nonce {
		change.Nonce = &nonce
	}
	return change, change != signer.Edit{}
}

// stxDecimals is how many decimals an STX has.
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
	field := func(i int, label, note string) string {
		marker := " "
		if i == e.at {
			marker = th.Glyphs.Cursor
		}
		value := text.Fill(e.fields[i].View(th, maxField+1, i == e.at), maxField+1)
		return text.Clip(fmt.Sprintf("%s %s  %s  %s", marker, th.Muted.Render(text.Pad(label, 6)), value, th.Muted.Render(note)), width)
	}
	note := ""
	if fee, err := parseFee(e.fields[feeField].Value()); err == nil {
		note = text.Amount(new(big.Int).SetUint64(fee), stxDecimals) + " STX"
	}
	lines := []string{
		th.Strong.Render("Change fee and nonce"), "",
		field(feeField, "fee", note), field(nonceField, "nonce", ""), "",
	}
	if err := e.problem(); err != nil {
		return append(lines, th.Bad.Render(text.Truncate(err.Error(), width)))
	}
	return append(lines, th.Muted.Render(text.Truncate("enter shows the changed transaction; it is approved there.", width)))
}
