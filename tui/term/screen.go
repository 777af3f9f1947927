package term

import (
	"bytes"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// marker is all that the framework ever sees of a frame: an APC string that no
// terminal obeys. A write that contains it is a frame of the framework's renderer
// and is dropped.
const marker = "\x1b_chainscope frame\x1b\\"

// frameGap is the least time between two frames. A single key is drawn at once;
// of many at once only the last is drawn.
const frameGap = 4 * time.Millisecond

// frameBurst is the number of frames that may follow each other without a gap after a time
// of as many gaps without one.
const frameBurst = 6

// flushMsg requests the frame that was postponed.
type flushMsg struct{}

// screen owns the terminal's output. The framework writes its control
// sequences through it, its frames are dropped; the frames of the model come by
// submit and are drawn at once by a goroutine of its own, the newest first and
// those in between never. So a slow terminal never blocks the event loop.
//
// It implements the file interface the framework wants for size and raw mode.
type screen struct {
	file *os.File
	out  io.Writer
	send func(tea.Msg)     // to the event loop
	fail func(any, []byte) // a panic, with its stack
	lost func(error)       // the terminal is gone
	then func()            // after the first frame
	wake chan struct{}     // of size 1
	done chan struct{}     // closed to end the goroutine
	idle sync.WaitGroup    // the goroutine
	now  func() time.Time

	// writing is held round each whole frame or control sequence.
	writing sync.Mutex
	painter *painter
	off     bool // not in our alternate screen: nothing is drawn

	mu      sync.Mutex
	frame   string
	width   int
	height  int
	have    bool                  // there is a frame
	busy    bool                  // a frame waits or is being drawn
	dirty   bool                  // the model changed while busy
	armed   bool                  // a flushMsg will come
	painted time.Time             // the last frame
	recent  [frameBurst]time.Time // the last frames, a ring
	made    int                   // frames so far
}

func newScreen(file *os.File, out io.Writer, p *painter) *screen {
	return &screen{
		file: file, out: out, painter: p, off: true,
		wake: make(chan struct{}, 1), done: make(chan struct{}), now: time.Now,
		send: func(tea.Msg) {}, fail: func(any, []byte) {}, lost: func(error) {}, then: func() {},
	}
}

// start begins to draw.
func (s *screen) start() {
	s.idle.Add(1)
	go s.loop()
}

// stop ends drawing and waits for the last write.
func (s *screen) stop() {
	close(s.done)
	s.idle.Wait()
}

// Read, Close and Fd make it a terminal file.
func (s *screen) Read(p []byte) (int, error) { return s.file.Read(p) }

// Close does nothing: the terminal is not ours to close.
func (s *screen) Close() error { return nil }

// Fd returns the file descriptor of the terminal.
func (s *screen) Fd() uintptr { return s.file.Fd() }

var (
	altScreenOn  = []byte("\x1b[?1049h")
	altScreenOff = []byte("\x1b[?1049l")
	clearAll     = []byte("\x1b[2J")
	markerBytes  = []byte(marker)
)

// Write passes everything to the terminal but frames of the framework.
func (s *screen) Write(p []byte) (int, error) {
	if bytes.Contains(p, markerBytes) {
		return len(p), nil
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	repaint := false
	if bytes.Contains(p, altScreenOn) {
		s.off, repaint = false, true
	}
	if bytes.Contains(p, altScreenOff) {
		s.off = true
	}
	if repaint || bytes.Contains(p, clearAll) {
		s.painter.reset()
		s.redraw()
	}
	return s.out.Write(p)
}

// control writes a sequence that draws nothing, between frames.
func (s *screen) control(seq string) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := io.WriteString(s.out, seq)
	return err
}

// due reports whether a frame may be made now. If not, a flushMsg will come.
func (s *screen) due() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy {
		s.dirty = true
		return false
	}
	if wait := s.gap(); wait > 0 {
		s.arm(wait)
		return false
	}
	return true
}

// gap returns how long the next frame has to wait. A key is often followed by
// answers, each a frame of its own: after a pause, a few frames may follow each
// other at once. The caller must hold s.mu.
func (s *screen) gap() time.Duration {
	now := s.now()
	oldest := s.recent[s.made%frameBurst]
	return min(frameGap-now.Sub(s.painted), frameBurst*frameGap-now.Sub(oldest))
}

// recordFrame adds the time of a frame to the ring. The caller must hold s.mu.
func (s *screen) recordFrame(now time.Time) {
	s.painted = now
	s.recent[s.made%frameBurst] = now
	s.made++
}

// arm sends one flushMsg after wait. The caller must hold s.mu.
func (s *screen) arm(wait time.Duration) {
	if s.armed {
		return
	}
	s.armed = true
	time.AfterFunc(wait, func() { s.send(flushMsg{}) })
}

// flushed records that the flushMsg has come.
func (s *screen) flushed() {
	s.mu.Lock()
	s.armed = false
	s.mu.Unlock()
}

// submit passes the newest frame.
func (s *screen) submit(frame string, width, height int) {
	s.mu.Lock()
	s.frame, s.width, s.height, s.have = frame, width, height, true
	s.busy = true
	s.recordFrame(s.now())
	s.mu.Unlock()
	s.wakeUp()
}

// redraw draws the last frame once more, when what the terminal shows was lost.
func (s *screen) redraw() {
	s.mu.Lock()
	have := s.have
	if have {
		s.busy = true
	}
	s.mu.Unlock()
	if have {
		s.wakeUp()
	}
}

func (s *screen) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// loop draws the newest frame whenever there is one.
func (s *screen) loop() {
	defer s.idle.Done()
	defer func() {
		if r := recover(); r != nil {
			s.fail(r, debug.Stack())
		}
	}()
	first := true
	for {
		select {
		case <-s.done:
			return
		case <-s.wake:
		}
		s.mu.Lock()
		frame, width, height := s.frame, s.width, s.height
		s.mu.Unlock()
		drawn, err := s.draw(frame, width, height)
		if err != nil {
			s.lost(err)
			return
		}
		s.mu.Lock()
		if len(s.wake) == 0 {
			s.busy = false
			if s.dirty {
				s.dirty = false
				s.arm(max(0, s.gap()))
			}
		}
		s.mu.Unlock()
		if first && drawn {
			first = false
			s.then()
		}
	}
}

// draw writes what changes; it reports whether the terminal shows the frame.
func (s *screen) draw(frame string, width, height int) (bool, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.off {
		return false, nil
	}
	if b := s.painter.paint(frame, width, height); len(b) > 0 {
		if _, err := s.out.Write(b); err != nil {
			return false, err
		}
	}
	return true, nil
}
