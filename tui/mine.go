package tui

import (
	"fmt"
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// mine holds what became of the transactions that the wallet sent, reported wherever the user is.
type mine struct {
	news   []service.TransactionSettled // those of the notice, the newest last
	seen   bool                         // the notice was seen: what comes next begins another
	called bool                         // the user was alerted
}

// settled adds what became of one, shows a notice of it, and alerts the user.
func (w *mine) settled(n *navigator, s service.TransactionSettled, how term.Attention) tea.Cmd {
	if w.seen {
		w.news, w.seen = nil, false
	}
	w.news, w.called = append(w.news, s), true
	words, bad := w.words()
	opens := " opens it"
	if len(w.news) > 1 {
		opens = " opens the wallet"
	}
	n.notice.stay(words+"; "+keymap.First(n.env.Keys.Global.Mine)+opens, bad, n.env.Now())
	return term.Call(how, words)
}

// words say what became of them, and whether one failed.
func (w *mine) words() (words string, bad bool) {
	failed, replaced := 0, 0
	for _, s := range w.news {
		switch {
		case s.Transaction.Replaced():
			replaced++
		case s.Call.Status(&s.Transaction).Fate == service.Bad:
			failed++
		}
	}
	if n := len(w.news); n > 1 {
		words = fmt.Sprintf("%s of yours ended", text.Plural(n, "transaction"))
		if failed > 0 {
			words += fmt.Sprintf(", %d of them failed", failed)
		}
		if replaced > 0 {
			words += fmt.Sprintf(", %d of them replaced by another", replaced)
		}
		return words, failed > 0
	}
	s := w.news[0]
	id := strings.TrimPrefix(s.Call.TxID, "0x")
	status := strings.Join(strings.Fields(s.Call.Status(&s.Transaction).Words), " ")
	return fmt.Sprintf("your %s %s: %s", resource.Call{Call: s.Call}.Title(), text.Truncate(id, 9), status), failed > 0
}

// keyPressed says that the user is here: the alert ends, unless a request has raised one since.
func (w *mine) keyPressed(how term.Attention, shown, alerted bool) tea.Cmd {
	w.seen = w.seen || !shown
	if !w.called || alerted {
		return nil
	}
	w.called = false
	return term.Call(how, "")
}

// place returns where what became of them is seen; false where nothing did.
func (w *mine) place() (nav.Place, bool) {
	switch len(w.news) {
	case 0:
		return nav.Place{}, false
	case 1:
		s := w.news[0]
		if id, err := nav.ParseHash(s.Call.TxID); err == nil && s.Transaction.Mined() {
			return nav.Transaction(id), true
		}
		return nav.WalletCall(s.Call.Key()), true
	}
	return nav.Wallet(), true
}

// openMine goes to what became of the wallet's transactions.
func openMine(m *Model) tea.Cmd {
	if p, ok := m.mine.place(); ok {
		return m.visit(p)
	}
	return m.showNotice("no transaction of this program's wallet has ended since it began", false)
}
