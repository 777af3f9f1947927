package mockpanel

import (
	"context"
	"errors"
	"time"

	"chainscope/tui/mockclient"
	"chainscope/tui/overlay"

	tea "github.com/charmbracelet/bubbletea"
)

// control does to a mock what the items say.
type control struct {
	ctx    context.Context // ends with the program
	mock   *mockclient.Client
	wallet Wallet // nil for none
}

// run returns the command of an item.
func (c control) run(id string) tea.Cmd {
	switch id {
	case "mine":
		return Mine(c.ctx, c.mock)
	case "mine10":
		return change(ChangedMsg{What: "mined 10 blocks"}, func() error { return c.mock.Mine(c.ctx, 10) })
	case "replace":
		return change(ChangedMsg{What: "replaced the newest 2 blocks", Back: true}, func() error { return c.mock.Reorg(c.ctx, 2) })
	case "hour":
		return change(ChangedMsg{What: "moved the clock on by an hour"}, func() error { return c.mock.Advance(c.ctx, time.Hour) })
	case "day":
		return change(ChangedMsg{What: "moved the clock on by a day"}, func() error { return c.mock.Advance(c.ctx, 24*time.Hour) })
	case "freeze":
		return change(ChangedMsg{What: "stopped or started the clock"}, c.freeze)
	case "snapshot":
		return change(ChangedMsg{What: "took a snapshot"}, c.snapshot)
	case "undo":
		return change(ChangedMsg{What: "went back to a snapshot", Back: true}, c.undo)
	case "redo":
		return change(ChangedMsg{What: "went forward again", Back: true}, func() error { return c.follow(c.mock.Redo(c.ctx), Wallet.Redo) })
	case "reset":
		return change(ChangedMsg{What: "forgot what was mined and broadcast", Back: true}, func() error {
			return c.follow(c.mock.Reset(c.ctx), Wallet.ForgetSnapshots)
		})
	}
	return change(ChangedMsg{What: "scenario " + id, Scenario: id}, func() error { return c.mock.SetScenario(c.ctx, id) })
}

// Mine returns the command that mines a block.
func Mine(ctx context.Context, mock *mockclient.Client) tea.Cmd {
	return change(ChangedMsg{What: "mined a block"}, func() error { return mock.Mine(ctx, 1) })
}

// change returns the command that changes the mock and says so.
func change(changed ChangedMsg, do func() error) tea.Cmd {
	return func() tea.Msg {
		if err := do(); err != nil {
			return overlay.Fail("the mock refused: " + err.Error())()
		}
		return changed
	}
}

// follow lets the wallet do what the chain has done.
func (c control) follow(err error, do func(Wallet)) error {
	if err == nil && c.wallet != nil {
		do(c.wallet)
	}
	return err
}

func (c control) snapshot() error {
	name, err := c.mock.Snapshot(c.ctx)
	return c.follow(err, func(w Wallet) { w.Snapshot(name) })
}

func (c control) freeze() error {
	course, err := c.mock.Course(c.ctx)
	if err != nil {
		return err
	}
	return c.mock.Freeze(c.ctx, !course.Frozen)
}

func (c control) undo() error {
	course, err := c.mock.Course(c.ctx)
	if err != nil {
		return err
	}
	to := back(course)
	if to == "" {
		return errors.New("there is no snapshot to go back to; take one with s")
	}
	return c.follow(c.mock.Revert(c.ctx, to), func(w Wallet) { w.Revert(to) })
}

// back returns the snapshot that undo goes to: the last one, or the one before
// where nothing was done since the last; "" for none.
func back(c mockclient.Course) string {
	last := len(c.Snapshots) - 1
	if last >= 0 && c.Snapshots[last].Name == c.At {
		last--
	}
	if last < 0 {
		return ""
	}
	return c.Snapshots[last].Name
}
