package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// view is something that is drawn, and how one comes there.
type view struct {
	name  string
	place nav.Place
	keys  string // pressed there, with blanks between
	least int    // how many lines answer a click at least, in the smallest window, were each clicked
}

var everyView = []view{
	{"home", nav.Home(), "", 5},
	{"blocks", nav.Blocks(), "", 10},
	{"blocks, filtered", nav.Blocks(), "/ t x s : > 0 enter", 1},
	{"a block", nav.Blocks(), "enter", 5},
	{"burn blocks", nav.BurnBlocks(), "j", 10},
	{"a burn block", nav.LatestBurnBlock(), "", 5},
	{"tokens", nav.Tokens(), "", 10},
	{"a token", nav.Tokens(), "enter", 3},
	{"names", nav.Names("id"), "", 5},
	{"namespaces", nav.Names(""), "", 2},
	{"the wallet", nav.Wallet(), "", 5},
	{"a new request", nav.Wallet(), "n", 10},
	{"accounts", nav.Wallet(), "A", 5},
	{selecting, nav.Wallet(), "", 2},
	{"sort", nav.Blocks(), "S", 5},
	{"counts", nav.Blocks(), "F", 0},
	{"copy", nav.Blocks(), "y", 4},
	{"export", nav.Blocks(), "e", 2},
	{"themes", nav.Blocks(), "T", 4},
	{"bookmarks", nav.Blocks(), "b 2 b B", 2},
	{"commands", nav.Blocks(), ": b o o k", 2},
	{"go to", nav.Blocks(), "ctrl+g m u n e e b", 1},
	{"help", nav.Blocks(), "?", 0},
	{"raw JSON", nav.Blocks(), "J", 0},
	{"the mock panel", nav.Blocks(), "M", 7},
	{"the end of the mock panel", nav.Blocks(), "M end", 6},
}

// selecting is the view in which the wallet waits for the user.
const selecting = "the selector"

// at goes to a view in a new program.
func at(t *testing.T, v view, size [2]int) *walletStory {
	t.Helper()
	s := startWallet(t, "testnet", size[0], size[1])
	s.run(s.m.visit(v.place))
	s.keys(v.keys)
	if v.name == selecting {
		_, ask := s.m.Update(letter('c'))
		go ask()
		hear[service.SelectionNeeded](s)
	}
	return s
}

func (s *walletStory) keys(names string) {
	for _, k := range strings.Fields(names) {
		s.send(keyNamed(s.t, k))
	}
}

// ofThisProgram holds what differs from one program to the next: where its server listens and
// where it writes.
var ofThisProgram = regexp.MustCompile(`127\.0\.0\.1:\d+|/tmp/\S*|\S*/TestA\S*`)

// seen returns the frame, without what differs from one program to the next.
func (s *walletStory) seen() string {
	return ofThisProgram.ReplaceAllString(ansi.Strip(s.m.View()), "…")
}

// cell is one of the screen.
type cell struct{ x, y int }

// marks returns the cells in which a cursor stands.
func marks(frame string) []cell {
	var out []cell
	for y, line := range strings.Split(frame, "\n") {
		for before, rest := "", line; ; {
			head, tail, found := strings.Cut(rest, "▸")
			if !found {
				break
			}
			out = append(out, cell{text.Width(before + head), y})
			before, rest = before+head+"▸", tail
		}
	}
	return out
}

// together reports whether no border is between two columns of a line.
func together(line string, a, b int) bool {
	between := ansi.Cut(line, min(a, b), max(a, b))
	return !strings.Contains(between, "│")
}

// continues reports whether lines have nothing at the column of labels: they belong to the
// row above.
func continues(lines []string, x int) bool {
	for _, line := range lines {
		if strings.TrimSpace(ansi.Cut(line, x, x+12)) != "" || strings.TrimSpace(ansi.Cut(line, x, x+60)) == "" {
			return false
		}
	}
	return true
}

// stop is where the keyboard can bring the cursor, and the keys for it.
type stop struct {
	at   cell
	keys string
}

// stops returns all that the keyboard reaches in a view.
func stops(t *testing.T, v view, size [2]int) []stop {
	t.Helper()
	var out []stop
	starts := []string{"", "tab", "enter", "home"}
	if v.place == nav.Wallet() { // enter there waits for somebody
		starts = []string{"", "tab", "home"}
	}
	for _, first := range starts {
		s := at(t, v, size)
		place, boxes := s.m.Place().Kind, len(s.m.overlays.stack)
		keys := first
		s.keys(first)
		for before, n := "", 0; n < 80 && s.m.Place().Kind == place && len(s.m.overlays.stack) == boxes; n++ {
			now := s.seen()
			if now == before {
				break
			}
			before = now
			for _, c := range marks(now) {
				out = append(out, stop{c, keys})
			}
			s.keys("down")
			keys += " down"
		}
	}
	return out
}

// A click does what is drawn under it: what it changes is what the keyboard does with the
// cursor on that line, and where nothing can have the cursor nothing happens.
func TestAClickDoesWhatIsDrawnUnderIt(t *testing.T) {
	for nth, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		step := size[1] / 10
		for i, v := range everyView {
			if !uitest.Long() && i%3 != nth {
				continue
			}
			t.Run(fmt.Sprint(v.name, " ", size[0], "x", size[1]), func(t *testing.T) {
				t.Parallel()
				c := clicking{t: t, v: v, size: size, opened: map[string]string{}}
				answered := 0
				for y := 1 + i%step; y < size[1]-1; y += step { // above are the tabs, below the hints
					left, right := size[0]*3/10-y%5, size[0]*5/8+y%7
					if c.click(left, y) || c.click(right, y) {
						answered++
					}
				}
				if answered < v.least/step {
					t.Errorf("of each %d. line %d answer, want %d or more:\n%s", step, answered, v.least/step, at(t, v, size).seen())
				}
			})
		}
	}
}

// clicking is the user with a mouse at a view.
type clicking struct {
	t      *testing.T
	v      view
	size   [2]int
	stops  []stop            // read when they are needed
	opened map[string]string // what enter opens after some keys
	boxed  bool              // whether the view is a box
	s      *walletStory      // at the view, untouched; nil for none
}

// click clicks on a cell and reports whether anything happened.
func (c *clicking) click(x, y int) bool {
	if c.s == nil {
		c.s = at(c.t, c.v, c.size)
	}
	s := c.s
	before := s.seen()
	c.boxed = s.m.overlays.open()
	c.send(s, clickAt(x, y))
	after := s.seen()
	if after == before {
		return false
	}
	c.s = nil
	lines := strings.Split(after, "\n")
	for _, m := range marks(after) {
		if together(lines[y], m.x, x) && (m.y == y || m.y < y && continues(lines[m.y+1:y+1], m.x)) {
			return true // the cursor has come here
		}
	}
	if c.stops == nil {
		c.stops = stops(c.t, c.v, c.size)
	}
	for _, reached := range c.under(before, x, y) {
		if c.opens(reached.keys) == c.where(s) {
			return true
		}
	}
	c.t.Errorf("a click at column %d of line %d, %q, leads to %s:\n%s", x, y, strings.Split(before, "\n")[y], c.where(s), after)
	return true
}

// under returns the stops that a cell belongs to: on its line, or for the tiles of home the
// nearest above.
func (c *clicking) under(frame string, x, y int) []stop {
	var out []stop
	line, best := strings.Split(frame, "\n")[y], cell{-1, -1}
	for _, reached := range c.stops {
		switch at := reached.at; {
		case c.v.place != nav.Home() || c.v.keys != "":
			if at.y == y && together(line, at.x, x) {
				out = append(out, reached)
			}
		case at.y > y || at.x > x+2 || at.y < best.y || at.y == best.y && at.x < best.x:
		case at == best:
			out = append(out, reached)
		default:
			best, out = at, []stop{reached}
		}
	}
	return out
}

// send gives a message to the program. In the wallet what it starts is not awaited, as it may
// wait for the user, and of the mock what it says is, but not what is asked of it then.
func (c *clicking) send(s *walletStory, msg tea.Msg) {
	_, cmd := s.m.Update(msg)
	switch {
	case c.v.place == nav.Wallet():
	case strings.HasSuffix(c.v.name, "mock panel"):
		if cmd != nil {
			s.m.Update(cmd())
		}
	default:
		s.run(cmd)
	}
}

// opens returns where enter leads after some keys.
func (c *clicking) opens(keys string) string {
	if to, known := c.opened[keys]; known {
		return to
	}
	s := at(c.t, c.v, c.size)
	s.keys(keys)
	c.send(s, enter)
	c.opened[keys] = c.where(s)
	return c.opened[keys]
}

// where returns where a program is; if it came out of a box that did something there, by all
// that is on screen.
func (c *clicking) where(s *walletStory) string {
	if c.boxed {
		return s.seen()
	}
	return fmt.Sprintf("%s, %d boxes", s.m.Place(), len(s.m.overlays.stack))
}
