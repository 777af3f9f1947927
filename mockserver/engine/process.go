package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"chainscope/mockserver/fork"
)

// protocol is the version of the lines of this package.
const protocol = 1

// Limits of a Process.
const (
	maxLine   = 16 << 20 // of an answer, in bytes
	maxStderr = 4 << 10
	// startTime is the time that the program may take to say hello.
	startTime = 60 * time.Second
	// endTime is the time that it may take to end once its stdin is closed.
	endTime = 2 * time.Second
)

// Process is one run of the program. It is safe for concurrent use.
type Process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr tail
	vm     string // what it says of itself
	reads  Reads
	forks  bool // it can read a live chain

	mu      sync.Mutex
	since   time.Time     // when it began to wait for what it reads, the zero time while it does not
	waited  time.Duration // for what it read
	next    int64
	lines   [][]byte      // to be written
	more    chan struct{} // has something where lines has
	waiting map[int64]chan<- reply
	died    error // why, nil while it lives
	gone    chan struct{}
}

// hello is the first line of the program.
type hello struct {
	Protocol int    `json:"chainscope-clarity"`
	VM       string `json:"vm"`
	Forks    bool   `json:"forks"`
}

// reply is an answer.
type reply struct {
	ID    *int64          `json:"id"`
	OK    json.RawMessage `json:"ok"`
	Error *RefusedError   `json:"error"`
	Read  *int64          `json:"read"` // the number of a path that it reads of a live chain
	Path  string          `json:"path"`

	lost error
}

// RefusedError says that the program could not do what it was requested to do.
type RefusedError struct {
	Kind    string `json:"kind"` // request, broken: the program ends, or unread: it read what is not known
	Message string `json:"message"`
	What    string `json:"what"` // that could not be read
	Why     string `json:"why"`
}

func (e *RefusedError) Error() string { return "the Clarity engine: " + e.Message }

// LostError says that the process is gone. What it was executing may have been the cause.
type LostError struct {
	Reason string
	// Hung reports that it gave no answer in time.
	Hung bool
}

func (e *LostError) Error() string { return "the Clarity engine " + e.Reason }

// environment returns the variables that the program gets: it needs no others, and the rest may
// hold secrets.
func environment() []string {
	var kept []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "APPDATA", "CHAINSCOPE_CLARITY_SESSIONS"} {
		if v, ok := os.LookupEnv(name); ok {
			kept = append(kept, name+"="+v)
		}
	}
	return kept
}

// Start starts the program and waits until it says hello. reads has what it may read of a live chain, nil
// for nothing.
func Start(ctx context.Context, command []string, reads Reads) (*Process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = environment()
	p := &Process{cmd: cmd, reads: reads, waiting: map[int64]chan<- reply{}, gone: make(chan struct{}), more: make(chan struct{}, 1)}
	cmd.Stderr, cmd.WaitDelay = &p.stderr, endTime
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.stdin = stdin
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", command[0], err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	greeted := make(chan error, 1)
	guarded(func() { p.read(lines, greeted) })
	guarded(p.write)
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	select {
	case err = <-greeted:
	case <-ctx.Done():
		err = &LostError{Reason: "did not say hello: " + ctx.Err().Error(), Hung: true}
	}
	if err != nil {
		p.lose(err)
		return nil, err
	}
	return p, nil
}

// guarded runs f beside its caller. A panic of f ends nothing else.
func guarded(f func()) {
	go func() {
		defer func() { _ = recover() }() // its caller gets no answer, and gives up at its deadline
		f()
	}()
}

// write writes the questions, beside who put them: a program that does not read keeps nobody
// beyond the deadline of the answer.
func (p *Process) write() {
	for {
		select {
		case <-p.more:
		case <-p.gone:
			return
		}
		p.mu.Lock()
		lines := p.lines
		p.lines = nil
		p.mu.Unlock()
		for _, line := range lines {
			// The reader notices when the program is gone, so the error is of no use here.
			_, _ = p.stdin.Write(line)
		}
	}
}

// read takes the answers, until the program ends or what it writes makes no sense.
func (p *Process) read(lines *bufio.Scanner, greeted chan<- error) {
	defer close(p.gone)
	err := p.greet(lines)
	greeted <- err
	for err == nil && lines.Scan() {
		err = p.deliver(lines.Bytes())
	}
	if err == nil {
		err = lines.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("wrote a line of more than %d bytes", maxLine)
		}
	}
	if err != nil {
		p.lose(lostBy(err))
	}
	// A program that only stopped to answer is ended.
	stop := time.AfterFunc(endTime, func() {
		defer func() { _ = recover() }()
		_ = p.cmd.Process.Kill()
	})
	defer stop.Stop()
	ended := p.cmd.Wait()
	p.lose(&LostError{Reason: p.ending(ended)})
}

func lostBy(err error) error {
	if _, is := errors.AsType[*LostError](err); is {
		return err
	}
	return &LostError{Reason: err.Error()}
}

func (p *Process) ending(err error) string {
	reason := "ended"
	if err != nil {
		reason = "ended: " + err.Error()
	}
	if said := p.stderr.String(); said != "" {
		reason += ": " + said
	}
	return reason
}

func (p *Process) greet(lines *bufio.Scanner) error {
	if !lines.Scan() {
		return &LostError{Reason: p.ending(p.cmd.Wait())}
	}
	var h hello
	if err := json.Unmarshal(lines.Bytes(), &h); err != nil || h.Protocol == 0 {
		return &LostError{Reason: fmt.Sprintf("began with %.100q, which is no hello of the protocol", lines.Text())}
	}
	if h.Protocol != protocol {
		return &LostError{Reason: fmt.Sprintf("speaks version %d of the protocol, chainscope version %d; install the chainscope-clarity of this chainscope", h.Protocol, protocol)}
	}
	p.vm, p.forks = h.VM, h.Forks
	return nil
}

// deliver passes an answer to the request that waits for it.
func (p *Process) deliver(line []byte) error {
	var r reply
	err := json.Unmarshal(line, &r)
	if err == nil && r.Read != nil && p.reads != nil {
		guarded(func() { p.serve(*r.Read, r.Path) })
		return nil
	}
	if err != nil || r.ID == nil || (r.OK == nil) == (r.Error == nil) {
		return fmt.Errorf("wrote %.100q, which is no answer", line)
	}
	p.mu.Lock()
	c, pending := p.waiting[*r.ID]
	delete(p.waiting, *r.ID)
	p.mu.Unlock()
	if !pending {
		return fmt.Errorf("answered %d, which is no open request", *r.ID)
	}
	c <- r
	return nil
}

// lose ends the process, if it has not, and notifies all who wait. The first reason counts.
func (p *Process) lose(reason error) {
	p.mu.Lock()
	if p.died == nil {
		p.died = reason
	}
	waiting := p.waiting
	p.waiting = nil
	reason = p.died
	p.mu.Unlock()
	_ = p.stdin.Close()
	_ = p.cmd.Process.Kill()
	for _, c := range waiting {
		c <- reply{lost: reason}
	}
}

// Lost returns why the process is not there any more, nil while it is.
func (p *Process) Lost() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.died
}

// Close ends the process.
func (p *Process) Close() {
	_ = p.stdin.Close()
	select {
	case <-p.gone:
	case <-time.After(endTime):
		p.lose(&LostError{Reason: "was ended"})
		<-p.gone
	}
}

// question is a request that is not answered yet.
type question struct {
	p        *Process
	do       string
	id       int64
	answered chan reply
	err      error // why there is no answer
}

// begin requests something without waiting for the answer. with is an object; do and id are
// added to it.
func (p *Process) begin(do string, with map[string]any) *question {
	q := &question{p: p, do: do, answered: make(chan reply, 1)}
	p.mu.Lock()
	if p.died != nil {
		q.err = p.died
		p.mu.Unlock()
		return q
	}
	defer p.mu.Unlock()
	p.next++
	q.id = p.next
	line := map[string]any{"id": q.id, "do": do}
	for k, v := range with {
		line[k] = v
	}
	text, err := json.Marshal(line)
	if err != nil {
		q.err = err
		return q
	}
	p.waiting[q.id] = q.answered
	p.post(text)
	return q
}

// post lets a line be written. The caller must hold p.mu.
func (p *Process) post(text []byte) {
	p.lines = append(p.lines, append(text, '\n'))
	select {
	case p.more <- struct{}{}:
	default: // it is awake
	}
}

// wait waits for the answer and decodes it. A process that gives none in time is ended; the time in which
// it waits for what it reads does not count.
func (q *question) wait(limit time.Duration, into any) error {
	if q.err != nil {
		return q.err
	}
	began, read := time.Now(), q.p.readTime()
	for left := limit; left > 0; {
		t := time.NewTimer(left)
		select {
		case r := <-q.answered:
			t.Stop()
			return q.decode(r, into)
		case <-t.C:
			// What it has waited for is not its own time. While it still waits, it is checked again.
			left = min(limit, limit-time.Since(began)+q.p.readTime()-read)
			if q.p.isReading() {
				left = max(left, time.Second)
			}
		}
	}
	err := &LostError{Reason: fmt.Sprintf("gave no answer to %s within %v", q.do, limit), Hung: true}
	q.p.lose(err)
	return err
}

func (q *question) decode(r reply, into any) error {
	switch {
	case r.lost != nil:
		return r.lost
	case r.Error != nil && r.Error.Kind == "unread":
		return &fork.UnreadError{What: r.Error.What, Why: r.Error.Why}
	case r.Error != nil && r.Error.Kind == "broken":
		err := &LostError{Reason: "failed: " + r.Error.Message}
		q.p.lose(err)
		return err
	case r.Error != nil:
		return r.Error
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(r.OK, into); err != nil {
		err = &LostError{Reason: fmt.Sprintf("answered %s with something else: %v", q.do, err)}
		q.p.lose(err)
		return err
	}
	return nil
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if len(t.kept) > maxStderr {
		t.kept = append([]byte(nil), t.kept[len(t.kept)-maxStderr:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "?"))
}
