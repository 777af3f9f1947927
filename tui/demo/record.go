package demo

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"chainscope/tui/film"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Clock is the clock of a recording, which does not wait while the user would read.
type Clock interface {
	Now() time.Time
	// Skip puts the clock forward.
	Skip(time.Duration)
	// After waits a time for the program, as time.After does.
	After(time.Duration) <-chan time.Time
}

// SystemClock is the clock of the system, put forward. The zero value is ready.
type SystemClock struct{ skipped atomic.Int64 }

// Now returns the time.
func (c *SystemClock) Now() time.Time { return time.Now().Add(time.Duration(c.skipped.Load())) }

// Skip puts the clock forward.
func (c *SystemClock) Skip(d time.Duration) { c.skipped.Add(int64(d)) }

// After is time.After.
func (c *SystemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// quiet is the time that nothing has to come from the program before a frame is taken, and
// quietAtMost how long that is waited for. A command that takes longer than grace, such as
// one that waits for the user, continues beside the others. All three begin again while a request
// is under way. Grace and quiet together are shorter than the tick of what is animated: it would
// never be quiet.
const (
	grace       = 50 * time.Millisecond
	quiet       = 40 * time.Millisecond
	quietAtMost = 2 * time.Second
)

// Record performs a script without a terminal, in a window of width x height cells, and returns
// the film. The model must take its time from the clock. Of the options only Theme, Request
// and Busy are used; spawn runs a function in a goroutine.
func Record(ctx context.Context, model tea.Model, s *Script, clock Clock, width, height int, o Options, spawn func(func())) (*film.Film, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f := &film.Film{Title: s.Title, Width: width, Height: height}
	r := &recorder{ctx: ctx, clock: clock, messages: make(chan tea.Msg, 1000), spawn: spawn, busy: o.Busy}
	o.Tick = r.tick
	o.Shown = func(frame string, stays time.Duration, still bool) {
		f.Show(frame, stays)
		if still {
			f.Still()
		}
	}
	p := New(model, s, o)
	p.Update(tea.WindowSizeMsg{Width: width, Height: height})
	r.run(p.Init())
	for !p.Over() {
		if err := r.settle(p); err != nil {
			return nil, err
		}
		if t := r.timer; t != nil {
			r.timer = nil
			if t.after == lookEvery {
				time.Sleep(lookEvery)
			} else {
				clock.Skip(t.after)
			}
			_, cmd := p.Update(t.make(clock.Now()))
			r.run(cmd)
		}
	}
	if err := p.Err(); err != nil {
		return f, fmt.Errorf("%w, which showed:\n%s", err, ansi.Strip(p.model.View()))
	}
	return f, nil
}

// recorder runs the commands of a model.
type recorder struct {
	ctx      context.Context
	clock    Clock
	messages chan tea.Msg
	spawn    func(func()) // runs a function beside
	busy     func() bool  // reports whether a request is under way
	timer    *timer       // of the player
}

type timer struct {
	after time.Duration
	make  func(time.Time) tea.Msg
}

// tick keeps the player's timer, which goes off as soon as the program is quiet.
func (r *recorder) tick(d time.Duration, make func(time.Time) tea.Msg) tea.Cmd {
	r.timer = &timer{d, make}
	return nil
}

// run runs a command in the background. A quick command ends before the next one starts, so a
// film is the same each time.
func (r *recorder) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := make(chan struct{})
	r.spawn(func() {
		msg := cmd()
		select {
		case r.messages <- msg:
		case <-r.ctx.Done():
		}
		close(done)
	})
	for {
		select {
		case <-done:
			return
		case <-r.clock.After(grace):
			if !r.busy() {
				return
			}
		}
	}
}

// settle gives the model its messages until none has come for a while.
func (r *recorder) settle(p *Player) error {
	end := r.clock.After(quietAtMost)
	for {
		select {
		case msg := <-r.messages:
			switch msg := msg.(type) {
			case nil:
			case tea.QuitMsg:
				return errors.New("the script ends the program: it must not press q")
			case tea.BatchMsg:
				for _, cmd := range msg {
					r.run(cmd)
				}
			default:
				_, cmd := p.Update(msg)
				r.run(cmd)
			}
		case <-r.clock.After(quiet):
			if !r.busy() {
				return nil
			}
		case <-end:
			if !r.busy() {
				return nil
			}
			end = r.clock.After(quiet)
		case <-r.ctx.Done():
			return context.Cause(r.ctx)
		}
	}
}
