package tokens

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"chainscope/mockserver"
	"chainscope/tui/nav"
)

// counting notes what is requested, and says what is left of a limit when there is one.
type counting struct {
	http.RoundTripper
	mu        sync.Mutex
	requested []string
	left      int // -1: no limit
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requested = append(c.requested, r.URL.RequestURI())
	resp, err := c.RoundTripper.RoundTrip(r)
	if err == nil && c.left >= 0 {
		c.left--
		resp.Header.Set("ratelimit-limit", "25")
		resp.Header.Set("ratelimit-remaining", strconv.Itoa(c.left))
		resp.Header.Set("ratelimit-reset", "40")
	}
	return resp, err
}

// took returns what was requested of the list of tokens since the last call.
func (c *counting) took() (requested []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.requested {
		if q, ok := strings.CutPrefix(a, "/metadata/v1/ft?limit=60&"); ok {
			requested = append(requested, q)
		}
	}
	c.requested = nil
	return requested
}

// searching returns the user at a server of which the explorer knows no catalogue.
func searching(t *testing.T, left int) (*driver, *counting) {
	c := &counting{left: left}
	d := start(t, setup{noCatalogue: true, wrap: func(real http.RoundTripper) http.RoundTripper {
		c.RoundTripper = real
		return c
	}})
	d.open(nav.Tokens())
	return d, c
}

func TestATokenIsFoundOnTheServerByItsNameAndSymbol(t *testing.T) {
	d, server := searching(t, -1)
	d.sees("No tokens yet", "find one by its name or symbol")
	d.press("/", "wrapped e")
	d.sees("wrapped-ether", "Wrapped Ether", "wETH", "1 found on this API")
	if got := strings.Join(server.took(), " "); got != "symbol=wrapped+e name=wrapped+e" {
		t.Errorf("requested %q", got)
	}
	// The same by its symbol; a token that has its metadata in three locales is one row.
	d.press("ctrl+u", "weth")
	d.sees("Wrapped Ether", "1 found on this API")
	d.press("ctrl+u", "harbor dol")
	d.sees("1 found on this API", "1 of")
	d.press("enter", "enter")
	d.sees("A dollar for every harbor.")
	d.press("esc", "esc")
	d.press("/", "nobody at all")
	d.sees("No token matches the filter", "nothing of that name on this API")
}

// What costs two requests waits until typing rests, and is requested once.
func TestTypingIsNotRequestedLetterByLetter(t *testing.T) {
	d, server := searching(t, -1)
	d.hold = true
	d.press("/", "w", "r", "a", "p")
	if got := server.took(); len(got) > 0 {
		t.Errorf("requested %q while typing", got)
	}
	d.release()
	if got := strings.Join(server.took(), " "); got != "symbol=wrap name=wrap" {
		t.Errorf("requested %q", got)
	}
	// What is no part of a name is not looked for.
	for _, typed := range []string{"w", "12345", "what:full", "/wrap/", "!wrap", "SP2SYHR84.ft", strings.Repeat("w", 33)} {
		d.press("ctrl+u", typed)
		if got := server.took(); len(got) > 0 {
			t.Errorf("%s: requested %q", typed, got)
		}
	}
}

// A server's limit that is half used up is kept for what the user requests.
func TestASearchKeepsToALimit(t *testing.T) {
	d, server := searching(t, 25)
	d.press("/", "weth")
	d.sees("1 found on this API")
	server.took()
	server.left = 13
	d.press("ctrl+u", "ship") // learns that 11 are left
	server.took()
	d.press("ctrl+u", "harbor", "enter")
	d.sees("r searches this API for “harbor”, 2 requests")
	if got := server.took(); len(got) > 0 {
		t.Errorf("requested %q", got)
	}
	offered := d.s.Named("harbor")
	if last := offered[len(offered)-1]; last.Run == nil || last.Note != "2 requests" {
		t.Errorf("find anything offers %+v", last)
	}
	d.press("r")
	d.sees("harbor-dollar", "3 found on this API")
	if got := server.took(); len(got) != 2 {
		t.Errorf("requested %q", got)
	}
}

func TestAServerWithoutASearchSaysSo(t *testing.T) {
	d := start(t, setup{noCatalogue: true, config: mockserver.Config{Faults: rules(t, "status=404,path=/metadata/v1/ft")}})
	d.open(nav.Tokens())
	d.press("/", "weth")
	d.sees("this API has no search by name")
}

// The names in a list are as hostile as those of a token.
func TestHostileNamesOfASearchAreEscaped(t *testing.T) {
	d, _ := searching(t, -1)
	for typed, hidden := range map[string]string{"escapes": "\x1b[2J", "pay ": "\u202e"} {
		d.press("/", typed, "enter")
		raw := false
		for _, p := range d.s.picks {
			raw = raw || strings.Contains(p.Name+p.Symbol, hidden)
		}
		if !raw {
			t.Errorf("%s: the mock lists no name with %q: nothing was tested", typed, hidden)
		}
		frame := d.view()
		for _, r := range []string{"\x1b[2J", "\x1b]", "\u202e", "\u200b", "\x07"} {
			if strings.Contains(frame, r) {
				t.Errorf("%s: %q is drawn:\n%s", typed, r, frame)
			}
		}
	}
}
