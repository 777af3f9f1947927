package term

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"chainscope/tui/text"

	"github.com/atotto/clipboard"
	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/cli/browser"
)

// CopyRequest is the message of [Copy].
type CopyRequest struct {
	What string // the label
	Text string
}

// Copy puts content, which a label names, into the clipboard: by the terminal (OSC 52),
// which works over SSH, and by the system's own tool if there is one. The result comes as
// [CopiedMsg].
func Copy(label, content string) tea.Cmd {
	return func() tea.Msg { return CopyRequest{What: label + " " + preview(content), Text: content} }
}

// shownCells is the width of the copied text that the notice shows.
const shownCells = 32

// preview returns a text that fits into a notice, or how long it is.
func preview(content string) string {
	if len(content) > 200 || strings.ContainsAny(content, "\r\n") {
		return text.Bytes(int64(len(content)))
	}
	return text.Middle(content, shownCells)
}

// CopiedMsg is the result of [Copy].
type CopiedMsg struct {
	// What was copied, in words.
	What string
	// Terminal says that it was sent to the terminal. Whether the terminal took
	// it cannot be known.
	Terminal bool
	// System says that the system's clipboard has it.
	System bool
	// Err is the reason why neither could be done, nil when one was.
	Err error
}

// String returns which ways were used, in words.
func (m CopiedMsg) String() string {
	switch {
	case m.Terminal && m.System:
		return "copied " + m.What + " (terminal and system clipboard)"
	case m.System:
		return "copied " + m.What + " (system clipboard)"
	case m.Terminal:
		return "copied " + m.What + " (sent to the terminal by OSC 52)"
	}
	return fmt.Sprintf("not copied: %v", m.Err)
}

// maxOSC52 bounds the text sent to a terminal: xterm and hterm take 100,000
// characters of base64, the sequence included.
const maxOSC52 = 74_994

// ErrTooLong says that a text is too long for the clipboard of a terminal.
var ErrTooLong = fmt.Errorf("more than %d bytes, too long for the terminal's clipboard", maxOSC52)

func (r *runner) copy(what, content string) tea.Cmd {
	return func() tea.Msg {
		done := CopiedMsg{What: what}
		terminalErr := ErrTooLong
		switch {
		case len(content) <= maxOSC52:
			terminalErr = r.screen.control(clipboardSequence(content, r.opts.Environ))
		}
		done.Terminal = terminalErr == nil
		systemErr := within(2*time.Second, func() error { return r.opts.SetClipboard(content) })
		done.System = systemErr == nil
		if !done.Terminal && !done.System {
			done.Err = errors.Join(terminalErr, systemErr)
		}
		return done
	}
}

// clipboardSequence returns OSC 52, wrapped for the multiplexer in between. tmux
// takes the plain form or passes the wrapped one on, depending on its settings,
// so it gets both.
func clipboardSequence(content string, environ []string) string {
	seq := osc52.New(content)
	for _, v := range environ {
		switch {
		case strings.HasPrefix(v, "TMUX=") && len(v) > len("TMUX="):
			return seq.String() + seq.Tmux().String()
		case strings.HasPrefix(v, "STY=") && len(v) > len("STY="):
			return seq.Screen().String()
		}
	}
	return seq.String()
}

// within runs f and stops waiting for it after the limit; f itself continues.
func within(limit time.Duration, f func() error) error {
	result := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				result <- fmt.Errorf("internal error: %v", p)
			}
		}()
		result <- f()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-result:
		return err
	case <-timer.C:
		return fmt.Errorf("no answer within %v", limit)
	}
}

func setNativeClipboard(text string) error {
	if clipboard.Unsupported {
		return errors.New("no clipboard tool found (wl-copy, xclip, xsel or termux-clipboard-set)")
	}
	return clipboard.WriteAll(text)
}

// OpenRequest is the message of [Open].
type OpenRequest struct{ URL string }

// Open opens an address in the browser. Only http and https addresses are
// opened, whatever a chain says. The result comes as [OpenedMsg].
func Open(url string) tea.Cmd {
	return func() tea.Msg { return OpenRequest{URL: url} }
}

// OpenedMsg is the result of [Open].
type OpenedMsg struct {
	URL string
	Err error
}

func (r *runner) open(address string) tea.Cmd {
	return func() tea.Msg {
		clean, err := webAddress(address)
		if err == nil {
			err = r.opts.OpenURL(clean)
		}
		return OpenedMsg{URL: address, Err: err}
	}
}

// webAddress returns an http or https address in its escaped form, and an error
// for any other.
func webAddress(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("not opened: %q is not an address", address)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("not opened: the scheme is %q, only http and https are opened", u.Scheme)
	}
	if u.Host == "" || u.User != nil {
		return "", fmt.Errorf("not opened: %q has no host, or a user name before it", address)
	}
	return u.String(), nil
}

// quietBrowser discards what the launcher of a browser prints.
var quietBrowser = sync.OnceFunc(func() { browser.Stdout, browser.Stderr = io.Discard, io.Discard })

func openInBrowser(address string) error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" && os.Getenv("WSL_DISTRO_NAME") == "" {
		return errors.New("not opened: there is no desktop here; copy the address instead")
	}
	quietBrowser()
	return browser.OpenURL(address)
}

// MouseRequest is the message of [Mouse].
type MouseRequest struct{ On bool }

// Mouse switches mouse reports on or off. They stay as they are over [Suspend].
func Mouse(on bool) tea.Cmd {
	return func() tea.Msg { return MouseRequest{On: on} }
}
